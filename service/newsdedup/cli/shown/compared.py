"""Two items made ready to be compared, wherever they come from."""

from dataclasses import dataclass
from pathlib import Path

import typer

from newsdedup import bootstrap
from newsdedup.adapters.files.item_files import find_items, read_item_file
from newsdedup.adapters.formats.item_json import headline, title_of
from newsdedup.adapters.sqlite.state_reader import StateReader
from newsdedup.cli.shown.output import printable_line
from newsdedup.cli.states import MOST_NAMES, find_item
from newsdedup.config import Settings
from newsdedup.core.item_names import item_name
from newsdedup.core.matching.explanation import Side
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Language, NewsItem
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.kinship import Kinship, Placed, kinship
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.engine.deduplicate import entry_of
from newsdedup.engine.event_writer import worded


@dataclass(frozen=True, slots=True)
class ComparedItem:
    """One of the two, as a reader knows it and as the rule sees it."""

    source: str
    id: str
    title: str
    lang: Language
    at: str | None
    """None when it has no time."""
    side: Side


@dataclass(frozen=True, slots=True)
class ItemComparison:
    """Both, with the rule that compares them."""

    a: ComparedItem
    b: ComparedItem
    rule: Rule
    kinship: Kinship | None = None
    """How they stand in the state that they come from."""

    @property
    def dated(self) -> bool:
        """Return whether both have a time."""
        return self.a.at is not None and self.b.at is not None


def compare_in_state(a: str, b: str, state: Path) -> ItemComparison:
    """Return two items of a state, as they were judged."""
    with StateReader(state) as reader:
        one, other = find_item(a, reader), find_item(b, reader)
        if one.record.key == other.record.key:
            raise typer.BadParameter(
                f"{printable_line(a)} and {printable_line(b)} are one and the same item"
            )
        rule = bootstrap.kept_rule(reader.settings)
        return ItemComparison(
            _judged(one, reader),
            _judged(other, reader),
            rule,
            kinship(one, other, rule),
        )


def compare_files(a: Path, b: Path, settings: Settings) -> ItemComparison:
    """Return two items that are a file each."""
    limits = bootstrap.limits(settings)
    return _analyzed(read_item_file(a, limits), read_item_file(b, limits), settings)


def compare_among_items(a: str, b: str, items: str, settings: Settings) -> ItemComparison:
    """Return two items by their names in files of many."""
    found = find_items(
        [a, b], items, bootstrap.decode(settings), line_limit=settings.limits.line_bytes
    )
    return _analyzed(_only(a, found[a]), _only(b, found[b]), settings)


def _only(name: str, found: list[NewsItem]) -> NewsItem:
    if len(found) > 1:
        names = ", ".join(printable_line(item_name(item.key)) for item in found[:MOST_NAMES])
        raise typer.BadParameter(
            f"several sources have {printable_line(name)}; name one of: {names}"
        )
    return found[0]


def _judged(placed: Placed, reader: StateReader) -> ComparedItem:
    """Return an item as it stands in a state, by the version that stands for it."""
    entry = placed.record.entry
    received, said = reader.read_version(entry.key, entry.version)
    at = to_datetime(entry.effective_at).isoformat()
    title = headline(received)
    return ComparedItem(*entry.key, title, entry.lang, at, Side(entry, said.terms))


def _analyzed(a: NewsItem, b: NewsItem, settings: Settings) -> ItemComparison:
    """Return two items as they would be judged by these settings."""
    analyze = bootstrap.analyze(settings, bootstrap.background(settings))

    def compared(item: NewsItem) -> ComparedItem:
        analyzed = analyze(item, b"")
        entry = entry_of(analyzed, at=effective_at(item, Watermark()))
        dated = item.published_at is not None or item.seen_at is not None
        at = to_datetime(entry.effective_at).isoformat() if dated else None
        side = Side(entry, worded(analyzed.signature))
        return ComparedItem(*item.key, title_of(item), entry.lang, at, side)

    return ItemComparison(compared(a), compared(b), bootstrap.rule(settings))
