"""An event of the output topic in words, for a line or a row."""

import json as encoder
from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

from newsdedup.adapters.formats.item_json import headline
from newsdedup.adapters.kafka.published import Published, published
from newsdedup.adapters.kafka.records import Received
from newsdedup.cli.shown.output import printable
from newsdedup.core.events import ItemRef, Judgement, OriginalMoved
from newsdedup.ports.errors import InvalidItem

NOTHING: Final = "-"
SEVERAL: Final = (
    ("original", "originals"),
    ("duplicate", "duplicates"),
    ("verdict.corrected", "corrected"),
    ("item.retracted", "retracted"),
    ("story.original_changed", "stories with another original"),
    ("", "no events"),
)


class Row(NamedTuple):
    """One event in words."""

    time: str
    event: str = NOTHING
    verdict: str = NOTHING
    relation: str = NOTHING
    source: str = NOTHING
    title: str = NOTHING
    original: str = NOTHING


def row(record: Received) -> Row:
    """Return what a record says; of one that is no event only that."""
    written = record.seen_at.strftime("%m-%d %H:%M:%S") if record.seen_at else NOTHING
    found = event(record)
    if found is None:
        return Row(written, "no event")
    said = found.payload
    if isinstance(said, OriginalMoved):
        title = f"before: {_named(said.previous)}"
        return Row(written, said.event, title=title, original=_named(said.original))
    source = printable(said.item.source)
    if not isinstance(said, Judgement):
        return Row(written, said.event, source=source, title=printable(said.item.id))
    title = printable(headline(found.received)) or printable(said.item.id)
    own = said.verdict == "original"
    original = "" if own else _named(said.story.original)
    return Row(written, said.event, said.verdict, said.relation, source, title, original or NOTHING)


def event(record: Received) -> Published | None:
    """Return the event of a record, None if it holds none."""
    try:
        return published(record)
    except InvalidItem:
        return None


def as_it_came(record: Received) -> str:
    """Return a record as one line of JSON; bytes that are no text as a string."""
    value = record.value or b"null"
    try:
        return value.decode().replace("\n", " ").replace("\r", " ")
    except UnicodeDecodeError:
        return encoder.dumps(value.decode("utf-8", "backslashreplace"))


def counted(counts: Counter[str], row: Row) -> None:
    """Count an event: first verdicts by verdict, others by what they are."""
    known = dict(SEVERAL)
    kind = row.verdict if row.event == "item.judged" else row.event
    counts[kind if kind in known else ""] += 1


def in_words(counts: Mapping[str, int]) -> str:
    """Return what was counted."""
    parts = [f"{counts[kind]:,} {words}" for kind, words in SEVERAL if counts.get(kind)]
    return f"{sum(counts.values()):,} events: {', '.join(parts) or 'nothing came'}"


def _named(item: ItemRef) -> str:
    return printable(f"{item.source} {item.id}".strip())
