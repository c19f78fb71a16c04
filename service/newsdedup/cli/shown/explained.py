"""Two items compared, wherever they come from, and explained in words."""

from itertools import chain
from pathlib import Path

import typer
from rich.console import Console

from newsdedup.adapters.files.inputs import InputPosition, expand_inputs
from newsdedup.adapters.files.item_files import find_items, read_item_file
from newsdedup.adapters.formats.item_json import received_item, title_of
from newsdedup.adapters.sqlite.state import StateReader
from newsdedup.adapters.tables.input_records import read_records
from newsdedup.bootstrap.rules import decode_rule, item_analyzer, make_rule
from newsdedup.bootstrap.runs import line_decoder, record_limits
from newsdedup.cli.output import plain_table, printable_line
from newsdedup.cli.states import find_item, only_item, state_path
from newsdedup.config import Settings
from newsdedup.core.document import Analyzer
from newsdedup.core.events import WeightedTerm
from newsdedup.core.item_names import item_name
from newsdedup.core.matching.explanation import ExplainedItem, Explanation, FactsOfBoth
from newsdedup.core.model import ItemKey
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.kinship import Placed, kinship
from newsdedup.core.words.vocabulary import STEMMED
from newsdedup.engine.comparison import ComparedItem, ItemComparison, compared_item


def find_pair(
    a: str, b: str, settings: Settings, *, items: str | None, in_state: bool, own_rule: bool
) -> ItemComparison:
    """Find the items `a` and `b` and compare them.

    Names are ids in the files of `items`, or files of one item each, or ids in the state of the
    settings, which compares them as judged, with its own rule. Raise BadParameter if a name is no
    file and there is no state, if both names mean one item, if an id has several sources, and for
    `own_rule` (--rule, --window) with a state; SourceUnusable for a name that no item has.
    """
    missing = [name for name in (a, b) if not Path(name).is_file()]
    if items is not None:
        content, limit = line_decoder(settings).content, settings.limits.line_bytes
        records = chain.from_iterable(
            read_records(name, InputPosition(), limit=limit, idle_seconds=1.0)
            for name in expand_inputs([items])
        )
        named = find_items([a, b], records, content, where=items)
        one, other = (only_item(name, named[name], lambda item: item.key) for name in (a, b))
    elif not missing and not in_state:
        one, other = (read_item_file(Path(name), record_limits(settings)) for name in (a, b))
    elif not settings.run.state:
        missing_files = " and no file ".join(missing)
        raise typer.BadParameter(
            f"there is no file {missing_files}; of ids name --state or --items"
        )
    elif own_rule:
        wanted = "a state uses the rule that judged them; name --items or two files"
        raise typer.BadParameter(f"--window and --rule: {wanted}")
    else:
        return _compare_in_state(a, b, settings)
    analyzer = item_analyzer(settings)
    left, right = (compared_item(item, analyzer, title=title_of(item)) for item in (one, other))
    return ItemComparison(left, right, make_rule(settings))


def _compare_in_state(a: str, b: str, settings: Settings) -> ItemComparison:
    """Compare two items of a state by its rule; raise BadParameter if both names mean one item."""
    with StateReader(state_path(settings)) as reader:
        one, other = find_item(a, reader), find_item(b, reader)
        if one.record.key == other.record.key:
            raise typer.BadParameter(
                f"{printable_line(a)} and {printable_line(b)} are the same item"
            )
        rule = decode_rule(reader.settings)
        documents = None
        if not STEMMED.isdisjoint([placed.record.entry.lang for placed in (one, other)]):
            documents = item_analyzer(settings).documents
        left, right = (_item_of_state(placed, reader, documents) for placed in (one, other))
        return ItemComparison(left, right, rule, kinship(one, other, rule))


