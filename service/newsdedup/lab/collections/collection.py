"""Items of files and folders as a finished collection in memory, for comparing methods."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from newsdedup.adapters.files.inputs import InputPosition, expand_inputs, read_lines
from newsdedup.adapters.files.lines import Line
from newsdedup.core.model import Entry, ItemKey, Micros, NewsItem
from newsdedup.core.stories.acts import Act
from newsdedup.core.stories.window import own_time, place_times
from newsdedup.engine.deduplicate import Analyzed, entry_of
from newsdedup.ports.errors import InvalidItem, SourceUnusable

Decode = Callable[[Line], NewsItem | Act]


@dataclass(frozen=True, slots=True)
class Collection:
    """Distinct items in the order of the files, and how many lines were none."""

    items: tuple[NewsItem, ...]
    received: tuple[bytes, ...]
    left_out: int


def collected(inputs: Iterable[str], decode: Decode, *, line_limit: int) -> Collection:
    """Return the items of the inputs; lines that are none are counted and left out."""
    items: dict[ItemKey, tuple[NewsItem, bytes]] = {}
    left_out = 0
    for name in expand_inputs(inputs):
        for line in _lines(name, line_limit):
            try:
                item = decode(line)
            except InvalidItem:
                left_out += 1
                continue
            if isinstance(item, NewsItem):
                items[item.key] = (item, line.data)
    if not items:
        raise SourceUnusable(f"{', '.join(inputs)}: no items found")
    found = tuple(item for item, _ in items.values())
    return Collection(found, tuple(data for _, data in items.values()), left_out)


def _lines(name: str, limit: int) -> Iterator[Line]:
    for line in read_lines(name, InputPosition(), limit=limit, idle_seconds=60.0):
        if isinstance(line, Line):
            yield line


def times(items: Iterable[NewsItem]) -> list[Micros]:
    """Return when items came that are in the order of the files; an undated one as in a run."""
    return list(place_times([own_time(item) for item in items]))


def entries(analyzed: Iterable[Analyzed]) -> list[Entry]:
    """Return the entries of items that all arrived when they were published."""
    found = list(analyzed)
    at = times(one.item for one in found)
    return [entry_of(one, at=when) for one, when in zip(found, at, strict=True)]
