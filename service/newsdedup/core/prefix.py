"""Which keys of a signature must be looked up so that no match is lost.

Let two signatures of n and m terms, sorted in one frozen order, share s >= least terms. Behind
the k-th shared term stand at least least - k more, so in each signature it is among the first
n - least + k. Hence the prefixes of that length share k terms (Chaudhuri et al. 2006; Bayardo
et al. 2007). Rare terms come first, so the postings left unread are the long ones.
"""

from typing import NamedTuple

import xxhash

from newsdedup.core.model import Entry

HITS = 2
"""The k above: two hits read a longer prefix than one, but far fewer candidates pass."""


class Filing(NamedTuple):
    """The keys under which an entry is filed and looked up."""

    counted: tuple[int, ...]
    """An entry that shares at least HITS of these is a candidate."""
    sure: tuple[int, ...] = ()
    """An entry that shares one of these is a candidate."""


def filing(entry: Entry, *, least: int, short: int) -> Filing:
    """Return the keys that find every entry sharing at least `least` terms.

    A signature of fewer than `short` terms can only match as a whole: it has one sure key.
    """
    count = len(entry.terms)
    if count < short:
        return Filing((), (whole_key(entry),))
    return Filing(entry.terms[: count - least + HITS])


def whole_key(entry: Entry) -> int:
    """Return one 63-bit key for all that a short entry says: its terms and its numbers.

    An entry without terms is known by its text alone.
    """
    if not entry.terms:
        said = f"text {entry.version}"
    else:
        said = f"terms {entry.terms} numbers {entry.numbers}"
    return xxhash.xxh3_64_intdigest(said.encode()) >> 1