def _item_of_state(placed: Placed, reader: StateReader, documents: Analyzer | None) -> ComparedItem:
    """Return an item of a state in the version that was judged, with the terms used then.

    `documents` finds the words that its stems are shown by.
    """
    entry = placed.record.entry
    received, judgement = reader.read_version(entry.key, entry.version)
    at = to_datetime(entry.effective_at).isoformat()
    side = ExplainedItem(entry, judgement.terms)
    item, title, words = received_item(received), "", dict[str, str]()
    if item is not None:
        title = title_of(item)
        if documents is not None:
            words = documents.written(documents.document(item))
    return ComparedItem(*entry.key, title, entry.lang, at, side, words)


_SECONDS = len("2026-11-02T06:10:00")


def print_explanation(comparison: ItemComparison, why: Explanation, console: Console) -> None:
    """Print both items, the verdict with its reasons, then what they share and what differs."""
    for name, item in (("A", comparison.a), ("B", comparison.b)):
        at = "no time" if item.at is None else f"{item.at[:_SECONDS].replace('T', ' ')} UTC"
        label = printable_line(item_name(ItemKey(item.source, item.id)))
        console.print(f"{name}  {label}  {at}  {item.lang}", soft_wrap=True)
        console.print(f"   {printable_line(item.title)}", style="bold", soft_wrap=True)
    console.print()
    console.print(_verdict_line(why), style="bold")
    _print_sentences((*why.why, *why.otherwise), console)
    if comparison.kinship is not None:
        console.print("\nIn the state:")
        _print_sentences(comparison.kinship.words, console)
    console.print()
    if why.shared:
        table = plain_table("shared term", ">weight in A", ">weight in B")
        table.columns[0].no_wrap = True
        for one in why.shared:
            table.add_row(printable_line(one.term), f"{one.weight_a:.2f}", f"{one.weight_b:.2f}")
        console.print(table)
        console.print()
    for line in _differences(why):
        console.print(line, soft_wrap=True)


def _print_sentences(sentences: tuple[str, ...], console: Console) -> None:
    """Print each sentence on an indented line of its own."""
    for sentence in sentences:
        console.print(f"  {printable_line(sentence)}", soft_wrap=True)


def _verdict_line(why: Explanation) -> str:
    """Return what the rule says of the two items, with its score if there is one.

    Of an update it says which of the two is the later one.
    """
    if why.score is None:
        return f"Different, says rule {why.rule}"
    sentence = "Similar, but no duplicates"
    if why.duplicate:
        sentence = f"Duplicates: a {why.relation}"
    elif why.relation == "part":
        sentence = "No duplicates: one is a part of the other"
    elif why.relation == "update":
        earlier, later = ("B", "A") if (why.hours_apart or 0) < 0 else ("A", "B")
        sides = f"{later} is an update of {earlier}" if why.hours_apart else "one updates the other"
        sentence = f"No duplicates: {sides}"
    return f"{sentence}, score {why.score:g}, says rule {why.rule}"


def _differences(why: Explanation) -> list[str]:
    """Return a line with its label for each way in which the items differ; others are left out."""
    hours = "unknown" if why.hours_apart is None else f"{abs(why.hours_apart):g}"
    if why.hours_apart:
        hours += f"; {'A' if why.hours_apart < 0 else 'B'} is later"
    moved = [
        ("" if one.what is None else f"{one.what}: ") + f"{one.a} in A, {one.b} in B"
        for one in why.moved
    ]
    lines = [
        ("only in A", _weighed(why.only_a)),
        ("only in B", _weighed(why.only_b)),
        ("numbers", _facts(why.numbers)),
        ("names", _facts(why.names)),
        ("moved", "; ".join(moved)),
        ("hours apart", hours),
    ]
    return [f"{name:<12} {printable_line(text)}" for name, text in lines if text]


def _weighed(terms: tuple[WeightedTerm, ...]) -> str:
    """Return terms as "bridge 0.52, river 0.31"."""
    return ", ".join(f"{term.term} {term.weight:.2f}" for term in terms)


def _facts(facts: FactsOfBoth) -> str:
    """Return the numbers or names that are in both texts, and those in one only; "" if none."""
    parts = (("in both", facts.both), ("only in A", facts.only_a), ("only in B", facts.only_b))
    return "; ".join(f"{where}: {', '.join(some)}" for where, some in parts if some)
