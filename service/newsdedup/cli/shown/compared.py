"""Two items made ready to be compared, wherever they come from."""

from dataclasses import dataclass
from pathlib import Path

import typer

from newsdedup import bootstrap
from newsdedup.adapters.files.item_files import item_in, items_named
from newsdedup.adapters.formats.headline import headline, title_of
from newsdedup.adapters.sqlite.state_reader import StateReader
from newsdedup.cli.kept_state import SHOWN, item_named
from newsdedup.cli.shown.output import printable
from newsdedup.config import Settings
from newsdedup.core.item_names import written
from newsdedup.core.matching.explanation import ExplainedItem
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Language, NewsItem
from newsdedup.core.stories.kinship import Kinship, Placed, kinship
from newsdedup.core.window import Watermark, effective_at, moment
from newsdedup.engine.deduplicate import entry_of
from newsdedup.engine.event_writer import worded


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the two, as a reader knows it and as the rule sees it."""

    source: str
    id: str
    title: str
    lang: Language
    at: str | None
    """None when it has no time."""
    side: ExplainedItem


@dataclass(frozen=True, slots=True)
class Comparison:
    """Both, with the rule that compares them."""

    a: Compared
    b: Compared
    rule: Rule
    kinship: Kinship | None = None
    """How they stand in the state that they come from."""

    @property
    def dated(self) -> bool:
        """Return whether both have a time."""
        return self.a.at is not None and self.b.at is not None


def in_state(a: str, b: str, state: Path) -> Comparison:
    """Return two items of a state, as they were judged."""
    with StateReader(state) as reader:
        one, other = item_named(a, reader), item_named(b, reader)
        if one.record.key == other.record.key:
            raise typer.BadParameter(f"{printable(a)} and {printable(b)} are one and the same item")
        rule = bootstrap.kept_rule(reader.settings)
        return Comparison(
            _judged(one, reader),
            _judged(other, reader),
            rule,
            kinship(one, other, rule),
        )


def in_files(a: Path, b: Path, settings: Settings) -> Comparison:
    """Return two items that are a file each."""
    limits = bootstrap.limits(settings)
    return _analyzed(item_in(a, limits), item_in(b, limits), settings)


def among_items(a: str, b: str, items: str, settings: Settings) -> Comparison:
    """Return two items by their names in files of many."""
    found = items_named(
        [a, b], items, bootstrap.decode(settings), line_limit=settings.limits.line_bytes
    )
    return _analyzed(_only(a, found[a]), _only(b, found[b]), settings)


def _only(name: str, found: list[NewsItem]) -> NewsItem:
    if len(found) > 1:
        names = ", ".join(printable(written(item.key)) for item in found[:SHOWN])
        raise typer.BadParameter(f"several sources have {printable(name)}; name one of: {names}")
    return found[0]


def _judged(placed: Placed, reader: StateReader) -> Compared:
    """Return an item as it stands in a state, by the version that stands for it."""
    entry = placed.record.entry
    received, said = reader.judged(entry.key, entry.version)
    at = moment(entry.effective_at).isoformat()
    title = headline(received)
    return Compared(*entry.key, title, entry.lang, at, ExplainedItem(entry, said.terms))


def _analyzed(a: NewsItem, b: NewsItem, settings: Settings) -> Comparison:
    """Return two items as they would be judged by these settings."""
    analyze = bootstrap.analyze(settings, bootstrap.background(settings))

    def compared(item: NewsItem) -> Compared:
        analyzed = analyze(item, b"")
        entry = entry_of(analyzed, at=effective_at(item, Watermark()))
        dated = item.published_at is not None or item.seen_at is not None
        at = moment(entry.effective_at).isoformat() if dated else None
        side = ExplainedItem(entry, worded(analyzed.signature))
        return Compared(*item.key, title_of(item), entry.lang, at, side)

    return Comparison(compared(a), compared(b), bootstrap.rule(settings))
