from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xxhash import xxh3_64_digest

from core.fingerprints.readings import PIVOTS, reading, readings
from newsdedup.core.fingerprints.corpus import NO_CORPUS
from newsdedup.core.fingerprints.descr_words import DescrWords, choose_pivots, spread_words
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.words.background import (
    NO_PIVOTS,
    Pivots,
    make_pivots,
    parse_pivots,
    render_thresholds,
)


def test_a_vector_by_hand() -> None:
    # tf / tf_max in twentieths: мост 4/4 = 20, река 2/4 = 10, город 1/4 = 5, берег 0.
    one = reading("Мост, мост, мост, мост, река, река, город")
    method = DescrWords(pivots=make_pivots({"мост": 19, "река": 10, "город": 4, "берег": 3}))
    # Above their thresholds: мост (20 > 19) and город (5 > 4); река is at hers, not above.
    signed = method.sign(one, NO_CORPUS)
    assert signed.body == xxh3_64_digest("город мост".encode())
    assert len(signed.keys) == 1


def test_a_vector_of_zeros_is_not_signed() -> None:
    method = DescrWords(pivots=make_pivots({"берег": 3}))
    assert method.sign(reading("Мост, река"), NO_CORPUS) == NO_FINGERPRINT
    assert DescrWords().sign(reading("Мост, река"), NO_CORPUS) == NO_FINGERPRINT


@given(readings)
def test_the_signature_is_the_set_of_pivots_above_their_thresholds(one) -> None:
    counted = Counter(one.words)
    on = [
        word
        for word, threshold in sorted(PIVOTS.thresholds.items())
        if one.words and counted[word] / max(counted.values()) > threshold / 20
    ]
    signed = DescrWords(pivots=PIVOTS).sign(one, NO_CORPUS)
    assert signed.body == (xxh3_64_digest(" ".join(on).encode()) if on else b"")


def chosen_of(said, **options) -> Pivots:
    return choose_pivots([one.words for one in said], **options)


def test_how_a_word_is_spread_by_hand() -> None:
    # мост: 1/1 = step 20; 1/2 = step 10; 1/3 = 6.67, rounded up to step 7.
    texts = ("Мост", "Мост, река, река", "Мост, лес, река, река, река")
    spreads, documents = spread_words([reading(text).words for text in texts], least=2)
    bridge = spreads["мост"]
    assert documents == 3
    assert [step for step, count in enumerate(bridge.steps) if count] == [7, 10, 20]
    # Near a threshold of 9 are the steps above 7 and up to 11: one document. Above it: two.
    assert (bridge.near(9), bridge.above(9)) == (1, 2)
    assert bridge.documents(9) == [0, 1]
    assert bridge.documents(6, 9) == [2]


def test_the_first_phase_takes_the_lowest_threshold_of_the_quality() -> None:
    # The frequency of мост is 1/4 (step 5) in two documents of three, 1 (step 20) in the third.
    # Near 3 and 4 are both of step 5, near 5 and 6 too; 7 is the first threshold with none near.
    # Only "мост" is in two documents and more.
    said = [reading(f"Мост, {f'{other}, ' * 4}") for other in ("город", "берег")]
    chosen = chosen_of([*said, reading("Мост")], quality=1.0, iterations=1, dropped=0.0, least=2)
    assert chosen.thresholds == {"мост": 7}
    # With two of three documents allowed near, the lowest threshold will do: one above delta.
    loose = chosen_of(
        [*said, reading("Мост")], quality=0.3, iterations=1, dropped=0.0, least=2, depth=9
    )
    assert loose.thresholds == {"мост": 3}


def test_the_second_phase_raises_a_threshold_that_no_document_needs() -> None:
    # As before, but the two documents of step 5 are covered by "река" too: with a depth of 1,
    # "мост" may leave them for the better quality of 7.
    said = [reading(f"Мост, река, {f'{other}, ' * 4}") for other in ("город", "берег")]
    loose = chosen_of([*said, reading("Мост")], quality=0.3, iterations=1, dropped=0.0, depth=1,
                   least=2)  # fmt: skip
    assert loose.thresholds == {"мост": 7, "река": 3}


def test_the_worst_words_go_where_documents_keep_enough() -> None:
    # Both words cover both documents with the same quality; one is enough, and of equal words
    # the first by alphabet goes.
    said = [reading("Мост, река")] * 2
    assert chosen_of(said, iterations=1, dropped=0.5, depth=1, least=2).thresholds == {"река": 3}
    assert len(chosen_of(said, iterations=1, dropped=0.5, depth=2, least=2).thresholds) == 2


def covered(chosen: Pivots, said) -> list[int]:
    """Return how many pivots are on in each document."""
    found = []
    for one in said:
        counted = Counter(one.words)
        found.append(
            sum(
                20 * counted[word] > threshold * max(counted.values())
                for word, threshold in chosen.thresholds.items()
                if word in counted
            )
        )
    return found


@given(st.lists(readings, min_size=1, max_size=12), st.integers(1, 3))
def test_dropping_and_raising_leave_every_document_its_words(said, depth: int) -> None:
    first = chosen_of(said, iterations=1, dropped=0.0, depth=10**6, least=1, quality=0.5)
    thinned = chosen_of(said, iterations=1, dropped=0.5, depth=depth, least=1, quality=0.5)
    for before, after in zip(covered(first, said), covered(thinned, said), strict=True):
        assert after >= min(before, depth)


@given(st.lists(readings, max_size=5))
def test_the_same_collection_gives_the_same_pivots(said) -> None:
    assert chosen_of(said, least=1) == chosen_of(list(said), least=1)


@pytest.mark.parametrize("said", [[], [reading("")]])
def test_nothing_has_no_pivots(said) -> None:
    assert chosen_of(said) == NO_PIVOTS


def test_pivots_are_read_as_they_were_written() -> None:
    assert render_thresholds(make_pivots({"река": 3, "мост": 12}).thresholds) == "мост 12\nрека 3\n"
    assert parse_pivots(render_thresholds(PIVOTS.thresholds)) == PIVOTS
    assert parse_pivots(render_thresholds(NO_PIVOTS.thresholds)) == NO_PIVOTS
