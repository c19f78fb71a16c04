"""Files, folders and standard input as streams of lines that can be resumed."""

import hashlib
import os
import select
import sys
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import zstandard

from newsdedup.adapters.files.lines import CHUNK, Idle, Line, ReadBytes, read_packed, split_lines
from newsdedup.adapters.files.paths import STDIO, FileIdentity, file_identity, list_files
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable

_PACKED_SUFFIXES = (".gz", ".zst")
JSON_SUFFIXES = (
    *(".jsonl", ".ndjson", ".json"),
    *(kind + packed for packed in _PACKED_SUFFIXES for kind in (".jsonl", ".ndjson")),
)
_PREFIX_BYTES = 4096


@dataclass(frozen=True, slots=True)
class InputPosition:
    """How far an input is read: the next byte of its content, the lines before it."""

    offset: int = 0
    line: int = 0
    head: str = ""
    """Length and hash of its first bytes, to notice another file under the same name."""
    in_line: bool = False
    """Whether the last line that was read had no end yet."""


def expand_inputs(
    items: Iterable[str],
    *,
    suffixes: tuple[str, ...] = JSON_SUFFIXES,
    own: Container[FileIdentity] = (),
) -> list[str]:
    """Return the inputs that files, folders and `-` mean: of a folder its files, sorted.

    Those are the files with these suffixes, without the ones that the run writes itself (`own`).
    Raise SourceUnusable for what is missing or empty, SettingsInvalid for an input named twice.
    """
    inputs: list[str] = []
    for item in items:
        path = Path(item)
        with source_errors(item):
            if item == STDIO or path.is_file() or is_pipe(path):
                inputs.append(item)
                continue
            if not path.is_dir():
                raise SourceUnusable(f"{item}: there is no such file or folder")
        files = list_files(path, lambda name: name.lower().endswith(suffixes))
        inside = [str(file) for file in files if file_identity(file) not in own]
        if not inside:
            others = "`newsdedup import` reads other formats, as saved feeds"
            raise SourceUnusable(f"{path}: no files in it end in {', '.join(suffixes)}; {others}")
        inputs += inside
    if len(set(inputs)) != len(inputs):
        raise SettingsInvalid("an input is named twice: name each once")
    return inputs


def is_pipe(path: Path) -> bool:
    """Return whether a path is a named pipe or a device, whose bytes can be read only once."""
    return path.is_fifo() or path.is_char_device()


def is_stream(name: str) -> bool:
    """Return whether reading may wait for a writer: from standard input, pipes and devices."""
    return name == STDIO or not Path(name).is_file()


def position_key(name: str) -> str:
    """Return the key of an input in stored positions: its absolute path, or `-`."""
    return name if name == STDIO else str(Path(name).absolute())


def hash_prefix(name: str, *, length: int = _PREFIX_BYTES) -> str:
    """Return BYTES:HASH of the first `length` bytes, "" for a stream; or raise SourceUnusable."""
    if is_stream(name):
        return ""
    with source_errors(name), Path(name).open("rb") as file:
        first = file.read(length)
    return f"{len(first)}:{hashlib.sha256(first).hexdigest()[:16]}"


def resume_position(name: str, positions: Mapping[str, InputPosition]) -> InputPosition:
    """Return an input's stored position; its beginning if it has none, was replaced or cut.

    Raise SourceUnusable if the input cannot be read.
    """
    before = positions.get(position_key(name))
    if before is not None and before.head:
        length = int(before.head.partition(":")[0])
        is_same = hash_prefix(name, length=length) == before.head
        is_plain = not name.lower().endswith(_PACKED_SUFFIXES)
        if is_same and not (is_plain and Path(name).stat().st_size < before.offset):
            return before
    return InputPosition(head=hash_prefix(name))


def read_lines(
    name: str, start: InputPosition, *, limit: int, idle_seconds: float
) -> Iterator[Line | Idle]:
    """Yield the lines of an input from a position on; standard input begins where it is.

    Of a line longer than the limit only the beginning is read; Idle is yielded when a stream was
    silent for so long. Raise SourceUnusable if the input cannot be read, or not to its end.
    """
    with source_errors(name), ExitStack() as stack:
        read, offset = open_reader(name, start.offset, idle_seconds, stack), start.offset
        if start.in_line:
            read, offset = skip_end_of_line(read, offset)
        yield from split_lines(read, name=name, offset=offset, number=start.line, limit=limit)


@contextmanager
def source_errors(name: str) -> Iterator[None]:
    """Turn errors of the file system and of unpacking into SourceUnusable with the input's name."""
    try:
        yield
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        target = "standard input" if name == STDIO else name
        raise SourceUnusable(f"{target}: cannot be read: {error}") from error


def open_reader(name: str, offset: int, idle_seconds: float, stack: ExitStack) -> ReadBytes:
    """Return a function that reads an input from a byte offset on; `stack` closes the file.

    A stream (see `is_stream`) ignores the offset and returns None after `idle_seconds` of silence.
    Raise OSError if the input cannot be opened.
    """
    if name == STDIO:
        return partial(next, _pipe_chunks(sys.stdin.fileno(), idle_seconds))
    path = Path(name)
    if not path.is_file():
        pipe = stack.enter_context(path.open("rb", buffering=0))
        return partial(next, _pipe_chunks(pipe.fileno(), idle_seconds))
    file = stack.enter_context(path.open("rb"))
    if name.lower().endswith(_PACKED_SUFFIXES):
        return read_packed(name, file, offset=offset)
    file.seek(offset)
    return partial(file.read, CHUNK)


def _pipe_chunks(descriptor: int, idle_seconds: float) -> Iterator[bytes | None]:
    """Yield the next bytes, b"" at the end; None, once, after a silence of `idle_seconds`.

    After None the next bytes are waited for without limit.
    """
    timeout: float | None = idle_seconds
    while True:
        ready = select.select([descriptor], [], [], timeout)[0]
        timeout = idle_seconds if ready else None
        yield os.read(descriptor, CHUNK) if ready else None


def skip_end_of_line(read: ReadBytes, offset: int) -> tuple[ReadBytes, int]:
    """Return a reader, and its offset, behind the line end with which `read` begins, if it does.

    The line was read before its end had been written.
    """
    first = read() or b""
    end = next((end for end in (b"\n", b"\r\n") if first.startswith(end)), b"")
    chunks = filter(None, chain([first.removeprefix(end)], iter(read, b"")))
    return partial(next, chunks, b""), offset + len(end)
