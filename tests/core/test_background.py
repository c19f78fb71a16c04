from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.model import Document, Language, Term, Version
from newsdedup.core.words.background import (
    EMPTY_BACKGROUND,
    PRIOR,
    Background,
    Frequency,
    LanguageCounts,
    add_backgrounds,
    count_documents,
    parse_background,
    render_background,
    term_key,
)


def document(words: str, lang: Language = "ru") -> Document:
    terms = tuple(Term(word, 1, 1.0) for word in words.split())
    return Document(lang, "", words, terms, (), (), Version("v"))


def counted(documents: Iterable[Document], least: int = 1) -> Background:
    return count_documents(documents, made_with="a test", least=least)


lemmas = st.text("абвгд", min_size=1, max_size=3)
documents = st.lists(
    st.builds(
        lambda words, lang: document(" ".join(words), lang),
        st.lists(lemmas, max_size=8),
        st.sampled_from(["ru", "uk", "en", "other"]),
    ),
    max_size=12,
)


def test_documents_and_occurrences_are_counted_apart() -> None:
    table = counted([document("мост мост река"), document("мост")])
    assert table.frequency("мост") == Frequency(2, 3, 2 + PRIOR)
    assert table.frequency("река") == Frequency(1, 1, 2 + PRIOR)
    assert table.frequency("море") is None
    assert table.mean_length == 2.0


def test_lemmas_of_few_documents_are_left_out() -> None:
    table = counted([document("мост река"), document("мост"), document("мост")], least=3)
    assert table.frequency("мост") is not None
    assert table.frequency("река") is None


def test_a_lemma_is_as_common_as_in_the_language_where_it_is_commonest() -> None:
    russian = [document("банк вода")] + 9_999 * [document("вода")]
    ukrainian = 100 * [document("банк", "uk")]
    table = counted(russian + ukrainian)
    # Russian has it in 1 of 10,000 + 1,000 documents, Ukrainian in 100 of 100 + 1,000.
    assert table.frequency("банк") == Frequency(100, 100, 100 + PRIOR)
    assert table.documents == 10_000 + PRIOR


def test_a_few_documents_of_a_language_make_no_word_common() -> None:
    table = counted(
        100 * [document("выборы")] + 9_900 * [document("вода")] + 3 * [document("выборы", "uk")]
    )
    assert table.frequency("выборы") == Frequency(100, 100, 10_000 + PRIOR)


@given(documents)
def test_a_table_survives_its_text(items: list[Document]) -> None:
    table = counted(items)
    assert parse_background(render_background(table)) == table
    assert parse_background(render_background(table)).version == table.version


@given(documents, st.randoms(use_true_random=False))
def test_the_order_of_the_documents_does_not_matter(items: list[Document], random: object) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands out a Random
    assert render_background(counted(shuffled)) == render_background(counted(items))


def test_the_version_names_the_counts_and_what_made_them() -> None:
    one = counted([document("мост")])
    assert one.version == counted([document("мост")]).version
    assert one.version != counted([document("мост")] * 2).version
    assert (
        one.version != count_documents([document("мост")], made_with="other rules", least=1).version
    )


def test_a_table_of_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown language: 'xx'"):
        parse_background("made\nxx 1 1\nа\n1\n1\n")


@given(documents.filter(bool), st.data())
def test_a_table_that_lacks_its_last_lines_is_refused(
    items: list[Document], data: st.DataObject
) -> None:
    lines = [line + "\n" for line in render_background(counted(items))[:-1].split("\n")]
    present = data.draw(st.integers(0, len(lines) - 1).filter(lambda count: count % 4 != 1))
    with pytest.raises(ValueError, match="end too early"):
        parse_background("".join(lines[:present]))


def test_a_table_of_nothing_knows_nothing() -> None:
    assert EMPTY_BACKGROUND.frequency("мост") is None
    assert EMPTY_BACKGROUND.mean_length == 1.0
    assert parse_background(render_background(EMPTY_BACKGROUND)) == EMPTY_BACKGROUND


def test_a_rarer_lemma_has_the_smaller_key_and_an_unknown_one_the_smallest() -> None:
    unknown = term_key("неведомый", None)
    once = term_key("редкий", Frequency(1, 1, 20_000))
    often = term_key("частый", Frequency(500, 900, 20_000))
    always = term_key("обычный", Frequency(20_000, 90_000, 20_000))
    assert 0 < unknown < once < often < always < 2**63


def test_keys_of_one_band_are_ordered_by_hash() -> None:
    left = term_key("мост", Frequency(100, 100, 20_000))
    right = term_key("река", Frequency(101, 300, 20_000))
    assert left >> 48 == right >> 48
    assert left != right


def test_the_band_is_the_quarter_octave_of_the_document_frequency() -> None:
    # log2(1 / 1024) = -10: 1 + floor(4 * (24 - 10)) = 57; twice as many documents: 4 bands more
    assert term_key("мост", Frequency(1, 1, 1_024)) >> 48 == 57
    assert term_key("мост", Frequency(2, 2, 1_024)) >> 48 == 61


@given(lemmas, st.integers(1, 10**7), st.integers(0, 10**9))
def test_keys_are_positive_and_fit_into_63_bits(lemma: str, df: int, more: int) -> None:
    assert 0 < term_key(lemma, Frequency(df, df, df + more)) < 2**63


def test_counts_of_one_language_are_read_back_exactly() -> None:
    table = Background({"en": LanguageCounts(3, 7, {"bridg": (2, 5)})}, "by hand")
    assert render_background(table) == "by hand\nen 3 7\nbridg\n2\n5\n"


def test_tables_of_one_reading_are_added_and_no_others() -> None:
    one = count_documents([document("мост река"), document("мост")], made_with="v", least=1)
    other = count_documents([document("мост", "en"), document("мост")], made_with="v", least=1)
    both = add_backgrounds(one, other)
    assert both.counts["ru"] == LanguageCounts(3, 4, {"мост": (3, 3), "река": (1, 1)})
    assert both.counts["en"] == other.counts["en"]
    assert add_backgrounds(other, one).counts == both.counts
    with pytest.raises(ValueError, match="cannot be added"):
        add_backgrounds(one, EMPTY_BACKGROUND)
