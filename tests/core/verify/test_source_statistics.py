from collections import Counter

from newsdedup.adapters.words.package_data import shipped_model
from newsdedup.core.matching.source_statistics import SourceStatistics, source_statistics
from newsdedup.core.matching.stream_statistics import (
    BUCKET,
    GENERATION_SPAN,
    Observation,
    hash_source,
)

MODEL = shipped_model()
OWN_SOON, OTHERS_SOON = 0, 3


def observation(number: int, *, source: str = "a", generation: int = 0, phrases=(1,), pairs=()):
    return Observation(generation, number, number, hash_source(source), phrases, pairs)


def test_only_closed_buckets_teach():
    found = source_statistics("a", [observation(n) for n in range(BUCKET + 5)], MODEL)
    assert (found.items, found.waiting, found.of_all) == (BUCKET, 5, BUCKET + 5)
    assert found.counts == {1: BUCKET}


def test_phrases_of_another_source_do_not_count():
    observations = [observation(n, source="ab"[n % 2], phrases=(n % 2, 7)) for n in range(BUCKET)]
    found = source_statistics("b", observations, MODEL)
    assert found.counts == {1: BUCKET // 2, 7: BUCKET // 2}


def test_the_share_of_its_template_is_that_of_the_uses_of_repeated_phrases():
    found = SourceStatistics(4, 0, 4, Counter({1: 4, 2: 1, 3: 1, 4: 2}), ())
    assert (found.phrases, found.repeated, found.template) == (4, 2, 6 / 8)
    assert SourceStatistics(0, 0, 0, Counter(), ()).template == 0


def test_pairs_are_counted_by_kind_and_alike_when_the_texts_say_so():
    pairs = ((2.0, OWN_SOON), (-1.0, OWN_SOON), (-2.5, OTHERS_SOON))
    found = source_statistics("a", [observation(n, pairs=pairs) for n in range(BUCKET)], MODEL)
    own, others = found.compared[OWN_SOON], found.compared[OTHERS_SOON]
    assert (own.pairs, own.alike) == (2 * BUCKET, BUCKET)
    assert (others.pairs, others.alike) == (BUCKET, 0)
    assert own.shift > 0 > others.shift


def test_what_two_generations_ago_was_said_is_forgotten():
    observations = [
        observation(n, generation=n // BUCKET, phrases=(n // BUCKET,)) for n in range(4 * BUCKET)
    ]
    found = source_statistics("a", observations, MODEL)
    assert found.counts == {2: BUCKET, 3: BUCKET}
    assert found.of_all == 2 * BUCKET


def test_a_reader_of_a_shared_log_counts_generations_by_itself():
    # The workers that wrote the log had seen more turns than it still holds.
    observations = [
        observation(n, generation=9, phrases=(n // BUCKET,))._replace(
            at=n // BUCKET * GENERATION_SPAN
        )
        for n in range(5 * BUCKET)
    ]
    # A week after the first of a generation the next one begins: 0 and 1, 2 and 3, then 4.
    found = source_statistics("a", observations, MODEL, shared=True)
    assert found.counts == {2: BUCKET, 3: BUCKET, 4: BUCKET}
