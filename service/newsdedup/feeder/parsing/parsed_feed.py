"""What a feed says, as values: the feed, its entries and hubs, and the bounds of reading it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from newsdedup.feeder.parsing.canonical_urls import join_address
from newsdedup.ports.errors import SourceUnusable

_EXAMPLE_CHARS = 80
_LONGEST_INTERVAL = timedelta(days=7)
"""A feed that asks for more is polled every week: many a ttl is in seconds by mistake."""
_PERIODS = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(days=7),
    "monthly": timedelta(days=30),
    "yearly": timedelta(days=365),
}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MOST_HUBS = 4
_LONGEST_HUB = 2_048
"""Characters of the address of a topic or a hub."""
_LONGEST_HEADER = 8_192
_LINK = re.compile(r"<([^<>]*)>((?:[^<>,\"]|\"[^\"]*\")*)")
_REL = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;\"]+))", re.IGNORECASE)


class FeedUnusable(SourceUnusable):
    """A body that holds no feed, or one that is refused; the message says why."""


@dataclass(frozen=True, slots=True)
class ParsingBounds:
    """How much of a feed is read; what is beyond is left out with a problem, or refused."""

    body_bytes: int = 16 * 2**20
    """A larger body is refused."""
    entries: int = 10_000
    """Further entries and tombstones are left out; a news sitemap has at most 1,000."""
    elements: int = 150_000
    """Elements of XML; further ones are left out."""
    attributes: int = 10_000
    """A tag with more of them is refused."""
    brackets: int = 1_000_000
    """Lists and objects of JSON, and brackets within its texts; a body with more is refused."""
    colons: int = 700_000
    """Colons of JSON, after its names and in its texts; a body with more is refused."""
    depth: int = 64
    """Elements within each other; deeper ones count as text of the last one."""
    title_chars: int = 10_000
    text_chars: int = 1_000_000
    """Characters of one text, as of an item."""
    name_chars: int = 2_000
    """Characters of an id, an author, a category or a language."""
    candidates: int = 1_000
    """Links, authors, categories and enclosures of an entry that are looked at."""
    list_entries: int = 100
    """Authors, categories and enclosures of an entry, and hubs of a feed."""
    links: int = 1_000


BOUNDS = ParsingBounds()
AUTHORS_OF_FEED = 10
"""Those of a feed are repeated in each entry without any, so their number is bounded."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file that belongs to an entry: a sound, a picture, a film."""

    url: str
    type: str = ""
    """The media type that is claimed; "" if none is."""
    length: int | None = None
    """Bytes."""


class FeedEntry(NamedTuple):
    """One entry of a feed. Addresses are absolute and canonical; "" and () if not stated."""

    guid: str = ""
    """The id that the publisher gives: guid, atom:id, rdf:about or the id of JSON Feed."""
    url: str = ""
    title: str = ""
    """Plain text."""
    text: str = ""
    """HTML or plain text: the longest text of the entry that is no teaser."""
    published: datetime | None = None
    """Never later than the feed was received."""
    updated: datetime | None = None
    """Never later than the feed was received, nor earlier than `published`."""
    lang: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()
    links: tuple[str, ...] = ()
    """Where the entry and the HTML of its text point to, without `url`."""
    origin_url: str = ""
    """The site or feed from which an aggregating feed took the entry."""
    origin_name: str = ""


@dataclass(frozen=True, slots=True)
class DeletedEntry:
    """A tombstone of RFC 6721: the publisher withdraws the entry with this id."""

    guid: str
    deleted: datetime | None = None


@dataclass(frozen=True, slots=True)
class SitemapReference:
    """A sitemap that a sitemap index lists."""

    url: str
    updated: datetime | None = None


@dataclass(frozen=True, slots=True)
class PollSchedule:
    """When a feed may be fetched again, as it says itself."""

    interval: timedelta | None = None
    """The longest of those that the feed states, at most a week; None if it states none."""
    skip_hours: frozenset[int] = frozenset()
    """Hours of UTC."""
    skip_days: frozenset[int] = frozenset()
    """Days of UTC; 0 is Monday."""


_NO_SCHEDULE = PollSchedule()


class ParsedFeed(NamedTuple):
    """All that one body says."""

    format: str
    """rss, rdf, atom, json, sitemap or sitemap index."""
    address: str
    """Where the body was fetched from."""
    received_at: datetime
    title: str = ""
    site: str = ""
    """The address of the web site; "" if the feed does not say."""
    lang: str = ""
    self_link: str = ""
    """The address that the feed gives itself, which is the topic for WebSub."""
    hubs: tuple[str, ...] = ()
    """WebSub hubs."""
    schedule: PollSchedule = _NO_SCHEDULE
    expired: bool = False
    """The publisher says that nothing will come any more (JSON Feed)."""
    entries: tuple[FeedEntry, ...] = ()
    deleted: tuple[DeletedEntry, ...] = ()
    sitemaps: tuple[SitemapReference, ...] = ()
    problems: tuple[str, ...] = ()
    """What is wrong with the feed, a sentence each."""
    cut: str = ""
    """What is missing because the feed has too many entries; "" if nothing is."""
    left_out: tuple[str, ...] = ()
    """Why entries are missing that later visits may bring: for each the internal error that it
    raised, or that the body ends within it."""


