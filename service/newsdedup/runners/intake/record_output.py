"""Where records go that are fetched or imported: a file, standard output, Kafka, or an engine.

A record is the JSON of an item or a command (docs/items.md) without a line end, and in no file.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.files.paths import STDIO

_encode_json = msgspec.json.Encoder().encode


class RecordOutput(Protocol):
    """What takes records; what it has taken survives the process.

    Laws, checked for every kind by tests/laws/test_record_outputs.py: after `write` returns all of
    the records are there, in their order; what was written before a kill at any moment stays, and
    writing records again does no harm, as their ids are the same.
    """

    async def write(self, records: Sequence[bytes]) -> list[int]:
        """Return, when all others are durable, the indexes of records too large for this output.

        Raise SinkUnusable or Unavailable if they are not; some of them may be written then. After
        Unavailable the same list may be written again.
        """
        ...

    async def close(self) -> None:
        """Release files and connections."""
        ...


def record_json(record: object) -> bytes:
    """Return the JSON of an item or a command; the order of its fields is kept."""
    return _encode_json(record)


def record_lines(records: Sequence[bytes], *, before: int = 0) -> list[Line]:
    """Return records as decoders read them: lines of standard input, numbered from `before` + 1."""
    return [
        Line(STDIO, number, 0, len(data) + 1, data, len(data))
        for number, data in enumerate(records, before + 1)
    ]
