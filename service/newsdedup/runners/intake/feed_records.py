"""Feeds as records: what polling needs of the parser and of an output."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from newsdedup.feeder.fetching.fetcher import Fetched
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import feed_items
from newsdedup.feeder.parsing.parsed_feed import ParsingBounds
from newsdedup.feeder.polling.feed_contents import FeedContents, ListedEntry, ParseFeed
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.ports.errors import SourceUnusable
from newsdedup.runners.intake.record_output import RecordOutput, record_json

LOG: Final = logging.getLogger("newsdedup.intake")
NO_TRAFILATURA: Final = "full texts need trafilatura, which the extra pages of newsdedup brings"


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
