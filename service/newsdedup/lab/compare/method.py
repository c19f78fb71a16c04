"""One method over a collection: what it costs, and the pairs that it finds through its keys."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.fingerprint import Method
from newsdedup.core.fingerprints.reading import Reading
from newsdedup.core.model import Fingerprint
from newsdedup.lab.collections.shelf import DocumentStore
from newsdedup.lab.compare.buckets import (
    MAX_EFFORT,
    IntArray,
    KeyBuckets,
    PackedPairs,
    build_buckets,
    pack_pairs,
    unpack_pairs,
)
from newsdedup.lab.report.stages import Advance, StepProgress

CpuClock = Callable[[], float]
"""Seconds of processor time: others may use the machine."""

_BATCH = 512
KEY_BYTES = 8


@dataclass(frozen=True, slots=True)
class MethodCost:
    """What a method took over all documents."""

    version: str
    sign_collection: int
    """Documents in which it found something to sign."""
    sign_seconds: float
    keys: int
    bytes: int
    """Of bodies and keys."""
    pair_seconds: float
    measure_method: int
    """Distinct pairs that were compared."""
    reach: int
    largest: int
    """Documents of the largest bucket."""
    left_out: int
    """Pairs of documents with a common key that were not looked at, by the reach."""
    found: int


@dataclass(frozen=True, slots=True)
class SignedCollection:
    """The fingerprints of a collection under one method, by number."""

    prints: list[Fingerprint]
    """Without their keys, which stand apart; what is compared is the body."""
    keys: "array[int]"
    owners: "array[int]"
    """The document of each key."""
    seconds: float

    def buckets(self, ranks: IntArray) -> KeyBuckets:
        """Return the documents by key, those of a bucket by rank."""
        keys = np.array(self.keys, dtype=np.uint64)
        owners = np.array(self.owners, dtype=np.int64)
        return build_buckets(keys, ranks[owners])


def sign_collection(
    method: Method,
    readings: Iterable[Reading],
    corpus: CorpusStats,
    clock: CpuClock,
    advance: Advance,
) -> SignedCollection:
    """Return what a method keeps of every document; the clock runs only while it signs."""
    prints: list[Fingerprint] = []
    keys, owners = array("Q"), array("I")
    seconds = 0.0
    for batch in _batches(readings):
        begin = clock()
        made = [method.sign(reading, corpus) for reading in batch]
        seconds += clock() - begin
        for one in made:
            keys.extend(one.keys)
            owners.extend([len(prints)] * len(one.keys))
            prints.append(Fingerprint((), one.body))
        advance(len(batch))
    return SignedCollection(prints, keys, owners, seconds)


def _batches(readings: Iterable[Reading]) -> Iterator[list[Reading]]:
    coming = iter(readings)
    while batch := list(islice(coming, _BATCH)):
        yield batch


def measure_method(
    method: Method, shelf: DocumentStore, corpus: CorpusStats, clock: CpuClock, watch: StepProgress
) -> tuple[MethodCost, PackedPairs]:
    """Return what a method costs on a collection, and the pairs that it finds, ascending."""
    with watch.step(f"{method.name}: signing", len(shelf)) as advance:
        made = sign_collection(method, shelf.readings(), corpus, clock, advance)
    begin = clock()
    order = shelf.by_length()
    ranks = np.argsort(order)
    filed = made.buckets(ranks)
    reach = filed.reach(MAX_EFFORT * len(shelf))
    prints = [made.prints[number] for number in order]
    looked = 0
    found: list[PackedPairs] = []
    with watch.step(f"{method.name}: pairs") as advance:
        for block in filed.pairs(reach):
            looked += len(block)
            found.append(_ranks_to_numbers(block[_matching(method, prints, block)], order))
            advance(len(block))
    pairs = np.sort(np.concatenate(found)) if found else np.empty(0, dtype=np.uint64)
    several = filed.sizes[filed.sizes > reach + 1] - reach - 1
    return MethodCost(
        version=method.version,
        signed=sum(bool(one.body) for one in made.prints),
        sign_seconds=made.seconds,
        keys=len(made.keys),
        bytes=KEY_BYTES * len(made.keys) + sum(len(one.body) for one in made.prints),
        pair_seconds=clock() - begin,
        compared=looked,
        reach=reach,
        largest=int(filed.sizes.max(initial=0)),
        left_out=int((several * (several + 1) // 2).sum()),
        found=len(pairs),
    ), pairs


def _matching(method: Method, prints: Sequence[Fingerprint], block: PackedPairs) -> list[bool]:
    left, right = unpack_pairs(block)
    match, threshold = method.match, method.threshold
    return [
        match(prints[one], prints[other]) >= threshold
        for one, other in zip(left.tolist(), right.tolist(), strict=True)
    ]


def _ranks_to_numbers(pairs: PackedPairs, order: IntArray) -> PackedPairs:
    """Return pairs of ranks as pairs of numbers."""
    left, right = unpack_pairs(pairs)
    return pack_pairs(order[left], order[right])
