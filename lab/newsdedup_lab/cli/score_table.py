"""The measurements of `newsdedup lab score` as a table on a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from newsdedup.cli.output import plain_table

if TYPE_CHECKING:
    from rich.table import Table

SHARE_HEADINGS = (">precision", ">recall", ">F", ">weighted P", ">R", ">F")
_SHARES = [(kind, name) for kind in ("plain", "weighted") for name in ("precision", "recall", "f1")]


def score_table(measurements: dict[str, Any]) -> "Table":
    """Return the table of `lab score`: a row for stream, decision, candidates and each slice."""
    title = f"{measurements['pairs']} pairs, rule {measurements['rule']}"
    table = plain_table("", ">pairs", ">found", *SHARE_HEADINGS)
    table.title = "\n".join([title, *_notes(measurements)])
    table.add_row("stream", *_counts_and_shares(measurements))
    table.add_row("  95 % from", *_bounds(measurements, 0))
    table.add_row("  to", *_bounds(measurements, 1))
    table.add_row("decision", *_counts_and_shares(measurements["decision"]))
    shares = [_share(measurements["candidates"][kind]) for kind in ("plain", "weighted")]
    table.add_row("candidates", "", "", "", shares[0], "", "", shares[1])
    for name, part in measurements["slices"].items():
        table.add_row(name, *_counts_and_shares(part))
    return table


def _notes(measurements: dict[str, Any]) -> Iterator[str]:
    """Yield the counts of pairs, items and lines that have no part in the scores."""
    if measurements["pairs_without_items"]:
        yield f"pairs without items: {measurements['pairs_without_items']}"
    if measurements["pairs_left_out"]:
        words = [f"{count} {word}" for word, count in measurements["pairs_left_out"].items()]
        yield f"pairs left out: {', '.join(words)}"
    if measurements["items_undated"]:
        yield f"undated items: {measurements['items_undated']}"
    if measurements["lines_left_out"]:
        yield f"lines that are no items: {measurements['lines_left_out']}"


def _bounds(measurements: dict[str, Any], side: int) -> list[str]:
    """Return the cells with the lower (side 0) or upper (side 1) bounds of the intervals."""
    bounds = [measurements["intervals"][kind].get(name) for kind, name in _SHARES]
    return ["", "", *[_share(None if both is None else both[side]) for both in bounds]]


def _counts_and_shares(part: dict[str, Any]) -> list[str]:
    """Return the cells of a row: how many pairs and found pairs, then the scores."""
    return [*(str(part.get(name, "")) for name in ("pairs", "found")), *shown_shares(part)]


def shown_shares(part: dict[str, Any]) -> list[str]:
    """Return precision, recall and F, plain and weighted, as cells in the order of SHARE_HEADINGS.

    Each is a number from 0 to 1 with three decimals, `-` if it cannot be computed.
    """
    return [_share(part[kind][name]) for kind, name in _SHARES]


def _share(share: float | None) -> str:
    """Return a share with three decimals, `-` for one that cannot be computed."""
    return "-" if share is None else f"{share:.3f}"
