"""The entries of a feed as the records that they become, and what polling does with them."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, Self

import msgspec

from newsdedup.feeder.fetching.fetcher import Fetched
from newsdedup.feeder.parsing.feed_items import FeedRecord
from newsdedup.feeder.parsing.parsed_feed import ParsedFeed
from newsdedup.feeder.scheduling.stored_feed import StoredFeed
from newsdedup.ports.errors import NewsdedupError
from newsdedup.ports.isolation import internal_error

EntryKind = Literal["item", "page", "retraction"]

_MOMENTS: Final = ("published_at", "updated_at")


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """One entry of a feed, or the retraction of one, which has the id of that one."""

    record: FeedRecord

    @property
    def id(self) -> str:
        """Return the id, which stays when the entry changes; it is unique within its feed."""
        return str(self.record["id"])

    @property
    def item(self) -> str:
        """Return the key of its item: source and id, in two lines."""
        return f"{self.record['source']}\n{self.record['id']}"

    @property
    def address(self) -> str:
        """Return the canonical address of its page; "" if it has none."""
        return str(self.record.get("url", ""))

    @property
    def kind(self) -> EntryKind:
        """Return what it becomes; a `page` has neither title nor text and becomes nothing alone."""
        if "newsdedup" in self.record:
            return "retraction"
        return "item" if self.record.get("title") or self.record.get("text") else "page"

    @property
    def content(self) -> bytes:
        """Return its record as JSON: other bytes make a new version of the item.

        Without the time of receipt, which differs at each visit, also where it replaces a date in
        the future.
        """
        seen_at = self.record.get("seen_at")
        return msgspec.json.encode(
            {
                name: value
                for name, value in self.record.items()
                if name != "seen_at" and not (name in _MOMENTS and value == seen_at)
            }
        )

    def renamed(self, item: str) -> Self:
        """Return it as a version of another item: source and id, in two lines."""
        source, _, identity = item.partition("\n")
        return replace(self, record={**self.record, "source": source, "id": identity})


@dataclass(frozen=True, slots=True)
class FeedContents:
    """A feed that was parsed, and its entries, an older version before a newer one."""

    feed: ParsedFeed
    entries: Sequence[ListedEntry]


ParseFeed = Callable[[StoredFeed, Fetched, datetime], FeedContents]
"""Parses a response that came at a time; raises a NewsdedupError if it holds no feed."""
ReadPage = Callable[[ListedEntry, Fetched], ListedEntry]
"""Returns an entry with the article of its page and the address that the page states; raises a
NewsdedupError if the response holds no article."""
DeliverEntries = Callable[[StoredFeed, Sequence[ListedEntry]], Awaitable[None]]
"""Returns when all entries are acknowledged, which may be sent again after a crash; raises
SinkUnusable or Unavailable if they cannot be: polling ends, and they are new again."""


def latest_entries(entries: Iterable[ListedEntry]) -> dict[str, ListedEntry]:
    """Return entries by id, in their order; of several with one id, which feeds do show, the last.

    Otherwise each would be a change of the other at every visit.
    """
    by_id: dict[str, ListedEntry] = {}
    for entry in entries:
        by_id.pop(entry.id, None)
        by_id[entry.id] = entry
    return by_id


def parsing_problem(error: Exception) -> str:
    """Return why a body was not read: what is wrong with it, or which bug of ours it raised."""
    is_known = isinstance(error, NewsdedupError)
    return str(error) if is_known else internal_error(error, "parse").reason
