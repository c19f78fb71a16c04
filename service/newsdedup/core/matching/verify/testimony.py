"""What an entry keeps for the verifier: its view, and what the stream had taught by then."""

from collections.abc import Iterable
from functools import lru_cache
from struct import Struct
from typing import NamedTuple

from newsdedup.core.matching.verify.habits import KINDS, NO_SHIFT, Shift
from newsdedup.core.matching.verify.keys import head_keys
from newsdedup.core.matching.verify.packing import packed, sample, unpacked, with_sample
from newsdedup.core.matching.verify.phrases import Phrases
from newsdedup.core.matching.verify.view import View
from newsdedup.core.model import Entry, Fingerprint

_TAUGHT = Struct(f"<I{KINDS}h")
_CENTS = 100
"""A shift has two decimals."""


class Testimony(NamedTuple):
    """A view as it was frozen at admission."""

    view: View
    shift: Shift = NO_SHIFT
    taught: int = 0
    """The number of the closed bucket of lessons that it knew."""


def mark(testimony: Testimony) -> Fingerprint:
    """Return a testimony as an entry keeps it: 16 bytes of what was taught, then the view."""
    body = _learned(testimony.shift, testimony.taught) + packed(testimony.view)
    return Fingerprint(head_keys(testimony.view), body)


def testimony(entry: Entry) -> Testimony:
    """Return what an entry kept: the last of its marks is the verifier's."""
    body = entry.marks[-1].body
    taught, *cents = _TAUGHT.unpack_from(body)
    view = unpacked(body[_TAUGHT.size :], entry.terms)
    return Testimony(view, _shift(cents), taught)


def shift_in(entry: Entry) -> Shift:
    """Return what an entry had been taught about pairs, without unpacking the rest of it."""
    _, *cents = _TAUGHT.unpack_from(entry.marks[-1].body)
    return _shift(cents)


def _shift(cents: Iterable[int]) -> Shift:
    return tuple([value / _CENTS for value in cents])


def phrases_in(kept: Fingerprint) -> Phrases:
    """Return the phrases of a testimony, without unpacking the rest of it."""
    return sample(kept.body[_TAUGHT.size :])


def renewed(
    kept: Fingerprint, phrases: Phrases | None, *, shift: Shift, taught: int
) -> Fingerprint:
    """Return a testimony to the same text, with its phrases as fresh as the stream has taught.

    None for the phrases leaves them as they are.
    """
    view = kept.body[_TAUGHT.size :]
    body = view if phrases is None else with_sample(view, phrases)
    return Fingerprint(kept.keys, _learned(shift, taught) + body)


# What is taught changes with a bucket of lessons only.
@lru_cache(maxsize=2)
def _learned(shift: Shift, taught: int) -> bytes:
    return _TAUGHT.pack(taught, *[round(value * _CENTS) for value in shift])
