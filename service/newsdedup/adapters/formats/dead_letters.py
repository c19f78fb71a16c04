"""Records that could not become items, as lines that a person can read, mend and replay."""

import base64
import contextlib
from dataclasses import asdict, dataclass

import msgspec

from newsdedup.adapters.files.lines import Line
from newsdedup.ports.errors import InvalidItem


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
