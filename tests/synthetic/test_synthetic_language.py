import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.synthetic.chance import log_uniform, sample
from newsdedup.synthetic.events import draw_facts, fractional_tenths, move_numbers, plural_number
from newsdedup.synthetic.frames import Book, Frame, read_book
from newsdedup.synthetic.lexicon_file import read_lexicon
from newsdedup.synthetic.named import Person
from newsdedup.synthetic.numerals import Amount, CountedThings, Numerals, Units
from newsdedup.synthetic.phrasing import Sentence, make_choices, render_sentence
from newsdedup.synthetic.report import ReportLength, compose_report
from synthetic.seeded import seeded

NOW = datetime(2026, 11, 3, 9, 30, tzinfo=UTC)
LANGUAGES = ("ru", "uk", "en")
FOREIGN = {"ru": "іїєґІЇЄҐ", "uk": "ыэёъЫЭЁЪ", "en": "абвгдеёжзиклмнопрстуфхцчшщэюя"}
ENDS = (".", "!", "?", "»", ")", "”")


@pytest.fixture(scope="module", params=LANGUAGES)
def book(request: pytest.FixtureRequest) -> Book:
    return read_book(request.param)


def sentences(frame: Frame) -> Iterator[Sentence]:
    for pairs in (frame.leads, frame.facts, frame.particulars, frame.remarks, frame.quotes):
        for both in pairs:
            yield from both
    for _, lead in frame.later:
        yield lead
    yield from frame.backgrounds


def headlines(frame: Frame) -> Iterator[Sentence]:
    for both in frame.titles:
        yield from both
    for title, _ in frame.later:
        yield title


def every_choice(template: Sentence) -> Iterator[str]:
    """Yield the template with its free choices made in every way, a few hundred at most."""
    pieces = [(piece,) for piece in template.pieces]
    for at, options in template.choices:
        pieces[at] = options
    for number, chosen in enumerate(product(*pieces)):
        if number == 300:
            return
        yield "".join(chosen)


def rendered_sentence(frame: Frame, template: Sentence, choice: str, rng: Random) -> str:
    facts: dict[str, object] = {}
    draw_facts(facts, frame.makers, template.needs, rng, NOW)
    return render_sentence(choice, facts)


def test_every_sentence_in_every_choice_is_whole(book: Book) -> None:
    rng = seeded(1)
    for frame in book.frames:
        for template in sentences(frame):
            for choice in every_choice(template):
                text = rendered_sentence(frame, template, choice, rng)
                assert not re.search(r"[{}\[\]<>|~]|Words\(|  | [,.;:]", text), text
                assert text[0] == text[0].upper(), text
                assert text.endswith(ENDS), text
                assert not re.search(
                    r"[^А-ЯA-Zа-яa-zіє]\. [а-яіїєa-z]|\w\w\w\. [а-яіїєa-z]", text
                ), text


def test_every_headline_in_every_choice_is_one_line_without_a_full_stop(book: Book) -> None:
    rng = seeded(2)
    for frame in book.frames:
        for template in headlines(frame):
            for choice in every_choice(template):
                text = rendered_sentence(frame, template, choice, rng)
                assert not re.search(r"[{}\[\]<>|~\n]|Words\(|  ", text), text
                assert text[0] == text[0].upper(), text
                assert not text.endswith("."), text


def test_a_report_has_no_characters_of_another_language(book: Book) -> None:
    rng = seeded(3)
    foreign = set(FOREIGN[book.lexicon.language])
    for _ in range(300):
        report = compose_report(book, ReportLength(6, 3, 4, 5, 2), rng, NOW)
        assert not foreign & set(report.title + "".join(report.paragraphs))


def test_both_phrasings_of_a_fact_share_few_words(book: Book) -> None:
    rng = seeded(4)
    for frame in book.frames:
        for first, second in frame.leads + frame.facts + frame.particulars:
            facts: dict[str, object] = {}
            draw_facts(facts, frame.makers, (*first.needs, *second.needs), rng, NOW)
            one, other = (
                {text[at : at + 3] for at in range(len(text) - 2)}
                for text in (
                    tuple(render_sentence(make_choices(template, rng), facts).split())
                    for template in (first, second)
                )
            )
            assert len(one & other) <= 0.5 * len(one | other), (first, second)


def test_a_frame_has_several_angles_and_facts(book: Book) -> None:
    assert len(book.frames) == 12
    for frame in book.frames:
        assert len(frame.titles) >= 4
        assert len(frame.leads) >= 3
        assert len(frame.facts) >= 6
        assert len(frame.later) >= 2


def test_facts_that_move_are_stated(book: Book) -> None:
    rng = seeded(5)
    for frame in book.frames:
        needs = {need for pair in frame.later for template in pair for need in template.needs}
        moving = {name for name, _ in frame.moves}
        assert all(moving & set(lead.needs) for _, lead in frame.later), frame.name
        facts: dict[str, object] = {}
        draw_facts(facts, frame.makers, sorted(needs | moving), rng, NOW)
        later = move_numbers(frame.moves, facts, rng)
        assert {name for name, value in later.items() if value != facts[name]} <= moving
        assert later != facts


