"""Labelled pairs of several streams as arrays, read in three ways.

A stream is read as it came, without learning from it, and as if all items were of one source: so a
model does not rely on what can be learned from some streams only.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from newsdedup import ItemKey
from newsdedup.core.item_names import item_name
from newsdedup.core.matching.stream_statistics import StreamStatistics
from newsdedup.core.matching.verify.contradictions import find_contradiction
from newsdedup.core.matching.verify.copy_rates import concentration, is_translated, kind_of_entries
from newsdedup.core.matching.verify.features import Features, ViewComparison, compare_views
from newsdedup.core.matching.verify.relations import (
    Contradiction,
    is_long_excerpt,
    is_plain_copy,
    shares_enough_phrases,
)
from newsdedup.core.matching.verify.sketches import VerifierSketch, counts_include, read_sketch
from newsdedup.core.model import Entry, Micros
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.collections.pairs import ItemNames, LabelledPair, index_names
from newsdedup_lab.fit.logistic import FloatArray, group_stories
from newsdedup_lab.report.study_stages import Advance

StreamReading = Literal["as it came", "unlearned", "one source"]
READING_WEIGHTS: tuple[tuple[StreamReading, float], ...] = (
    ("as it came", 1.0),
    ("unlearned", 0.1),
    ("one source", 0.1),
)
"""The readings and what a row of each weighs in the fit.

With .2, .1 and nearly 0 for both, the mean loss of unseen pairs as they came is .175, .172 and
.168, and that of the same pairs read as of one source .230, .234 and .240 (2026-11-22).
"""

READING_TITLES: Mapping[StreamReading, str] = {
    "as it came": "the pairs directly, the stream's habits known",
    "unlearned": "nothing learned from the stream",
    "one source": "all items taken to be of one source",
}
"""The titles of the readings in tables of scores.

Pairs are compared as they stand, not looked up among all that came; and the copy rates of a stream
(its habits) are those of all its candidates, while the engine knows only what came before an item.
"""

_CANDIDATE_TERMS = 3


class FrozenItem(NamedTuple):
    """An entry with the facts that the engine freezes at its arrival, and its verifier sketch."""

    entry: Entry
    sketch: VerifierSketch


def freeze_items(entries: Iterable[Entry], reading: StreamReading) -> dict[ItemKey, FrozenItem]:
    """Return the entries of a stream by key, each frozen with what the engine knew at its time.

    That is, statistics of its sources; they are not counted in the reading "unlearned", and in "one
    source" all entries are frozen as of one source. Copy rates are left out, since they take a
    model: `Fitting.learn_shifts` estimates them.
    """
    statistics = StreamStatistics(base=0.5)
    found: dict[ItemKey, FrozenItem] = {}
    for entry in sorted(entries, key=lambda each: each.order):
        frozen = entry
        if reading != "unlearned":
            one = entry._replace(key=ItemKey("", entry.key.id))
            frozen = statistics.freeze(one if reading == "one source" else entry)
            statistics.add(statistics.observe(frozen, ()))
        found[entry.key] = FrozenItem(frozen, read_sketch(frozen))
    return found


def compare_frozen(left: FrozenItem, right: FrozenItem) -> ViewComparison:
    """Compare two items as the rule does, the earlier first, whatever their order here."""
    earlier, later = (left, right) if left.entry.order < right.entry.order else (right, left)
    own = left.entry.key.source == right.entry.key.source
    repeated = own and counts_include(earlier.sketch.bucket, later.sketch.bucket)
    return compare_views(earlier.sketch.view, later.sketch.view, same_source=own, repeated=repeated)


def candidate_pairs(
    items: Mapping[ItemKey, FrozenItem], *, window: Micros
) -> Iterator[tuple[FrozenItem, FrozenItem]]:
    """Yield the pairs (earlier, later) of items whose signatures share at least three terms.

    They are at most `window` apart in effective time. Pairs come in the total order of the later
    item, those of one later item in the order of the earlier one's key; each comes once.
    """
    holders: defaultdict[int, list[tuple[ItemKey, FrozenItem]]] = defaultdict(list)
    for key, later in sorted(items.items(), key=lambda item: item[1].entry.order):
        since = later.entry.effective_at - window
        shared: Counter[ItemKey] = Counter()
        for term in later.entry.terms:
            for other, earlier in reversed(holders[term]):
                if earlier.entry.effective_at < since:
                    break
                # Read as of one source, its entry no longer tells whose it is.
                shared[other] += 1
            holders[term].append((key, later))
        for other in sorted(other for other, count in shared.items() if count >= _CANDIDATE_TERMS):
            yield items[other], later


BoolArray = npt.NDArray[np.bool_]
IndexArray = npt.NDArray[np.int64]

AS_IT_CAME: StreamReading = "as it came"


@dataclass(frozen=True, slots=True)
class CandidateTable:
    """The candidates of a stream, one row each."""

    features: FloatArray
    kinds: IndexArray
    """The kind of each pair (core/matching/verify/copy_rates.py)."""
    concentration: float
    """The chance that two items of the stream are of one source."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Items of one stream and its candidate pairs, in each reading."""

    name: str
    window: Micros
    """How far apart in time the rule compares items."""
    names: ItemNames
    items: Mapping[StreamReading, Mapping[ItemKey, FrozenItem]]
    candidates: Mapping[StreamReading, CandidateTable]
    """Its candidate pairs, from which copy rates are learned without labels."""


