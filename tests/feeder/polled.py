"""Feeds of a bad site, polled: a state in memory, a clock that steps, entries in a list."""

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import urljoin

from feeder.bad_site import Names, SteppingClock, admits_site, bad_site
from newsdedup import InvalidItem
from newsdedup.adapters.sqlite.file_schema import MEMORY
from newsdedup.feeder.fetching.fetcher import FetchLimits, open_fetcher
from newsdedup.feeder.fetching.page_fetcher import PageFetcher
from newsdedup.feeder.parsing.parsed_feed import ParsedFeed, PollSchedule
from newsdedup.feeder.polling.feed_visitor import FeedContents, FeedVisitor, PageTexts
from newsdedup.feeder.polling.host_pace import HostPace
from newsdedup.feeder.polling.item_identity import ListedEntry
from newsdedup.feeder.polling.poller import Poller, PollingLimits
from newsdedup.feeder.scheduling.stored_feed import IntervalBounds
from newsdedup.feeder.state.feed_state import FeedState, Subscription


def listed(name, words="1", address=""):
    """Return an entry of "id=words", or of "id=words@/path" with a page.

    Words that begin with "-" withdraw it, and "?" is a page without words.
    """
    record = {"id": name, "source": "news.example", "words": words}
    if words.startswith("-"):
        record["newsdedup"] = "retract"
    elif words != "?":
        record["text"] = words
    return ListedEntry({**record, "url": address} if address else record)


def shown(entry):
    """Return a delivered entry as words, with what its page said."""
    record = entry.record
    page = f"+{record['page']}" if "page" in record else ""
    return f"{record['id']}={record.get('words')}{page}"


def parse(feed, fetched, received_at):
    """Parse words such as "a=1 b=2 ttl=90": entries, and an interval in minutes."""
    assert fetched.address.startswith("http")
    assert feed.number
    assert received_at.tzinfo
    if fetched.body.startswith(b"<html") or fetched.content_type == "text/html":
        raise InvalidItem("feed", "this is a page,\n not a feed")
    pairs = [word.split("=") for word in fetched.body.decode().split()]
    named = dict(pairs)
    ttl = [timedelta(minutes=int(value)) for name, value in pairs if name == "ttl"]
    entries = [
        listed(name, words, urljoin(fetched.address, page) if page else "")
        for name, value in pairs
        if name not in ("ttl", "expired")
        for words, _, page in [value.partition("@")]
    ]
    parsed = ParsedFeed(
        format="words",
        address=fetched.address,
        received_at=received_at,
        title="Words",
        site="https://words.example/",
        schedule=PollSchedule(ttl[0] if ttl else None),
        expired="expired" in named,
    )
    return FeedContents(parsed, entries)


def read_page(entry, fetched):
    """Take the words of a page; "canonical=/path" states its address."""
    words = fetched.body.decode().split()
    if not words or fetched.content_type == "image/png":
        raise InvalidItem("page", "the page holds no article")
    stated = [word.partition("=")[2] for word in words if word.startswith("canonical=")]
    named = urljoin(fetched.address, stated[0]) if stated else entry.address
    page = {"page": words[0], "text": words[0], "url": named}
    return ListedEntry({**entry.record, **page})


@dataclass
class Polled:
    site: object
    state: FeedState
    clock: SteppingClock
    pace: HostPace
    delivered: list[str] = field(default_factory=list)
    visits: list = field(default_factory=list)
    failing: Exception | None = None
    poller: Poller = None

    async def deliver(self, feed, entries):
        if self.failing is not None:
            raise self.failing
        assert feed.number
        self.delivered += [shown(entry) for entry in entries]

    def subscribe(self, *paths, host="news.example", secret="", full_text=False):
        self.state.subscribe(
            Subscription(self.site.at(p, host), secret=secret, full_text=full_text) for p in paths
        )

    def feed(self, at=0):
        return self.state.feeds()[at]

    def outcomes(self):
        return [visit.outcome for visit in self.visits]

    async def again(self):
        """Poll once when the next feed is due."""
        due = self.state.next_due()
        self.clock.at = max(self.clock.at, due)
        await self.poller.run_once()


@asynccontextmanager
async def polled(*, limits=None, path=MEMORY, fetching=None, parser=parse):
    clock = SteppingClock()
    limits = limits or PollingLimits()
    pace = HostPace(clock, limits.gap)
    async with (
        bad_site() as site,
        open_fetcher(
            fetching or FetchLimits(body=100_000),
            agent="test",
            now=clock.now,
            pace=pace.wait,
            admits=admits_site,
            resolver=Names(),
        ) as fetcher,
    ):
        with FeedState(path, locked=True) as state:
            done = Polled(site, state, clock, pace)
            pages = PageFetcher(fetcher, now=clock.now, pace=pace.wait)
            texts = PageTexts(pages, read_page, pace)
            visitor = FeedVisitor(
                state,
                fetcher,
                pace,
                parse=parser,
                deliver=done.deliver,
                texts=texts,
                bounds=IntervalBounds(),
                clock=clock,
                draw=lambda: 0.0,
            )
            done.poller = Poller(
                state,
                visitor.visit,
                pace,
                limits,
                clock=clock,
                observe=done.visits.append,
                on_stop=texts.stop,
            )
            yield done
