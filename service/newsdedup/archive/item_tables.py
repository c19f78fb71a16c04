"""The rows of items: read by key, numbered by time, written with their contents and words."""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import msgspec

from newsdedup.archive.content import ContentCodec, item_of_event
from newsdedup.archive.event_lines import ArchivedEvent, RevisionNumber, shown_item
from newsdedup.archive.pending_rows import ItemRow, PendingRow, StoredStanding
from newsdedup.archive.search_words import SearchWords
from newsdedup.core.model import ItemKey, Micros

SLOT_BITS: Final = 6
"""Bits of an item's number below its time in milliseconds."""
_SLOTS: Final = 1 << SLOT_BITS
_MOST_REVISIONS: Final = 20
"""Overtaken verdicts that are kept of an item, the newest."""
_MOST_REMEMBERED: Final = 100_000
_COLUMNS: Final = ", ".join(ItemRow._fields)
_VALUES: Final = ", ".join("?" for _ in range(len(ItemRow._fields) + 1))
_UPDATES: Final = ", ".join(
    f"{name} = excluded.{name}" for name in (*ItemRow._fields[1:], "change")
)
_STANDING: Final = msgspec.json.Decoder(StoredStanding)


class RowChange(NamedTuple):
    """A row before and after a batch; None where there is none."""

    before: ItemRow | None
    after: ItemRow | None


