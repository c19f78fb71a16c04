"""Who publishes: channels and sites of a language, each with its own way to dress a report."""

from collections.abc import Container
from datetime import datetime, timedelta, timezone
from random import Random
from typing import NamedTuple

from newsdedup.synthetic.chance import pick
from newsdedup.synthetic.frames import Book

SOURCES = 90
"""How many publish in one language; each has a Zipf share of the stream."""
SITES = 0.35
"""Share of sites among them; the others are messenger channels with short posts."""


class Source(NamedTuple):
    """One publisher."""

    name: str
    base: str
    """What the addresses of its items begin with."""
    language: str
    zone: timezone
    site: bool
    style: int
    """Which of its kind's ways to lay a text out it follows."""
    tail: str
    """The line under its texts, and how often it is there."""
    tails: float
    dateline: str
    """What opens its texts; only agencies' sites have one."""

    def address(self, number: int) -> str:
        """Return where an item is published."""
        return f"{self.base}/{number}"

    def local(self, moment: datetime) -> str:
        """Return a moment as the source writes it."""
        return moment.astimezone(self.zone).isoformat(timespec="seconds")


def sources(book: Book, rng: Random) -> tuple[Source, ...]:
    """Return the publishers of a language."""
    found: dict[str, Source] = {}
    for number in range(SOURCES):
        source = _source(book, rng, number, found)
        found[source.name] = source
    return tuple(found.values())


def _source(book: Book, rng: Random, number: int, taken: Container[str]) -> Source:
    lists, lexicon = book.sources, book.lexicon
    site = rng.random() < SITES
    city = lexicon.city(rng)
    name = pick(rng, lists["sites" if site else "channels"]).format(city=city)
    name = f"{name} {number + 1}" if name in taken else name
    handle = f"{pick(rng, lists['handles'])}{pick(rng, lists['handles'])}{number}"
    base = f"https://{handle}.example" + ("/news" if site else "")
    dateline = ""
    if site and rng.random() < 0.4:
        dateline = pick(rng, lists["datelines"]).replace("{agency}", pick(rng, lists["agencies"]))
        dateline = dateline.replace("{CITY}", str(city).upper()).replace("{city}", str(city)) + " "
    return Source(
        name=name,
        base=base,
        language=lexicon.language,
        zone=timezone(timedelta(hours=int(pick(rng, lists["zones"])))),
        site=site,
        style=int(rng.random() * 4),
        tail=pick(rng, lists["site_tails" if site else "tails"]).format(
            name=name, link=base, handle=handle
        ),
        tails=pick(rng, (0.0, 0.3, 0.9, 1.0)),
        dateline=dateline,
    )
