"""The rows of items: read by key, numbered by time, written with their contents and words."""

import sqlite3
from collections.abc import Sequence
from typing import Final

import msgspec

from newsdedup.adapters.formats.item_json import title_of
from newsdedup.archive.earlier_texts import EarlierTexts, erase_overtaken
from newsdedup.archive.event_lines import (
    ArchivedEvent,
    ContentCodec,
    RevisionNumber,
    category_of_event,
    count_outer_links,
    item_of_event,
)
from newsdedup.archive.pending_rows import SLOT_BITS, ItemRow, PendingRow, number_of_time
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.views import Standing
from newsdedup.core.events import ItemRef
from newsdedup.core.model import ItemKey, Micros, Relation, Verdict

_SLOTS: Final = 1 << SLOT_BITS
_MOST_REVISIONS: Final = 20
"""Overtaken verdicts that are kept of an item, the newest."""
_MOST_REMEMBERED: Final = 100_000
_MOST_URL_CHARS: Final = 8_000
_COLUMNS: Final = ", ".join(f"i.{name}" for name in ItemRow._fields)
_NAMES: Final = ", ".join((*ItemRow._fields, "change"))
_VALUES: Final = ", ".join("?" for _ in range(len(ItemRow._fields) + 1))
_UPDATES: Final = ", ".join(
    f"{name} = excluded.{name}" for name in (*ItemRow._fields[1:], "change")
)
_STANDING: Final = msgspec.json.Decoder(tuple[Verdict, Relation, str, tuple[str, str], str, str])
_FIND_SOURCE: Final = "SELECT source FROM sources WHERE name = ?"
_ADD_SOURCE: Final = "INSERT INTO sources (name) VALUES (?) RETURNING source"
_FIND_STORY: Final = "SELECT story FROM stories WHERE name = ?"
_ADD_STORY: Final = (
    "INSERT INTO stories (name, items, duplicates, sources, first, last)"
    " VALUES (?, 0, 0, 0, 0, 0) RETURNING story"
)
"""A story that gets no item is removed again with the sums of the batch."""


def decode_standing(standing: str) -> Standing:
    """Return a standing of the table `revisions`; raise MsgspecError for other text than JSON."""
    verdict, relation, story, original, decided_by, version = _STANDING.decode(standing)
    return Standing(verdict, relation, story, ItemRef(*original), decided_by, version)


def _encoded_standing(one: Standing) -> str:
    """Return a standing as the JSON array that `decode_standing` reads."""
    original = (one.original.source, one.original.id)
    fields = (one.verdict, one.relation, one.story, original, one.decided_by, one.version)
    return msgspec.json.encode(fields).decode()


