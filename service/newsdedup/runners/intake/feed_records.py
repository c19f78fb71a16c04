"""Feeds as records: what polling needs of the parser and of an output, and one feed on trial."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from newsdedup.feeder.fetching.address_guard import read_credentials
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.fetcher import Fetched, Fetcher, FetchRequest
from newsdedup.feeder.pages.discovery import FeedLink, find_feeds
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import FeedRecord, feed_items, feed_source
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ParsedFeed, ParsingBounds
from newsdedup.feeder.polling.feed_visitor import FeedContents, ParseFeed
from newsdedup.feeder.polling.item_identity import ListedEntry
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.feeder.state.feed_state import Subscription
from newsdedup.ports.errors import SourceUnusable
from newsdedup.runners.intake.record_output import RecordOutput, record_json

LOG: Final = logging.getLogger("newsdedup.intake")
NO_TRAFILATURA: Final = "full texts need trafilatura, which the extra pages of newsdedup brings"
_MOST_TRIED: Final = 10
"""Usual addresses of feeds that are tried at a site."""


def record_parser(bounds: ParsingBounds) -> ParseFeed:
    """Return a function that parses a fetched feed, within bounds, into records of its items."""

    def parse(feed: StoredFeed, fetched: Fetched, received_at: datetime) -> FeedContents:
        parsed = parse_feed(
            fetched.body,
            content_type=fetched.content_type,
            address=fetched.address,
            received_at=received_at,
            bounds=bounds,
        )
        records = feed_items(parsed, source=feed.source, wordless=feed.full_text)
        return FeedContents(parsed, [ListedEntry(record) for record in records])

    return parse


def complete_by_page(entry: ListedEntry, page: Fetched) -> ListedEntry:
    """Return an entry whose record is completed by the article of its fetched page.

    Raise PageUnusable if the page has no article, SourceUnusable without the extra `pages`.
    """
    try:
        # An extra, and slow to import.
        from newsdedup.feeder.pages.article import complete_record, read_article  # noqa: PLC0415
    except ImportError as error:
        raise SourceUnusable(NO_TRAFILATURA) from error
    content_type = page.content_type or None
    article = read_article(page.body, content_type=content_type, address=page.address)
    return ListedEntry(complete_record(entry.record, article))


async def deliver_entries(
    output: RecordOutput, feed: StoredFeed, entries: Sequence[ListedEntry]
) -> None:
    """Write the records of entries to an output; the DeliverEntries of polling.

    Return when it has all of them; raise what it raises. A record that is too large for it is named
    in the log and not sent again.
    """
    records = [entry.record for entry in entries]
    if feed.category:
        records = [{**record, "feed_category": feed.category} for record in records]
    for index in await output.write([record_json(record) for record in records]):
        LOG.warning("too_large feed=%s id=%r", feed.logged_address, records[index]["id"])
    if LOG.isEnabledFor(logging.DEBUG):
        for record in records:
            source, name = record.get("source"), record["id"]
            LOG.debug("written feed=%s source=%r id=%r", feed.logged_address, source, name)


@dataclass(frozen=True, slots=True)
class FeedTrial:
    """What an address gave that was fetched as a feed."""

    address: str
    """Where the feed is; the one that was asked for, unless it moved for good."""
    error: str = ""
    """Why there is no feed; empty if there is one."""
    links: Sequence[FeedLink] = ()
    """Where the feeds of the site are or may be, if a page came in place of a feed."""
    feed: ParsedFeed | None = None
    records: Sequence[FeedRecord] = ()

    def as_json(self) -> dict[str, object]:
        """Return the feed with its records, or the error and the linked feeds, for JSON."""
        if self.feed is None:
            linked = [one.address for one in self.links if not one.guessed]
            return {"address": self.address, "error": self.error, "links": linked}
        interval = self.feed.schedule.interval
        return {
            "address": self.address,
            "format": self.feed.format,
            "title": self.feed.title,
            "source": feed_source(self.feed),
            "lang": self.feed.lang,
            "interval_seconds": None if interval is None else interval.total_seconds(),
            "hubs": list(self.feed.hubs),
            "problems": list(self.feed.problems),
            "items": list(self.records),
        }

    def sentences(self) -> list[str]:
        """Return the feed, or the error with the linked feeds, in lines for a person."""
        feed = self.feed
        if feed is None:
            linked = [f"it links the feed {one.address}" for one in self.links if not one.guessed]
            return [f"{self.address}: {self.error}", *linked]
        lines = [f"{self.address}: {feed.format}, {feed.title or 'without a title'}"]
        items = "1 item" if len(self.records) == 1 else f"{len(self.records):,} items"
        lines.append(f"source {feed_source(feed)}, {items}")
        if feed.schedule.interval is not None:
            lines.append(f"asks to be visited every {feed.schedule.interval} at most")
        return lines + [f"problem: {problem}" for problem in feed.problems]


async def try_feed(
    fetcher: Fetcher, subscription: Subscription, *, received_at: datetime
) -> FeedTrial:
    """Return what a subscription would give.

    Where there is no feed, the trial has the error and the feeds that the page in its place links.
    """
    trial = FeedTrial(subscription.address)
    try:
        fetched = await fetcher.fetch(
            FetchRequest(
                address=subscription.address,
                credentials=read_credentials(subscription.secret) if subscription.secret else None,
            )
        )
    except FetchError as error:
        return replace(trial, error=str(error))
    trial = replace(trial, address=fetched.moved_to)
    if fetched.answer.meaning != "content":
        return replace(trial, error=fetched.answer.problem or "the server sends no content")
    try:
        feed = parse_feed(
            fetched.body,
            content_type=fetched.content_type,
            address=fetched.address,
            received_at=received_at,
        )
    except FeedUnusable as error:
        links = find_feeds(fetched.body, address=fetched.address, content_type=fetched.content_type)
        return replace(trial, error=str(error), links=links)
    return replace(trial, feed=feed, records=feed_items(feed, source=subscription.source))


async def find_feed(
    fetcher: Fetcher, subscription: Subscription, *, received_at: datetime
) -> FeedTrial:
    """Return the trial of a feed, or of the one feed of the site whose page was named.

    Of several feeds that a page links none is chosen; where it links none, the usual addresses of
    feeds are tried, a few of them.
    """
    trial = await try_feed(fetcher, subscription, received_at=received_at)
    linked = [one for one in trial.links if not one.guessed]
    if len(linked) > 1:
        return trial
    for link in (linked or trial.links)[:_MOST_TRIED]:
        other = replace(subscription, address=link.address)
        at_link = await try_feed(fetcher, other, received_at=received_at)
        if at_link.feed is not None:
            return at_link
    return trial
