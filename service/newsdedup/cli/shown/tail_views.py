"""Events of the output topic as they come: as JSON, as lines, or as a table that grows."""

import json as encoder
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final, NamedTuple, TextIO

from rich.live import Live
from rich.table import Table

from newsdedup.adapters.formats.item_json import headline
from newsdedup.adapters.kafka.events import decode_event_record
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.cli.output import counted, printable_line, stdout_console
from newsdedup.core.events import ItemRef, Judgement, OriginalMoved
from newsdedup.ports.errors import InvalidItem

_NO_VALUE: Final = "-"
_KINDS: Final = {
    "original": "originals",
    "duplicate": "duplicates",
    "verdict.corrected": "corrected",
    "item.retracted": "retracted",
    "story.original_changed": "stories with another original",
    "": "no events",
}
_OTHER_LINES: Final = 4
"""Lines of a terminal that are not rows of the table."""


class EventRow(NamedTuple):
    """The cells of one event in a table; "-" where it has no value."""

    time: str
    event: str = _NO_VALUE
    verdict: str = _NO_VALUE
    relation: str = _NO_VALUE
    source: str = _NO_VALUE
    title: str = _NO_VALUE
    original: str = _NO_VALUE


def event_row(record: ReceivedRecord) -> EventRow:
    """Return the cells of a record: those of its event, or `no event` if it holds none."""
    time = record.seen_at.strftime("%m-%d %H:%M:%S") if record.seen_at else _NO_VALUE
    try:
        event = decode_event_record(record)
    except InvalidItem:
        event = None
    if event is None:
        return EventRow(time, "no event")
    payload = event.payload
    if isinstance(payload, OriginalMoved):
        title = f"before: {_item_name(payload.previous)}"
        return EventRow(time, payload.event, title=title, original=_item_name(payload.original))
    source, item = printable_line(payload.item.source), printable_line(payload.item.id)
    if not isinstance(payload, Judgement):
        return EventRow(time, payload.event, source=source, title=item)
    title = printable_line(headline(event.received)) or item
    original = "" if payload.verdict == "original" else _item_name(payload.story.original)
    words = (payload.event, payload.verdict, payload.relation, source, title, original or _NO_VALUE)
    return EventRow(time, *words)


def _item_name(item: ItemRef) -> str:
    """Return an item as "SOURCE ID", or only its id without a source."""
    return printable_line(f"{item.source} {item.id}".strip())


class LinesView:
    """Writes each record on a line: with `json` as received, else its cells as words."""

    def __init__(self, stream: TextIO, *, json: bool = False) -> None:
        self._stream, self._json = stream, json
        self._counts: Counter[str] = Counter()

    def show(self, batch: Sequence[ReceivedRecord]) -> None:
        """Count the records of a batch, write a line for each, and flush."""
        for record in batch:
            row = self._count(record)
            self._stream.write((_json_line(record) if self._json else "  ".join(row)) + "\n")
        self._stream.flush()

    def summary(self) -> str:
        """Return the counts of all records so far, as "3 events: 2 originals, 1 retracted"."""
        counts: Counter[str] = Counter()
        for kind, count in self._counts.items():
            counts[kind if kind in _KINDS else ""] += count
        parts = [f"{counts[kind]:,} {words}" for kind, words in _KINDS.items() if counts[kind]]
        return f"{counted(counts.total(), 'event')}: {', '.join(parts) or 'nothing came'}"

    def close(self) -> None:
        """Do nothing; other views stop drawing."""

    def _count(self, record: ReceivedRecord) -> EventRow:
        """Count a record by its verdict or event; return its cells."""
        row = event_row(record)
        self._counts[row.verdict if row.event == "item.judged" else row.event] += 1
        return row


class TableView(LinesView):
    """A table of the newest events, as high as the terminal."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        console = stdout_console()
        self._rows: deque[EventRow] = deque(maxlen=max(1, console.height - _OTHER_LINES))
        self._live = Live(console=console, auto_refresh=False, redirect_stderr=False)
        self._live.start()

    def show(self, batch: Sequence[ReceivedRecord]) -> None:
        """Count the records of a batch, add them to the end of the table, and draw it."""
        for record in batch:
            self._rows.append(self._count(record))
        if batch:
            self._live.update(_table(self._rows, self.summary()), refresh=True)

    def close(self) -> None:
        """Stop drawing; the table stays on the terminal as it was drawn last."""
        self._live.stop()


def choose_view(stream: TextIO, *, json: bool) -> LinesView:
    """Return the view for a stream: JSON if `json`, else a table on a terminal, lines elsewhere."""
    return TableView(stream) if stream.isatty() and not json else LinesView(stream, json=json)


def _json_line(record: ReceivedRecord) -> str:
    """Return the value of a record on one line, as a JSON string if it is not UTF-8."""
    value = record.value or b"null"
    try:
        return value.decode().replace("\n", " ").replace("\r", " ")
    except UnicodeDecodeError:
        return encoder.dumps(value.decode("utf-8", "backslashreplace"))


def _table(rows: Sequence[EventRow], caption: str) -> Table:
    """Return the table of the rows, with the caption below it."""
    table = Table(pad_edge=False, box=None, expand=True, caption=caption, caption_justify="left")
    for heading in EventRow._fields:
        ratio = {"title": 3, "original": 1}.get(heading)
        table.add_column(heading, no_wrap=True, overflow="ellipsis", ratio=ratio)
    for row in rows:
        style = "bold" if row.verdict == "original" else None
        table.add_row(*row, style=style if row.event == "item.judged" else "yellow")
    return table
