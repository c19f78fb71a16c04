"""Items of files, one after the other, however many there are."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import xxhash

from newsdedup.adapters.files.inputs import InputPosition, expand_inputs, read_lines
from newsdedup.adapters.files.lines import CHUNK, Line
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.lab.collections.collection import Decode
from newsdedup.ports.errors import InvalidItem, SourceUnusable


@dataclass(frozen=True, slots=True)
class Items:
    """A collection that is read anew whenever it is asked for: its texts are never all in memory.

    An item that is there several times counts once, as it came first.
    """

    files: tuple[str, ...]
    decode: Decode
    line_limit: int

    def __iter__(self) -> Iterator[NewsItem]:
        """Yield the distinct items in the order of the files; lines that are none are left out."""
        seen: set[ItemKey] = set()
        for name in self.files:
            for line in read_lines(name, InputPosition(), limit=self.line_limit, idle_seconds=60.0):
                item = self._item(line) if isinstance(line, Line) else None
                if item is not None and item.key not in seen:
                    seen.add(item.key)
                    yield item

    def digest(self) -> str:
        """Return a hash of the files in their order, and of the names that may name a source."""
        hashed = xxhash.xxh3_128()
        for name in self.files:
            hashed.update(f"{Path(name).name} {Path(name).stat().st_size} ".encode())
            with Path(name).open("rb") as file:
                while chunk := file.read(CHUNK):
                    hashed.update(chunk)
        return hashed.hexdigest()

    def _item(self, line: Line) -> NewsItem | None:
        try:
            item = self.decode(line)
        except InvalidItem:
            return None
        return item if isinstance(item, NewsItem) else None


def items_of(inputs: Iterable[str], decode: Decode, *, line_limit: int) -> Items:
    """Return the collection of files and folders; what can be read only once is refused."""
    files: Sequence[str] = expand_inputs(inputs)
    for name in files:
        if not Path(name).is_file():
            raise SourceUnusable(f"{name}: a report reads its items more than once; name a file")
    return Items(tuple(files), decode, line_limit)
