"""One record of an archive: an item, a record that cannot be one, or one that is left out.

An item is named as a feed would have named it. The id is the one that the archive gives, else the
canonical address, else a hash of title and text; the source is the one that the user names, else
that of the archive, else the host of the address without "www.", else the name of the file up to
its first dot.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from newsdedup.adapters.files.lines import LONG_LINE_BYTES
from newsdedup.adapters.formats.item_json import decode_item, is_blank, site_host
from newsdedup.adapters.formats.json_object import LIMITS, Limits
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.rows import encode_fields, whole_names
from newsdedup.core.model import NewsItem
from newsdedup.feeder.parsing.canonical_urls import canonical_url
from newsdedup.feeder.parsing.feed_items import entry_id
from newsdedup.feeder.parsing.parsed_feed import FeedEntry
from newsdedup.ports.errors import InvalidItem, Rejection

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
    """The byte at which reading goes on after it; 0 where reading begins anew each time."""
    content: ArchiveFields | Rejection | LeftOut
    """The fields of an item, or why the record makes no item."""
    received: bytes = b""
    """Of a rejected record: what was read, at most 64 KiB of it."""
    size: int = 0
    """Of a rejected record: its length in bytes."""

    @property
    def next_position(self) -> ArchivePosition:
        """Return the position at which reading goes on after this record."""
        return ArchivePosition(self.number, self.end)


def rejected_entry(
    number: int, rejection: Rejection, received: bytes, *, offset: int = 0, end: int = 0
) -> ArchiveEntry:
    """Return the entry of a rejected record, with at most the first 64 KiB of `received`."""
    beginning = received[:LONG_LINE_BYTES]
    return ArchiveEntry(number, offset, end, rejection, beginning, len(received))


def item_record(fields: Mapping[str, Any], *, source: str, file: str, limits: Limits) -> bytes:
    """Return the record of an item as JSON; raise InvalidItem if the fields make none.

    `source` is the name that the user gives to all items, "" for none; `file` is the path of the
    archive. The same fields make the same record at every import. A date stays as it is
    written; one that cannot be read counts as missing wherever the record is read.
    """
    fields = whole_names(fields)
    item = decode_item(encode_fields(fields), limits=limits)
    if not isinstance(item, NewsItem):
        raise InvalidItem("command", "a command changes a stream: give it to `newsdedup run`")
    url = canonical_url("", item.url) or item.url
    given = source or _given(fields, "source") or site_host(url)
    named = {
        "id": _given(fields, "id") or entry_id(FeedEntry("", url, item.title, item.text)),
        "source": given or Path(file).name.partition(".")[0],
        **({"url": url} if url else {}),
    }
    return encode_fields({**named, **{name: fields[name] for name in fields if name not in named}})


def _given(fields: Mapping[str, Any], name: str) -> str | int:
    """Return the `id` or `source` in the fields of a record; "" if it is blank or missing."""
    value = fields.get(name)
    return "" if is_blank(value) or not isinstance(value, str | int) else value


def mendable_json(fields: Mapping[str, Any]) -> bytes:
    """Return fields that make no item as JSON for a dead letter, also where they are no Unicode."""
    text = json.dumps(fields, ensure_ascii=False, default=str)
    return text.encode("utf-8", "surrogatepass")
