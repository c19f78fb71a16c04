"""One method over a collection: what it costs, and the pairs that it finds through its keys."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint
from newsdedup.lab.collections.shelf import Shelf
from newsdedup.lab.compare.buckets import (
    EFFORT,
    Buckets,
    Numbers,
    Packed,
    buckets,
    packed,
    unpacked,
)
from newsdedup.lab.report.stages import Advance, Watch

Clock = Callable[[], float]
"""Seconds of processor time: others may use the machine."""

BATCH = 512
KEY_BYTES = 8


@dataclass(frozen=True, slots=True)
class Cost:
    """What a method took over all documents."""

    version: str
    signed: int
    """Documents in which it found something to sign."""
    sign_seconds: float
    keys: int
    bytes: int
    """Of bodies and keys."""
    pair_seconds: float
    compared: int
    """Distinct pairs that were compared."""
    reach: int
    largest: int
    """Documents of the largest bucket."""
    left_out: int
    """Pairs of documents with a common key that were not looked at, by the reach."""
    found: int


@dataclass(frozen=True, slots=True)
class Signed:
    """The fingerprints of a collection under one method, by number."""

    prints: list[Fingerprint]
    """Without their keys, which stand apart; what is compared is the body."""
    keys: "array[int]"
    owners: "array[int]"
    """The document of each key."""
    seconds: float

    def buckets(self, ranks: Numbers) -> Buckets:
        """Return the documents by key, those of a bucket by rank."""
        keys = np.array(self.keys, dtype=np.uint64)
        owners = np.array(self.owners, dtype=np.int64)
        return buckets(keys, ranks[owners])


def signed(
    method: Method,
    readings: Iterable[PreparedText],
    corpus: CorpusStats,
    clock: Clock,
    advance: Advance,
) -> Signed:
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
    return Signed(prints, keys, owners, seconds)


def _batches(readings: Iterable[PreparedText]) -> Iterator[list[PreparedText]]:
    coming = iter(readings)
    while batch := list(islice(coming, BATCH)):
        yield batch


def compared(
    method: Method, shelf: Shelf, corpus: CorpusStats, clock: Clock, watch: Watch
) -> tuple[Cost, Packed]:
    """Return what a method costs on a collection, and the pairs that it finds, ascending."""
    with watch.step(f"{method.name}: signing", len(shelf)) as advance:
        made = signed(method, shelf.readings(), corpus, clock, advance)
    begin = clock()
    order = shelf.by_length()
    ranks = np.argsort(order)
    filed = made.buckets(ranks)
    reach = filed.reach(EFFORT * len(shelf))
    prints = [made.prints[number] for number in order]
    looked = 0
    found: list[Packed] = []
    with watch.step(f"{method.name}: pairs") as advance:
        for block in filed.pairs(reach):
            looked += len(block)
            found.append(_of_numbers(block[_matching(method, prints, block)], order))
            advance(len(block))
    pairs = np.sort(np.concatenate(found)) if found else np.empty(0, dtype=np.uint64)
    several = filed.sizes[filed.sizes > reach + 1] - reach - 1
    return Cost(
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


def _matching(method: Method, prints: Sequence[Fingerprint], block: Packed) -> list[bool]:
    left, right = unpacked(block)
    match, threshold = method.match, method.threshold
    return [
        match(prints[one], prints[other]) >= threshold
        for one, other in zip(left.tolist(), right.tolist(), strict=True)
    ]


def _of_numbers(pairs: Packed, order: Numbers) -> Packed:
    """Return pairs of ranks as pairs of numbers."""
    left, right = unpacked(pairs)
    return packed(order[left], order[right])
