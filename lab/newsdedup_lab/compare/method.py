"""The cost of one method over a stored collection, and the pairs that it finds."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText, hash_shingles
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.model import Fingerprint
from newsdedup_lab.collections.document_store import DocumentStore
from newsdedup_lab.compare.buckets import (
    MAX_EFFORT,
    IntArray,
    KeyBuckets,
    PackedPairs,
    build_buckets,
    pack_pairs,
    unpack_pairs,
)
from newsdedup_lab.compare.chains import REACH, Chain, chains, pairs
from newsdedup_lab.compare.truth import TextComparer
from newsdedup_lab.report.study_stages import Advance, StepProgress
from newsdedup_lab.similarities import SAME_TEXT

CpuClock = Callable[[], float]
"""Seconds of processor time: others may use the machine."""

_BATCH = 512
KEY_BYTES = 8


@dataclass(frozen=True, slots=True)
class MethodCost:
    """The cost of a method over all documents."""

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
    pair_count: int


@dataclass(frozen=True, slots=True)
class SignedCollection:
    """The fingerprints of all documents under one method, by document number."""

    prints: list[Fingerprint]
    """Without their keys, which stand apart; what is compared is the body."""
    keys: "array[int]"
    owners: "array[int]"
    """The document of each key."""
    seconds: float

    def buckets(self, ranks: IntArray) -> KeyBuckets:
        """Return the documents of each key as ranks; `ranks` maps documents to ranks."""
        keys = np.array(self.keys, dtype=np.uint64)
        owners = np.array(self.owners, dtype=np.int64)
        return build_buckets(keys, ranks[owners])


def sign_collection(
    method: Method,
    readings: Iterable[PreparedText],
    corpus: CorpusStats,
    clock: CpuClock,
    advance: Advance,
) -> SignedCollection:
    """Return the fingerprints of all readings; `seconds` counts only the time in `Method.sign`."""
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


def _batches(readings: Iterable[PreparedText]) -> Iterator[list[PreparedText]]:
    """Yield the readings in lists of up to 512."""
    coming = iter(readings)
    while batch := list(islice(coming, _BATCH)):
        yield batch


def measure_method(
    method: Method, store: DocumentStore, corpus: CorpusStats, clock: CpuClock, watch: StepProgress
) -> tuple[MethodCost, PackedPairs]:
    """Return the cost of a method over all documents, and the pairs that it matches, ascending.

    Documents that share a key are compared, within a reach that bounds the work (buckets.py).
    """
    with watch.step(f"{method.name}: signing", len(store)) as advance:
        made = sign_collection(method, store.readings(), corpus, clock, advance)
    begin = clock()
    order = store.by_length()
    ranks = np.argsort(order)
    filed = made.buckets(ranks)
    reach = filed.reach(MAX_EFFORT * len(store))
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
        pair_count=len(pairs),
    ), pairs


def _matching(method: Method, prints: Sequence[Fingerprint], block: PackedPairs) -> list[bool]:
    """Return for each packed pair whether its match reaches the threshold of the method.

    A pair has two indexes in `prints`.
    """
    left, right = unpack_pairs(block)
    match, threshold = method.match, method.threshold
    return [
        match(prints[one], prints[other]) >= threshold
        for one, other in zip(left.tolist(), right.tolist(), strict=True)
    ]


def _ranks_to_numbers(pairs: PackedPairs, order: IntArray) -> PackedPairs:
    """Return pairs of ranks as pairs of document numbers; `order` has the document of each rank."""
    left, right = unpack_pairs(pairs)
    return pack_pairs(order[left], order[right])


WHOLE_METHOD = "decomposition_whole"
"""What the whole form is called; `decomposition` is the one that lives in an index."""

WHOLE_SHINGLE = 5
WHOLE_VERSION = f"1/{WHOLE_SHINGLE}/{SAME_TEXT}"


class ShingleCounter:
    """Iterates over the distinct shingles of each document and counts and times them."""

    def __init__(self, store: DocumentStore, clock: CpuClock, advance: Advance) -> None:
        self.keys = self.signed = 0
        self.seconds = 0.0
        self._store = store
        self._clock = clock
        self._advance = advance

    def __iter__(self) -> Iterator[set[int]]:
        """Yield the shingle sets by document number."""
        for reading in self._store.readings():
            begin = self._clock()
            found = set(hash_shingles(reading.words, WHOLE_SHINGLE))
            self.seconds += self._clock() - begin
            self.keys += len(found)
            self.signed += bool(found)
            self._advance(1)
            yield found


def measure_whole(
    store: DocumentStore, clock: CpuClock, watch: StepProgress
) -> tuple[MethodCost, PackedPairs]:
    """Return the cost of A11 over all shingles, and the pairs of nearly equal texts, ascending.

    Documents of about one length in a chain (chains.py) are compared as texts. The distinct
    shingles of all documents are in memory at once.
    """
    begin = clock()
    lengths = store.index.words
    with watch.step(f"{WHOLE_METHOD}: hash_shingles", len(store)) as advance:
        shingled = ShingleCounter(store, clock, advance)
        chained = chains(shingled, lengths)
    texts = TextComparer(store)
    same: list[tuple[int, int]] = []
    looked = 0
    with watch.step(f"{WHOLE_METHOD}: comparing texts") as advance:
        for left, right in pairs(chained, lengths):
            looked += 1
            advance(1)
            if texts.same(left, right):
                same.append((left, right))
    found = np.array(same, dtype=np.int64).reshape(-1, 2)
    return MethodCost(
        version=WHOLE_VERSION,
        signed=shingled.signed,
        sign_seconds=shingled.seconds,
        keys=shingled.keys,
        bytes=KEY_BYTES * shingled.keys,
        pair_seconds=clock() - begin - shingled.seconds,
        compared=looked,
        reach=REACH,
        largest=max(map(len, chained), default=0),
        left_out=sum(_left_out(chain) for chain in chained),
        pair_count=len(found),
    ), np.sort(pack_pairs(found[:, 0], found[:, 1]))


def _left_out(chain: Chain) -> int:
    """Return the number of pairs of a chain that are further apart than the reach."""
    beyond = max(0, len(chain) - REACH - 1)
    return beyond * (beyond + 1) // 2
