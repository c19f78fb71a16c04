"""One record of an archive: an item, a record that cannot be one, or one that is left out."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from newsdedup.adapters.files.lines import LONG_LINE_BYTES
from newsdedup.adapters.formats.json_object import LIMITS, Limits
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.ports.errors import Rejection

PAGE_BYTES: Final = 8 * 2**20
"""The largest page that is read, unpacked, as read_article has it."""


ArchiveFields = Mapping[str, Any]
"""Fields of an item (docs/items.md), and others that go with it."""


_ALL_COLUMNS: Final = ColumnMap(keeps_others=True)


@dataclass(frozen=True, slots=True)
class ArchiveOptions:
    """What the user says of an archive, and the bounds within which it is read."""

    source: str = ""
    """The source of all items; "" for what the archive says."""
    columns: ColumnMap = _ALL_COLUMNS
    limits: Limits = LIMITS
    page_bytes: int = PAGE_BYTES


class LeftOut(StrEnum):
    """Why a record is no item and no mistake either; the value names it in counts."""

    NO_RESPONSE = "no_response"
    """A record of a WARC that holds no answer of a web server."""
    STATUS = "status"
    """An answer with another status than 200."""
    NOT_HTML = "not_html"
    SERVICE = "service_message"
    """What Telegram itself notes: a channel was made, a post was pinned."""
    WITHOUT_TEXT = "without_text"
    """A post of pictures or files alone."""


@dataclass(frozen=True, slots=True)
class ArchivePosition:
    """How far a file of an archive was read: the records before, and the byte of the next one."""

    number: int = 0
    offset: int = 0


START: Final = ArchivePosition()


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """One record of an archive, and its position."""

    number: int
    """Counted from 1 within its file."""
    offset: int
    """The byte at which it begins; 0 where the format does not tell."""
    end: int
    """The byte at which reading goes on behind it; 0 where reading begins anew each time."""
    content: ArchiveFields | Rejection | LeftOut
    """The fields of an item, or why the record makes no item."""
    received: bytes = b""
    """Of a rejected record: what was read, at most 64 KiB of it."""
    size: int = 0
    """Of a rejected record: its length in bytes."""

    @property
    def behind(self) -> ArchivePosition:
        """Return the position at which reading goes on behind this record."""
        return ArchivePosition(self.number, self.end)


def rejected_entry(
    number: int, rejection: Rejection, received: bytes, *, offset: int = 0, end: int = 0
) -> ArchiveEntry:
    """Return the entry of a record that cannot be an item; of a long one only the beginning."""
    beginning = received[:LONG_LINE_BYTES]
    return ArchiveEntry(number, offset, end, rejection, beginning, len(received))
