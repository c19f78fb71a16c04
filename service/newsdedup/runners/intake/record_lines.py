"""Records that stand in no file, as the lines that decoders read."""

from collections.abc import Sequence

from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.files.paths import STDIO


def record_lines(records: Sequence[bytes], *, before: int = 0) -> list[Line]:
    """Return records as lines of standard input, numbered from `before` + 1 on."""
    return [
        Line(STDIO, number, 0, len(data) + 1, data, len(data))
        for number, data in enumerate(records, before + 1)
    ]
