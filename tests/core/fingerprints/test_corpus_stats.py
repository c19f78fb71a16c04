import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fingerprints.readings import reading, readings
from newsdedup.core.fingerprints.corpus import NO_CORPUS, corpus_from_background, count_corpus
from newsdedup.core.words.background import PRIOR, Background, Frequency, LanguageCounts


def test_documents_words_and_occurrences_are_counted() -> None:
    stats = count_corpus([reading("мост мост река"), reading("мост море берег лодка берег")])
    assert stats.documents == 2
    assert stats.mean_length == (3 + 5) / 2
    assert stats.frequency("мост") == Frequency(2, 3, 2)
    assert stats.frequency("берег") == Frequency(1, 2, 2)


def test_a_word_that_was_not_counted_is_in_one_document() -> None:
    assert count_corpus([reading("мост"), reading("река")]).frequency("море") == Frequency(1, 1, 2)


def test_rare_words_come_first_and_equally_rare_ones_by_alphabet() -> None:
    stats = count_corpus([reading("мост река море"), reading("мост река берег"), reading("мост")])
    assert stats.rarest_first({"мост", "река", "море", "берег"}) == [
        "берег",
        "море",
        "река",
        "мост",
    ]


def test_an_empty_collection_divides_nothing_by_zero() -> None:
    assert (count_corpus([]).documents, count_corpus([]).mean_length) == (1, 1.0)
    assert NO_CORPUS.frequency("мост") == Frequency(1, 1, 1)


@given(st.lists(readings, max_size=6), st.randoms(use_true_random=False))
def test_the_version_depends_on_the_counts_and_not_on_their_order(said, random) -> None:
    shuffled = list(said)
    random.shuffle(shuffled)
    assert count_corpus(shuffled) == count_corpus(said)
    assert count_corpus([*said, reading("лестница")]).version != count_corpus(said).version


def test_a_background_is_a_corpus_in_which_words_are_as_common_as_where_they_are_commonest() -> (
    None
):
    table = Background(
        {
            "ru": LanguageCounts(9_000, 90_000, {"мост": (100, 150)}),
            "uk": LanguageCounts(1_000, 8_000, {"мост": (40, 50), "міст": (5, 5)}),
        },
        "a test",
    )
    stats = corpus_from_background(table)
    # 100 / (9,000 + 1,000) is less than 40 / (1,000 + 1,000).
    assert stats.frequency("мост") == Frequency(40, 50, 1_000 + PRIOR)
    assert stats.frequency("лодка") == Frequency(1, 1, 9_000 + PRIOR)
    assert stats.mean_length == pytest.approx(98_000 / 10_000)
