"""What a stream teaches about who repeats whom: whether a source repeats itself, or others.

An agency sends its own reports again; a channel updates its own and copies those of others. No
constant holds for both, so it is learned from the pairs that were compared, without labels: the
share of duplicates among pairs of one source against the share among all pairs, by the method of
Saerens, Latinne and Decaestecker (2002) for a classifier whose classes are mixed otherwise than
where it was fitted.
"""

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

STEPS = 2
"""Bins of a logit."""

LIMIT = 5
"""Logits beyond are counted in the last bin."""

BINS = 2 * LIMIT * STEPS + 1

PRIOR_PAIRS = 40
"""Pairs that must be seen before they outweigh the belief that one source is like all."""

LEAST, MOST = -3.0, 1.0
"""How far a habit may move a logit: it never decides alone."""

_ROUNDS = 50
_LOGITS = tuple(place / STEPS - LIMIT for place in range(BINS))
_ODDS = tuple(exp(logit) for logit in _LOGITS)


class Habits(NamedTuple):
    """Counts of compared pairs by the logit that their texts alone gave; sums of counts add up."""

    same: tuple[int, ...] = (0,) * BINS
    """Pairs of one source."""
    other: tuple[int, ...] = (0,) * BINS
    """Pairs of two sources."""


class Shift(NamedTuple):
    """By how much a habit moves the logit of a pair, frozen into an entry at admission."""

    same: float = 0.0
    other: float = 0.0


NO_SHIFT = Shift()


def noted(habits: Habits, logit: float, *, same: bool) -> Habits:
    """Return the counts with one more pair."""
    place = round((max(-LIMIT, min(LIMIT, logit)) + LIMIT) * STEPS)
    counts = list(habits.same if same else habits.other)
    counts[place] += 1
    return habits._replace(same=tuple(counts)) if same else habits._replace(other=tuple(counts))


def added(left: Habits, right: Habits) -> Habits:
    """Return the counts of two workers or two buckets together."""
    return Habits(
        tuple(map(sum, zip(left.same, right.same, strict=True))),
        tuple(map(sum, zip(left.other, right.other, strict=True))),
    )


def shift(habits: Habits, *, base: float) -> Shift:
    """Return what the counts teach; nothing, if nothing was counted.

    shift = logit(share among pairs of this kind) - logit(share among all pairs), the share of a
    kind mixed with PRIOR_PAIRS pairs like all others; between LEAST and MOST, to two decimals.
    `base` is the share of duplicates among the pairs that the model was fitted on.
    """
    every = tuple(map(sum, zip(habits.same, habits.other, strict=True)))
    if not sum(every):
        return NO_SHIFT
    overall = duplicates_share(every, base=base)
    return Shift(_moved(habits.same, overall, base=base), _moved(habits.other, overall, base=base))


def _moved(counts: Sequence[int], overall: float, *, base: float) -> float:
    pairs = sum(counts)
    own = duplicates_share(counts, base=base) if pairs else overall
    mixed = (own * pairs + overall * PRIOR_PAIRS) / (pairs + PRIOR_PAIRS)
    return round(max(LEAST, min(MOST, _logit(mixed) - _logit(overall))), 2)


def duplicates_share(counts: Sequence[int], *, base: float) -> float:
    """Return the share of duplicates that explains the counts best, from .005 to .95.

    Repeat: q_i = the probability in bin i if the share were s; s = the mean of q_i.
    """
    pairs = sum(counts)
    share = base
    for _ in range(_ROUNDS):
        factor = share / (1 - share) * (1 - base) / base
        share = (
            sum(
                count * odds * factor / (1 + odds * factor)
                for count, odds in zip(counts, _ODDS, strict=True)
                if count
            )
            / pairs
        )
        share = max(0.005, min(0.95, share))
    return share


def _logit(share: float) -> float:
    return log(share / (1 - share))
