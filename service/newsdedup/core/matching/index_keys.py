"""The keys by which entries are found, and which of those that share keys are candidates.

A shared key is worth the bits that it tells in this stream, log2(items / items that have it), as
each of the two entries froze them at admission; the lesser of both counts. Two entries are
candidates from a sum of worths on, which grows with the number of items that came between them in
a window of more than 65,536 (docs/decisions/0062). Rule `terms` counts shared keys instead: each is
worth 1.
Whether two entries are candidates is a pure function of both, so every store, order, restart and
worker finds the same ones (docs/decisions/0039-candidates-by-information.md).

Rule `terms` needs no more than a prefix of the signature. Let two signatures of n and m terms,
sorted in one frozen order, share s >= least terms. Behind the k-th shared term are at least
least - k more, so in each signature it is among the first n - least + k. Hence the prefixes of that
length share k terms (Chaudhuri et al. 2006; Bayardo et al. 2007). Rare terms come first, so the
postings left unread are the long ones. For duplicates this is exact. A lower bar, for what is
merely similar, lengthens the prefix by the commonest terms, whose postings grow with the window; of
those only the terms that are not common are keys (docs/decisions/0007-bounded-similarity.md).
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

import xxhash

from newsdedup.core.model import Entry, Micros
from newsdedup.core.words.background import first_key

HITS = 2
"""How many shared keys make a candidate where each is worth 1.

The k below: two hits read a longer prefix than one, but far fewer candidates pass."""

BIT = 4
"""Worths are stored in quarters of a bit."""

MOST_WORTH = 255
"""A worth is stored in a byte: 63.75 bits."""

MOST_LEAST = 22 * BIT
"""The sum asked of two entries between which few items came: that of a window of 65,536."""

MORE_APART = 3 * BIT
"""How much more is asked of two entries each time that twice as many items came between them."""

PAIR_WORTH = 12 * BIT
"""What a shared near key is worth where many items came between."""

_CACHED = 4_096
"""Cached keys of signatures: those of a batch and of its candidates."""

_QUARTERS = (65_536, 55_109, 46_341, 38_968)
"""What a window has shrunk to for each quarter of a bit, of 65,536."""

COMMON_TERM = first_key(1 / 1024)
"""The key from which a term is common: in one document of a thousand or more."""


class IndexKeys(NamedTuple):
    """The keys of an entry in an index; a look-up by them finds its candidates."""

    counted: tuple[int, ...]
    """Distinct keys; those that two entries share are worth something together."""
    sure: tuple[int, ...] = ()
    """An entry that shares one of these is a candidate."""
    worths: tuple[int, ...] = ()
    """What each counted key is worth in this entry, in the order of `counted`; () if each is 1."""
    least: int = HITS
    """The sum of worths that makes a candidate of an entry if the whole window came between."""
    near: tuple[int, ...] = ()
    """An entry that shares one of these is a candidate if few items came between."""
    at: Micros = 0
    """The time of the entry."""
    window: Micros = 0
    """That of the rule; `least` grows with the number of items in it."""

    @property
    def alone(self) -> tuple[int, ...]:
        """Return the keys of which one may be enough."""
        return (*self.sure, *self.near)

    @property
    def floor(self) -> int:
        """Return the least sum of worths that may make a candidate, whatever came between."""
        return min(self.least, MOST_LEAST)

    def weighed(self) -> dict[int, int]:
        """Return the worth of each counted key."""
        return dict(zip(self.counted, self.worths or repeat(1), strict=False))


def are_candidates(left: IndexKeys, right: IndexKeys) -> bool:
    """Return whether a look-up by the keys of one entry finds the other.

    The lesser worth of a shared key counts, and the greater of the two least sums. In a window of
    more than 65,536 items that is the sum by how many of them came between.
    """
    return candidate_test(left)(right)


def candidate_test(keys: IndexKeys) -> Callable[[IndexKeys], bool]:
    """Return the function that says whether a look-up by these keys finds an entry with others."""
    worths, sure, near = keys.weighed(), frozenset(keys.sure), frozenset(keys.near)
    shared_with = frozenset(worths).intersection

    def finds(other: IndexKeys) -> bool:
        if not sure.isdisjoint(other.sure):
            return True
        # Most of those that a look-up in sets returns share nothing.
        shared, shares_near = shared_with(other.counted), not near.isdisjoint(other.near)
        if not shared and not shares_near:
            return False
        least = max(keys.least, other.least)
        if least > MOST_LEAST:
            least = least_apart(least, keys.window, abs(keys.at - other.at))
        if shares_near and least <= MOST_LEAST:
            return True
        theirs = other.weighed()
        lesser = [min(worths[key], theirs[key]) for key in shared]
        return sum(lesser) + PAIR_WORTH * shares_near >= least

    return finds


def least_apart(least: int, window: Micros, apart: Micros) -> int:
    """Return the sum of worths that makes candidates of two entries `apart` microseconds apart.

    It grows with the items that came between them. `least` is the sum if the whole window did, more
    than MOST_LEAST.
    """
    doublings = (apart // time_of_few(least, window)).bit_length()
    return MOST_LEAST + MORE_APART * doublings


def time_of_few(least: int, window: Micros) -> Micros:
    """Return in what time so few items come that two entries need no more than MOST_LEAST.

    `least` is that of a whole window, a bit more for twice as many items. Whole numbers alone: each
    machine computes the same time.
    """
    halvings, quarters = divmod(max(0, least - MOST_LEAST), BIT)
    return max(1, (window * _QUARTERS[quarters] >> 16) >> halvings)


def prefix_keys(entry: Entry, *, sure: int, hoped: int) -> IndexKeys:
    """Return the keys that find every entry sharing `sure` terms, and most sharing `hoped`.

    An entry that shares fewer than `sure` terms is found if two of them are among the first
    n - sure + HITS of either signature, or not common. A signature of fewer than `sure` terms can
    only match as a whole: it has one key, of its terms and numbers; without terms, of the text.
    """
    if not entry.terms:
        return IndexKeys((), (text_key(entry),))
    if len(entry.terms) < sure:
        return IndexKeys((), (whole_key(entry),))
    return _prefix(entry.terms, sure, hoped)


@lru_cache(maxsize=_CACHED)
def _prefix(terms: tuple[int, ...], sure: int, hoped: int) -> IndexKeys:
    """Return the `prefix_keys` of a signature of `sure` terms or more, cached for one decision."""
    count = len(terms)
    exact, end = count - sure + HITS, count - hoped + HITS
    # Sorted by commonness: where one is common, so are all behind it.
    while end > exact and terms[end - 1] >= COMMON_TERM:
        end -= 1
    return IndexKeys(terms[:end])


def text_key(entry: Entry) -> int:
    """Return one 63-bit key for the version of an entry, which only equal texts share."""
    return hash_key(f"text {entry.version}")


def whole_key(entry: Entry) -> int:
    """Return one 63-bit key for all terms and numbers of an entry together."""
    return hash_key(f"terms {entry.terms} numbers {entry.numbers}")


def hash_key(text: str) -> int:
    """Return the xxh3 of a text, 63 bits: positive in every store."""
    return xxhash.xxh3_64_intdigest(text.encode()) >> 1
