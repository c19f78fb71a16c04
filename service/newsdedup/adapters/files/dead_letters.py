"""Files of dead letters: a line of JSON for each record that could not become an item.

A person can read, mend and replay them.
"""

import base64
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from newsdedup.adapters.files.inputs import InputPosition, read_lines
from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.ports.errors import InvalidItem, Rejection, SourceUnusable

NO_DEAD_LETTER = "not_a_dead_letter"


@dataclass(frozen=True, slots=True)
class LineDeadLetter:
    """A line that failed: where it was, the reason, and its bytes, as text where they are text."""

    input: str
    line: int
    offset: int
    code: str
    reason: str
    size: int
    text: str | None = None
    base64: str | None = None
    cut: bool = False
    """Whether only the beginning of the record is in the dead letter; its input has the rest."""

    @property
    def data(self) -> bytes:
        """Return the received or mended bytes; raise InvalidItem if their base64 is damaged."""
        if self.text is not None:
            return self.text.encode("utf-8", "surrogatepass")
        try:
            return base64.b64decode(self.base64 or "")
        except ValueError as error:
            raise InvalidItem(NO_DEAD_LETTER, f"not a dead letter: its base64: {error}") from error


def dead_letter_about(line: Line, rejection: Rejection) -> LineDeadLetter:
    """Return the dead letter about a line that failed."""
    try:
        content = {"text": line.data.decode()}
    except UnicodeDecodeError:
        content = {"base64": base64.b64encode(line.data).decode()}
    return LineDeadLetter(
        input=line.input,
        line=line.number,
        offset=line.offset,
        code=rejection.code,
        reason=rejection.reason,
        size=line.size,
        cut=len(line.data) < line.size,
        **content,
    )


def bury_line(line: Line, rejection: Rejection) -> bytes:
    """Return the dead letter about a line as a line of JSON, without fields that are None."""
    dead_letter = asdict(dead_letter_about(line, rejection))
    fields = {name: value for name, value in dead_letter.items() if value is not None}
    return msgspec.json.encode(fields) + b"\n"


def parse_dead_letter(line: Line) -> LineDeadLetter:
    """Return the dead letter in a line; for a line that holds none, a new dead letter about it."""
    try:
        return _decode_dead_letter(line.data)
    except InvalidItem as error:
        return dead_letter_about(line, error.rejection)


def unwrap_dead_letter(line: Line) -> Line | None:
    """Return the failed record in a dead letter, with its position in its own input.

    Return None for an empty line; raise InvalidItem if the line holds no dead letter.
    """
    if not line.data.strip():
        return None
    dead = _decode_dead_letter(line.data)
    data = dead.data
    size = dead.size if dead.cut else len(data)
    return Line(dead.input, dead.line, dead.offset, dead.offset + size, data, size)


def read_dead_letter_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a file of dead letters that are not blank, each whole."""
    for line in read_lines(str(path), InputPosition(), limit=longest_line(path), idle_seconds=0):
        if isinstance(line, Line) and line.data.strip():
            yield line


def longest_line(path: Path) -> int:
    """Return the size of a file in bytes, at least 1: a limit with which each line is read whole.

    Raise SourceUnusable if there is no such file.
    """
    if not path.is_file():
        raise SourceUnusable(f"{path}: there is no such file")
    return max(1, path.stat().st_size)


def holds_dead_letters(path: Path) -> bool:
    """Return whether a file is missing, empty, or begins with a dead letter."""
    with sink_errors(path):
        if not path.is_file():
            return True
        with path.open("rb") as file:
            first = next((line for line in file if line.strip()), b"")
    try:
        return not first or bool(_decode_dead_letter(first))
    except InvalidItem:
        return False


def _decode_dead_letter(data: bytes) -> LineDeadLetter:
    """Return the dead letter in a line; raise InvalidItem if it holds none."""
    try:
        return msgspec.json.decode(data, type=LineDeadLetter)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidItem(NO_DEAD_LETTER, f"not a dead letter: {error}") from error
    except RecursionError as error:
        raise InvalidItem(NO_DEAD_LETTER, "not a dead letter: nested too deep") from error