def build_stream(
    name: str, entries: Sequence[Entry], *, window: Micros, advance: Advance
) -> Stream:
    """Freeze the entries of a stream and compare its candidate pairs, in each reading.

    Candidates are pairs within `window` that share three terms. `advance` counts the entries of
    each reading.
    """
    items: dict[StreamReading, Mapping[ItemKey, FrozenItem]] = {}
    met: dict[StreamReading, CandidateTable] = {}
    for reading, _ in READING_WEIGHTS:
        items[reading] = freeze_items(entries, reading)
        met[reading] = _candidate_table(items[reading], window)
        advance(len(entries))
    return Stream(name, window, index_names(entry.key for entry in entries), items, met)


def _candidate_table(items: Mapping[ItemKey, FrozenItem], window: Micros) -> CandidateTable:
    """Compare all candidate pairs of a stream; return their features and their kinds."""
    pairs = list(candidate_pairs(items, window=window))
    rows = [compare_frozen(left, right).features for left, right in pairs]
    sources = Counter(each.entry.key.source for each in items.values())
    return CandidateTable(_table(rows), _kinds(pairs), concentration(sources.values()))


class HeldPair(NamedTuple):
    """A labelled pair with the stream that contains both of its items."""

    file: int
    pair: LabelledPair
    position: int
    stream: Stream
    keys: tuple[ItemKey, ItemKey]
    again: bool
    """Whether another stream holds it, too: it counts once, in the first."""

    def viewed(self, reading: StreamReading) -> tuple[FrozenItem, FrozenItem]:
        """Return both items as they are in a reading, in the order of the pair."""
        items = self.stream.items[reading]
        return items[self.keys[0]], items[self.keys[1]]


@dataclass(frozen=True, slots=True)
class Samples:
    """Labelled pairs as columns; an index is the row number of a pair in each of them."""

    pairs: tuple[LabelledPair, ...]
    files: tuple[int, ...]
    """The number of the file that each was read from: several may have one name."""
    streams: tuple[int, ...]
    """The number of the stream that contains each."""
    languages: tuple[str, ...]
    """The language of both texts of each, by its code."""
    sources: tuple[frozenset[str], ...]
    stories: tuple[str, ...]
    features: Mapping[StreamReading, FloatArray]
    kinds: Mapping[StreamReading, IndexArray]
    ruled: Mapping[StreamReading, FloatArray]
    """1 for a copy on its face, else not a number.

    0 for texts that contradict each other or are further apart than the window.
    """
    contradictions: Mapping[StreamReading, tuple[Contradiction | None, ...]]
    """The contradiction of the texts of each, None without one."""
    truth: BoolArray
    weights: FloatArray
    sizes: IndexArray
    """Distinct content lemmas of the shorter text."""
    held_again: int = 0
    """How many have both items also in another stream."""

    def where(self, flags: Iterable[bool]) -> IndexArray:
        """Return the indexes whose flag is true."""
        return np.flatnonzero(np.fromiter(flags, dtype=np.bool_, count=len(self.pairs)))

    def has_both_labels(self, positions: IndexArray) -> bool:
        """Return whether there are duplicates and other pairs among these indexes."""
        return len(set(self.truth[positions].tolist())) > 1


