"""Labelled pairs of several streams as arrays: what a model is fitted on and tested with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from newsdedup.core.model import Entry, Micros
from newsdedup.core.verified_rule import is_translated, kind_of
from newsdedup.core.verify.features import Features
from newsdedup.core.verify.relations import contradiction, plain_copy
from newsdedup.lab.fit import Numbers, stories
from newsdedup.lab.pairs import LabelledPair
from newsdedup.lab.readings import (
    READINGS,
    Reading,
    Viewed,
    candidates,
    comparison,
    views,
)
from newsdedup.lab.stages import Advance

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]

AS_IT_CAME: Reading = "as it came"


@dataclass(frozen=True, slots=True)
class Met:
    """Candidates of a stream, a row each."""

    features: Numbers
    kinds: Places
    """The kind of each pair (core/verify/habits.py)."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Items that came together, and the pairs among them that a look-up would compare."""

    name: str
    items: Mapping[Reading, Mapping[str, Viewed]]
    met: Mapping[Reading, Met]
    """Its candidates: what a stream teaches without labels."""

    def knows(self, pair: LabelledPair) -> bool:
        """Return whether both items are of this stream."""
        items = self.items["unlearned"]
        return pair.left in items and pair.right in items


def stream(name: str, entries: Sequence[Entry], *, window: Micros, advance: Advance) -> Stream:
    """Return a stream read in every way."""
    items: dict[Reading, Mapping[str, Viewed]] = {}
    met: dict[Reading, Met] = {}
    for reading, _ in READINGS:
        items[reading] = views(entries, reading)
        met[reading] = _met(items[reading], window)
        advance(len(entries))
    return Stream(name, items, met)


def _met(items: Mapping[str, Viewed], window: Micros) -> Met:
    pairs = list(candidates(items, window=window))
    rows = [comparison(left, right).features for left, right in pairs]
    return Met(_table(rows), _kinds(pairs))


@dataclass(frozen=True, slots=True)
class Samples:
    """Labelled pairs, the same place in every field."""

    pairs: tuple[LabelledPair, ...]
    files: tuple[str, ...]
    """The file that each was read from."""
    streams: tuple[str, ...]
    sources: tuple[frozenset[str], ...]
    stories: tuple[str, ...]
    features: Mapping[Reading, Numbers]
    kinds: Mapping[Reading, Places]
    ruled: Mapping[Reading, Numbers]
    """1 for a copy on its face, 0 for texts that contradict each other, else not a number."""
    truth: Flags
    weights: Numbers
    sizes: Places
    """Distinct content lemmas of the shorter text."""

    def where(self, kept: Iterable[bool]) -> Places:
        """Return the places of which it is true."""
        return np.flatnonzero(np.fromiter(kept, dtype=np.bool_, count=len(self.pairs)))


def samples(
    labelled: Sequence[tuple[str, Sequence[LabelledPair]]],
    streams: Sequence[Stream],
    *,
    translated: bool = False,
) -> Samples:
    """Return the pairs of all files of which a stream holds both items, in one language.

    Or those of a Russian and a Ukrainian text, which share less: a model that must also bear with
    that loses elsewhere, so they only tell what is to be added for them.
    """
    kept = [
        (file, pair, found)
        for file, pairs in labelled
        for pair in pairs
        for found in streams
        if found.knows(pair) and _is_meant(pair, found, translated=translated)
    ]
    held = {
        reading: [_held(pair, found, reading) for _, pair, found in kept] for reading, _ in READINGS
    }
    return Samples(
        pairs=tuple(pair for _, pair, _ in kept),
        files=tuple(file for file, _, _ in kept),
        streams=tuple(found.name for _, _, found in kept),
        sources=tuple(
            frozenset(each.entry.key.source for each in both) for both in held[AS_IT_CAME]
        ),
        stories=tuple(stories([(pair.left, pair.right) for _, pair, _ in kept])),
        features={
            reading: _table([comparison(*both).features for both in pairs])
            for reading, pairs in held.items()
        },
        kinds={reading: _kinds(pairs) for reading, pairs in held.items()},
        ruled={reading: np.array(list(map(_ruled, pairs))) for reading, pairs in held.items()},
        truth=np.array([pair.duplicate for _, pair, _ in kept], dtype=np.bool_),
        weights=np.array([pair.weight for _, pair, _ in kept], dtype=np.float64),
        sizes=np.array(
            [min(each.testimony.view.size for each in both) for both in held[AS_IT_CAME]],
            dtype=np.int64,
        ),
    )


def _held(pair: LabelledPair, found: Stream, reading: Reading) -> tuple[Viewed, Viewed]:
    items = found.items[reading]
    return items[pair.left], items[pair.right]


def _ruled(both: tuple[Viewed, Viewed]) -> float:
    """Return what the rule says before the model is asked."""
    compared, one, other = comparison(*both), both[0].testimony.view, both[1].testimony.view
    translated = is_translated(both[0].entry, both[1].entry)
    if contradiction(compared, one, other, translated=translated) is not None:
        return 0.0
    return 1.0 if plain_copy(compared, one, other) else float("nan")


def _sources(both: tuple[Viewed, Viewed]) -> frozenset[str]:
    return frozenset(each.entry.key.source for each in both)


def _is_meant(pair: LabelledPair, found: Stream, *, translated: bool) -> bool:
    left, right = _held(pair, found, "unlearned")
    if translated:
        return is_translated(left.entry, right.entry)
    return left.entry.lang == right.entry.lang


def _kinds(pairs: Sequence[tuple[Viewed, Viewed]]) -> Places:
    return np.array([kind_of(left.entry, right.entry) for left, right in pairs], dtype=np.int64)


def _table(rows: Sequence[Features]) -> Numbers:
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(Features._fields))
