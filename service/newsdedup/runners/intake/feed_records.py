"""Feeds as records: what polling needs of the parser and of an output."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Self

from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import FeedRecord, feed_items, feed_source
from newsdedup.feeder.parsing.parsed_feed import ParsedFeed, ParsingBounds
from newsdedup.feeder.polling.feed_contents import EntryKind, ParseFeed
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.ports.errors import SourceUnusable
from newsdedup.runners.intake.record_output import RecordOutput, record_json

LOG: Final = logging.getLogger("newsdedup.intake")
NO_TRAFILATURA: Final = "full texts need trafilatura, which the extra pages of newsdedup brings"
_MOMENTS: Final = ("published_at", "updated_at")


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """An entry of a feed as the record that it becomes; a ListedEntry of polling."""

    record: FeedRecord

    @property
    def id(self) -> str:
        """Return the id of its item without the source: a retraction names no source."""
        return str(self.record["id"])

    @property
    def item(self) -> str:
        """Return source and id of its item, in two lines."""
        return f"{self.record['source']}\n{self.record['id']}"

    @property
    def address(self) -> str:
        """Return the canonical address of its page; "" if it has none."""
        return str(self.record.get("url", ""))

    @property
    def kind(self) -> EntryKind:
        """Return what it becomes."""
        if "newsdedup" in self.record:
            return "retraction"
        return "item" if self.record.get("title") or self.record.get("text") else "page"

    def renamed(self, item: str) -> Self:
        """Return it with the source and the id of another item."""
        source, _, identity = item.partition("\n")
        return replace(self, record={**self.record, "source": source, "id": identity})

    @property
    def content(self) -> bytes:
        """Return its record without the time of receipt, also where that stands for another time.

        A date in the future is replaced by the time of receipt, which differs at each visit.
        """
        seen_at = self.record.get("seen_at")
        return record_json(
            {
                name: value
                for name, value in self.record.items()
                if name != "seen_at" and not (name in _MOMENTS and value == seen_at)
            }
        )


@dataclass(frozen=True, slots=True)
class RecordFeed:
    """A parsed feed as records; the FeedContents of polling."""

    feed: ParsedFeed
    entries: Sequence[RecordEntry]

    @property
    def title(self) -> str:
        """Return what the feed calls itself."""
        return self.feed.title

    @property
    def publisher(self) -> str:
        """Return the source of its own items."""
        return feed_source(self.feed)

    @property
    def hubs(self) -> Sequence[str]:
        """Return the WebSub hubs that the feed names."""
        return self.feed.hubs

    @property
    def self_link(self) -> str:
        """Return the address that the feed gives itself."""
        return self.feed.self_link

    @property
    def polite_interval(self) -> timedelta | None:
        """Return the interval that the feed asks for; None if it does not."""
        return self.feed.schedule.interval

    @property
    def skip_hours(self) -> Collection[int]:
        """Return the hours of UTC without visits."""
        return self.feed.schedule.skip_hours

    @property
    def skip_days(self) -> Collection[int]:
        """Return the weekdays of UTC without visits, 0 for Monday."""
        return self.feed.schedule.skip_days

    @property
    def left_out(self) -> Sequence[str]:
        """Return why entries are missing: for each the bug of ours that it raised."""
        return self.feed.left_out

    @property
    def expired(self) -> bool:
        """Return whether the feed says that nothing will come any more."""
        return self.feed.expired


def record_parser(bounds: ParsingBounds) -> ParseFeed[RecordEntry]:
    """Return the ParseFeed of polling that makes records within bounds."""

    def parse(
        feed: StoredFeed, body: bytes, *, content_type: str, address: str, received_at: datetime
    ) -> RecordFeed:
        """Return the records of a body; raise FeedUnusable if it holds no feed."""
        parsed = parse_feed(
            body,
            content_type=content_type,
            address=address,
            received_at=received_at,
            bounds=bounds,
        )
        records = feed_items(parsed, source=feed.source, wordless=feed.full_text)
        return RecordFeed(parsed, [RecordEntry(record) for record in records])

    return parse


def complete_by_page(
    entry: RecordEntry, body: bytes, *, content_type: str | None, address: str
) -> RecordEntry:
    """Return an entry with the article of its page; the ReadPage of polling.

    Raise PageUnusable if the page holds none, SourceUnusable without the extra `pages`.
    """
    try:
        # An extra, and slow to import.
        from newsdedup.feeder.pages.article import read_article  # noqa: PLC0415
        from newsdedup.feeder.pages.completion import complete_record  # noqa: PLC0415
    except ImportError as error:
        raise SourceUnusable(NO_TRAFILATURA) from error
    article = read_article(body, content_type=content_type, address=address)
    return replace(entry, record=complete_record(entry.record, article))


class RecordDelivery:
    """Sends entries of feeds to an output; the DeliverEntries of polling."""

    def __init__(self, output: RecordOutput) -> None:
        self._output = output

    async def __call__(self, feed: StoredFeed, entries: Sequence[RecordEntry]) -> None:
        """Return when the output has the records of all entries; raise what it raises.

        A record that is too large for the output is named in the log and not sent again.
        """
        records = [_of_category(entry.record, feed.category) for entry in entries]
        for index in await self._output.write([record_json(record) for record in records]):
            LOG.warning("too_large feed=%s id=%r", feed.logged_address, records[index]["id"])
        if LOG.isEnabledFor(logging.DEBUG):
            for record in records:
                source, name = record.get("source"), record["id"]
                LOG.debug("written feed=%s source=%r id=%r", feed.logged_address, source, name)


def _of_category(record: FeedRecord, category: str) -> FeedRecord:
    """Return a record with the category of its feed in the user's list, if there is one."""
    return {**record, "feed_category": category} if category else record
