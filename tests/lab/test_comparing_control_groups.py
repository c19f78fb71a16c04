"""Control groups, and the coefficients of their pairs."""

from itertools import combinations
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fingerprints.readings import SYNONYMS, WORDS
from newsdedup import ItemKey
from newsdedup.core.fingerprints.synonym_jaccard import (
    NO_SYNONYMS,
    SynonymJaccard,
    build_synonyms,
    word_hash,
)
from newsdedup.core.model import Fingerprint
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.synonyms.all_words import Band, merge_synonyms
from newsdedup_lab.synonyms.control_group import (
    ControlGroup,
    compare_group,
    control_group,
    couple_words,
    labelled_group,
    restore_group,
    synonym_similarity,
)

documents = st.sets(st.sampled_from(WORDS))


def body(words) -> bytes:
    hashes = sorted(map(word_hash, words))
    return pack(f"<{len(hashes)}Q", *hashes)


@given(documents, documents, st.sampled_from([NO_SYNONYMS, SYNONYMS]))
def test_the_coefficient_is_that_of_the_method(left, right, rows) -> None:
    method = SynonymJaccard(synonyms=rows)
    expected = method.match(Fingerprint((), body(left)), Fingerprint((), body(right)))
    assert synonym_similarity(couple_words(left, rows), couple_words(right, rows)) == expected


def test_a_synonym_counts_once_by_hand() -> None:
    # Shared: мост. Coupled: завод with фабрика; работа has no partner left. 2 of 3 + 2 - 2.
    one = couple_words(["мост", "завод", "работа"], SYNONYMS)
    other = couple_words(["мост", "фабрика"], SYNONYMS)
    assert synonym_similarity(one, other) == 2 / 3
    plain = [couple_words(words, NO_SYNONYMS) for words in (["мост", "завод"], ["мост"])]
    assert synonym_similarity(*plain) == 1 / 2
    assert synonym_similarity(couple_words([], SYNONYMS), couple_words([], SYNONYMS)) == 0.0


def test_dictionaries_go_together_row_by_row() -> None:
    both = merge_synonyms([build_synonyms([("a", "b")]), build_synonyms([("b", "c"), ("a", "b")])])
    assert both.rows == build_synonyms([("a", "b"), ("b", "c")]).rows
    assert merge_synonyms([both]).version != merge_synonyms([build_synonyms([("a", "b")])]).version


def test_the_bounds_of_a_band_belong_to_it() -> None:
    # ICF = TotalLemms / CF: 1000 / 2 = 500, 1000 / 3 = 333, 1000 / 1 = 1000.
    band = Band(500, 1000)
    assert [band.holds(cf, 1000) for cf in (1, 2, 3)] == [True, True, False]


KEYS = [ItemKey("s", str(n)) for n in range(40)]
CLUSTERS = [(0, 1), (2, 3, 4), (5, 6), *((n,) for n in range(7, 40))]


def test_clusters_are_taken_whole_and_stand_for_those_left_out() -> None:
    group = control_group(CLUSTERS, KEYS, most=12)
    whole = {index: cluster for cluster in CLUSTERS for index in cluster}
    assert len(group.indexes) <= 12
    assert all(set(whole[index]) <= set(group.indexes) for index in group.indexes)
    taken = {whole[index] for index in group.indexes}
    several = [cluster for cluster in taken if len(cluster) > 1]
    for index, weight in zip(group.indexes, group.weights, strict=True):
        if len(whole[index]) > 1:
            assert weight == 3 / len(several)
        else:
            assert weight == 33 / (len(taken) - len(several))


def test_the_same_documents_are_chosen_in_whatever_order_clusters_come() -> None:
    there, back = (control_group(list(c), KEYS, most=12) for c in (CLUSTERS, CLUSTERS[::-1]))
    assert there == back
    assert restore_group(there.to_json()) == there


