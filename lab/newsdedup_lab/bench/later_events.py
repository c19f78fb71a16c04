"""Events like those that an archive holds, of later items: what a writer adds to it."""

import sqlite3
from collections.abc import Generator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec

from newsdedup.archive.archive_file import open_archive_for_reading
from newsdedup.archive.event_lines import ContentCodec

_PAGE: Final = 500
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


def later_events(path: Path, *, shift: timedelta, prefix: str) -> Generator[bytes, None, None]:
    """Yield the events of an archive in the order of their items, each as a line.

    Ids of items and stories begin with `prefix`, and each moment is later by `shift`: to an archive
    that holds the events already, these are other items. Raise what opening the archive raises.
    """
    with closing(open_archive_for_reading(path)) as connection:
        codec = ContentCodec(_dictionary(connection))
        number = -(2**63)
        while rows := connection.execute(
            "SELECT number, event FROM contents WHERE number > ? ORDER BY number LIMIT ?",
            (number, _PAGE),
        ).fetchall():
            number = rows[-1][0]
            for _, content in rows:
                yield _later(_decode(codec.unpack(content)), shift, prefix)


def _later(event: dict[str, Any], shift: timedelta, prefix: str) -> bytes:
    """Return an event as one of another item: ids with `prefix`, moments later by `shift`."""
    verdict = event["dedup"]
    for index in (
        event,
        verdict["item"],
        verdict["story"],
        verdict["story"]["original"],
        verdict["matched"],
    ):
        if index is not None and "id" in index:
            index["id"] = f"{prefix}{index['id']}"
    for index, name in ((event, "published_at"), (verdict, "effective_at")):
        if name in index:
            index[name] = (datetime.fromisoformat(index[name]) + shift).isoformat()
    return _encode(event)


def _dictionary(connection: sqlite3.Connection) -> bytes:
    """Return the compression dictionary that an archive has stored."""
    (dictionary,) = connection.execute(
        "SELECT value FROM meta WHERE name = 'dictionary'"
    ).fetchone()
    return bytes(dictionary)