def number_of_time(at: Micros) -> int:
    """Return the lowest number of items of this time: numbers are in the order of time."""
    return (at // 1_000) << SLOT_BITS


def time_of_number(number: int) -> Micros:
    """Return the time of an item by its number, in whole milliseconds.

    Of more than 64 items of one millisecond the others count as later.
    """
    return (number >> SLOT_BITS) * 1_000


def decode_standing(standing: str) -> StoredStanding:
    """Return a standing of the table `revisions`."""
    return _STANDING.decode(standing)


@dataclass(slots=True)
class NameNumbers:
    """Numbers of names, given by their table at first sight; `forget` after a rollback."""

    connection: sqlite3.Connection
    find: str
    insert: str
    known: dict[str, int]

    def number(self, name: str) -> int:
        """Return the number of a name, a new one if it has none."""
        if name in self.known:
            return self.known[name]
        row = self.connection.execute(self.find, (name,)).fetchone()
        if row is None:
            row = self.connection.execute(self.insert, (name,)).fetchone()
        self.known[name] = int(row[0])
        return self.known[name]

    def forget(self) -> None:
        """Forget all numbers: those of a transaction that was rolled back do not exist."""
        self.known.clear()


def source_numbers(connection: sqlite3.Connection) -> NameNumbers:
    """Return the numbers of sources."""
    return NameNumbers(
        connection,
        "SELECT source FROM sources WHERE name = ?",
        "INSERT INTO sources (name) VALUES (?) RETURNING source",
        {},
    )


def story_numbers(connection: sqlite3.Connection) -> NameNumbers:
    """Return the numbers of stories; one that gets no item must be removed again."""
    return NameNumbers(
        connection,
        "SELECT story FROM stories WHERE name = ?",
        "INSERT INTO stories (name, items, duplicates, sources, first, last)"
        " VALUES (?, 0, 0, 0, 0, 0) RETURNING story",
        {},
    )


class ItemTables:
    """Reads and writes the rows of items within the transaction of the caller."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        codec: ContentCodec,
        words: SearchWords,
    ) -> None:
        self._connection = connection
        self._codec = codec
        self._words = words
        self.sources = source_numbers(connection)
        self.stories = story_numbers(connection)
        self._free: dict[int, int] = {}
        """By the lowest number of a time the lowest one from there on that may be free."""

    def forget(self) -> None:
        """Drop what is remembered of rows; due after a rollback and after stories were removed."""
        self.sources.forget()
        self.stories.forget()
        if len(self._free) > _MOST_REMEMBERED:
            self._free.clear()

    def pending_row(self, key: ItemKey) -> PendingRow:
        """Return the draft of an item as it stands."""
        source = self.sources.number(key.source)
        found = self._connection.execute(
            f"SELECT {_qualified('i')}, s.name, o.name FROM items i"
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
            row = ItemRow(*found[:-2])
            original = ItemKey(found[-1], row.original_id)
            standing = StoredStanding(
                row.verdict, row.relation, found[-2], original, row.decided_by, row.version
            )
        return PendingRow(key, source, row, standing, RevisionNumber(*erased) if erased else None)

    def outdated(self, before: Micros, *, most: int) -> list[ItemKey]:
        """Return the keys of the oldest items from before a moment."""
        rows = self._connection.execute(
            "SELECT s.name, i.id FROM items i JOIN sources s ON s.source = i.source"
            " WHERE i.number < ? AND i.at < ? ORDER BY i.number LIMIT ?",
            (number_of_time(before), before, most),
        )
        return [ItemKey(*row) for row in rows]

    def new_row(self, pending_row: PendingRow) -> ItemRow | None:
        """Return the row of an item after the batch, without its delay; None if it is gone."""
        event = pending_row.event
        if event is None or event.judgement is None:
            return None if pending_row.is_gone else pending_row.before
        judgement = event.judgement
        shown, matched = shown_item(event.line), judgement.matched
        return ItemRow(
            number=self._number(event, pending_row.before),
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
            story=self.stories.number(judgement.story.id),
            original_source=self.sources.number(judgement.story.original.source),
            original_id=judgement.story.original.id,
            matched_source=None if matched is None else self.sources.number(matched.source),
            matched_id=None if matched is None else matched.id,
            delay=None,
            links=shown.links,
            title=shown.title,
            url=shown.url,
        )

    def _number(self, event: ArchivedEvent, before: ItemRow | None) -> int:
        """Return the number that an item has, or the first free one from its time on."""
        if before is not None and before.at // 1_000 == event.at // 1_000:
            return before.number
        return self._take_number(number_of_time(event.at))

    def _take_number(self, number: int) -> int:
        """Return the first free number from the lowest one of a time on.

        What more items have than a millisecond has numbers goes on into the numbers of the next
        ones. `_free` covers all numbers that the batch has given, whose rows are not written yet.
        """
        full: list[int] = []
        while True:
            if number % _SLOTS == 0:
                full.append(number)
                if number in self._free:
                    number = self._free[number]
                    continue
            if not self._is_taken(number):
                break
            number += 1
        full.append(number - number % _SLOTS)
        self._free.update(dict.fromkeys(full, number + 1))
        return number

    def _is_taken(self, number: int) -> bool:
        """Return whether an item is stored under a number."""
        query = "SELECT 1 FROM items WHERE number = ?"
        return self._connection.execute(query, (number,)).fetchone() is not None

    def time_of(self, source: int, item_id: str) -> Micros | None:
        """Return the time of an item, None if it is not there."""
        row = self._connection.execute(
            "SELECT at FROM items WHERE source = ? AND id = ?", (source, item_id)
        ).fetchone()
        return None if row is None else int(row[0])

    def copies_of(self, source: int, item_id: str) -> list[ItemRow]:
        """Return the duplicates whose story has this original."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM items"
            " WHERE original_source = ? AND original_id = ? AND verdict = 'duplicate'",
            (source, item_id),
        )
        return [ItemRow(*row) for row in rows]

    def write_delay(self, row: ItemRow) -> None:
        """Write how late a copy is."""
        self._connection.execute(
            "UPDATE items SET delay = ? WHERE number = ?", (row.delay, row.number)
        )

    def write(self, changes: Iterable[tuple[PendingRow, RowChange, int]]) -> None:
        """Write rows with their contents and words; the integer numbers the change."""
        ordered = list(changes)
        withdrawn: list[tuple[int, str]] = []
        added: list[tuple[int, str]] = []
        for pending_row, change, _ in ordered:
            before = self._stored_words(change.before)
            after = self._new_words(pending_row, change.after, before)
            if before is not None and before != after:
                withdrawn.append(before)
            if after is not None and before != after:
                added.append(after)
        run = self._connection
        for pending_row, (before_row, after_row), _ in ordered:
            moved = before_row is not None and (
                after_row is None or after_row.number != before_row.number
            )
            if before_row is not None and moved:
                run.execute("DELETE FROM items WHERE number = ?", (before_row.number,))
                run.execute("DELETE FROM contents WHERE number = ?", (before_row.number,))
            self._write_revisions(pending_row, erase_all=after_row is None)
        for pending_row, (_, after_row), number in ordered:
            if after_row is not None and pending_row.event is not None:
                run.execute(
                    f"INSERT INTO items VALUES ({_VALUES})"
                    f" ON CONFLICT (number) DO UPDATE SET {_UPDATES}",
                    (*after_row, number),
                )
                run.execute(
                    "INSERT OR REPLACE INTO contents VALUES (?, ?)",
                    (after_row.number, self._codec.pack(pending_row.event.line)),
                )
        run.executemany(
            "INSERT INTO word_index (word_index, rowid, words) VALUES ('delete', ?, ?)",
            sorted(withdrawn),
        )
        run.executemany("INSERT INTO word_index (rowid, words) VALUES (?, ?)", sorted(added))

    def index_anew(self, advance: Callable[[int], None]) -> None:
        """Make the index of words anew from the contents; `advance` gets the items done."""
        run = self._connection
        run.execute("INSERT INTO word_index (word_index) VALUES ('delete-all')")
        rows = run.execute(f"SELECT {_COLUMNS} FROM items ORDER BY number")
        while page := rows.fetchmany(500):
            words = [self._stored_words(ItemRow(*row)) for row in page]
            run.executemany(
                "INSERT INTO word_index (rowid, words) VALUES (?, ?)",
                [one for one in words if one is not None],
            )
            advance(len(page))

    def _stored_words(self, row: ItemRow | None) -> tuple[int, str] | None:
        """Return the number and the words under which an item is indexed now."""
        if row is None:
            return None
        (content,) = self._connection.execute(
            "SELECT event FROM contents WHERE number = ?", (row.number,)
        ).fetchone()
        item = item_of_event(self._codec.unpack(content))
        return row.number, self._words.of_item(item, row.lang, source=row.source)

    def _new_words(
        self, pending_row: PendingRow, row: ItemRow | None, before: tuple[int, str] | None
    ) -> tuple[int, str] | None:
        """Return the number and the words under which an item is to be indexed."""
        if row is None:
            return None
        if pending_row.event is None:
            return before
        item = item_of_event(pending_row.event.line)
        return row.number, self._words.of_item(item, row.lang, source=row.source)

    def _write_revisions(self, pending_row: PendingRow, *, erase_all: bool) -> None:
        """Write the overtaken verdicts of an item, and keep the newest of all that it has."""
        run, item = self._connection, (pending_row.source, pending_row.key.id)
        if erase_all:
            run.execute("DELETE FROM revisions WHERE source = ? AND id = ?", item)
            return
        if pending_row.newly_erased and pending_row.erased is not None:
            run.execute(
                "DELETE FROM revisions WHERE source = ? AND id = ? AND (epoch, n) <= (?, ?)",
                (*item, *pending_row.erased),
            )
        if not pending_row.overtaken:
            return
        run.executemany(
            "INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?, ?)",
            [(*item, *number, one.encode()) for number, one in pending_row.overtaken.items()],
        )
        run.execute(
            "DELETE FROM revisions WHERE source = ? AND id = ? AND (epoch, n) IN ("
            "SELECT epoch, n FROM revisions WHERE source = ? AND id = ?"
            " ORDER BY epoch DESC, n DESC LIMIT -1 OFFSET ?)",
            (*item, *item, _MOST_REVISIONS),
        )


def _qualified(table: str) -> str:
    return ", ".join(f"{table}.{name}" for name in ItemRow._fields)
