"""Learns the statistics of a stream from the items that are admitted."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from newsdedup.core.matching.index_keys import BIT, MOST_LEAST
from newsdedup.core.matching.rows import (
    LANGUAGE_CODES,
    HasEntry,
    NearRecords,
    hash_text,
    near_records,
)
from newsdedup.core.matching.stream_statistics import Observation, StreamStatistics
from newsdedup.core.matching.verified_filter import VerifiedFilter
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.copy_rates import UNLIKE, kind_of_entries
from newsdedup.core.matching.verify.sketches import read_information
from newsdedup.core.model import Entry, ItemKey

_PAIRS_OF_AN_ITEM: Final = 8
"""Pairs counted of one item at most: a hot event must not drown the others, nor the leaders of one
matter that every item about it meets (docs/decisions/0020)."""

_CACHED_ENTRIES: Final = 1_024
"""Frozen entries that a worker caches: those of a batch."""


class StatisticsRecorder:
    """Counts the stream of one process; `take_observations` hands over those to store."""

    def __init__(
        self,
        rule: VerifiedRule,
        stored: Iterable[Observation] = (),
        *,
        weighs: bool = True,
        keeps: bool = True,
    ) -> None:
        """Begin with observations that earlier runs have stored; StreamStatistics says `weighs`.

        Unless it `keeps` observations, none can be taken: they would grow with the stream.
        """
        self._rule = rule
        self._keeps = keeps
        self._weighs = weighs
        self._taken: list[Observation] = []
        self.statistics = self._new_statistics()
        self.statistics.restore(stored)

    def _new_statistics(self) -> StreamStatistics:
        """Return empty statistics for the rule."""
        rule = self._rule
        return StreamStatistics(rule.model.base, window=rule.window, weighs=self._weighs)

    def freeze(self, entry: Entry) -> Entry:
        """Return a copy of the entry with the present statistics, as `StreamStatistics.freeze`."""
        return self.statistics.freeze(entry)

    def learn(self, entry: Entry, near: Sequence[HasEntry]) -> None:
        """Compare an admitted entry with the leaders `near` it, and count it with these pairs."""
        self.statistics.add(self._note(entry, near))

    def _note(self, entry: Entry, near: Sequence[HasEntry]) -> Observation:
        """Return what an entry and the leaders near it add; keep it for `take_observations`."""
        pairs = compare_with_leaders(self._rule, entry, near) if teaches(entry) else []
        observation = self.statistics.observe(entry, pairs)
        if self._keeps:
            self._taken.append(observation)
        return observation

    def take_observations(self) -> list[Observation]:
        """Return the observations since the last call and forget them, for the caller to store."""
        taken, self._taken = self._taken, []
        return taken


class SharedStatisticsRecorder(StatisticsRecorder):
    """Counts the stream of several workers, each by the one log to which all add observations.

    What an entry freezes is cached until the counts change: it is looked up, then decided.
    """

    def __init__(self, rule: VerifiedRule, *, weighs: bool = True) -> None:
        """Begin empty; StreamStatistics says what `weighs` means."""
        super().__init__(rule, weighs=weighs)
        self._frozen: dict[ItemKey, tuple[Entry, Entry]] = {}
        """By item the latest entry that was frozen, before and after."""

    def freeze(self, entry: Entry) -> Entry:
        """Return a copy of the entry with the statistics by what was read of the log."""
        known = self._frozen.get(entry.key)
        if known is not None and known[0] == entry:
            return known[1]
        if len(self._frozen) >= _CACHED_ENTRIES:
            self._frozen.clear()
        frozen = self.statistics.freeze(entry)
        self._frozen[entry.key] = entry, frozen
        return frozen

    def learn(self, entry: Entry, near: Sequence[HasEntry]) -> None:
        """Keep the observation of an admitted entry for the log; it counts when it is read back."""
        self._note(entry, near)

    def add_logged(self, observation: Observation, *, number: int) -> None:
        """Count an observation of the log, under its number there, in the present generation."""
        self._frozen.clear()
        self.statistics.add(
            observation._replace(generation=self.statistics.generation, number=number)
        )

    def reset(self) -> None:
        """Drop all counts and observations, because another log has replaced the earlier one."""
        self.statistics = self._new_statistics()
        self._taken = []
        self._frozen.clear()


def teaches(entry: Entry) -> bool:
    """Return whether an entry is compared with the leaders near it to learn.

    In a window of up to 131,072 items each is; in one of twice as many one in two, and so on: what
    is learned rests on as many pairs, and no item costs more for it.
    """
    weighed = read_information(entry.sketches[-1])
    doublings = 0 if weighed is None else max(0, weighed.least - MOST_LEAST) // BIT
    return not doublings or hash_text(entry.version) % (1 << doublings) == 0


def compare_with_leaders(
    rule: VerifiedRule, entry: Entry, leaders: Sequence[HasEntry]
) -> list[tuple[float, int]]:
    """Return the text logit and the kind of pair of an entry with leaders that are not unlike it.

    The 8 earliest are compared; of more than 8 near ones, those that the filter of the rule bounds
    as unlike do not count. Leaders of another language are left out, or a site in two languages
    would seem to repeat itself. Of the eight, variants are left out: most are copies, and habits
    were fitted on pairs with leaders. A digest is compared with digests alone, other items with
    none: a digest and its parts say nothing of who copies whom.
    """
    near = near_records(leaders, rule.candidate_filter)
    pairs: list[tuple[float, int]] = []
    for index in _earliest_of_a_kind(entry, near, rule.candidate_filter):
        other = near[index]
        if other.is_variant:
            continue
        logit = rule.verify(entry, other.entry).text_logit
        if logit > UNLIKE:
            pairs.append((round(logit, 2), kind_of_entries(entry, other.entry)))
    return pairs


def _earliest_of_a_kind(
    entry: Entry, near: NearRecords[HasEntry], by: VerifiedFilter | None
) -> list[int]:
    """Return the indexes in `near` of the leaders to compare with an entry, the earliest first.

    These are the 8 earliest of its language but for its own record: only digests for a digest, no
    digest for another item. Of more than 8 near, those are left out that `by` bounds as unlike.
    """
    indexes: Iterable[int] = range(len(near))
    digest = bool(entry.passages)
    rows = near.rows if len(near) > _PAIRS_OF_AN_ITEM else None
    if by is not None and rows is not None:
        chosen = (rows["lang"] == LANGUAGE_CODES[entry.lang]) & (rows["digest"] == digest)
        bounds = by.text_logits(entry, rows)
        if bounds is not None:
            chosen &= bounds > UNLIKE
        some = np.flatnonzero(chosen)
        # One more than are counted: the entry itself may be among them.
        if len(some) > _PAIRS_OF_AN_ITEM + 1:
            times = rows["effective_at"][some]
            some = some[times <= np.partition(times, _PAIRS_OF_AN_ITEM)[_PAIRS_OF_AN_ITEM]]
        indexes = some.tolist()
    counted = sorted(
        (other.effective_at, other.key, index)
        for index in indexes
        if (other := near[index].entry).key != entry.key
        and other.lang == entry.lang
        and bool(other.passages) == digest
    )
    return [index for _, _, index in counted[:_PAIRS_OF_AN_ITEM]]
