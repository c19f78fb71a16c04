"""Tab-separated files with a header line; each error names file and line."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from newsdedup.ports.errors import SourceUnusable

_OTHER_SEPARATORS = (",", ";", "|")
"""What stands between the values of files that were meant to have tabs."""
_SHOWN = 200
"""Characters of the names of the columns in a message."""


class TabRow(NamedTuple):
    """The stripped values of one line by column name."""

    line: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TabFile:
    """A parsed file; quotes are ordinary characters."""

    path: Path
    columns: tuple[str, ...]
    rows: tuple[TabRow, ...]

    def has_columns(self, *columns: str) -> bool:
        """Return whether the file has all of these columns."""
        return set(columns) <= set(self.columns)

    def columns_error(self, needed: str) -> SourceUnusable:
        """Return the error that columns are missing; `needed` names them.

        If the values seem to be separated by commas, semicolons or bars, the message says so.
        """
        found = ", ".join(self.columns)
        shown = found if len(found) <= _SHOWN else f"{found[:_SHOWN]}…"
        text = f"{self.path}: needs columns {needed}; found {shown}"
        comma = next((one for one in _OTHER_SEPARATORS if one in self.columns[0]), None)
        if len(self.columns) == 1 and comma is not None:
            text += f": there must be tabs between the values, not {comma!r}"
        return SourceUnusable(text)

    def line_error(self, line: int, text: str) -> SourceUnusable:
        """Return an error about one line."""
        return SourceUnusable(f"{self.path}: line {line}: {text}")


def read_tab_file(path: Path, *, of: str) -> TabFile:
    """Parse a file of tab-separated values whose first line names the columns; skip blank lines.

    `of` names the expected contents in messages. Raise SourceUnusable if it is empty, is not UTF-8,
    cannot be read, or has a line of more values than columns.
    """
    # Lines end as files of any system end them; other separators of Unicode may stand in values.
    text = _read_text(path).replace("\r\n", "\n").replace("\r", "\n")
    filled = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not filled:
        raise SourceUnusable(f"{path}: is empty: it holds no {of}, and no line that names columns")
    columns = tuple(name.strip() for name in filled[0][1].split("\t"))
    found = TabFile(path, columns, ())
    rows = tuple(_parse_row(found, at, line) for at, line in filled[1:])
    return TabFile(path, columns, rows)


def _read_text(path: Path) -> str:
    """Return the text of a file; raise SourceUnusable if it cannot be read or is not UTF-8."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # Counted in what was read: the byte order mark in front is no line.
        line = error.object[: error.start].count(b"\n") + 1
        byte = f"0x{error.object[error.start]:02x}"
        raise SourceUnusable(
            f"{path}: line {line}: is not UTF-8 (byte {byte}): save the file as UTF-8"
        ) from error


def _parse_row(file: TabFile, at: int, line: str) -> TabRow:
    """Return the values of a line by column, missing last ones as "".

    Raise SourceUnusable if there are more values than columns.
    """
    values = [value.strip() for value in line.split("\t")]
    if any(values[len(file.columns) :]):
        raise file.line_error(at, f"holds {len(values)} values, but {len(file.columns)} are named")
    values += [""] * (len(file.columns) - len(values))
    return TabRow(at, dict(zip(file.columns, values, strict=False)))
