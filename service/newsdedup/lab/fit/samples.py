"""Labelled pairs of several streams as arrays: what a model is fitted on and tested with."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from newsdedup.core.item_names import written
from newsdedup.core.matching.verify.contradictions import find_contradiction
from newsdedup.core.matching.verify.copy_rates import is_translated, kind_of_entries
from newsdedup.core.matching.verify.features import Features
from newsdedup.core.matching.verify.relations import is_plain_copy, shares_enough_phrases
from newsdedup.core.model import Entry, ItemKey, Micros
from newsdedup.lab.collections.named_items import NamedItems, named_items
from newsdedup.lab.collections.pairs import LabelledPair
from newsdedup.lab.fit.logistic import Numbers, stories
from newsdedup.lab.fit.readings import READINGS, Reading, Viewed, candidates, comparison, views
from newsdedup.lab.report.stages import Advance

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]

AS_IT_CAME: Reading = "as it came"


@dataclass(frozen=True, slots=True)
class Met:
    """Candidates of a stream, a row each."""

    features: Numbers
    kinds: Places
    """The kind of each pair (core/matching/verify/copy_rates.py)."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Items that came together, and the pairs among them that a look-up would compare."""

    name: str
    window: Micros
    """How far apart in time the rule compares items."""
    named: NamedItems
    items: Mapping[Reading, Mapping[ItemKey, Viewed]]
    met: Mapping[Reading, Met]
    """Its candidates: what a stream teaches without labels."""


def stream(name: str, entries: Sequence[Entry], *, window: Micros, advance: Advance) -> Stream:
    """Return a stream read in every way."""
    items: dict[Reading, Mapping[ItemKey, Viewed]] = {}
    met: dict[Reading, Met] = {}
    for reading, _ in READINGS:
        items[reading] = views(entries, reading)
        met[reading] = _met(items[reading], window)
        advance(len(entries))
    return Stream(name, window, named_items(entry.key for entry in entries), items, met)


def _met(items: Mapping[ItemKey, Viewed], window: Micros) -> Met:
    pairs = list(candidates(items, window=window))
    rows = [comparison(left, right).features for left, right in pairs]
    return Met(_table(rows), _kinds(pairs))


class Held(NamedTuple):
    """A labelled pair, and the items of a stream that it means."""

    file: int
    pair: LabelledPair
    place: int
    stream: Stream
    keys: tuple[ItemKey, ItemKey]
    again: bool
    """Whether another stream holds it, too: it counts once, in the first."""

    def viewed(self, reading: Reading) -> tuple[Viewed, Viewed]:
        """Return both items as they are read."""
        items = self.stream.items[reading]
        return items[self.keys[0]], items[self.keys[1]]


@dataclass(frozen=True, slots=True)
class Samples:
    """Labelled pairs, the same place in every field."""

    pairs: tuple[LabelledPair, ...]
    files: tuple[int, ...]
    """The place of the file that each was read from: several may have one name."""
    streams: tuple[int, ...]
    """The place of the stream that holds each."""
    sources: tuple[frozenset[str], ...]
    stories: tuple[str, ...]
    features: Mapping[Reading, Numbers]
    kinds: Mapping[Reading, Places]
    ruled: Mapping[Reading, Numbers]
    """1 for a copy on its face, else not a number.

    0 for texts that contradict each other or are further apart than the window.
    """
    truth: Flags
    weights: Numbers
    sizes: Places
    """Distinct content lemmas of the shorter text."""
    held_again: int = 0
    """Of how many another stream than theirs holds both items, too."""

    def where(self, kept: Iterable[bool]) -> Places:
        """Return the places of which it is true."""
        return np.flatnonzero(np.fromiter(kept, dtype=np.bool_, count=len(self.pairs)))


def samples(
    labelled: Sequence[Sequence[LabelledPair]],
    streams: Sequence[Stream],
    *,
    translated: bool = False,
) -> Samples:
    """Return the pairs of all files of which a stream holds both items, in one language.

    A pair is of the first stream that holds it.

    Or those of a Russian and a Ukrainian text, which share less: a model that must also bear with
    that loses elsewhere, so they only tell what is to be added for them.
    """
    kept = [one for one in _held(labelled, streams) if _is_meant(one, translated=translated)]
    held = {reading: [one.viewed(reading) for one in kept] for reading, _ in READINGS}
    return Samples(
        pairs=tuple(one.pair for one in kept),
        files=tuple(one.file for one in kept),
        streams=tuple(one.place for one in kept),
        sources=tuple(frozenset(key.source for key in one.keys) for one in kept),
        stories=tuple(stories(_names([one.keys for one in kept]))),
        features={
            reading: _table([comparison(*both).features for both in pairs])
            for reading, pairs in held.items()
        },
        kinds={reading: _kinds(pairs) for reading, pairs in held.items()},
        ruled={
            reading: np.array([_ruled(one.viewed(reading), one.stream.window) for one in kept])
            for reading, _ in READINGS
        },
        truth=np.array([one.pair.duplicate for one in kept], dtype=np.bool_),
        weights=np.array([one.pair.weight for one in kept], dtype=np.float64),
        sizes=np.array(
            [min(each.testimony.view.size for each in both) for both in held[AS_IT_CAME]],
            dtype=np.int64,
        ),
        held_again=sum(one.again for one in kept),
    )


def _held(labelled: Sequence[Sequence[LabelledPair]], streams: Sequence[Stream]) -> Iterator[Held]:
    for file, pairs in enumerate(labelled):
        for pair in pairs:
            holding = [
                (place, found, keys)
                for place, found in enumerate(streams)
                if (keys := found.named.of(pair)) is not None
            ]
            if holding:
                yield Held(file, pair, *holding[0], again=len(holding) > 1)


def _names(pairs: Sequence[tuple[ItemKey, ItemKey]]) -> list[tuple[str, str]]:
    """Return what both items of each pair are called: by the id alone if no other source has it."""
    keys = dict.fromkeys(key for both in pairs for key in both)
    sources = Counter(key.id for key in keys)
    names = {key: written(key) if sources[key.id] > 1 else key.id for key in keys}
    return [(names[left], names[right]) for left, right in pairs]


def _ruled(both: tuple[Viewed, Viewed], window: Micros) -> float:
    """Return what the rule says before the model is asked."""
    if abs(both[0].entry.effective_at - both[1].entry.effective_at) > window:
        return 0.0
    compared, one, other = comparison(*both), both[0].testimony.view, both[1].testimony.view
    if both[0].entry.version == both[1].entry.version and shares_enough_phrases(compared):
        return 1.0
    translated = is_translated(both[0].entry, both[1].entry)
    if find_contradiction(compared, one, other, translated=translated) is not None:
        return 0.0
    return 1.0 if is_plain_copy(compared, one, other) else float("nan")


def _is_meant(one: Held, *, translated: bool) -> bool:
    left, right = one.viewed("unlearned")
    if translated:
        return is_translated(left.entry, right.entry)
    return left.entry.lang == right.entry.lang


def _kinds(pairs: Sequence[tuple[Viewed, Viewed]]) -> Places:
    return np.array(
        [kind_of_entries(left.entry, right.entry) for left, right in pairs], dtype=np.int64
    )


def _table(rows: Sequence[Features]) -> Numbers:
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(Features._fields))
