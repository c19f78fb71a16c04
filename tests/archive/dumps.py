"""All that an archive holds, without what depends on the order of arrival."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import zip_longest
from pathlib import Path

from newsdedup.archive.event_lines import ContentCodec

ITEMS = (
    "SELECT o.name, i.id, i.epoch, i.n, i.at, i.verdict, i.relation, i.score, i.lang, i.decided_by,"
    " i.late, i.version, s.name, p.name, i.original_id, m.name, i.matched_id, i.delay, i.links,"
    " i.title, i.url, i.category, c.event FROM items i JOIN sources o USING (source)"
    " JOIN stories s ON s.story = i.story JOIN sources p ON p.source = i.original_source"
    " LEFT JOIN sources m ON m.source = i.matched_source JOIN contents c ON c.number = i.number"
    " ORDER BY 1, 2"
)
_OTHERS = """
SELECT o.name, r.id, r.epoch, r.n, r.standing FROM revisions r JOIN sources o USING (source);
SELECT o.name, t.id, t.epoch, t.n FROM tombstones t JOIN sources o USING (source);
SELECT s.name, s.items, s.duplicates, s.sources, f.at, l.at, s.by_size - s.last FROM stories s
    JOIN items f ON f.number = s.first JOIN items l ON l.number = s.last;
SELECT s.name, o.name, x.items FROM story_sources x JOIN stories s USING (story)
    JOIN sources o ON o.source = x.source;
SELECT * FROM volumes;
SELECT o.name, v.hour, v.lang, v.verdict, v.items FROM source_volumes v JOIN sources o
    USING (source);
SELECT o.name, v.day, v.verdict, v.items, v.links FROM source_days v JOIN sources o
    USING (source);
SELECT c.day, o.name, p.name, c.span, c.items, c.delay FROM copies c
    JOIN sources o USING (source) JOIN sources p ON p.source = c.original_source;
SELECT * FROM totals;
SELECT o.name, e.id, e.version, e.epoch, e.n, e.text FROM earlier_texts e JOIN sources o
    USING (source);
SELECT coalesce((SELECT name FROM sources WHERE term = 'source' || source), term), doc
    FROM words WHERE doc > 0
"""


_PACKED = "earlier_texts"
"""The table besides that of items whose last column is packed with the archive's dictionary."""
DICTIONARY = "SELECT value FROM meta WHERE name = 'dictionary'"
TABLES = ("items", "revisions", "tombstones", "stories", "story_sources", "volumes")
TABLES += ("source_volumes", "source_days", "copies", "totals", "earlier texts", "words")
"""What the queries above are about, in their order."""


def differing_tables(one: Path, other: Path) -> list[str]:
    """Return what two archives differ in; their rows are compared one by one, in a total order."""
    with ExitStack() as stack:
        archives = [stack.enter_context(_opened(path)) for path in (one, other)]
        queries = zip(TABLES, (ITEMS, *_OTHERS.split(";")), strict=True)
        return [
            table
            for table, query in queries
            if any(left != right for left, right in zip_longest(*map(_in_order(query), archives)))
        ]


def _in_order(query: str) -> Callable[[sqlite3.Connection], Iterator[tuple[object, ...]]]:
    """Return what yields the rows of a query, ordered by all their columns; contents unpacked."""

    def rows(connection: sqlite3.Connection) -> Iterator[tuple[object, ...]]:
        (dictionary,) = connection.execute(DICTIONARY).fetchone()
        unpack = ContentCodec(dictionary).unpack
        columns = len(connection.execute(f"{query} LIMIT 0").description)
        order = ", ".join(str(number) for number in range(1, columns + 1))
        if query is ITEMS:
            return ((*row[:-1], unpack(row[-1])) for row in connection.execute(query))
        if _PACKED in query:
            unpacked = ((*row[:-1], unpack(row[-1])) for row in connection.execute(query))
            return iter(sorted(unpacked))
        ordered = f"SELECT * FROM ({query}) ORDER BY {order}"  # noqa: S608 - the queries above
        return connection.execute(ordered)

    return rows


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, word_index, row)")
        yield connection


def dump(path: Path) -> list[list[tuple[object, ...]]]:
    with _opened(path) as connection:
        (dictionary,) = connection.execute(DICTIONARY).fetchone()
        unpack = ContentCodec(dictionary).unpack

        def rows(query: str) -> Iterator[tuple[object, ...]]:
            """Yield the rows of a query, what is packed in them unpacked."""
            is_packed = query is ITEMS or _PACKED in query
            for row in connection.execute(query):
                yield (*row[:-1], unpack(row[-1])) if is_packed else row

        others = (sorted(rows(query), key=repr) for query in _OTHERS.split(";"))
        return [list(rows(ITEMS)), *others]
