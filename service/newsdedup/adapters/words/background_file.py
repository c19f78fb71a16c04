"""Background tables of one's own, as files."""

from pathlib import Path

from newsdedup.adapters.words.package_data import pack_background, unpack_background
from newsdedup.core.words.background import Background
from newsdedup.ports.errors import SinkUnusable, SourceUnusable


def write_background(path: Path, background: Background) -> int:
    """Write a table in place of the file of that name; return its size in bytes."""
    packed = pack_background(background)
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(packed)
        part.replace(path)
    except OSError as error:
        raise SinkUnusable(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
    return len(packed)


def read_background(path: Path) -> tuple[Background, int]:
    """Return the table of a file and the size of the file."""
    try:
        packed = path.read_bytes()
        return unpack_background(packed), len(packed)
    except (OSError, ValueError) as error:
        raise SourceUnusable(f"{path}: no background table: {error}") from error
