"""Events as they come: as the bytes they are, as lines, or as a table that grows."""

import json as encoder
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TextIO

from newsdedup.adapters.formats.item_json import headline
from newsdedup.adapters.kafka.events import PublishedEvent, decode_event_record
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.cli.shown.output import printable_line, stdout_console
from newsdedup.core.events import ItemRef, Judgement, OriginalMoved
from newsdedup.ports.errors import InvalidItem

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


NOTHING: Final = "-"
SEVERAL: Final = (
    ("original", "originals"),
    ("duplicate", "duplicates"),
    ("verdict.corrected", "corrected"),
    ("item.retracted", "retracted"),
    ("story.original_changed", "stories with another original"),
    ("", "no events"),
)


class EventRow(NamedTuple):
    """One event in words."""

    time: str
    event: str = NOTHING
    verdict: str = NOTHING
    relation: str = NOTHING
    source: str = NOTHING
    title: str = NOTHING
    original: str = NOTHING


def event_row(record: ReceivedRecord) -> EventRow:
    """Return what a record says; of one that is no event only that."""
    written = record.seen_at.strftime("%m-%d %H:%M:%S") if record.seen_at else NOTHING
    found = decode_event(record)
    if found is None:
        return EventRow(written, "no event")
    said = found.payload
    if isinstance(said, OriginalMoved):
        title = f"before: {_named(said.previous)}"
        return EventRow(written, said.event, title=title, original=_named(said.original))
    source = printable_line(said.item.source)
    if not isinstance(said, Judgement):
        return EventRow(written, said.event, source=source, title=printable_line(said.item.id))
    title = printable_line(headline(found.received)) or printable_line(said.item.id)
    own = said.verdict == "original"
    original = "" if own else _named(said.story.original)
    return EventRow(
        written, said.event, said.verdict, said.relation, source, title, original or NOTHING
    )


def decode_event(record: ReceivedRecord) -> PublishedEvent | None:
    """Return the event of a record, None if it holds none."""
    try:
        return decode_event_record(record)
    except InvalidItem:
        return None


def as_it_came(record: ReceivedRecord) -> str:
    """Return a record as one line of JSON; bytes that are no text as a string."""
    value = record.value or b"null"
    try:
        return value.decode().replace("\n", " ").replace("\r", " ")
    except UnicodeDecodeError:
        return encoder.dumps(value.decode("utf-8", "backslashreplace"))


def count_event(counts: Counter[str], row: EventRow) -> None:
    """Count an event: first verdicts by verdict, others by what they are."""
    known = dict(SEVERAL)
    kind = row.verdict if row.event == "item.judged" else row.event
    counts[kind if kind in known else ""] += 1


def count_sentence(counts: Mapping[str, int]) -> str:
    """Return what was counted."""
    parts = [f"{counts[kind]:,} {words}" for kind, words in SEVERAL if counts.get(kind)]
    return f"{sum(counts.values()):,} events: {', '.join(parts) or 'nothing came'}"


def _named(item: ItemRef) -> str:
    return printable_line(f"{item.source} {item.id}".strip())


AROUND: Final = 4
"""Lines of a terminal that are not rows."""


class EventView(Protocol):
    """What shows events."""

    def show(self, batch: Sequence[ReceivedRecord]) -> None:
        """Show some more."""
        ...

    def summary(self) -> str:
        """Return in a line what was shown."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was."""
        ...


def choose_view(stream: TextIO, *, json: bool) -> EventView:
    """Return how events are shown on an output."""
    if json:
        return LineView(stream, lambda record, _: as_it_came(record))
    if stream.isatty():
        return TableView(stdout_console())
    return LineView(stream, lambda _, told: "  ".join(told))


class LineView:
    """A line for each event."""

    def __init__(self, stream: TextIO, line: Callable[[ReceivedRecord, EventRow], str]) -> None:
        self._stream = stream
        self._line = line
        self._counts: Counter[str] = Counter()

    def show(self, batch: Sequence[ReceivedRecord]) -> None:
        """Write some lines, at once for whoever reads them."""
        for record in batch:
            told = event_row(record)
            count_event(self._counts, told)
            self._stream.write(self._line(record, told) + "\n")
        self._stream.flush()

    def summary(self) -> str:
        """Return in a line what was shown."""
        return count_sentence(self._counts)

    def close(self) -> None:
        """Leave everything as it is."""


class TableView:
    """A table of the newest events, as high as the terminal."""

    def __init__(self, console: "Console") -> None:
        from rich.live import Live

        self._counts: Counter[str] = Counter()
        self._rows: deque[EventRow] = deque(maxlen=max(1, console.height - AROUND))
        self._live = Live(console=console, auto_refresh=False, redirect_stderr=False)
        self._live.start()

    def show(self, batch: Sequence[ReceivedRecord]) -> None:
        """Draw the table with some more events at its end."""
        if not batch:
            return
        for record in batch:
            told = event_row(record)
            count_event(self._counts, told)
            self._rows.append(told)
        self._live.update(_table(self._rows, count_sentence(self._counts)), refresh=True)

    def summary(self) -> str:
        """Return in a line what was shown."""
        return count_sentence(self._counts)

    def close(self) -> None:
        """Leave the table as it was drawn last."""
        self._live.stop()


def _table(rows: Sequence[EventRow], caption: str) -> "Table":
    from rich.table import Table

    table = Table(pad_edge=False, box=None, expand=True, caption=caption, caption_justify="left")
    for heading in EventRow._fields:
        ratio = {"title": 3, "original": 1}.get(heading)
        table.add_column(heading, no_wrap=True, overflow="ellipsis", ratio=ratio)
    for told in rows:
        table.add_row(*told, style=_style(told))
    return table


def _style(told: EventRow) -> str | None:
    if told.event != "item.judged":
        return "yellow"
    return "bold" if told.verdict == "original" else None
