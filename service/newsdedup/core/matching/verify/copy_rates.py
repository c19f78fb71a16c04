"""How often pairs of a kind are copies in a stream: who repeats whom, and how soon.

An agency sends its own reports again; a channel updates its own and copies those of others. Copies
come within the hour in one stream, and overnight in another, whose times may even be rounded to
midnight. No constant suits all, so the rate is estimated from the pairs that were compared,
without labels: the share of duplicates among pairs of a kind against the share among all pairs, by
the method of Saerens, Latinne and Decaestecker (2002) for a classifier whose classes are mixed
otherwise than where it was fitted.
"""

from collections.abc import Iterable, Sequence
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from newsdedup.core.model import Entry, Micros
from newsdedup.core.moments import DAY, HOUR

BINS_PER_LOGIT = 2

LOGIT_LIMIT = 5
"""Logits beyond are counted in the last bin."""

UNLIKE = -2.75
"""Pairs of a logit up to this one are not counted. No shift makes them copies, and how many of them
a look-up returns says more of the look-up than of the stream."""

LOGIT_BINS = 2 * LOGIT_LIMIT * BINS_PER_LOGIT + 1

_PRIOR_PAIRS = 40
"""Pairs that must be seen before they outweigh the belief that a kind is like all."""

_LATER = (3 * HOUR, DAY)
"""How far apart pairs are that come on the same day rather than soon, and later than that."""

PAIR_KINDS = 2 * (len(_LATER) + 1)
"""Kinds of pairs: of one source or of two, each soon, the same day, or later."""

LEAST_SHIFT, MOST_SHIFT = -3.0, 1.0
"""How far a copy rate may move a logit: it never decides alone."""

_UNLIKE_BINS = round((UNLIKE + LOGIT_LIMIT) * BINS_PER_LOGIT + 0.5)
"""The lowest bins: earlier releases have counted unlike pairs, too."""

_ROUNDS = 50
_ODDS = tuple(exp(index / BINS_PER_LOGIT - LOGIT_LIMIT) for index in range(LOGIT_BINS))

PairCounts = tuple[tuple[int, ...], ...]
"""Of every kind the counts of compared pairs by the logit that their texts alone gave."""

NO_PAIRS: PairCounts = ((0,) * LOGIT_BINS,) * PAIR_KINDS

Shifts = tuple[float, ...]
"""By how much copy rates move the logit of each kind of pair; an entry freezes them."""

NO_SHIFTS: Shifts = (0.0,) * PAIR_KINDS


def pair_kind(*, same: bool, apart: Micros) -> int:
    """Return the kind of a pair: 0 to 2 of one source (`same`), 3 to 5 of two.

    The lowest is for a pair less than 3 hours apart, the next for less than a day, then later ones.
    """
    return (0 if same else PAIR_KINDS // 2) + sum([apart >= bound for bound in _LATER])


def pair_kinds(*, same: NDArray[np.bool_], apart: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the `pair_kind` of many pairs, each of one source or of two, and so far apart."""
    return np.where(same, 0, PAIR_KINDS // 2) + np.searchsorted(_LATER, apart, side="right")


def count_pair(counts: PairCounts, logit: float, kind: int) -> PairCounts:
    """Return the counts with one more pair of this kind, whose texts alone gave this logit."""
    index = round((max(-LOGIT_LIMIT, min(LOGIT_LIMIT, logit)) + LOGIT_LIMIT) * BINS_PER_LOGIT)
    own = list(counts[kind])
    own[index] += 1
    return (*counts[:kind], tuple(own), *counts[kind + 1 :])


def add_counts(left: PairCounts, right: PairCounts) -> PairCounts:
    """Return the sum of two counts, for each kind of pair and each bin of logits."""
    return tuple([_sums(pair) for pair in zip(left, right, strict=True)])


def estimate_shifts(counts: PairCounts, *, base: float, concentration: float = 1.0) -> Shifts:
    """Return by how much the counts move the logit of each kind of pair.

    shift = logit(share of duplicates among pairs of this kind) - logit(that share among all pairs),
    the share of a kind mixed with 40 pairs like all others, 0 where no pair was counted. `base` is
    the share of duplicates among the pairs that the model was fitted on.

    To pairs of one source -3 * (1 - concentration) is added: the concentration is the chance that
    two items of the stream are of one source. Of many sources each copies others and seldom says
    its own again, but follows it up with half the words; a stream of one source says nothing of it.
    The sum is between -3 and 1, to two decimals.
    """
    alike = [(0,) * _UNLIKE_BINS + each[_UNLIKE_BINS:] for each in counts]
    every = _sums(alike)
    overall = duplicates_share(every, base=base) if sum(every) else base
    own = LEAST_SHIFT * (1 - concentration)
    shifts = [_shift(kind, overall, base=base) for kind in alike]
    half = PAIR_KINDS // 2
    shifts = [*(_clamp(shift + own) for shift in shifts[:half]), *shifts[half:]]
    return tuple([round(shift, 2) for shift in shifts])


def _clamp(shift: float) -> float:
    """Return the shift, limited to the range from LEAST_SHIFT to MOST_SHIFT."""
    return max(LEAST_SHIFT, min(MOST_SHIFT, shift))


def concentration(items: Iterable[int]) -> float:
    """Return the chance that two items are of one source, given how many each has; 1 without."""
    counts = list(items)
    every = sum(counts)
    return sum([count * count for count in counts]) / (every * every) if every else 1.0


def _sums(counts: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return the sums of equally long counts, position by position."""
    return tuple(map(sum, zip(*counts, strict=True)))


def _shift(counts: Sequence[int], overall: float, *, base: float) -> float:
    """Return the shift of a kind by its counts alone; `overall` is the share among all pairs."""
    pairs = sum(counts)
    own = duplicates_share(counts, base=base) if pairs else overall
    mixed = (own * pairs + overall * _PRIOR_PAIRS) / (pairs + _PRIOR_PAIRS)
    return _clamp(_logit(mixed) - _logit(overall))


def duplicates_share(counts: Sequence[int], *, base: float) -> float:
    """Return the share of duplicates that explains the counts by logit best, from .005 to .95.

    `counts` has the number of pairs by bin of their logit, `base` the share of duplicates among the
    pairs that the model was fitted on. Repeat: q_i = the probability in bin i if the share were s;
    s = the mean of q_i.
    """
    pairs = sum(counts)
    share = base
    for _ in range(_ROUNDS):
        factor = share / (1 - share) * (1 - base) / base
        copies = sum(
            count * odds * factor / (1 + odds * factor)
            for count, odds in zip(counts, _ODDS, strict=True)
            if count
        )
        share = max(0.005, min(0.95, copies / pairs))
    return share


def _logit(share: float) -> float:
    """Return the log-odds of a share, which is above 0 and below 1."""
    return log(share / (1 - share))


TRANSLATED = {"ru", "uk"}
"""Two languages whose texts are compared word by word (core/words/vocabulary.py)."""


def is_translated(left: Entry, right: Entry) -> bool:
    """Return whether one entry is Russian and the other Ukrainian."""
    return {left.lang, right.lang} == TRANSLATED


def is_swapped(left: Entry, right: Entry) -> bool:
    """Return whether `right` comes before `left` in the total order; the version breaks ties."""
    ours, theirs = left.effective_at, right.effective_at
    return (theirs, right.key, right.version) < (ours, left.key, left.version)


def kind_of_entries(left: Entry, right: Entry) -> int:
    """Return the `pair_kind` of two entries, by their sources and times."""
    same = left.key.source == right.key.source
    return pair_kind(same=same, apart=abs(left.effective_at - right.effective_at))
