import random
from functools import partial
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.event_stream import search_words
from newsdedup.server.pages.word_diff import MOST_DIFF_WORDS, DiffPart, WordDiff, diff_words

REPORT = """Bridge over the Velna reopens
The bridge over the river Velna in Marstad reopened on Monday after a repair that took 14 months, mayor Ida Holm said.
Buses run again from Tuesday on all lines of the city."""  # noqa: E501 - a paragraph is a line
REVISED = """Bridge over the Velna reopens
Buses run again from Tuesday on all lines of the city.
The bridge over the river Velna in Marstad reopened on Monday after a repair that took 15 months, mayor Andri Veid said."""  # noqa: E501 - a paragraph is a line

texts = st.text(alphabet="ab 1.\n", max_size=200) | st.text(max_size=200)


def words_of(diff: WordDiff, *kinds: str) -> list[str]:
    return [word.text for part in diff.inline if part.kind in kinds for word in part.words]


def marked(diff: WordDiff, kind: str) -> list[str]:
    return [word.text for part in diff.inline for word in part.words if word.kind == kind]


def joined(parts: tuple[DiffPart, ...]) -> str:
    return "".join(word.text + word.gap for part in parts for word in part.words)


def drawn(words: str, *, seed: int) -> str:
    """Return a text of words of one character, the same for each seed."""
    return " ".join(random.Random(seed).choices(words, k=20_000))  # noqa: S311 - no secret


def test_a_number_that_changed_is_marked_in_both_texts() -> None:
    assert marked(diff_words(REPORT, REVISED), "number") == ["14", "15"]


def test_a_number_with_its_thousands_apart_is_one_number() -> None:
    diff = diff_words("In all 13\u00a0082 came.", "In all 13 092 came.")
    assert marked(diff, "number") == ["13\u00a0082", "13 092"]
    assert diff_words("13\u00a0082", "13 082").likeness == 1.0


def test_a_number_that_only_its_sign_tells_apart_is_no_other_number() -> None:
    diff = diff_words("Up 14.3% on the year.", "It rose by 14,3 per cent.")
    assert marked(diff, "number") == []


def test_names_that_one_text_has_alone_are_marked() -> None:
    assert marked(diff_words(REPORT, REVISED), "name") == ["Ida", "Holm", "Andri", "Veid"]


def test_a_name_in_another_case_is_no_other_name() -> None:
    diff = diff_words("Про це повідомила Олена Коваленко.", "Слова передали Олені Коваленко.")
    assert marked(diff, "name") == []


def test_names_within_quotes_are_marked_and_the_first_word_of_speech_is_not() -> None:
    diff = diff_words(
        "Матч: ФК «Ветлуга» выиграл. Тренер: «Победили».",
        "Матч: ФК «Комета» выиграл. Тренер: «Устояли».",
    )
    assert marked(diff, "name") == ["«Ветлуга»", "«Комета»"]


def test_the_first_word_of_a_sentence_is_no_name() -> None:
    assert (
        marked(diff_words("Rain came. Nobody minded.", "Rain came. Everybody left."), "name") == []
    )


def test_a_passage_that_moved_has_one_number_in_both_positions() -> None:
    moved = [part for part in diff_words(REPORT, REVISED).inline if part.moved]
    assert [(part.kind, part.moved) for part in moved] == [("moved_here", 1), ("moved_away", 1)]
    assert joined(moved[:1]).split() == joined(moved[1:]).split()
    assert joined(moved[:1]).startswith("Buses run again")


def test_a_text_and_itself_are_the_same_in_every_word() -> None:
    diff = diff_words(REPORT, REPORT)
    assert {part.kind for part in diff.inline} == {"same"}
    assert diff.likeness == 1.0


def test_texts_without_a_common_word_are_removed_and_added_as_a_whole() -> None:
    diff = diff_words("one two", "three four")
    assert [part.kind for part in diff.inline] == ["removed", "added"]
    assert diff.likeness == 0.0


def test_signs_go_with_the_word_that_they_touch() -> None:
    diff = diff_words("He said: «Yes», then left.", "He said: «Yes», then left.")
    assert [word.text for part in diff.inline for word in part.words] == [
        "He", "said:", "«Yes»,", "then", "left.",
    ]  # fmt: skip


def test_paragraphs_that_end_alike_stand_next_to_each_other() -> None:
    rows = diff_words("One is here.\nTwo is old.", "One was here.\nTwo is new.").rows
    assert [(joined(row.left), joined(row.right)) for row in rows] == [
        ("One is here.\n", "One was here.\n"),
        ("Two is old.", "Two is new."),
    ]


@given(left=texts, right=texts)
def test_side_by_side_each_column_is_its_text(left: str, right: str) -> None:
    diff = diff_words(left, right)
    for side, text in (("left", left), ("right", right)):
        shown = "".join(joined(getattr(row, side)) for row in diff.rows)
        characters = [one for one in text if one.isalnum()]
        assert [one for one in shown if one.isalnum()] == characters


@given(left=texts, right=texts)
def test_the_inline_text_without_what_was_removed_is_the_right_one(left: str, right: str) -> None:
    diff = diff_words(left, right)
    shown = "".join(words_of(diff, "same", "added", "moved_here"))
    assert [one for one in shown if one.isalnum()] == [one for one in right if one.isalnum()]


@given(left=texts, right=texts)
def test_likeness_is_a_share_and_symmetric_for_equal_texts(left: str, right: str) -> None:
    assert 0.0 <= diff_words(left, right).likeness <= 1.0
    assert diff_words(left, left).likeness == 1.0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a " * 20_000, "a " * 19_000 + "b"),
        ("x" * 1_000_000, "x" * 999_999 + " y"),
        ("." * 1_000_000, ", " * 500_000),
        (" ".join(map(str, range(9_000))), " ".join(map(str, reversed(range(9_000))))),
        (drawn("ab", seed=1), drawn("ab", seed=2)),
        (drawn(ascii_lowercase, seed=1), drawn(ascii_lowercase, seed=2)),
    ],
    ids=["one word", "one long word", "signs", "reversed", "two letters", "letters"],
)
def test_a_hostile_pair_is_cut_to_what_is_compared(left: str, right: str) -> None:
    diff = diff_words(left, right)
    assert diff.shortened
    assert max(diff.left_words, diff.right_words) <= MOST_DIFF_WORDS
    assert all(len(word.text) <= 600 for part in diff.inline for word in part.words)


def test_russian_and_ukrainian_words_are_compared_by_what_they_mean() -> None:
    keys = (partial(search_words().key, lang="ru"), partial(search_words().key, lang="uk"))
    diff = diff_words(
        "Тигипко сообщил: пожар в больнице потушили 3 бригады.",
        "Тігіпко повідомив: пожежу в лікарні загасили 4 бригади.",
        keys=keys,
    )
    same = {word.text for part in diff.inline if part.kind == "same" for word in part.words}
    assert {"Тігіпко", "пожежу", "лікарні"} <= same
    assert "4" not in same
