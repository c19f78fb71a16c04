"""Which keys of a signature must be looked up so that no match is lost: prefix filtering.

Let two signatures of n and m terms, sorted in one frozen order, share s >= least terms. Behind
the k-th shared term are at least least - k more, so in each signature it is among the first
n - least + k. Hence the prefixes of that length share k terms (Chaudhuri et al. 2006; Bayardo
et al. 2007). Rare terms come first, so the postings left unread are the long ones.

For duplicates this is exact. A lower bar, for what is merely similar, lengthens the prefix by
the commonest terms, whose postings grow with the window; of those only the terms that are not
common are keys (docs/decisions/0007-bounded-similarity.md has what that costs).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import xxhash

from newsdedup.core.model import Entry
from newsdedup.core.words.background import first_key

HITS = 2
"""The k above: two hits read a longer prefix than one, but far fewer candidates pass."""

_CACHED = 4_096
"""Cached keys of signatures: those of a batch and of its candidates."""

COMMON_TERM = first_key(1 / 1024)
"""The key from which a term is common: in one document of a thousand or more."""


class IndexKeys(NamedTuple):
    """The keys of an entry in an index; a look-up by them finds entries that share enough."""

    counted: tuple[int, ...]
    """An entry that shares at least HITS of these is a candidate."""
    sure: tuple[int, ...] = ()
    """An entry that shares one of these is a candidate."""


def prefix_keys(entry: Entry, *, sure: int, hoped: int) -> IndexKeys:
    """Return the keys that find every entry sharing `sure` terms, and most sharing `hoped`.

    An entry that shares fewer than `sure` terms is found if two of them are among the first
    n - sure + HITS of either signature, or not common. A signature of fewer than `sure` terms can
    only match as a whole: it has one key, of its terms and numbers; without terms, of the text.
    """
    if not entry.terms:
        return IndexKeys((), (text_key(entry),))
    if len(entry.terms) < sure:
        return IndexKeys((), (_hash(f"terms {entry.terms} numbers {entry.numbers}"),))
    return _prefix(entry.terms, sure, hoped)


@lru_cache(maxsize=_CACHED)
def _prefix(terms: tuple[int, ...], sure: int, hoped: int) -> IndexKeys:
    """Return the keys of a signature that is not short, cached for the look-ups of one decision."""
    count = len(terms)
    exact, end = count - sure + HITS, count - hoped + HITS
    # Sorted by commonness: where one is common, so are all behind it.
    while end > exact and terms[end - 1] >= COMMON_TERM:
        end -= 1
    return IndexKeys(terms[:end])


def are_candidates(left: IndexKeys, right: IndexKeys) -> bool:
    """Return whether a look-up by the keys of one entry finds the other."""
    return candidate_test(left)(right)


def candidate_test(keys: IndexKeys) -> Callable[[IndexKeys], bool]:
    """Return the function that says whether a look-up by these keys finds an entry with others."""
    counted, sure = frozenset(keys.counted), frozenset(keys.sure)

    def finds(other: IndexKeys) -> bool:
        return not sure.isdisjoint(other.sure) or len(counted.intersection(other.counted)) >= HITS

    return finds


def text_key(entry: Entry) -> int:
    """Return one 63-bit key for the version of an entry, which only equal texts share."""
    return _hash(f"text {entry.version}")


def _hash(text: str) -> int:
    """Return the xxh3 of a text, 63 bits."""
    return xxhash.xxh3_64_intdigest(text.encode()) >> 1
