"""What polling needs of a parser and of an output: the places where they are plugged in."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, Protocol, Self, TypeVar

from newsdedup.feeder.scheduling.stored_feed import StoredFeed

EntryKind = Literal["item", "page", "retraction"]


class ListedEntry(Protocol):
    """One entry of a feed, or the word that one was withdrawn: then it has the id of that one."""

    @property
    def id(self) -> str:
        """Return its id, which stays when the entry changes; it is unique within its feed."""
        ...

    @property
    def item(self) -> str:
        """Return source and id of its item, in two lines, unless that is known by others."""
        ...

    @property
    def address(self) -> str:
        """Return the canonical address of its page; "" if it has none."""
        ...

    @property
    def kind(self) -> EntryKind:
        """Return what it becomes; a `page` has neither title nor text and becomes nothing alone."""
        ...

    def renamed(self, item: str) -> Self:
        """Return it as a version of another item: source and id, in two lines."""
        ...

    @property
    def content(self) -> bytes:
        """Return what it becomes in the stream: other bytes make a new version of the item.

        They contain no time of fetching, or each visit would show a new version.
        """
        ...


EntryT_co = TypeVar("EntryT_co", bound=ListedEntry, covariant=True)
EntryT_contra = TypeVar("EntryT_contra", bound=ListedEntry, contravariant=True)
EntryT = TypeVar("EntryT", bound=ListedEntry)


class FeedContents(Protocol[EntryT_co]):
    """A feed that was parsed."""

    @property
    def title(self) -> str:
        """Return what the feed calls itself; "" if nothing."""
        ...

    @property
    def publisher(self) -> str:
        """Return the source of its items."""
        ...

    @property
    def entries(self) -> Sequence[EntryT_co]:
        """Return its entries, an older version before a newer one."""
        ...

    @property
    def hubs(self) -> Sequence[str]:
        """Return the WebSub hubs that it names."""
        ...

    @property
    def self_link(self) -> str:
        """Return the address that it gives itself; "" if none."""
        ...

    @property
    def polite_interval(self) -> timedelta | None:
        """Return the least time between two visits that it asks for (ttl, sy:); None if none."""
        ...

    @property
    def skip_hours(self) -> Collection[int]:
        """Return the hours of the day in UTC in which it asks for no visits."""
        ...

    @property
    def skip_days(self) -> Collection[int]:
        """Return the weekdays in UTC, 0 for Monday, on which it asks for no visits."""
        ...

    @property
    def left_out(self) -> Sequence[str]:
        """Return why entries are missing: for each the bug of ours that it raised."""
        ...

    @property
    def expired(self) -> bool:
        """Return whether the feed says that nothing will come any more."""
        ...


class ParseFeed(Protocol[EntryT_co]):
    """Parses a feed; it fetches nothing."""

    def __call__(
        self,
        feed: StoredFeed,
        body: bytes,
        *,
        content_type: str,
        address: str,
        received_at: datetime,
    ) -> FeedContents[EntryT_co]:
        """Return the contents of a feed; raise a NewsdedupError with the reason if it has none.

        `address` is where the body came from.
        """
        ...


class ReadPage(Protocol[EntryT]):
    """Completes entries by their pages; it fetches nothing."""

    def __call__(
        self, entry: EntryT, body: bytes, *, content_type: str | None, address: str
    ) -> EntryT:
        """Return an entry with the article of a page, and its `address` as the page states it.

        `address` is where the body came from. Raise a NewsdedupError if it holds no article.
        """
        ...


class DeliverEntries(Protocol[EntryT_contra]):
    """Sends entries to the output."""

    async def __call__(self, feed: StoredFeed, entries: Sequence[EntryT_contra]) -> None:
        """Return when all entries are acknowledged, which may be sent again after a crash.

        Raise SinkUnusable or Unavailable if they cannot be: polling ends, and they are new again.
        """
        ...


def latest_entries(entries: Sequence[EntryT_co]) -> Mapping[str, EntryT_co]:
    """Return entries by id, in their order; of several with one id, which feeds do show, the last.

    Otherwise each would be a change of the other at every visit.
    """
    by_id: dict[str, EntryT_co] = {}
    for entry in entries:
        by_id.pop(entry.id, None)
        by_id[entry.id] = entry
    return by_id
