"""What `newsdedup lab score` found, as a table on a terminal."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table


def score_table(told: dict[str, Any]) -> "Table":
    """Return the scores of stream and decision, and those of each slice."""
    from rich.table import Table  # noqa: PLC0415 - help must not wait for rich

    title = f"{told['pairs']} pairs, rule {told['rule']}"
    if told["pairs_without_items"]:
        title += f"; pairs without items: {told['pairs_without_items']}"
    table = Table(title=title, title_justify="left", box=None)
    for column in ("", "pairs", "found", "precision", "recall", "F", "weighted P", "R", "F"):
        table.add_column(column, justify="left" if not column else "right")
    table.add_row("stream", *_figures(told))
    table.add_row("  95 % from", *_bounds(told, 0))
    table.add_row("  to", *_bounds(told, 1))
    table.add_row("decision", *_figures(told["decision"]))
    found = told["candidates"]
    table.add_row(
        "candidates", "", "", "", f"{found['plain']:.3f}", "", "", f"{found['weighted']:.3f}"
    )
    for name, part in told["slices"].items():
        table.add_row(name, *_figures(part))
    return table


def _bounds(told: dict[str, Any], side: int) -> list[str]:
    return ["", ""] + [
        f"{told['intervals'][kind][name][side]:.3f}"
        for kind in ("plain", "weighted")
        for name in ("precision", "recall", "f1")
    ]


def _figures(part: dict[str, Any]) -> list[str]:
    counts = [str(part.get(name, "")) for name in ("pairs", "found")]
    shares = [
        f"{part[kind][name]:.3f}"
        for kind in ("plain", "weighted")
        for name in ("precision", "recall", "f1")
    ]
    return [*counts, *shares]
