"""Where an item leads: its links, and the addresses in its text."""

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

from newsdedup.core.model import NewsItem

OWN = 0.1
"""Share of a source's items from which on an address in them is taken for its own: the line under
every post that asks to subscribe leads nowhere else."""
FEW = 3
"""Items in which an address may stand, whatever their share."""

_address = re.compile(r"https?://[^\s<>\"'()\[\]{}|]+")
_END = ".,:;!?*_"


def outgoing(item: NewsItem) -> frozenset[str]:
    """Return the distinct addresses on other hosts than the item's own, without fragments."""
    own = host(item.url)
    return frozenset(
        address
        for found in _addresses(item)
        if (there := host(address := found.partition("#")[0])) and there != own
    )


def host(address: str) -> str:
    """Return the host of an address in lower case, without www; "" if it has none."""
    try:
        name = urlsplit(address).hostname or ""
    except ValueError:
        return ""
    return name.removeprefix("www.")


def references(found: Counter[str], *, items: int) -> int:
    """Return how often a source refers to others, given its addresses and its items.

    An address in many of its items is its own, wherever it leads.
    """
    most = max(FEW, OWN * items)
    return sum(times for times in found.values() if times <= most)


def _addresses(item: NewsItem) -> Iterator[str]:
    yield from item.links
    for text in (item.title, item.text):
        if "://" in text:
            for match in _address.finditer(text):
                yield match[0].rstrip(_END)
