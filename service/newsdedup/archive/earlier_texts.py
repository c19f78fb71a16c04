"""What edited items said before: the texts of their overtaken versions, the newest ten of each.

The texts are those of the verdicts that a newer one overtook, each version once with its highest
revision, without the version that stands: so they follow from the events in any order.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from newsdedup.archive.event_lines import ContentCodec, RevisionNumber, item_of_event
from newsdedup.archive.pending_rows import PendingRow
from newsdedup.archive.views import EarlierText

_MOST_TEXTS: Final = 10
_MOST_CHARS: Final = 100_000
"""Characters of a text that are kept."""
_STORED: Final = msgspec.json.Decoder(tuple[str, str, datetime | None])
_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_Key = tuple[int, str]
"""The number of a source, and the id of an item."""


def erase_overtaken(run: sqlite3.Connection, table: str, row: PendingRow) -> None:
    """Delete from a table of overtaken verdicts what a batch erased of an item, perhaps all."""
    item, erase = (row.source, row.key.id), f"DELETE FROM {table} WHERE source = ? AND id = ?"
    if row.after is None:
        run.execute(erase, item)
    elif row.newly_erased is not None:
        run.execute(f"{erase} AND (epoch, n) <= (?, ?)", (*item, *row.newly_erased))


class EarlierTexts:
    """Reads and writes the table `earlier_texts` within the transaction of the caller."""

    def __init__(self, connection: sqlite3.Connection, codec: ContentCodec) -> None:
        self._connection = connection
        self._codec = codec

    def write(self, row: PendingRow, lines: Mapping[RevisionNumber, bytes]) -> None:
        """Write the texts that a batch overtook; `lines` are the events of overtaken revisions."""
        run, item = self._connection, (row.source, row.key.id)
        erase_overtaken(run, "earlier_texts", row)
        if row.after is None or not row.overtaken:
            return
        run.executemany(
            "INSERT INTO earlier_texts VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (source, id, version) DO UPDATE SET epoch = excluded.epoch,"
            " n = excluded.n, text = excluded.text"
            " WHERE (excluded.epoch, excluded.n) > (earlier_texts.epoch, earlier_texts.n)",
            [
                (*item, one.version, *number, self._packed(lines[number]))
                for number, one in row.overtaken.items()
                if one.version != row.after.version
            ],
        )
        run.execute(
            "DELETE FROM earlier_texts WHERE source = ? AND id = ? AND version = ?",
            (*item, row.after.version),
        )
        run.execute(
            "DELETE FROM earlier_texts WHERE source = ? AND id = ? AND version IN ("
            "SELECT version FROM earlier_texts WHERE source = ? AND id = ?"
            " ORDER BY epoch DESC, n DESC LIMIT -1 OFFSET ?)",
            (*item, *item, _MOST_TEXTS),
        )

    def of_item(self, key: _Key) -> Sequence[EarlierText]:
        """Return the earlier texts of an item in the order in which its source wrote them."""
        rows = self._connection.execute(
            "SELECT text FROM earlier_texts WHERE source = ? AND id = ? ORDER BY epoch, n", key
        )
        texts = [_STORED.decode(self._codec.unpack(text)) for (text,) in rows]
        # Edits may come in the wrong order; a text that names no time was the first.
        texts.sort(key=lambda one: _FIRST if one[2] is None else one[2])
        return [
            EarlierText(title=title, text=text, updated_at=updated_at)
            for title, text, updated_at in texts
        ]

    def _packed(self, line: bytes) -> bytes:
        """Return the text of an event as it is stored."""
        item = item_of_event(line)
        text = (item.title[:_MOST_CHARS], item.text[:_MOST_CHARS], item.updated_at)
        return self._codec.pack(msgspec.json.encode(text))
