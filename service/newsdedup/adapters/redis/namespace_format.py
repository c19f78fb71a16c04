"""The formats of a namespace: how its values are written, so that workers of two releases agree.

A namespace keeps the format it was made with until `newsdedup upgrade` raises it. Workers of this
release read the values of each format here and write those of the namespace; workers of an earlier
release know fewer, and refuse a later one when they open it.
"""

from typing import Final, NamedTuple

from newsdedup.ports.errors import StateUnusable


class NamespaceFormat(NamedTuple):
    """What a format says about the values and fields of a namespace."""

    number: str
    compressed: bool
    """Whether records and rows are written compressed with a dictionary."""
    digests: bool
    """Whether the directory knows items by digests of their keys, which are shorter."""
    weighed: bool
    """Whether entries say what their keys are worth, by which candidates are found."""


FORMATS: Final = {
    one.number: one
    for one in (
        NamespaceFormat("2", compressed=False, digests=False, weighed=False),
        NamespaceFormat("3", compressed=True, digests=False, weighed=False),
        NamespaceFormat("4", compressed=True, digests=True, weighed=False),
        NamespaceFormat("5", compressed=True, digests=False, weighed=True),
        NamespaceFormat("6", compressed=True, digests=True, weighed=True),
    )
}
"""By number. What 2 and 3 become has no digests: the fields of its directory stay as they are."""
NEWEST_FORMAT: Final = FORMATS["6"]
"""That of new namespaces."""
UPGRADES: Final = {"2": "5", "3": "5", "4": "6"}
"""The formats that can be raised in place."""


def readable_format(namespace: str, number: str) -> NamespaceFormat:
    """Return a namespace's format by its stored number; raise StateUnusable if it is not read."""
    known = FORMATS.get(number)
    if known is not None:
        return known
    last = NEWEST_FORMAT.number
    if number.isdecimal() and int(number) > int(last):
        advice = "a later release of newsdedup made or upgraded it: use that one"
    else:
        advice = "choose another namespace, and restore it with `newsdedup rebuild`"
    raise StateUnusable(
        f"redis namespace {namespace!r} has format {number}; this version reads {min(FORMATS)} to "
        f"{last}: {advice}"
    )
