"""Originality of sources: their duplicates against their links to others."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from urllib.parse import urlsplit

from newsdedup import NewsItem

_OWN_SHARE = 0.1
"""Share of a source's items from which on an address in them is taken for its own: the line under
every post that asks to subscribe leads nowhere else."""
_OWN_ITEMS = 3
"""Items in which an address may stand, whatever their share."""

_address = re.compile(r"https?://[^\s<>\"'()\[\]{}|]+")
_END = ".,:;!?*_"


def outgoing_links(item: NewsItem) -> frozenset[str]:
    """Return the distinct addresses in an item, listed or in its text, that lead to other hosts.

    Fragments are cut off.
    """
    own = host_of(item.url)
    return frozenset(
        address
        for found in _addresses(item)
        if (there := host_of(address := found.partition("#")[0])) and there != own
    )


def host_of(address: str) -> str:
    """Return the lower-case host of an address without "www.", "" if it has none."""
    try:
        name = urlsplit(address).hostname or ""
    except ValueError:
        return ""
    return name.removeprefix("www.")


def count_references(addresses: Counter[str], *, items: int) -> int:
    """Return how often a source refers to others, given in how many items each address occurs.

    An address in more than three and more than a tenth of its `items` does not count: it is the
    source's own, wherever it leads.
    """
    most = max(_OWN_ITEMS, _OWN_SHARE * items)
    return sum(times for times in addresses.values() if times <= most)


def _addresses(item: NewsItem) -> Iterator[str]:
    """Yield the listed links of an item and the addresses in its title and text."""
    yield from item.links
    for text in (item.title, item.text):
        if "://" in text:
            for match in _address.finditer(text):
                yield match[0].rstrip(_END)


_QUANTILE = 1.959964
"""Of the normal distribution, for 95 %."""
LEAST_ITEMS = 5
"""Items below which a source's share of copies says nothing."""


@dataclass(frozen=True, slots=True)
class SourceRank:
    """The counts of one source."""

    name: str
    items: int
    duplicates: int
    of_others: int
    """Its items that copy another source; the other duplicates repeat its own."""
    copied: int
    """Items of other sources that copy its originals."""
    links: int
    """References to other sites."""

    @property
    def level(self) -> float:
        """Return the share of duplicates among its items."""
        return self.duplicates / self.items

    @property
    def sure_originality(self) -> float:
        """Return the lower end of the 95 % Wilson interval of its share of originals."""
        return wilson_low(self.items - self.duplicates, self.items)


def wilson_low(hits: int, trials: int) -> float:
    """Return the lower end of the 95 % Wilson interval of a share; `trials` must be positive.

    (p + z^2/2n - z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n), p = hits / trials, n = trials. So a
    source of two originals is less surely original than one of two hundred.
    """
    share, z = hits / trials, _QUANTILE
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, (share + z * z / (2 * trials) - spread) / (1 + z * z / trials))


def rank_by_links(sources: Iterable[SourceRank]) -> list[SourceRank]:
    """Return the sources of at least LEAST_ITEMS items, most references first, then by name."""
    enough = [one for one in sources if one.items >= LEAST_ITEMS]
    return sorted(enough, key=lambda one: (-one.links, one.name))


def most_original(sources: Iterable[SourceRank], *, most: int) -> list[SourceRank]:
    """Return the `most` sources with the highest lower bound of originality, highest first."""
    return sorted(sources, key=lambda one: (-one.sure_originality, -one.items, one.name))[:most]


def pooled_level(sources: Sequence[SourceRank]) -> float:
    """Return the share of duplicates among all items of these sources, 0 if there are none."""
    items = sum(one.items for one in sources)
    return sum(one.duplicates for one in sources) / items if items else 0.0


def plagiarism_zone(ranked: Sequence[SourceRank]) -> int | None:
    """Return the first rank, from 1, of the zone of mass plagiarism; None if there is none.

    `ranked` are the sources by references, most first. The sources of the zone have few references
    and many duplicates (Lande and others 2006, who saw it on their plot). Our reading: the zone is
    the end of the ranking with the greatest surplus of duplicates over what the average level
    predicts, if its level exceeds the average by more than chance (95 %). It never separates
    sources with equally many references.
    """
    average = pooled_level(ranked)
    surplus = best = 0.0
    size = taken = 0
    for _, group in groupby(reversed(ranked), key=lambda one: one.links):
        for one in group:
            surplus += one.duplicates - average * one.items
            taken += 1
        if round(surplus, 6) > best:
            best, size = round(surplus, 6), taken
    zone = ranked[len(ranked) - size :]
    copies = sum(one.duplicates for one in zone)
    sure = size > 0 and wilson_low(copies, sum(one.items for one in zone)) > average
    return len(ranked) - size + 1 if sure else None


def moving_level(ranked: Sequence[SourceRank], *, width: int) -> list[float]:
    """Return for each source the share of duplicates among all items of it and its neighbours.

    Neighbours are `width` sources on either side in the ranking, fewer at its ends. Items are
    pooled, so a large source weighs more.
    """
    return [pooled_level(ranked[max(0, at - width) : at + width + 1]) for at in range(len(ranked))]
