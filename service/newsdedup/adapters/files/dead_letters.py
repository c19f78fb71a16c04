"""A file of dead letters, read again: to be looked at, or as an input to be replayed."""

import base64
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from newsdedup.adapters.files.inputs import InputPosition, read_lines
from newsdedup.adapters.files.lines import Line
from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.core.model import NewsItem
from newsdedup.core.stories.acts import Act
from newsdedup.ports.errors import InvalidItem, SourceUnusable


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One record with its place, the reason, and its bytes: as text where they are text."""

    input: str
    line: int
    offset: int
    code: str
    reason: str
    size: int
    text: str | None = None
    base64: str | None = None
    cut: bool = False
    """Whether only the beginning of the record is kept; its place tells where the rest is."""


def letter_about(line: Line, error: InvalidItem) -> DeadLetter:
    """Return the letter about a line."""
    text = None
    with contextlib.suppress(UnicodeDecodeError):
        text = line.data.decode()
    return DeadLetter(
        input=line.input,
        line=line.number,
        offset=line.offset,
        code=error.code,
        reason=str(error),
        size=line.size,
        text=text,
        base64=None if text is not None else base64.b64encode(line.data).decode(),
        cut=len(line.data) < line.size,
    )


def encode_letter(letter: DeadLetter) -> bytes:
    """Return a letter as one line, without what it does not have."""
    fields = {name: value for name, value in asdict(letter).items() if value is not None}
    return msgspec.json.encode(fields) + b"\n"


def decode_letter(line: bytes) -> DeadLetter:
    """Return the letter of a line; raise InvalidItem if it is none."""
    try:
        return msgspec.json.decode(line, type=DeadLetter)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InvalidItem("not_a_letter", f"not a dead letter: {error}") from error


def letter_bytes(letter: DeadLetter) -> bytes:
    """Return the bytes that were received, or as somebody mended them."""
    if letter.text is not None:
        return letter.text.encode("utf-8", "surrogatepass")
    return base64.b64decode(letter.base64 or "")


NOT_A_LETTER = "not_a_letter"


def read_letter_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a file of letters that hold anything, each whole."""
    for line in read_lines(str(path), InputPosition(), limit=longest_line(path), idle_seconds=0):
        if isinstance(line, Line) and line.data.strip():
            yield line


def longest_line(path: Path) -> int:
    """Return a length that no line of a file exceeds: none of its bytes may be lost."""
    if not path.is_file():
        raise SourceUnusable(f"{path}: there is no such file")
    return max(1, path.stat().st_size)


def holds_letters(path: Path) -> bool:
    """Return whether a file holds nothing but dead letters, as far as its first line tells."""
    with sink_errors(path):
        if not path.is_file():
            return True
        with path.open("rb") as file:
            first = next((line for line in file if line.strip()), b"")
    try:
        return not first or bool(_opened(first))
    except InvalidItem:
        return False


def letter_of_line(line: Line) -> DeadLetter:
    """Return the letter of a line; what is none, perhaps badly mended, as a letter about that."""
    try:
        return _opened(line.data)
    except InvalidItem as error:
        return letter_about(line, error)


def unwrap_letter(line: Line) -> Line | None:
    """Return the record that a letter is about, at its own place in its own input.

    None for an empty line; raise InvalidItem if the line holds no letter.
    """
    if not line.data.strip():
        return None
    found = _opened(line.data)
    data = contained(found)
    size = found.size if found.cut else len(data)
    return Line(found.input, found.line, found.offset, found.offset + size, data, size)


def contained(found: DeadLetter) -> bytes:
    """Return the bytes in a letter; raise InvalidItem if somebody broke their base64."""
    try:
        return letter_bytes(found)
    except ValueError as error:
        raise InvalidItem(NOT_A_LETTER, f"not a dead letter: its base64: {error}") from error


def refuse_cut_records(
    decode: Callable[[Line], NewsItem | Act],
) -> Callable[[Line], NewsItem | Act]:
    """Return the decoder that takes no record of which only the beginning is kept."""

    def decoded_whole(line: Line) -> NewsItem | Act:
        if len(line.data) < line.size:
            raise InvalidItem(
                "cut",
                f"only {len(line.data)} of {line.size} bytes are in the letter; put the whole "
                'record into "text" and take "cut" out, or feed it from its input',
            )
        return decode(line)

    return decoded_whole


def rebury(line: Line, error: InvalidItem) -> bytes:
    """Return the line about a letter that failed again; one that is no letter stays as it is."""
    if error.code == NOT_A_LETTER:
        return line.data.rstrip(b"\r\n") + b"\n"
    return encode_letter(letter_about(line, error))


def _opened(data: bytes) -> DeadLetter:
    try:
        return decode_letter(data)
    except RecursionError as error:
        raise InvalidItem(NOT_A_LETTER, "not a dead letter: nested too deep") from error