def test_a_truth_without_duplicates_is_refused() -> None:
    with pytest.raises(SourceUnusable, match="no two of the items"):
        control_group([(n,) for n in range(9)], KEYS, most=6)


def test_of_labelled_pairs_all_documents_are_taken() -> None:
    group = labelled_group([(7, 3, True), (3, 9, False)])
    assert group.indexes == (3, 7, 9)
    assert group.labelled == ((1, 0, True), (0, 2, False))


GROUP = ControlGroup((0, 1, 2, 3), (0, 0, 1, 2), (2.0, 2.0, 3.0, 3.0))
SAID = [["мост", "река"], ["мост", "река", "лес"], ["мост", "сад"], ["поле"]]
SIZES = [100, 100, 900, 900]


def test_pairs_are_counted_by_percent_and_by_what_they_stand_for() -> None:
    words = [couple_words(one, NO_SYNONYMS) for one in SAID]
    comparison = compare_group(words, GROUP, SIZES, lambda _: None)
    counts = {name: {at: n for at, n in enumerate(row) if n} for name, row in
              comparison["histograms"].items()}  # fmt: skip
    # 0-1: 2/3; 0-2: 1/3; 1-2: 1/4; anyone who meets 3: 0. Of two clusters, the weights multiply.
    assert counts["all same pairs"] == {66: 1}
    assert counts["all same collection"] == {66: 2}
    assert counts["all other pairs"] == {33: 1, 25: 1, 0: 3}
    assert counts["all other collection"] == {33: 6, 25: 6, 0: 6 + 6 + 9}
    assert counts["snippets same pairs"] == {66: 1}
    assert counts["snippets other pairs"] == {}
    assert counts["texts other pairs"] == {0: 1}


def test_the_noise_of_a_document_is_its_mean_coefficient_with_others() -> None:
    words = [couple_words(one, NO_SYNONYMS) for one in SAID]
    comparison = compare_group(words, GROUP, SIZES, lambda _: None)
    noise = [(1 / 3 + 0) / 2, (1 / 4 + 0) / 2, (1 / 3 + 1 / 4 + 0) / 3, 0]
    whole = comparison["documents"]["all"]
    assert whole["noise"] == pytest.approx(sum(noise) / 4, abs=1e-6)
    assert (whole["with_copies"], whole["coefficient"]) == (2, pytest.approx(2 / 3, abs=1e-6))
    assert comparison["documents"]["texts"]["coefficient"] is None
    assert comparison["drawn"] == [[0.6667, round(noise[0], 4)], [0.6667, round(noise[1], 4)]]


def test_of_labelled_pairs_only_those_are_scored_and_the_rest_is_noise() -> None:
    words = [couple_words(one, NO_SYNONYMS) for one in SAID]
    group = labelled_group([(1, 0, True), (0, 2, False)])
    comparison = compare_group(words[:3], group, SIZES[:3], lambda _: None)
    found = {name: sum(row) for name, row in comparison["histograms"].items()}
    assert (found["all same pairs"], found["all other pairs"]) == (1, 1)
    assert comparison["documents"]["all"]["noise"] == pytest.approx(
        (1 / 3 + 1 / 4 + (1 / 3 + 1 / 4) / 2) / 3, abs=1e-6
    )


@given(st.lists(documents, min_size=2, max_size=8))
def test_every_pair_is_counted_once(said) -> None:
    words = [couple_words(one, SYNONYMS) for one in said]
    group = ControlGroup(
        tuple(range(len(said))), tuple(n // 2 for n in range(len(said))), (1.0,) * len(said)
    )
    comparison = compare_group(words, group, [100] * len(said), lambda _: None)
    histograms = comparison["histograms"]
    pairs = [synonym_similarity(one, other) for one, other in combinations(words, 2)]
    for percent in (0, 25, 50, 100):
        above = sum(sum(histograms[f"all {kind} pairs"][percent:]) for kind in ("same", "other"))
        assert above == sum(value * 100 + 1e-9 >= percent for value in pairs)