def poll_schedule(
    *,
    ttl: str = "",
    period: str = "",
    frequency: str = "",
    hours: tuple[str, ...] = (),
    days: tuple[str, ...] = (),
) -> PollSchedule:
    """Return the schedule of the values that a feed holds; what is no number or name is ignored.

    `ttl` is in minutes, `frequency` is how often in a `period`, hour 24 is hour 0.
    """
    if not (ttl or period or hours or days):
        return _NO_SCHEDULE
    intervals = []
    if _is_number(ttl) and int(ttl):
        intervals.append(min(_LONGEST_INTERVAL, timedelta(minutes=int(ttl))))
    if period.lower() in _PERIODS:
        times = int(frequency) if _is_number(frequency) and int(frequency) else 1
        intervals.append(min(_LONGEST_INTERVAL, _PERIODS[period.lower()] / times))
    return PollSchedule(
        max(intervals, default=None),
        frozenset(int(hour) % 24 for hour in hours if _is_number(hour) and int(hour) <= 24),
        frozenset(_WEEKDAYS.index(day.lower()) for day in days if day.lower() in _WEEKDAYS),
    )


def _is_number(text: str) -> bool:
    """Return whether a text is a number of up to six decimal digits."""
    return text.isascii() and text.isdigit() and len(text) <= 6


@dataclass(frozen=True, slots=True)
class HubOffer:
    """The address by which hubs know a feed, and its hubs, in the order of the publisher."""

    topic: str
    hubs: tuple[str, ...]


def hub_offer(
    headers: Iterable[str], hubs: Sequence[str], self_link: str, *, address: str
) -> HubOffer | None:
    """Return what a feed offers; None if it names no hub.

    `headers` are the values of its Link headers (RFC 8288), which come first, `hubs` and
    `self_link` what the feed itself names, which counts where no header names a hub, as WebSub
    says. `address` is where it was fetched from, its topic if it has no link to itself.
    """
    links = list(_links(headers, address))
    named = [target for relation, target in links if relation == "hub"]
    own = [target for relation, target in links if relation == "self"]
    chosen = _usable(named) or _usable(hubs)
    topic = (own[0] if named and own else self_link) or address
    if not chosen or not _usable([topic]):
        return None
    return HubOffer(topic, chosen)


def _links(headers: Iterable[str], address: str) -> Iterable[tuple[str, str]]:
    """Yield (relation in lower case, absolute target) of Link headers of the page at `address`."""
    for header in headers:
        for target, parameters in _LINK.findall(header[:_LONGEST_HEADER]):
            relation = _REL.search(parameters)
            absolute = join_address(address, target)
            if relation is not None and absolute:
                names = (relation[1] or relation[2] or "").lower().split()
                yield from ((name, absolute) for name in names)


def _usable(addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the first 4 addresses of HTTP that are not too long, each once."""
    good = (one for one in addresses if 0 < len(one) <= _LONGEST_HUB and one.isprintable())
    return tuple(dict.fromkeys(one for one in good if one.startswith(("http://", "https://"))))[
        :_MOST_HUBS
    ]


class ProblemList:
    """What is wrong with a feed, in the order in which it was met."""

    def __init__(self) -> None:
        self.left_out: list[str] = []
        """See ParsedFeed."""
        self.cut = ""
        """See ParsedFeed."""
        self._counts: dict[str, int] = {}
        self._examples: dict[str, str] = {}

    def add(self, sentence: str, example: str = "") -> None:
        """Add one occurrence; `sentence` has no full stop, `example` is quoted from the feed."""
        self._counts[sentence] = self._counts.get(sentence, 0) + 1
        self._examples.setdefault(sentence, example)

    def add_cut(self, sentence: str) -> None:
        """Add what is missing of a feed that is too long."""
        self.add(sentence)
        self.cut = sentence

    def sentences(self) -> tuple[str, ...]:
        """Return one sentence for each problem, with how often it occurs and its first example."""
        sentences = []
        for sentence, count in self._counts.items():
            example = self._examples[sentence]
            if len(example) > _EXAMPLE_CHARS:
                example = example[: _EXAMPLE_CHARS - 1] + "…"
            times = "" if count == 1 else f" ({count} times)"
            sentences.append(sentence + (f": {example!r}" if example else "") + times + ".")
        return tuple(sentences)
