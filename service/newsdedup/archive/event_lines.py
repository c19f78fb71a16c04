"""Lines of events as an archive applies them: the verdict on an item, or its retraction."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from newsdedup.adapters.formats.item_json import title_of
from newsdedup.archive.content import item_of_event, payload_of_event
from newsdedup.core.events import Judgement, OriginalMoved, Retraction
from newsdedup.core.model import ItemKey, Micros, NewsItem
from newsdedup.core.moments import to_micros

_MOST_URL_CHARS: Final = 8_000


class RevisionNumber(NamedTuple):
    """How new an event is, as a pair that can be compared."""

    epoch: int
    n: int


@dataclass(frozen=True, slots=True)
class ArchivedEvent:
    """An event about an item."""

    key: ItemKey
    revision: RevisionNumber
    judgement: Judgement | None
    """None: the item was retracted."""
    at: Micros = 0
    line: bytes = b""

    @property
    def generation(self) -> int:
        """Return how often the state that made the event had been lost and rebuilt."""
        return self.revision.epoch >> 32


class EventUnreadable(ValueError):
    """A line that is no event of a known format."""


_LARGEST: Final = 2**63


def read_event_line(line: bytes) -> ArchivedEvent | None:
    """Return the event of a line; None for one about a story: events of its items say the same.

    Raise EventUnreadable for a line that is no event.
    """
    line = line.rstrip(b"\r\n")
    try:
        payload = payload_of_event(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise EventUnreadable(str(error)) from error
    if isinstance(payload, OriginalMoved):
        return None
    key = ItemKey(payload.item.source, payload.item.id)
    revision = RevisionNumber(payload.revision.epoch, payload.revision.n)
    if not all(-_LARGEST <= number < _LARGEST for number in revision):
        raise EventUnreadable("its revision is beyond 63 bits")
    if isinstance(payload, Retraction):
        return ArchivedEvent(key, revision, None)
    try:
        at = to_micros(datetime.fromisoformat(payload.effective_at))
    except (ValueError, TypeError) as error:
        raise EventUnreadable(f"effective_at is no moment: {error}") from error
    return ArchivedEvent(key, revision, payload, at, line)


class ShownItem(NamedTuple):
    """The columns of a row that come from the received item."""

    title: str
    url: str
    links: int
    item: NewsItem


def shown_item(line: bytes) -> ShownItem:
    """Return the columns of the item in an event."""
    item = item_of_event(line)
    own = _host(item.url)
    links = sum(1 for link in set(item.links) if _host(link) not in ("", own))
    return ShownItem(title_of(item), item.url[:_MOST_URL_CHARS], links, item)


def _host(address: str) -> str:
    """Return the host of an address without "www.", "" if it has none."""
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
