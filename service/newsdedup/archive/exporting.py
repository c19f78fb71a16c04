"""The events of an archive as a table: the newest of each item, in the order of time."""

from collections.abc import Iterator
from typing import Any, Final, Literal

from newsdedup.archive.event_lines import item_of_event
from newsdedup.archive.summaries import ArchiveQueries, in_snapshot
from newsdedup.core.moments import to_datetime

_NAMES: Final = (
    "at source id title text url lang category verdict relation score delay_seconds late decided_by"
    " story original_source original_id matched_source matched_id version epoch n"
)
_KINDS: Final[dict[str, Literal["text", "count", "number", "flag", "moment"]]] = {
    "at": "moment",
    "score": "number",
    "delay_seconds": "number",
    "late": "flag",
    "epoch": "count",
    "n": "count",
}
EVENT_COLUMNS: Final = {name: _KINDS.get(name, "text") for name in _NAMES.split()}
"""The kind of each column by its name."""
_A_PAGE: Final = 500
_ROWS: Final = (
    "SELECT i.number, i.at, o.name, i.id, i.title, i.url, i.lang, i.category, i.verdict,"
    " i.relation, i.score, i.delay, i.late, i.decided_by, s.name, p.name, i.original_id, m.name,"
    " i.matched_id, i.version, i.epoch, i.n, c.event FROM items i"
    " JOIN contents c ON c.number = i.number JOIN sources o ON o.source = i.source"
    " JOIN stories s ON s.story = i.story JOIN sources p ON p.source = i.original_source"
    " LEFT JOIN sources m ON m.source = i.matched_source"
    " WHERE i.number > ? ORDER BY i.number LIMIT ?"
)


class ArchiveExport(ArchiveQueries):
    """A read-only connection to an archive, for all of its events; another process may write it.

    Raise StateUnusable where the file is damaged.
    """

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the columns of EVENT_COLUMNS for each item, in the order of time.

        Each 500 are of one committed state: what is written meanwhile may be in them or not.
        """
        after = -(2**63)
        while page := self._rows_after(after):
            for row in page:
                yield self._columns(row)
            after = page[-1][0]

    @in_snapshot
    def inputs(self) -> list[str]:
        """Return the names of what the archive was read from: the paths of files, and topics."""
        return [name for (name,) in self._connection.execute("SELECT name FROM positions")]

    @in_snapshot
    def _rows_after(self, number: int) -> list[tuple[Any, ...]]:
        return self._connection.execute(_ROWS, (number, _A_PAGE)).fetchall()

    def _columns(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        _, at, source, item_id, title, url, lang, category, verdict, relation, score, *rest = row
        delay, late, *origin, event = rest
        seconds = None if delay is None else delay / 1_000_000
        text = item_of_event(self._codec.unpack(event)).text
        named = (source, item_id, title, text, url, lang, category, verdict, relation, score)
        return to_datetime(at), *named, seconds, bool(late), *origin
