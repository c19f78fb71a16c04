"""Single items out of files: one in a file of its own, or some by name among many."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from newsdedup.adapters.files.lines import Idle, Line
from newsdedup.adapters.formats.item_json import decode_item, shows_nothing
from newsdedup.adapters.formats.json_object import Limits
from newsdedup.core.item_names import item_name, nearest_names, possible_keys
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.stories.commands import Command
from newsdedup.ports.errors import InvalidItem, SourceUnusable


def read_item_file(path: Path, limits: Limits) -> NewsItem:
    """Return the item of a file: JSON, or in a .txt plain text whose first line is the title.

    Raise SourceUnusable if the file cannot be read, InvalidItem if it holds no item.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        if path.suffix == ".txt":
            return _parse_plain(data, path, limits)
        item = decode_item(data, limits=limits, source=path.name.partition(".")[0])
    except InvalidItem as error:
        reason = f"{path}: {error}; the file must hold one item as JSON, or as text in a .txt"
        raise InvalidItem(error.code, reason) from error
    if not isinstance(item, NewsItem):
        raise InvalidItem("not_object", f"{path} holds a command, which is no item")
    return item


def _parse_plain(data: bytes, path: Path, limits: Limits) -> NewsItem:
    """Return the item of plain text, with the file's name as id, source ""; else InvalidItem."""
    try:
        title, _, text = data.decode("utf-8-sig").strip().partition("\n")
    except UnicodeDecodeError as error:
        raise InvalidItem("not_utf8", f"the byte at {error.start} is not UTF-8") from error
    if shows_nothing(title, text):
        raise InvalidItem("no_text", "there is nothing to read in it")
    if len(title) > limits.title_chars:
        raise InvalidItem(
            "too_long", f"its first line, the title, has more than {limits.title_chars} characters"
        )
    if len(text) > limits.text_chars:
        raise InvalidItem("too_long", f"it has more than {limits.text_chars} characters")
    return NewsItem(ItemKey("", path.name), title.strip(), text.strip())


def find_items(
    names: Iterable[str],
    records: Iterable[Line | Idle],
    decode: Callable[[Line], NewsItem | Command],
    *,
    where: str,
) -> dict[str, list[NewsItem]]:
    """Return by name the items so called among the records of inputs, of each its last version.

    A name is SOURCE/ID, or an ID, which items of several sources may have. `decode` reads a record,
    or raises InvalidItem: such records are left out. Raise SourceUnusable, which names the inputs
    as `where`, for a name that no item has.
    """
    candidates: dict[ItemKey, NewsItem] = {}
    wanted = {name: {*possible_keys(name)} for name in names}
    known: set[str] = set()
    for record in records:
        item = None
        with suppress(InvalidItem):
            item = decode(record) if isinstance(record, Line) else None
        if not isinstance(item, NewsItem):
            continue
        known.update((item.key.id, item_name(item.key)))
        if any(item.key in keys or item.key.id == name for name, keys in wanted.items()):
            candidates[item.key] = item
    items: dict[str, list[NewsItem]] = {}
    for name, keys in wanted.items():
        exact = [candidates[key] for key in sorted(keys.intersection(candidates))]
        items[name] = exact or [candidates[key] for key in sorted(candidates) if key.id == name]
        if not items[name]:
            near = nearest_names(name, known)
            advice = f"; did you mean {' or '.join(near)}?" if near else ""
            raise SourceUnusable(f"nothing called {name} is in {where}{advice}")
    return items
