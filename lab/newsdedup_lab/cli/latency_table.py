"""The measurements of `newsdedup bench --kafka --rate` as a table on a terminal."""

from typing import TYPE_CHECKING, Any

from newsdedup.cli.output import plain_table

if TYPE_CHECKING:
    from rich.table import Table

_COLUMNS = ("records", "p50_ms", "p90_ms", "p99_ms", "max_ms")
_KIND_NAMES = {"whole": "worker", "empty": "empty runner"}


def latency_table(measurements: dict[str, Any]) -> "Table":
    """Return the table of latencies: a row for each runner, rate and kind of worker."""
    table = plain_table("runner", ">items/s", "", *(f">{name}" for name in _COLUMNS))
    table.title = f"rule {measurements['rule']}, {measurements['seconds']:g} s at each rate"
    for runner, kinds in measurements["latency"].items():
        for rate in kinds["whole"]:
            for kind, name in _KIND_NAMES.items():
                row = kinds[kind][rate]
                table.add_row(runner, rate, name, *(str(row[column]) for column in _COLUMNS))
    return table
