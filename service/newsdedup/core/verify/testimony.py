"""What an entry keeps for the verifier: its view, and what the stream had taught by then."""

from struct import Struct
from typing import NamedTuple

from newsdedup.core.model import Entry, Fingerprint
from newsdedup.core.verify.habits import KINDS, NO_SHIFT, Shift
from newsdedup.core.verify.keys import head_keys
from newsdedup.core.verify.packing import packed, unpacked
from newsdedup.core.verify.view import View

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
    cents = [round(value * _CENTS) for value in testimony.shift]
    body = _TAUGHT.pack(testimony.taught, *cents) + packed(testimony.view)
    return Fingerprint(head_keys(testimony.view), body)


def testimony(entry: Entry) -> Testimony:
    """Return what an entry kept: the last of its marks is the verifier's."""
    body = entry.marks[-1].body
    taught, *cents = _TAUGHT.unpack_from(body)
    view = unpacked(body[_TAUGHT.size :], entry.terms)
    return Testimony(view, tuple([value / _CENTS for value in cents]), taught)
