"""Applies files of events to an archive, each from the position that was read last."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

import msgspec

from newsdedup.adapters.files.inputs import (
    InputPosition,
    is_stream,
    position_key,
    read_lines,
    resume_position,
)
from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.archive.event_lines import EventUnreadable, read_event_line
from newsdedup.archive.writer import ArchiveWriter

EVENT_LINES: Final = 500
"""Lines of a batch: each is a transaction."""
_LINE_BYTES: Final = 64 * 2**20
"""An item may have 16 MiB, and its verdict some more."""
_IDLE_SECONDS: Final = 0.2
_POSITION: Final = msgspec.json.Decoder(InputPosition)


def follow_file(
    archive: ArchiveWriter, name: str, *, until: int | None = None
) -> Iterator[Counter[str]]:
    """Apply the events of a file from the position on that the archive has stored for it.

    A file that was replaced by another one is read from its beginning. Yield the counts of each
    committed batch, with `lines`. A last line that is only half written is left for the next time;
    `until` is the offset where reading ends, None for the end of the file. A stream is read to its
    end, and has no position. Raise SourceUnusable if the file cannot be read, and what `apply`
    raises.
    """
    stored = archive.position(position_key(name))
    known = {} if stored is None else {position_key(name): _POSITION.decode(stored)}
    start = resume_position(name, known)
    if until is not None and start.offset >= until:
        return
    lines = read_lines(name, start, limit=_LINE_BYTES, idle_seconds=_IDLE_SECONDS)
    for batch in _batches(lines, until):
        last = batch[-1]
        reached = replace(start, offset=last.end, line=last.number, in_line=last.is_open)
        position = (position_key(name), msgspec.json.encode(reached).decode())
        counts = archive.apply(
            (line.data if line.size == len(line.data) else b"" for line in batch),
            () if is_stream(name) else (position,),
        )
        counts["lines"] = len(batch)
        yield counts


def _batches(lines: Iterable[Line | Idle], until: int | None) -> Iterator[list[Line]]:
    """Yield lines in batches of up to EVENT_LINES; a stream that is silent ends one.

    It ends before a line that goes beyond the offset `until`, or is only half written.
    """
    batch: list[Line] = []
    for line in lines:
        if isinstance(line, Line):
            if (until is not None and line.end > until) or (line.is_open and not _is_event(line)):
                break
            batch.append(line)
        if batch and (isinstance(line, Idle) or len(batch) == EVENT_LINES):
            yield batch
            batch = []
    if batch:
        yield batch


def _is_event(line: Line) -> bool:
    try:
        read_event_line(line.data)
    except EventUnreadable:
        return False
    return True
