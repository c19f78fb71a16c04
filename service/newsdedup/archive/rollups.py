"""Sums over items, kept by what each batch changes: volumes, copies, stories.

Each is a function of the rows of `items` alone; `newsdedup archive --check` counts them anew.
"""

import sqlite3
from bisect import bisect_right
from collections import Counter
from typing import Final

from newsdedup.archive.pending_rows import ItemRow
from newsdedup.archive.story_ranks import size_rank, speed_rank
from newsdedup.core.model import Micros
from newsdedup.core.moments import DAY, HOUR

SPAN_SECONDS: Final = (
    0, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800, 259_200,
)  # fmt: skip
"""Where the spans of the histogram of delays begin: span 0 is before the original, span 1 from 0 to
60 seconds, the last one is without end."""
UNKNOWN_SPAN: Final = -1
"""The span of copies whose original the archive does not have."""
_TABLES: Final = {
    "volumes": (("hour", "lang", "verdict"), ""),
    "source_volumes": (("source", "hour", "lang", "verdict"), ""),
    "source_days": (("source", "day", "verdict"), "links"),
    "copies": (("source", "original_source", "span", "day"), "delay"),
    "totals": (("kind", "name"), ""),
}
"""Tables of counts of items: the columns of the key, and a column of a further sum."""


def delay_span(delay: Micros | None) -> int:
    """Return the number of the span that a delay falls into; UNKNOWN_SPAN of None."""
    return UNKNOWN_SPAN if delay is None else bisect_right(SPAN_SECONDS, delay / 1_000_000)


