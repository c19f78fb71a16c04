from collections import Counter
from dataclasses import replace

import pytest

from newsdedup.adapters.words.lemmatizers import shipped_lemmas
from newsdedup.adapters.words.package_data import (
    pack_background,
    shipped_background,
    shipped_overrides,
    shipped_stop_words,
    unpack_background,
)
from newsdedup.core.document import Analyzer
from newsdedup.core.words.background import EMPTY_BACKGROUND, LEAST_DOCUMENTS, NO_PIVOTS, PRIOR
from newsdedup.core.words.lemmas import Lemmas, StopWords
from newsdedup.core.words.vocabulary import Vocabulary


def test_the_shipped_table_was_counted_with_the_cleaning_and_lemmas_of_this_package() -> None:
    # Where this fails, count it again: scripts/background ITEMS
    # A language that was not counted yet, as a new one, changes nothing for those that were.
    counted, lemmas = shipped_background(), shipped_lemmas()
    vocabulary = Vocabulary(
        Lemmas(
            of_counted_languages(lemmas.lemmatizers, counted),
            of_counted_languages(lemmas.overrides, counted),
        ),
        StopWords(of_counted_languages(shipped_stop_words().lists, counted)),
        EMPTY_BACKGROUND,
    )
    assert counted.made_with == Analyzer(vocabulary).reading


def of_counted_languages(by_language, counted):
    return {lang: by_language[lang] for lang in counted.counts if lang in by_language}


def test_the_shipped_table_knows_news_in_every_language() -> None:
    table = shipped_background()
    assert set(table.counts) == {"ru", "uk", "en", "other"}
    assert table.documents > 20_000 + PRIOR
    for lemma in ("президент", "поліція", "polic", "und"):
        assert table.frequency(lemma) is not None


def test_no_lemma_of_the_shipped_table_can_tell_a_single_text() -> None:
    for counted in shipped_background().counts.values():
        assert min(df for df, _ in counted.lemmas.values()) >= LEAST_DOCUMENTS
        assert all(df <= cf and df <= counted.documents for df, cf in counted.lemmas.values())


def test_no_pivot_of_the_shipped_table_can_tell_a_single_text() -> None:
    table = shipped_background()
    holding = Counter()
    for counted in table.counts.values():
        holding.update({lemma: df for lemma, (df, _) in counted.lemmas.items()})
    assert len(table.pivots.thresholds) > 10_000
    assert min(holding[word] for word in table.pivots.thresholds) >= LEAST_DOCUMENTS


@pytest.mark.usefixtures("long")
def test_a_table_without_pivots_is_a_table_and_has_the_version_of_its_counts() -> None:
    table = shipped_background()
    bare = replace(table, pivots=NO_PIVOTS)
    packed = pack_background(bare)
    assert unpack_background(packed) == bare
    assert pack_background(table).startswith(packed)
    assert table.version == bare.version
    with pytest.raises(ValueError, match="zstd"):
        unpack_background(pack_background(table)[:-9])


def test_a_table_survives_its_file() -> None:
    table = shipped_background()
    packed = pack_background(table)
    assert len(packed) < 5_000_000
    assert unpack_background(packed) == table
    assert pack_background(unpack_background(packed)) == packed


@pytest.mark.parametrize("data", [b"", b"not zstd", b"\x28\xb5\x2f\xfd", b"\x1f\x8b\x08"])
def test_a_file_that_is_no_table_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="zstd"):
        unpack_background(data)


def test_stop_words_are_lower_case_and_free_of_yo() -> None:
    for words in shipped_stop_words().lists.values():
        assert len(words) > 100
        for word in words:
            assert word == word.lower().strip()
            assert "ё" not in word


def test_words_that_carry_news_are_no_stop_words() -> None:
    stop_words = shipped_stop_words()
    for word in ("война", "город", "россия", "москва"):
        assert not stop_words.stops(word, word, "ru")
    for word in ("війна", "місто", "україна"):
        assert not stop_words.stops(word, word, "uk")
    for word in ("fire", "bill", "research"):
        assert not stop_words.stops(word, word, "en")


def test_overrides_change_what_the_dictionary_says_or_keep_forms_together() -> None:
    dictionaries = shipped_lemmas().lemmatizers
    for lang, overrides in shipped_overrides().items():
        for lemma in set(overrides.values()):
            forms = [form for form, to in overrides.items() if to == lemma]
            assert any(dictionaries[lang].lemma(form) != lemma for form in forms), lemma
