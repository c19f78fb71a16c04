"""An explanation for a person, and as JSON."""

from typing import TYPE_CHECKING

from newsdedup.cli.shown.compared import ComparedItem, ItemComparison
from newsdedup.cli.shown.output import printable_line
from newsdedup.core.events import WeightedTerm
from newsdedup.core.item_names import item_name
from newsdedup.core.matching.explanation import Counted, Explanation, Facts
from newsdedup.core.model import ItemKey

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

SECONDS = len("2026-11-02T06:10:00")


def explanation_json(found: ItemComparison, why: Explanation) -> dict[str, object]:
    """Return all that is known, for a program."""
    return {
        "a": _item(found.a),
        "b": _item(found.b),
        "explanation": why,
        "in_state": found.kinship,
    }


def _item(one: ComparedItem) -> dict[str, object]:
    return {
        "source": one.source,
        "id": one.id,
        "title": one.title,
        "lang": one.lang,
        "at": one.at,
        "terms": one.side.terms,
    }


def print_explanation(found: ItemComparison, why: Explanation, console: "Console") -> None:
    """Print both items, the verdict with its reasons, then what speaks for and against it."""
    for name, one in (("A", found.a), ("B", found.b)):
        console.print(f"{name}  {_place(one)}", soft_wrap=True)
        console.print(f"   {printable_line(one.title)}", style="bold", soft_wrap=True)
    console.print()
    console.print(_verdict(why), style="bold")
    _listed((*why.why, *why.otherwise), console)
    if found.kinship is not None:
        console.print("\nIn the state:")
        _listed(found.kinship.words, console)
    console.print()
    if why.shared:
        console.print(_shared(why))
        console.print()
    for line in _differences(why):
        console.print(line, soft_wrap=True)


def _listed(sentences: tuple[str, ...], console: "Console") -> None:
    for sentence in sentences:
        console.print(f"  {printable_line(sentence)}", soft_wrap=True)


def _place(one: ComparedItem) -> str:
    at = "no time" if one.at is None else f"{one.at[:SECONDS].replace('T', ' ')} UTC"
    return f"{printable_line(item_name(ItemKey(one.source, one.id)))}  {at}  {one.lang}"


def _verdict(why: Explanation) -> str:
    if why.score is None:
        return f"Different, says rule {why.rule}"
    return f"{_found(why)}, score {why.score:g}, says rule {why.rule}"


def _found(why: Explanation) -> str:
    if why.duplicate:
        return f"Duplicates: a {why.relation}"
    if why.relation == "part":
        return "No duplicates: one is a part of the other"
    if why.relation == "update":
        earlier, later = ("B", "A") if (why.hours_apart or 0) < 0 else ("A", "B")
        sides = f"{later} is an update of {earlier}" if why.hours_apart else "one updates the other"
        return f"No duplicates: {sides}"
    return "Similar, but no duplicates"


def _shared(why: Explanation) -> "Table":
    from rich.table import Table

    table = Table(pad_edge=False, box=None)
    table.add_column("shared term", no_wrap=True)
    table.add_column("weight in A", justify="right")
    table.add_column("weight in B", justify="right")
    for one in why.shared:
        table.add_row(printable_line(one.term), f"{one.weight_a:.2f}", f"{one.weight_b:.2f}")
    return table


def _differences(why: Explanation) -> list[str]:
    lines = [
        ("only in A", _weighed(why.only_a)),
        ("only in B", _weighed(why.only_b)),
        ("numbers", _facts(why.numbers)),
        ("names", _facts(why.names)),
        ("moved", "; ".join(map(_moved, why.moved))),
        ("hours apart", _apart(why.hours_apart)),
    ]
    return [f"{name:<12} {printable_line(said)}" for name, said in lines if said]


def _apart(hours: float | None) -> str:
    if not hours:
        return "unknown" if hours is None else "0"
    return f"{abs(hours):g}; {'A' if hours < 0 else 'B'} is later"


def _moved(counted: Counted) -> str:
    what = "" if counted.what is None else f"{counted.what}: "
    return f"{what}{counted.a} in A, {counted.b} in B"


def _weighed(terms: tuple[WeightedTerm, ...]) -> str:
    return ", ".join(f"{term.term} {term.weight:.2f}" for term in terms)


def _facts(facts: Facts) -> str:
    parts = (("in both", facts.both), ("only in A", facts.only_a), ("only in B", facts.only_b))
    return "; ".join(f"{where}: {', '.join(held)}" for where, held in parts if held)