class RollupChanges:
    """What a batch changes in the sums; `write` adds it to their tables."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[tuple[object, ...]]] = {name: Counter() for name in _TABLES}
        self._sums: dict[str, Counter[tuple[object, ...]]] = {name: Counter() for name in _TABLES}
        self._items: Counter[int] = Counter()
        self._duplicates: Counter[int] = Counter()
        self._sources: Counter[tuple[int, int]] = Counter()

    def add(self, before: ItemRow | None, after: ItemRow | None) -> None:
        """Take the counts of one row away, and add those of the row it becomes; None is no row."""
        if before is not None:
            self._count(before, -1)
        if after is not None:
            self._count(after, 1)

    def write(self, run: sqlite3.Connection) -> None:
        """Add the changes to the tables, whose rows of items must be written already."""
        for table in _TABLES:
            self._write_table(run, table)
        self._write_stories(run)

    def _count(self, row: ItemRow, sign: int) -> None:
        """Add an item to all counts if `sign` is 1, remove it if -1."""
        counts = self._counts
        hour, day = row.at // HOUR, row.at // DAY
        counts["volumes"][hour, row.lang, row.verdict] += sign
        counts["source_volumes"][row.source, hour, row.lang, row.verdict] += sign
        counts["source_days"][row.source, day, row.verdict] += sign
        self._sums["source_days"][row.source, day, row.verdict] += sign * row.links
        for kind in ("verdict", "relation", "lang", "category"):
            if name := getattr(row, kind):
                counts["totals"][kind, name] += sign
        self._items[row.story] += sign
        self._sources[row.story, row.source] += sign
        if row.verdict == "duplicate":
            self._duplicates[row.story] += sign
            copy = (row.source, row.original_source, delay_span(row.delay), day)
            counts["copies"][copy] += sign
            self._sums["copies"][copy] += sign * (row.delay or 0)

    def _write_table(self, run: sqlite3.Connection, table: str) -> None:
        """Add the changes to the rows of one table; delete rows whose count is 0 now."""
        key, column = _TABLES[table]
        counts, sums = self._counts[table], self._sums[table]
        changed = [
            (*at, count, *([sums[at]] if column else []))
            for at, count in counts.items()
            if count or sums[at]
        ]
        also = f", {column} = {column} + excluded.{column}" if column else ""
        placeholders = ", ".join("?" * (len(key) + (2 if column else 1)))
        run.executemany(
            f"INSERT INTO {table} VALUES ({placeholders}) ON CONFLICT ({', '.join(key)}) DO UPDATE"
            f" SET items = items + excluded.items{also}",
            changed,
        )
        where = " AND ".join(f"{name} = ?" for name in key)
        run.executemany(
            f"DELETE FROM {table} WHERE {where} AND items = 0",
            [at for at, count in counts.items() if count < 0],
        )

    def _write_stories(self, run: sqlite3.Connection) -> None:
        """Write the counts of stories, their first and last items; remove those without any."""
        appeared: Counter[int] = Counter()
        for (story, source), items in sorted(self._sources.items()):
            if not items:
                continue
            (now,) = run.execute(
                "INSERT INTO story_sources VALUES (?, ?, ?) ON CONFLICT (story, source)"
                " DO UPDATE SET items = items + excluded.items RETURNING items",
                (story, source, items),
            ).fetchone()
            if now == 0:
                run.execute(
                    "DELETE FROM story_sources WHERE story = ? AND source = ?", (story, source)
                )
            appeared[story] += (now > 0) - (now - items > 0)
        for story in sorted(self._items):
            changes = (self._items[story], self._duplicates[story], appeared[story])
            items, duplicates, sources, first, last = run.execute(
                _STORY, (*changes, story)
            ).fetchone()
            if items == 0:
                run.execute("DELETE FROM stories WHERE story = ?", (story,))
                continue
            ranks = (size_rank(items, sources, last), speed_rank(sources, first, last))
            run.execute(
                "UPDATE stories SET items = ?, duplicates = ?, sources = ?, first = ?, last = ?,"
                " by_size = ?, by_speed = ? WHERE story = ?",
                (items, duplicates, sources, first, last, *ranks, story),
            )


_STORY: Final = (
    "SELECT items + ?, duplicates + ?, sources + ?,"
    " (SELECT min(number) FROM items i WHERE i.story = s.story),"
    " (SELECT max(number) FROM items i WHERE i.story = s.story)"
    " FROM stories s WHERE story = ?"
)
"""A story with the changes of a batch added."""
_HOUR: Final = f"(at - ((at % {HOUR}) + {HOUR}) % {HOUR}) / {HOUR}"
_DAY: Final = f"(at - ((at % {DAY}) + {DAY}) % {DAY}) / {DAY}"
"""SQLite rounds quotients to 0, so the rest is subtracted first."""
_CATEGORIES: Final = (
    "SELECT 'category', category, count(*) FROM items WHERE category <> '' GROUP BY 2"
)
_RECOUNTS: Final = {
    "volumes": f"SELECT {_HOUR}, lang, verdict, count(*) FROM items GROUP BY 1, 2, 3",
    "source_volumes": f"SELECT source, {_HOUR}, lang, verdict, count(*) FROM items"
    " GROUP BY 1, 2, 3, 4",
    "source_days": f"SELECT source, {_DAY}, verdict, count(*), sum(links) FROM items"
    " GROUP BY 1, 2, 3",
    "copies": f"SELECT source, original_source, delay_span(delay), {_DAY}, count(*),"
    " sum(coalesce(delay, 0)) FROM items WHERE verdict = 'duplicate' GROUP BY 1, 2, 3, 4",
    "totals": "SELECT 'verdict', verdict, count(*) FROM items GROUP BY 2 UNION ALL"
    " SELECT 'relation', relation, count(*) FROM items GROUP BY 2 UNION ALL"
    " SELECT 'lang', lang, count(*) FROM items GROUP BY 2 UNION ALL " + _CATEGORIES,
    "story_sources": "SELECT story, source, count(*) FROM items GROUP BY 1, 2",
    "stories": "SELECT i.story, s.name, count(*), sum(i.verdict = 'duplicate'),"
    " count(DISTINCT i.source), min(i.number), max(i.number),"
    " size_rank(count(*), count(DISTINCT i.source), max(i.number)),"
    " speed_rank(count(DISTINCT i.source), min(i.number), max(i.number))"
    " FROM items i JOIN stories s ON s.story = i.story GROUP BY i.story",
}
"""The rows that each table of sums must have."""
_CONTENTS: Final = (
    "SELECT count(*) FROM items i LEFT JOIN contents c ON c.number = i.number"
    " WHERE c.number IS NULL"
)


def fill_new_sums(run: sqlite3.Connection) -> None:
    """Set what an older archive lacks: ranks of stories, and the items of each category."""
    _add_ranks(run)
    run.execute("DELETE FROM totals WHERE kind = 'category'")
    run.execute(f"INSERT INTO totals {_CATEGORIES}")
    run.execute(
        "UPDATE stories SET by_size = size_rank(items, sources, last),"
        " by_speed = speed_rank(sources, first, last)"
    )


def _add_ranks(run: sqlite3.Connection) -> None:
    """Define the SQL functions size_rank and speed_rank for a connection."""
    run.create_function("size_rank", 3, size_rank, deterministic=True)
    run.create_function("speed_rank", 3, speed_rank, deterministic=True)


def check_archive(run: sqlite3.Connection) -> list[str]:
    """Return messages about damage and about sums that differ from the items; [] if all is right.

    Raise sqlite3.DatabaseError if the index of words is damaged.
    """
    run.create_function("delay_span", 1, delay_span, deterministic=True)
    _add_ranks(run)
    wrong = [row[0] for row in run.execute("PRAGMA quick_check") if row[0] != "ok"]
    for table, recount in _RECOUNTS.items():
        for left, right in ((table, f"({recount})"), (f"({recount})", table)):
            (rows,) = run.execute(
                f"SELECT count(*) FROM (SELECT * FROM {left} EXCEPT SELECT * FROM {right})"
            ).fetchone()
            if rows:
                wrong.append(
                    f"{rows} rows of {table} are {'wrong' if left == table else 'missing'}"
                )
    if run.execute(_CONTENTS).fetchone()[0]:
        wrong.append("items without their event")
    run.execute("INSERT INTO word_index (word_index) VALUES ('integrity-check')")
    return wrong
