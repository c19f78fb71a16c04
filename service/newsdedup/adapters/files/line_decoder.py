"""Lines of files to items and commands, bare or inside dead letters, and events to lines."""

from functools import lru_cache
from pathlib import Path

from newsdedup.adapters.files.dead_letters import NO_DEAD_LETTER, bury_line, unwrap_dead_letter
from newsdedup.adapters.files.json_values import InputRecord
from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.files.paths import STDIO
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.formats.event_json import encode_event
from newsdedup.adapters.formats.json_object import Limits
from newsdedup.core.events import Event
from newsdedup.core.model import NewsItem
from newsdedup.core.stories.commands import Command
from newsdedup.ports.errors import InvalidItem, Rejection
from newsdedup.ports.streams import Decoded, Decoder


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
