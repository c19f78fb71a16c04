"""Items of files and folders: all in memory, or read again for each pass."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import xxhash

from newsdedup import InvalidItem, ItemKey, NewsItem
from newsdedup.adapters.files.inputs import InputPosition, expand_inputs, read_lines
from newsdedup.adapters.files.lines import CHUNK, Line
from newsdedup.core.model import Entry, Micros
from newsdedup.core.stories.commands import Command
from newsdedup.core.stories.window import own_time, times_of_rows
from newsdedup.engine.analyzer import Analyzed, entry_of
from newsdedup.ports.errors import SourceUnusable

DecodeLine = Callable[[Line], NewsItem | Command]


@dataclass(frozen=True, slots=True)
class Collection:
    """Distinct items in file order with their raw lines; `left_out` counts the invalid lines."""

    items: tuple[NewsItem, ...]
    received: tuple[bytes, ...]
    left_out: int


def load_collection(inputs: Iterable[str], decode: DecodeLine, *, line_limit: int) -> Collection:
    """Read all items of the inputs into memory; count invalid lines.

    Of an item that occurs several times the last occurrence counts, at the position of the first.
    Lines that are commands are skipped. Raise SourceUnusable if there is no item; it names the
    first line that is none.
    """
    items: dict[ItemKey, tuple[NewsItem, bytes]] = {}
    left_out = 0
    first = ""
    for name in expand_inputs(inputs):
        for line in _lines(name, line_limit):
            try:
                item = decode(line)
            except InvalidItem as error:
                left_out += 1
                first = first or _refusal(line, error)
                continue
            if isinstance(item, NewsItem):
                items[item.key] = (item, line.data)
    if not items:
        raise SourceUnusable(f"{', '.join(inputs)}: no items found{first}")
    found = tuple(item for item, _ in items.values())
    return Collection(found, tuple(data for _, data in items.values()), left_out)


def _refusal(line: Line, error: InvalidItem) -> str:
    """Return where a line is and why it is no item, to be appended to a message."""
    return f"; {line.input}, line {line.number}: {error}"


def _lines(name: str, limit: int) -> Iterator[Line]:
    """Yield the lines of an input, without the reports that it is silent."""
    for line in read_lines(name, InputPosition(), limit=limit, idle_seconds=60.0):
        if isinstance(line, Line):
            yield line


def arrival_times(items: Iterable[NewsItem]) -> list[Micros]:
    """Return the arrival time of each item; an undated item gets that of a run."""
    return list(times_of_rows([own_time(item) for item in items]))


def arrival_entries(analyzed: Iterable[Analyzed]) -> list[Entry]:
    """Return the entries of items in their order, each arriving at its own effective time.

    An undated item arrives a microsecond after the item before it in the list. Undated ones at the
    beginning arrive right before the first dated one, a microsecond apart; if all are undated, they
    begin at 1970.
    """
    found = list(analyzed)
    at = arrival_times(one.item for one in found)
    return [entry_of(one, at=when) for one, when in zip(found, at, strict=True)]


@dataclass(frozen=True, slots=True)
class ItemFiles:
    """Items that are read from their files at each iteration, so they need no memory.

    Of an item that occurs several times the first occurrence counts.
    """

    files: tuple[str, ...]
    decode: DecodeLine
    line_limit: int

    def __iter__(self) -> Iterator[NewsItem]:
        """Yield the distinct items in file order; invalid lines are skipped."""
        seen: set[ItemKey] = set()
        for line in self._lines():
            item = self._item(line)
            if item is not None and item.key not in seen:
                seen.add(item.key)
                yield item

    def no_items(self) -> SourceUnusable:
        """Return the error that there are no items; it names the first line that is none."""
        first = next(filter(None, map(self._refused, self._lines())), "")
        return SourceUnusable(f"{', '.join(self.files)}: no items found{first}")

    def digest(self) -> str:
        """Return a hash of the names, sizes and contents of the files, in their order."""
        hashed = xxhash.xxh3_128()
        for name in self.files:
            hashed.update(f"{Path(name).name} {Path(name).stat().st_size} ".encode())
            with Path(name).open("rb") as file:
                while chunk := file.read(CHUNK):
                    hashed.update(chunk)
        return hashed.hexdigest()

    def _lines(self) -> Iterator[Line]:
        """Yield the lines of all files."""
        for name in self.files:
            yield from _lines(name, self.line_limit)

    def _refused(self, line: Line) -> str:
        """Return where a line is and why it is invalid, "" for a valid one."""
        try:
            self.decode(line)
        except InvalidItem as error:
            return _refusal(line, error)
        return ""

    def _item(self, line: Line) -> NewsItem | None:
        """Return the item of a line, None if the line is invalid or is a command."""
        try:
            item = self.decode(line)
        except InvalidItem:
            return None
        return item if isinstance(item, NewsItem) else None


def open_items(inputs: Iterable[str], decode: DecodeLine, *, line_limit: int) -> ItemFiles:
    """Return the items of files and folders, to be read again at each iteration.

    Raise SourceUnusable for a pipe or standard input, which cannot be read twice.
    """
    files: Sequence[str] = expand_inputs(inputs)
    for name in files:
        if not Path(name).is_file():
            raise SourceUnusable(f"{name}: a report reads its items more than once; name a file")
    return ItemFiles(tuple(files), decode, line_limit)
