"""What `newsdedup lab score` found, as a table on a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table


def score_table(told: dict[str, Any]) -> "Table":
    """Return the scores of stream and decision, and those of each slice."""
    from rich.table import Table

    title = f"{told['pairs']} pairs, rule {told['rule']}"
    table = Table(title="\n".join([title, *_notes(told)]), title_justify="left", box=None)
    for column in ("", "pairs", "found", "precision", "recall", "F", "weighted P", "R", "F"):
        table.add_column(column, justify="left" if not column else "right")
    table.add_row("stream", *_figures(told))
    table.add_row("  95 % from", *_bounds(told, 0))
    table.add_row("  to", *_bounds(told, 1))
    table.add_row("decision", *_figures(told["decision"]))
    found = told["candidates"]
    table.add_row("candidates", "", "", "", shown(found["plain"]), "", "", shown(found["weighted"]))
    for name, part in told["slices"].items():
        table.add_row(name, *_figures(part))
    return table


def shown(share: float | None) -> str:
    """Return a share with three decimals, `-` for one that cannot be computed."""
    return "-" if share is None else f"{share:.3f}"


def _notes(told: dict[str, Any]) -> Iterator[str]:
    """Yield what has no part in the scores, and how many there are of it."""
    if told["pairs_without_items"]:
        yield f"pairs without items: {told['pairs_without_items']}"
    if told["pairs_left_out"]:
        words = [f"{count} {word}" for word, count in told["pairs_left_out"].items()]
        yield f"pairs left out: {', '.join(words)}"
    if told["items_undated"]:
        yield f"undated items: {told['items_undated']}"
    if told["lines_left_out"]:
        yield f"lines that are no items: {told['lines_left_out']}"


def _bounds(told: dict[str, Any], side: int) -> list[str]:
    bounds = [
        told["intervals"][kind].get(name)
        for kind in ("plain", "weighted")
        for name in ("precision", "recall", "f1")
    ]
    return ["", "", *[shown(None if both is None else both[side]) for both in bounds]]


def _figures(part: dict[str, Any]) -> list[str]:
    counts = [str(part.get(name, "")) for name in ("pairs", "found")]
    shares = [
        shown(part[kind][name])
        for kind in ("plain", "weighted")
        for name in ("precision", "recall", "f1")
    ]
    return [*counts, *shares]