class ItemTables:
    """Reads and writes the rows of items within the transaction of the caller."""

    def __init__(
        self, connection: sqlite3.Connection, codec: ContentCodec, words: SearchWords
    ) -> None:
        self._connection = connection
        self._codec = codec
        self._words = words
        self._earlier = EarlierTexts(connection, codec)
        self._numbers: dict[tuple[str, str], int] = {}
        """Numbers of sources and stories, by the query that finds one and its name."""
        self._free: dict[int, int] = {}
        """By the lowest number of a time the lowest one from there on that may be free."""

    def forget(self) -> None:
        """Drop the cached numbers: a rollback, or removed stories, made them invalid."""
        self._numbers.clear()
        if len(self._free) > _MOST_REMEMBERED:
            self._free.clear()

    def pending_row(self, key: ItemKey) -> PendingRow:
        """Return an item as the archive stores it before the batch; empty if it is new."""
        source = self._source_number(key.source)
        found = self._connection.execute(
            f"SELECT {_COLUMNS}, s.name, o.name FROM items i"
            " JOIN stories s ON s.story = i.story"
            " JOIN sources o ON o.source = i.original_source"
            " WHERE i.source = ? AND i.id = ?",
            (source, key.id),
        ).fetchone()
        erased = self._connection.execute(
            "SELECT epoch, n FROM tombstones WHERE source = ? AND id = ?", (source, key.id)
        ).fetchone()
        row = standing = None
        if found is not None:
            *columns, story, original = found
            row = ItemRow(*columns)
            original = ItemRef(original, row.original_id)
            standing = Standing(
                row.verdict, row.relation, story, original, row.decided_by, row.version
            )
        return PendingRow(key, source, row, standing, RevisionNumber(*erased) if erased else None)

    def outdated(self, before: Micros, *, most: int) -> list[ItemKey]:
        """Return the keys of the oldest items from before a moment, at most `most`."""
        rows = self._connection.execute(
            "SELECT s.name, i.id FROM items i JOIN sources s ON s.source = i.source"
            " WHERE i.number < ? AND i.at < ? ORDER BY i.number LIMIT ?",
            (number_of_time(before), before, most),
        )
        return [ItemKey(*row) for row in rows]

    def new_row(self, pending_row: PendingRow) -> ItemRow | None:
        """Return the row of an item after the batch; None if it is gone.

        A new verdict makes a row without delay; else the row stays as it is.
        """
        event = pending_row.event
        if event is None or event.judgement is None:
            return None if pending_row.is_gone else pending_row.before
        judgement = event.judgement
        item, matched = item_of_event(event.line), judgement.matched
        return ItemRow(
            number=self._item_number(event, pending_row.before),
            source=pending_row.source,
            id=pending_row.key.id,
            epoch=event.revision.epoch,
            n=event.revision.n,
            at=event.at,
            verdict=judgement.verdict,
            relation=judgement.relation,
            score=None if matched is None else matched.score,
            lang=judgement.lang,
            decided_by=judgement.decided_by,
            late=judgement.late,
            version=judgement.version,
            story=self._number(_FIND_STORY, _ADD_STORY, judgement.story.id),
            original_source=self._source_number(judgement.story.original.source),
            original_id=judgement.story.original.id,
            matched_source=None if matched is None else self._source_number(matched.source),
            matched_id=None if matched is None else matched.id,
            delay=None,
            links=count_outer_links(item),
            title=title_of(item),
            url=item.url[:_MOST_URL_CHARS],
            category=category_of_event(event.line),
        )

    def _source_number(self, name: str) -> int:
        """Return the number of a source, adding it at its first use."""
        return self._number(_FIND_SOURCE, _ADD_SOURCE, name)

    def _number(self, find: str, insert: str, name: str) -> int:
        """Return the number of a source or a story by its name, cached.

        The statement `find` reads it; where there is no row, `insert` adds one.
        """
        if (number := self._numbers.get((find, name))) is None:
            run = self._connection.execute
            row = run(find, (name,)).fetchone() or run(insert, (name,)).fetchone()
            number = self._numbers[find, name] = int(row[0])
        return number

    def _item_number(self, event: ArchivedEvent, before: ItemRow | None) -> int:
        """Return the number that an item has, or the first free one from its time on.

        What more items have than a millisecond has numbers goes on into the numbers of the next
        ones. `_free` covers all numbers that the batch has given, whose rows are not written yet.
        """
        if before is not None and before.at // 1_000 == event.at // 1_000:
            return before.number
        number, full = number_of_time(event.at), list[int]()
        while True:
            if number % _SLOTS == 0:
                full.append(number)
                if number in self._free:
                    number = self._free[number]
                    continue
            query = "SELECT 1 FROM items WHERE number = ?"
            if self._connection.execute(query, (number,)).fetchone() is None:
                break
            number += 1
        full.append(number - number % _SLOTS)
        self._free.update(dict.fromkeys(full, number + 1))
        return number

    def time_of(self, source: int, item_id: str) -> Micros | None:
        """Return the time of an item by the number of its source; None if the archive lacks it."""
        row = self._connection.execute(
            "SELECT at FROM items WHERE source = ? AND id = ?", (source, item_id)
        ).fetchone()
        return None if row is None else int(row[0])

    def copies_of(self, source: int, item_id: str) -> list[ItemRow]:
        """Return the rows of the duplicates whose story has this original, in any order."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM items i"
            " WHERE original_source = ? AND original_id = ? AND verdict = 'duplicate'",
            (source, item_id),
        )
        return [ItemRow(*row) for row in rows]

    def write_delay(self, row: ItemRow) -> None:
        """Write the `delay` of a row: how much later than its original a copy is."""
        self._connection.execute(
            "UPDATE items SET delay = ? WHERE number = ?", (row.delay, row.number)
        )

    def write(self, rows: Sequence[PendingRow]) -> None:
        """Write the rows of a batch with their contents, words and revisions."""
        withdrawn: list[tuple[int, str]] = []
        added: list[tuple[int, str]] = []
        for row in rows:
            before = None if row.before is None else self._stored_words(row.before)
            if row.event is None or row.after is None:
                after = None if row.after is None else before
            else:
                after = self._words_of(row.after, row.event.line)
            if before is not None and before != after:
                withdrawn.append(before)
            if after is not None and before != after:
                added.append(after)
            self._write_earlier_texts(row)
        run = self._connection
        for row in rows:
            old, new = row.before, row.after
            if old is not None and (new is None or new.number != old.number):
                run.execute("DELETE FROM items WHERE number = ?", (old.number,))
                run.execute("DELETE FROM contents WHERE number = ?", (old.number,))
            self._write_revisions(row)
        for row in rows:
            if row.after is not None and row.event is not None:
                run.execute(
                    f"INSERT INTO items ({_NAMES}) VALUES ({_VALUES})"
                    f" ON CONFLICT (number) DO UPDATE SET {_UPDATES}",
                    (*row.after, row.change),
                )
                run.execute(
                    "INSERT OR REPLACE INTO contents VALUES (?, ?)",
                    (row.after.number, self._codec.pack(row.event.line)),
                )
        run.executemany(
            "INSERT INTO word_index (word_index, rowid, words) VALUES ('delete', ?, ?)",
            sorted(withdrawn),
        )
        run.executemany("INSERT INTO word_index (rowid, words) VALUES (?, ?)", sorted(added))

    def words_above(self, number: int, most: int) -> list[tuple[int, str]]:
        """Return the numbers and words of the first items above a number, at most `most`."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM items i WHERE number > ? ORDER BY number LIMIT ?",
            (number, most),
        )
        return [self._stored_words(ItemRow(*row)) for row in rows]

    def fill_categories(self) -> None:
        """Set the categories of all items by their events."""
        run = self._connection
        rows = run.execute("SELECT number, event FROM contents")
        while page := rows.fetchmany(500):
            named = [(category_of_event(self._codec.unpack(event)), at) for at, event in page]
            run.executemany(
                "UPDATE items SET category = ? WHERE number = ?", [one for one in named if one[0]]
            )

    def _stored_words(self, row: ItemRow) -> tuple[int, str]:
        """Return the number and the words by which an item is indexed; or raise StateUnusable."""
        return self._words_of(row, self._stored_event(row))

    def _stored_event(self, row: ItemRow) -> bytes:
        """Return the stored event of an item; raise StateUnusable if it is damaged."""
        (content,) = self._connection.execute(
            "SELECT event FROM contents WHERE number = ?", (row.number,)
        ).fetchone()
        return self._codec.unpack(content)

    def _write_earlier_texts(self, row: PendingRow) -> None:
        """Write what an edited item said before; the events of the batch are not written yet."""
        lines, before = row.overtaken_lines, row.before
        if before is not None:
            stored = RevisionNumber(before.epoch, before.n)
            if stored in row.overtaken:
                lines = {stored: self._stored_event(before), **lines}
        self._earlier.write(row, lines)

    def _words_of(self, row: ItemRow, line: bytes) -> tuple[int, str]:
        """Return an item's number and the words under which it is indexed; `line` is its event."""
        return row.number, self._words.of_item(item_of_event(line), row.lang, source=row.source)

    def _write_revisions(self, row: PendingRow) -> None:
        """Write the overtaken verdicts of an item; of all that it has, only the newest are kept."""
        run, item = self._connection, (row.source, row.key.id)
        erase_overtaken(run, "revisions", row)
        if row.after is None or not row.overtaken:
            return
        run.executemany(
            "INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?, ?)",
            [(*item, *number, _encoded_standing(one)) for number, one in row.overtaken.items()],
        )
        run.execute(
            "DELETE FROM revisions WHERE source = ? AND id = ? AND (epoch, n) IN ("
            "SELECT epoch, n FROM revisions WHERE source = ? AND id = ?"
            " ORDER BY epoch DESC, n DESC LIMIT -1 OFFSET ?)",
            (*item, *item, _MOST_REVISIONS),
        )