@given(st.integers(0, 2**32), st.integers(2, 400), st.sampled_from(["grow", "shift", "step"]))
def test_a_fact_that_moves_never_stays(seed: int, n: int, mode: str) -> None:
    count = CountedThings(plural_number(n), Numerals((), ","))
    amount = Amount(fractional_tenths(n), Units(".", "{}", "{}", "{}", "{}", "{}", 403))
    later = move_numbers([("n", mode), ("sum", mode)], {"n": count, "sum": amount}, seeded(seed))
    assert later["n"] != count
    assert later["sum"] != amount


@pytest.mark.parametrize(
    ("language", "n", "form"),
    [
        ("ru", 2, "2 человека"),
        ("ru", 5, "5 человек"),
        ("ru", 11, "11 человек"),
        ("ru", 12, "12 человек"),
        ("ru", 23, "23 человека"),
        ("ru", 112, "112 человек"),
        ("ru", 12_004, "12 004 человека"),
        ("en", 12_004, "12,004 человека"),
    ],
)
def test_a_count_takes_the_form_its_number_asks_for(language: str, n: int, form: str) -> None:
    assert f"{CountedThings(n, read_lexicon(language).numerals):человека/человек}" == form


@pytest.mark.parametrize(
    ("language", "n", "form"),
    [("ru", 3, "три"), ("uk", 5, "п'ять"), ("en", 10, "ten"), ("en", 2, "2"), ("uk", 12, "12")],
)
def test_a_small_count_may_be_written_in_words(language: str, n: int, form: str) -> None:
    assert f"{CountedThings(n, read_lexicon(language).numerals):~}" == form


@given(st.integers(0, 10**9))
def test_no_count_ends_in_one_but_eleven(n: int) -> None:
    assert plural_number(n) % 10 != 1 or plural_number(n) % 100 == 11
    assert n <= plural_number(n) <= n + 1


@given(st.integers(0, 10**7))
def test_an_amount_is_above_one_and_has_a_decimal(tenths: int) -> None:
    assert fractional_tenths(tenths) > 10
    assert fractional_tenths(tenths) % 10


@pytest.mark.parametrize(
    ("language", "tenths", "form"),
    [
        ("ru", 124, ("12,4 млн рублей", "12,4 миллиона рублей", "более 12 млн рублей")),
        ("ru", 12_400, ("1,2 млрд рублей", "1,2 миллиарда рублей", "более 1 млрд рублей")),
        ("uk", 35, ("3,5 млн грн", "3,5 мільйона гривень", "понад 3 млн грн")),
        ("en", 124, ("£12.4m", "12.4 million pounds", "more than £12m")),
    ],
)
def test_a_sum_has_a_short_a_long_and_a_rounded_form(
    language: str, tenths: int, form: tuple[str, str, str]
) -> None:
    amount = Amount(tenths, read_lexicon(language).money)
    assert (str(amount), amount.long, amount.over) == form


def person(language: str, first: str, stem: str, *, female: bool) -> Person:
    """Return somebody with the first paradigm of last names there is."""
    lexicon = read_lexicon(language)
    (forms,) = [forms for forms, gender in lexicon.firsts if forms[0] == first and gender == female]
    return Person(forms, stem, lexicon.surname_endings[0][female], female)


def test_russian_names_are_declined() -> None:
    he = person("ru", "Сергей", "Смирн", female=False)
    she = person("ru", "Анна", "Смирн", female=True)
    assert [str(he), he.gen, he.dat, he.acc, he.ins] == [
        "Сергей Смирнов", "Сергея Смирнова", "Сергею Смирнову", "Сергея Смирнова",
        "Сергеем Смирновым",
    ]  # fmt: skip
    assert [str(she), she.gen, she.acc] == ["Анна Смирнова", "Анны Смирновой", "Анну Смирнову"]
    assert f"{he:сказал/сказала} {she:сказал/сказала}" == "сказал сказала"


def test_ukrainian_names_are_declined_by_gender() -> None:
    he = person("uk", "Петро", "Коваль", female=False)
    she = person("uk", "Марія", "Коваль", female=True)
    assert (he.gen, he.ins) == ("Петра Ковальенка", "Петром Ковальенком")
    assert (she.gen, she.ins) == ("Марії Ковальенко", "Марією Ковальенко")


def test_a_town_follows_the_preposition_its_name_requires() -> None:
    cities = {str(city): city for city in read_lexicon("uk").cities}
    assert cities["Одеса"].at == "в Одесі"
    assert cities["Полтава"].at == "у Полтаві"
    assert cities["Луцьк"].adj == "луцьк"


@given(st.integers(0, 2**32), st.integers(1, 1_000), st.integers(1, 1_000))
def test_a_log_uniform_number_is_within_its_limits(seed: int, low: int, more: int) -> None:
    assert low <= log_uniform(seeded(seed), low, low + more) <= low + more


@given(st.integers(0, 2**32), st.lists(st.integers(), unique=True), st.integers(0, 12))
def test_some_are_distinct_and_no_more_than_there_are(
    seed: int, options: list[int], count: int
) -> None:
    taken = sample(seeded(seed), options, count)
    assert len(taken) == len(set(taken)) == min(count, len(options))
    assert set(taken) <= set(options)
