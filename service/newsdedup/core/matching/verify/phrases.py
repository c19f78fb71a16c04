"""Pairs of neighbouring content lemmas: what a copy keeps and another message does not.

A pair that the source has used in earlier documents is its template, its boilerplate or the
background of a running story. The more often it has, the less a share in it says.
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

SAMPLE_SIZE = 32
"""Phrases kept of a text: the smallest hashes, so two samples of one text are the same one."""

TIERS = 3
"""How often the source used a phrase before: never, once, twice, more."""

_FIRST = 0x9E3779B97F4A7C15
_SECOND = 0xC2B2AE3D27D4EB4F
_MASK = (1 << 64) - 1
NO_LIMIT = (1 << 32) - 1
"""The limit of a sample that leaves nothing out: no phrase is above it."""


class Phrases(NamedTuple):
    """A sample of the phrases of a text, and how often its source had used them at admission."""

    hashes: tuple[int, ...]
    """Hashes of 32 bits, the fresh ones first, ascending within a tier."""
    tiers: tuple[int, ...]
    """How many of them the source had used not at all, at most once, at most twice."""
    limit: int
    """No phrase of the text with a hash up to this one is missing."""


def phrase_hashes(keys: Sequence[int]) -> list[int]:
    """Return the distinct 32-bit hashes of all pairs of neighbouring term keys, ascending."""
    return sorted(
        {(left * _FIRST + right * _SECOND & _MASK) >> 32 for left, right in pairwise(keys)}
    )


def sample_phrases(keys: Sequence[int]) -> Phrases:
    """Return the sample of a text's phrases, none of them used before by its source.

    `keys` are those of the content terms of the text, in its order.
    """
    hashes = phrase_hashes(keys)
    limit = hashes[SAMPLE_SIZE - 1] if len(hashes) > SAMPLE_SIZE else NO_LIMIT
    sample = tuple(hashes[:SAMPLE_SIZE])
    return Phrases(sample, (len(sample),) * TIERS, limit)


def sort_phrases(sample: Phrases, uses: Sequence[int]) -> Phrases:
    """Return the sample sorted by the earlier uses of each of its phrases; itself if unchanged."""
    whole = len(sample.hashes)
    if not any(uses):
        if sample.tiers[0] == whole:
            return sample
        return Phrases(tuple(sorted(sample.hashes)), (whole,) * TIERS, sample.limit)
    times = [min(TIERS, use) for use in uses]
    used = sorted(zip(times, sample.hashes, strict=True))
    times.sort()
    tiers = tuple([bisect_right(times, tier) for tier in range(TIERS)])
    return Phrases(tuple([phrase for _, phrase in used]), tiers, sample.limit)


class SharedPhrases(NamedTuple):
    """What two samples share."""

    shared: int
    fresh: float
    """Worth of the shared ones: 1 for a phrase new to both, half for each earlier use."""
    used: int
    """The shared ones that one of the sources had used before."""
    reused: int
    """Those that both sources had used twice before, or more."""

    @property
    def freshness(self) -> float:
        """Return the mean worth of a shared phrase; a half if none is shared."""
        return self.fresh / self.shared if self.shared else 0.5


def shared_phrases(earlier: Phrases, later: Phrases, *, repeated: bool) -> SharedPhrases:
    """Return how many phrases of two samples are equal, how much these are worth, and how used.

    `repeated` says that the later one's counts include the earlier one, of the same source: then
    one use of a shared phrase is the earlier text itself and speaks against nothing. The worth of a
    phrase used c times before, by the source that used it more, is 2 ** -c, c up to 3.
    """
    shared = len(set(earlier.hashes).intersection(later.hashes))
    if not shared:
        return SharedPhrases(0, 0.0, 0, 0)
    # The later one's tiers are read one use later where its counts include the earlier one.
    tiers = (*later.tiers, len(later.hashes))[1 if repeated else 0 :]
    if earlier.tiers[0] == len(earlier.hashes) and tiers[0] == len(later.hashes):
        return SharedPhrases(shared, float(shared), 0, 0)
    new, once, twice = (
        len(set(earlier.hashes[:left]).intersection(later.hashes[:right]))
        for left, right in zip(earlier.tiers, tiers, strict=False)
    )
    often = set(earlier.hashes[earlier.tiers[1] :]).intersection(later.hashes[tiers[1] :])
    worth = new / 2 + once / 4 + twice / 8 + shared / 8
    return SharedPhrases(shared, worth, shared - new, len(often))


def resemblance(left: Phrases, right: Phrases) -> float:
    """Return the estimated Jaccard similarity of the phrases of two texts.

    It is that of the hashes up to the lower of both limits, of which neither sample misses one.
    """
    limit = min(left.limit, right.limit)
    shared = len(set(left.hashes).intersection(right.hashes))
    sizes = [
        len(one.hashes) if one.limit == limit else sum([phrase <= limit for phrase in one.hashes])
        for one in (left, right)
    ]
    union = sum(sizes) - shared
    return shared / union if union else 0.0
