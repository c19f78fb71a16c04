from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.model import Language
from newsdedup.core.words.background import (
    EMPTY_BACKGROUND,
    PRIOR,
    Background,
    LanguageCounts,
    term_key,
)
from newsdedup.core.words.lemmas import Lemmas, StopWords
from newsdedup.core.words.vocabulary import Generations, Vocabulary


class Shortener:
    """Lemmatizes by cutting a form to four characters, and counts its calls."""

    version = "cut 4"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def lemma(self, form: str) -> str:
        self.asked.append(form)
        return form[:4]


STOP_WORDS = StopWords({"ru": frozenset({"который"})})


def vocabulary(*, bound: int, background: Background = EMPTY_BACKGROUND) -> Vocabulary:
    return Vocabulary(Lemmas({"ru": Shortener()}), STOP_WORDS, background, bound=bound)


words = st.text("абвгд", min_size=1, max_size=6) | st.just("который")
documents = st.lists(
    st.tuples(st.lists(words, max_size=12), st.sampled_from(["ru", "uk", "en", "other"])),
    max_size=30,
)


@given(documents, st.integers(1, 10))
def test_a_small_memory_gives_the_answers_of_a_large_one(
    stream: Sequence[tuple[list[str], Language]], bound: int
) -> None:
    small, large = vocabulary(bound=bound), vocabulary(bound=10**6)
    for forms, lang in stream:
        fresh = vocabulary(bound=10**6)
        assert small.terms(forms, lang) == large.terms(forms, lang) == fresh.terms(forms, lang)


def test_terms_stand_in_the_order_of_the_text_and_stop_words_are_left_out() -> None:
    known = vocabulary(bound=10)
    terms = known.terms(["мосты", "который", "рекой", "мосты", "на"], "ru")
    assert [term.lemma for term in terms] == ["мост", "реко", "мост"]


def test_a_form_is_lemmatized_once_while_it_is_remembered() -> None:
    shortener = Shortener()
    known = Vocabulary(Lemmas({"ru": shortener}), STOP_WORDS, EMPTY_BACKGROUND, bound=10)
    for _ in range(5):
        known.terms(["мосты", "мосты", "река"], "ru")
    assert shortener.asked == ["мосты", "река"]


def test_languages_are_remembered_apart() -> None:
    known = vocabulary(bound=10)
    assert [term.lemma for term in known.terms(["мосте"], "ru")] == ["мост"]
    assert [term.lemma for term in known.terms(["мосте"], "other")] == ["мосте"]


def test_a_known_lemma_is_keyed_and_weighed_by_its_frequency() -> None:
    table = Background({"ru": LanguageCounts(9_000, 90_000, {"мост": (100, 140)})}, "by hand")
    common, rare = vocabulary(bound=10, background=table).terms(["мосты", "рекой"], "ru")
    assert common.key == term_key("мост", table.frequency("мост"))
    assert rare.key == term_key("реко", None)
    # N = 9,000 + 1,000 = 10,000: idf = ln(10,000 / 100) = 4.6052, sqrt(4.6052 / 9) = 0.715322
    assert table.documents == 9_000 + PRIOR
    assert common.weight == 0.715322
    # out of the table: as one document of 10,000: idf = 9.2103, above 9: 9 / 9.2103 = 0.977163
    assert rare.weight == 0.977163


def test_what_is_asked_again_is_not_forgotten() -> None:
    shortener = Shortener()
    known = Vocabulary(Lemmas({"ru": shortener}), STOP_WORDS, EMPTY_BACKGROUND, bound=6)
    for number in range(50):
        known.terms(["часто", f"однажды{number}"], "ru")
    assert shortener.asked.count("часто") == 1
    known.terms(["однажды0"], "ru")
    assert shortener.asked.count("однажды0") == 2


def test_a_stop_word_is_remembered_like_any_other() -> None:
    computed: list[str] = []
    memory = Generations(computed.append)  # append returns None, as for a stop word
    assert [memory["который"] for _ in range(3)] == [None, None, None]
    memory.age()
    assert memory["который"] is None
    assert computed == ["который"]


@given(documents, st.integers(2, 12))
def test_no_more_forms_are_remembered_than_the_bound_and_two_documents(
    stream: Sequence[tuple[list[str], Language]], bound: int
) -> None:
    known = vocabulary(bound=bound)
    largest = max((len(set(forms)) for forms, _ in stream), default=0)
    for forms, lang in stream:
        known.terms(forms, lang)
        cached = sum(len(one) + len(one._old) for one in known._known.values())
        assert cached <= bound + 2 * largest


def lemmas_of(forms: list[str], lang: Language) -> list[str]:
    return [term.lemma for term in vocabulary(bound=100).terms(forms, lang)]


def test_the_parts_of_a_compound_with_hyphens_are_words_in_languages_of_the_table() -> None:
    assert lemmas_of(["brücken-streit", "us-präsident"], "de") == ["brücken", "streit", "präsident"]
    assert lemmas_of(["brücken-streit"], "other") == ["brücken-streit"]
    assert lemmas_of(["пресс-служба"], "ru") == ["прес"]


def test_words_of_scripts_without_spaces_are_pairs_of_their_characters() -> None:
    assert lemmas_of(["大桥重新", "开放"], "zh") == ["大桥", "桥重", "重新", "开放"]
    assert lemmas_of(["대교가"], "ko") == ["대교", "교가"]
    assert lemmas_of(["大桥重新"], "other") == ["大桥重新"]


def test_all_words_of_a_form_are_its_readings_in_languages_of_the_table() -> None:
    read = vocabulary(bound=100).readings("brücken-streit", "de")
    assert [term.lemma for term in read] == ["brücken", "streit"]
