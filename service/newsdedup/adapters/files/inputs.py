"""Files, folders and standard input as streams of lines that can be resumed."""

import hashlib
import os
import select
import sys
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import zstandard

from newsdedup.adapters.files.lines import CHUNK, Idle, Line, ReadBytes, read_packed, split_lines
from newsdedup.adapters.files.paths import FileIdentity, file_identity, list_files
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable

STDIN = "-"
JSON_SUFFIXES = (
    ".jsonl",
    ".ndjson",
    ".json",
    ".jsonl.gz",
    ".ndjson.gz",
    ".jsonl.zst",
    ".ndjson.zst",
)
_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class InputPosition:
    """How far an input is read: the next byte of its content, the lines before it."""

    offset: int = 0
    line: int = 0
    head: str = ""
    """Length and hash of its first bytes, to notice another file under the same name."""
    in_line: bool = False
    """Whether the last line that was read had no end yet."""


def expand_inputs(items: Iterable[str], *, own: Container[FileIdentity] = ()) -> list[str]:
    """Return the inputs meant by files, folders and `-`: of a folder its files, by name.

    What is the reader's own in a folder is left out.
    """
    found: list[str] = []
    for item in items:
        path = Path(item)
        with source_errors(item):
            if item == STDIN or path.is_file() or is_pipe(path):
                found.append(item)
            elif path.is_dir():
                found.extend(_folder_files(path, own))
            else:
                raise SourceUnusable(f"{item}: there is no such file or folder")
    if len(set(found)) != len(found):
        raise SettingsInvalid("an input is named twice: each would be read only once")
    return found


def is_pipe(path: Path) -> bool:
    """Return whether a path is a named pipe or a device: what is read of it is gone."""
    return path.is_fifo() or path.is_char_device()


def _folder_files(folder: Path, own: Container[FileIdentity]) -> list[str]:
    paths = list_files(folder, lambda name: name.endswith(JSON_SUFFIXES))
    found = [str(path) for path in paths if file_identity(path, descriptor=0) not in own]
    if not found:
        raise SourceUnusable(f"{folder}: no files in it end in {', '.join(JSON_SUFFIXES)}")
    return found


def position_key(name: str) -> str:
    """Return the name under which an input's position is kept."""
    return name if name == STDIN else str(Path(name).absolute())


def hash_head(name: str, *, length: int | None = None) -> str:
    """Return length and hash of the first bytes of a file, "" for what cannot be read twice."""
    if is_stream(name):
        return ""
    path = Path(name)
    with source_errors(name), path.open("rb") as file:
        first = file.read(_HEAD_BYTES if length is None else length)
    return f"{len(first)}:{hashlib.sha256(first).hexdigest()[:16]}"


def resume_position(name: str, positions: Mapping[str, InputPosition]) -> InputPosition:
    """Return where to go on with an input: at its beginning if it is not the file it was."""
    before = positions.get(position_key(name))
    if before is None or not before.head:
        return InputPosition(head=hash_head(name))
    same = hash_head(name, length=int(before.head.partition(":")[0])) == before.head
    return (
        before
        if same and not _shorter(name, before.offset)
        else InputPosition(head=hash_head(name))
    )


def is_stream(name: str) -> bool:
    """Return whether a reader may have to wait for whoever writes: standard input and pipes."""
    return name == STDIN or not Path(name).is_file()


def _shorter(name: str, offset: int) -> bool:
    """Return whether a plain file ends before what was read of it."""
    return not name.endswith((".gz", ".zst")) and Path(name).stat().st_size < offset


def read_lines(
    name: str, start: InputPosition, *, limit: int, idle_seconds: float
) -> Iterator[Line | Idle]:
    """Yield the lines of an input from a position on; standard input begins where it is."""
    with source_errors(name), ExitStack() as stack:
        read, offset = _open_reader(name, start.offset, idle_seconds, stack), start.offset
        if start.in_line:
            read, offset = _past_end_of_line(read, offset)
        yield from split_lines(read, name=name, offset=offset, number=start.line, limit=limit)


def _past_end_of_line(read: ReadBytes, offset: int) -> tuple[ReadBytes, int]:
    """Return the reader and the offset behind the end of a line that had none when it was read."""
    first = read() or b""
    end = next((end for end in (b"\n", b"\r\n") if first.startswith(end)), b"")
    chunks = filter(None, chain([first.removeprefix(end)], iter(read, b"")))
    return (lambda: next(chunks, b"")), offset + len(end)


@contextmanager
def source_errors(name: str) -> Iterator[None]:
    """Let no error of the file system out that does not name the input."""
    try:
        yield
    except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
        told = "standard input" if name == STDIN else name
        raise SourceUnusable(f"{told}: cannot be read: {error}") from error


def _open_reader(name: str, offset: int, idle_seconds: float, stack: ExitStack) -> ReadBytes:
    if name == STDIN:
        return _poll(sys.stdin.fileno(), idle_seconds)
    path = Path(name)
    if not path.is_file():
        pipe = stack.enter_context(path.open("rb", buffering=0))
        return _poll(pipe.fileno(), idle_seconds)
    file = stack.enter_context(path.open("rb"))
    if name.endswith((".gz", ".zst")):
        return read_packed(name, file, offset=offset)
    file.seek(offset)
    return lambda: file.read(CHUNK)


def _poll(descriptor: int, idle_seconds: float) -> ReadBytes:
    """Return a reader of a pipe that tells when nothing comes for a while."""
    idle = False

    def read() -> bytes | None:
        nonlocal idle
        ready = select.select([descriptor], [], [], None if idle else idle_seconds)[0]
        idle = not ready
        return os.read(descriptor, CHUNK) if ready else None

    return read
