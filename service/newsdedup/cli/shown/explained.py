"""Two items compared, wherever they come from, and explained in words."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from newsdedup.adapters.files.item_files import find_items, read_item_file
from newsdedup.adapters.formats.item_json import headline, title_of
from newsdedup.adapters.sqlite.state_reader import StateReader
from newsdedup.bootstrap.analyses import item_analyzer
from newsdedup.bootstrap.rules import decode_rule, make_rule
from newsdedup.bootstrap.runs import line_decoder, record_limits
from newsdedup.cli.output import plain_table, printable_line
from newsdedup.cli.states import find_item, only_item
from newsdedup.config import Settings
from newsdedup.core.events import WeightedTerm
from newsdedup.core.item_names import item_name
from newsdedup.core.matching.explanation import ExplainedItem, Explanation, FactsOfBoth, MovedValue
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.kinship import Placed, kinship
from newsdedup.engine.comparison import ComparedItem, ItemComparison, compared_item

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def compare_in_state(a: str, b: str, state: Path) -> ItemComparison:
    """Find two items in a state by name; return them as they were judged, with the state's rule.

    Raise SourceUnusable for a name that no item has, and BadParameter for one of several sources or
    if both names mean one item.
    """
    with StateReader(state) as reader:
        one, other = find_item(a, reader), find_item(b, reader)
        if one.record.key == other.record.key:
            raise typer.BadParameter(
                f"{printable_line(a)} and {printable_line(b)} are one and the same item"
            )
        rule = decode_rule(reader.settings)
        return ItemComparison(
            _item_of_state(one, reader),
            _item_of_state(other, reader),
            rule,
            kinship(one, other, rule),
        )


def compare_files(a: Path, b: Path, settings: Settings) -> ItemComparison:
    """Read two items, each from its own file; return them as these settings would judge them."""
    limits = record_limits(settings)
    return _compare_items(read_item_file(a, limits), read_item_file(b, limits), settings)


def compare_among_items(a: str, b: str, items: str, settings: Settings) -> ItemComparison:
    """Find two items by their names in files; return them as these settings would judge them.

    Raise SourceUnusable for a name that no item has, BadParameter for one of several sources.
    """
    items_of = find_items(
        [a, b],
        items,
        line_decoder(settings).content,
        line_limit=settings.limits.line_bytes,
    )
    one, other = (only_item(name, items_of[name], lambda item: item.key) for name in (a, b))
    return _compare_items(one, other, settings)


def _item_of_state(placed: Placed, reader: StateReader) -> ComparedItem:
    """Return an item of a state in the version, and with the terms, by which it was judged."""
    entry = placed.record.entry
    received, judgement = reader.read_version(entry.key, entry.version)
    at = to_datetime(entry.effective_at).isoformat()
    title = headline(received)
    return ComparedItem(*entry.key, title, entry.lang, at, ExplainedItem(entry, judgement.terms))


def _compare_items(a: NewsItem, b: NewsItem, settings: Settings) -> ItemComparison:
    analyzer = item_analyzer(settings)
    one, other = (compared_item(item, analyzer, title=title_of(item)) for item in (a, b))
    return ItemComparison(one, other, make_rule(settings))


_SECONDS = len("2026-11-02T06:10:00")


def print_explanation(comparison: ItemComparison, why: Explanation, console: "Console") -> None:
    """Print both items, the verdict with its reasons, then what they share and what differs."""
    for name, one in (("A", comparison.a), ("B", comparison.b)):
        console.print(f"{name}  {_item_line(one)}", soft_wrap=True)
        console.print(f"   {printable_line(one.title)}", style="bold", soft_wrap=True)
    console.print()
    console.print(_verdict_line(why), style="bold")
    _print_sentences((*why.why, *why.otherwise), console)
    if comparison.kinship is not None:
        console.print("\nIn the state:")
        _print_sentences(comparison.kinship.words, console)
    console.print()
    if why.shared:
        console.print(_shared_terms(why))
        console.print()
    for line in _differences(why):
        console.print(line, soft_wrap=True)


def _print_sentences(sentences: tuple[str, ...], console: "Console") -> None:
    for sentence in sentences:
        console.print(f"  {printable_line(sentence)}", soft_wrap=True)


def _item_line(one: ComparedItem) -> str:
    at = "no time" if one.at is None else f"{one.at[:_SECONDS].replace('T', ' ')} UTC"
    return f"{printable_line(item_name(ItemKey(one.source, one.id)))}  {at}  {one.lang}"


def _verdict_line(why: Explanation) -> str:
    if why.score is None:
        return f"Different, says rule {why.rule}"
    return f"{_relation_sentence(why)}, score {why.score:g}, says rule {why.rule}"


def _relation_sentence(why: Explanation) -> str:
    """Return the relation in words; of an update also which of the two is the later one."""
    if why.duplicate:
        return f"Duplicates: a {why.relation}"
    if why.relation == "part":
        return "No duplicates: one is a part of the other"
    if why.relation == "update":
        earlier, later = ("B", "A") if (why.hours_apart or 0) < 0 else ("A", "B")
        sides = f"{later} is an update of {earlier}" if why.hours_apart else "one updates the other"
        return f"No duplicates: {sides}"
    return "Similar, but no duplicates"


def _shared_terms(why: Explanation) -> "Table":
    table = plain_table("shared term", ">weight in A", ">weight in B")
    table.columns[0].no_wrap = True
    for one in why.shared:
        table.add_row(printable_line(one.term), f"{one.weight_a:.2f}", f"{one.weight_b:.2f}")
    return table


def _differences(why: Explanation) -> list[str]:
    """Return a line with its label for each way in which the items differ; others are left out."""
    lines = [
        ("only in A", _weighed(why.only_a)),
        ("only in B", _weighed(why.only_b)),
        ("numbers", _facts(why.numbers)),
        ("names", _facts(why.names)),
        ("moved", "; ".join(map(_moved, why.moved))),
        ("hours apart", _apart(why.hours_apart)),
    ]
    return [f"{name:<12} {printable_line(text)}" for name, text in lines if text]


def _apart(hours: float | None) -> str:
    """Return how many hours apart the items are and which is later; "unknown" for None."""
    if not hours:
        return "unknown" if hours is None else "0"
    return f"{abs(hours):g}; {'A' if hours < 0 else 'B'} is later"


def _moved(counted: MovedValue) -> str:
    """Return a moved value as "injured: 5 in A, 7 in B", without "injured: " if that is unknown."""
    what = "" if counted.what is None else f"{counted.what}: "
    return f"{what}{counted.a} in A, {counted.b} in B"


def _weighed(terms: tuple[WeightedTerm, ...]) -> str:
    return ", ".join(f"{term.term} {term.weight:.2f}" for term in terms)


def _facts(facts: FactsOfBoth) -> str:
    """Return which numbers or names are in both texts and in one only, "" if there are none."""
    parts = (("in both", facts.both), ("only in A", facts.only_a), ("only in B", facts.only_b))
    return "; ".join(f"{where}: {', '.join(held)}" for where, held in parts if held)