def build_samples(
    labelled: Sequence[Sequence[LabelledPair]],
    streams: Sequence[Stream],
    *,
    translated: bool = False,
) -> Samples:
    """Return the labelled pairs of one language whose items one stream contains, the first such.

    `labelled` has the pairs of each file. With `translated`, those of a Russian and a Ukrainian
    text instead: they share less, and a model fitted on them too would be worse elsewhere, so they
    only decide an offset.
    """
    present = [
        one for one in _present_pairs(labelled, streams) if _is_meant(one, translated=translated)
    ]
    viewed = {reading: [one.viewed(reading) for one in present] for reading, _ in READING_WEIGHTS}
    compared = {
        reading: [compare_frozen(*both) for both in pairs] for reading, pairs in viewed.items()
    }
    contradictions = {
        reading: tuple(map(_contradiction, pairs, compared[reading]))
        for reading, pairs in viewed.items()
    }
    return Samples(
        pairs=tuple(one.pair for one in present),
        files=tuple(one.file for one in present),
        streams=tuple(one.position for one in present),
        languages=tuple(one.viewed("unlearned")[0].entry.lang for one in present),
        sources=tuple(frozenset(key.source for key in one.keys) for one in present),
        stories=tuple(group_stories(_display_names([one.keys for one in present]))),
        features={
            reading: _table([one.features for one in found]) for reading, found in compared.items()
        },
        kinds={reading: _kinds(pairs) for reading, pairs in viewed.items()},
        ruled={
            reading: np.array(
                [
                    _rule_verdict(both, one.stream.window, found, contradiction)
                    for both, one, found, contradiction in zip(
                        pairs, present, compared[reading], contradictions[reading], strict=True
                    )
                ]
            )
            for reading, pairs in viewed.items()
        },
        contradictions=contradictions,
        truth=np.array([one.pair.duplicate for one in present], dtype=np.bool_),
        weights=np.array([one.pair.weight for one in present], dtype=np.float64),
        sizes=np.array(
            [min(each.sketch.view.size for each in both) for both in viewed[AS_IT_CAME]],
            dtype=np.int64,
        ),
        held_again=sum(one.again for one in present),
    )


def _present_pairs(
    labelled: Sequence[Sequence[LabelledPair]], streams: Sequence[Stream]
) -> Iterator[HeldPair]:
    """Yield each pair whose items are both in some stream, with the first such stream.

    Raise SourceUnusable if two of them, mostly of two files, contradict each other.
    """
    labels: dict[frozenset[ItemKey], bool] = {}
    for file, pairs in enumerate(labelled):
        for pair in pairs:
            holding = [
                (position, found, keys)
                for position, found in enumerate(streams)
                if (keys := found.names.resolve_pair(pair)) is not None
            ]
            if holding:
                _, _, keys = holding[0]
                if labels.setdefault(frozenset(keys), pair.duplicate) != pair.duplicate:
                    raise SourceUnusable(
                        f"{pair.left} and {pair.right} are duplicates by one line of the pairs, "
                        "but not by another"
                    )
                yield HeldPair(file, pair, *holding[0], again=len(holding) > 1)


def _display_names(pairs: Sequence[tuple[ItemKey, ItemKey]]) -> list[tuple[str, str]]:
    """Return names for both items of each pair: the id, or SOURCE/ID if several sources have it."""
    keys = dict.fromkeys(key for both in pairs for key in both)
    sources = Counter(key.id for key in keys)
    names = {key: item_name(key) if sources[key.id] > 1 else key.id for key in keys}
    return [(names[left], names[right]) for left, right in pairs]


def _rule_verdict(
    both: tuple[FrozenItem, FrozenItem],
    window: Micros,
    compared: ViewComparison,
    contradiction: Contradiction | None,
) -> float:
    """Return 1 (duplicate) or 0 where the rule decides without the model, else NaN.

    0 is for times further apart than the window and texts that contradict each other, 1 for copies.
    """
    if abs(both[0].entry.effective_at - both[1].entry.effective_at) > window:
        return 0.0
    one, other = both[0].sketch.view, both[1].sketch.view
    if both[0].entry.version == both[1].entry.version and shares_enough_phrases(compared):
        return 1.0
    if contradiction is not None:
        return 0.0
    own = both[0].entry.key.source == both[1].entry.key.source
    copied = is_plain_copy(compared, one, other) or is_long_excerpt(
        compared, one, other, same_source=own
    )
    return 1.0 if copied else float("nan")


def _contradiction(
    both: tuple[FrozenItem, FrozenItem], compared: ViewComparison
) -> Contradiction | None:
    """Return the contradiction between the texts of a pair, None if there is none.

    `compared` is the comparison of both.
    """
    left, right = (each.entry for each in both)
    return find_contradiction(
        compared,
        both[0].sketch.view,
        both[1].sketch.view,
        same_source=left.key.source == right.key.source,
        translated=is_translated(left, right),
    )


def _is_meant(one: HeldPair, *, translated: bool) -> bool:
    """Return whether a pair is of one language or, with `translated`, of Russian and Ukrainian."""
    left, right = one.viewed("unlearned")
    if translated:
        return is_translated(left.entry, right.entry)
    return left.entry.lang == right.entry.lang


def _kinds(pairs: Sequence[tuple[FrozenItem, FrozenItem]]) -> IndexArray:
    """Return the kind of each pair of items, as a number."""
    return np.array(
        [kind_of_entries(left.entry, right.entry) for left, right in pairs], dtype=np.int64
    )


def _table(rows: Sequence[Features]) -> FloatArray:
    """Return the features as a table, a row for each pair."""
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(Features._fields))
