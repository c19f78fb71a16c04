"""Lines of files to items and commands, bare or inside dead letters, and events to lines.

A file of dead letters has a line of JSON for each record that could not become an item: a person
can read, mend and replay them.
"""

import base64
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import msgspec

from newsdedup.adapters.files.inputs import InputPosition, read_lines
from newsdedup.adapters.files.json_values import InputRecord
from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.adapters.files.paths import STDIO
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.event_json import encode_event
from newsdedup.adapters.formats.json_object import Limits
from newsdedup.core.events import Event
from newsdedup.core.model import NewsItem
from newsdedup.core.stories.commands import Command
from newsdedup.ports.errors import InvalidItem, Rejection, SourceUnusable
from newsdedup.ports.streams import Decoded, Decoder

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
    """Return the dead letter about a failed line, with its bytes as text, else as base64."""
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
    """Yield the lines of dead letters in a file; raise SourceUnusable if it cannot be read."""
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
    """Return whether a file is absent, empty, or of dead letters; or raise SinkUnusable."""
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


class LineDecoder:
    """Decodes lines that hold one item or command each, as JSON."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def decode(self, line: Line) -> Decoded:
        """Return the item or command of a line with its bytes; raise InvalidItem if it holds none.

        A blank line holds nothing, and is no error.
        """
        if not line.data or line.data.isspace():
            return Decoded(None)
        return Decoded(self.content(line), line.data)

    def content(self, line: Line) -> NewsItem | Command:
        """Return the item or command of a line; raise InvalidItem for none, or one too long."""
        if isinstance(line, InputRecord) and line.rejection is not None:
            raise InvalidItem(line.rejection.code, line.rejection.reason)
        if line.size > self._limits.line_bytes:
            raise InvalidItem(
                "too_long", f"the line has {line.size} bytes; {self._limits.line_bytes} are allowed"
            )
        source = _source_of(line.input)
        return item_json.decode_item(line.data, limits=self._limits, source=source)

    def dead_letter(self, line: Line, rejection: Rejection) -> bytes:
        """Return the dead letter about a line that was rejected."""
        return bury_line(line, rejection)


class DeadLetterDecoder:
    """Decodes the records inside dead letters, one dead letter a line."""

    def __init__(self, records: Decoder[Line]) -> None:
        self._records = records

    def decode(self, line: Line) -> Decoded:
        """Return the item or command in a dead letter; raise InvalidItem if it is cut or broken."""
        record = unwrap_dead_letter(line)
        if record is None:
            return Decoded(None)
        if len(record.data) < record.size:
            raise InvalidItem(
                "cut",
                f"only {len(record.data)} of {record.size} bytes are in the dead letter; put the "
                'whole record into "text" and take "cut" out, or feed it from its input',
            )
        return self._records.decode(record)

    def dead_letter(self, line: Line, rejection: Rejection) -> bytes:
        """Return the dead letter about the same record again, with the reason of this replay.

        The dead letter names the record's line in its own input, not in the file of dead letters.
        A line that is no dead letter, such as a badly mended one, is returned unchanged.
        """
        if rejection.code == NO_DEAD_LETTER:
            return line.data.rstrip(b"\r\n") + b"\n"
        try:
            record = unwrap_dead_letter(line) or line
        except InvalidItem:
            record = line
        return bury_line(record, rejection)


def event_line(event: Event) -> bytes:
    """Return an event as a line of JSON with a line feed: the item as received, and the verdict."""
    return encode_event(event) + b"\n"


@lru_cache(maxsize=256)
def _source_of(name: str) -> str:
    """Return the source of items that name none: the input file without folder and suffixes."""
    return "" if name == STDIO else Path(name).name.partition(".")[0]
