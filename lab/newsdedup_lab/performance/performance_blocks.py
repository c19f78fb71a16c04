"""The generated tables of docs/performance.md, from docs/results/performance.json."""

from collections.abc import Callable
from typing import Any

from newsdedup_lab.bench.peers import PEERS
from newsdedup_lab.performance.aims import aim_rows
from newsdedup_lab.performance.cells import (
    Measurements,
    Step,
    format_count,
    format_ratio,
    format_tenths,
    measured_cell,
)
from newsdedup_lab.report.docs_page import markdown_table

_STAGES = {
    ("stages", "tokens"): "cleaning and tokens",
    ("stages", "signature"): "signature",
    ("alone", "index"): "signature and memory index, one process",
    ("stages", "index"): "the same, with helpers",
    ("alone", "embedded"): "embedded run, one process",
    ("stages", "embedded"): "the same, with helpers",
}
"""The paths of the rates of our stages, and what the page calls them."""
_WORKERS = {"whole": "worker", "empty": "empty runner"}


def performance_blocks(results: Measurements) -> dict[str, str]:
    """Return the Markdown of each generated block of docs/performance.md, by its name.

    `results` has the parts of the suite, as in docs/results/performance.json.
    """
    measurements = {name: part["measurements"] for name, part in results.items()}
    return {
        "window": _window(measurements["dense"]),
        "window in Redis": _window_in_redis(measurements["redis"]["dense"]),
        "peers": _peers(measurements["stages"]),
        "stages": _stages(measurements["stages"]),
        "Redis": _redis(measurements["redis"]["rules"]),
        "workers": _workers(measurements["kafka"]),
        "latency": _latency(measurements["latency"]),
        "aims": markdown_table(("quantity", "measured", "aim", ""), aim_rows(measurements)),
        "measured": _measured(results),
    }


def _window(measurements: Measurements) -> str:
    """Return the table of a window in memory that fills: rates, ratios and pairs of each step."""
    peers = list(measurements["steps"][0]["peers"])
    rows = []
    for number, step in enumerate(measurements["steps"]):
        cell = _cells_of(measurements, "steps", number)
        rows.append(
            (
                format_count(step["items"]),
                cell(format_count, "rate"),
                *[cell(format_count, "peers", peer) for peer in peers],
                cell(format_ratio, "ratios", "datasketch"),
                *[_mean_and_p99(step[kind]) for kind in ("candidates", "comparisons")],
                format_count(step["resident_bytes_per_item"]),
            )
        )
    columns = ("items in the window", f"`{measurements['rule']}`, items/s", *peers)
    more = ("against datasketch", "candidates", "compared in full", "bytes/item")
    return markdown_table((*columns, *more), rows)


def _window_in_redis(measurements: Measurements) -> str:
    """Return the table of a window in Redis that fills: rates, look-ups and memory."""
    rows = []
    for number, step in enumerate(measurements["steps"]):
        cell = _cells_of(measurements, "steps", number)
        rows.append(
            (
                format_count(step["items"]),
                cell(format_count, "rate"),
                cell(format_count, "judged"),
                f"{step['look_up_ms']['p50']:.2f} / {step['look_up_ms']['p99']:.2f}",
                *[_mean_and_p99(step[kind]) for kind in ("candidates", "postings")],
                format_tenths(step["comparisons"]),
                format_count(step["bytes_per_item"]),
            )
        )
    columns = (
        "items in the window",
        f"`{measurements['rule']}`, items/s",
        "without analysis",
        "look-up, ms",
        "candidates",
        "postings read",
        "compared in full",
        "bytes/item",
    )
    return markdown_table(columns, rows)


def _mean_and_p99(counts: Measurements) -> str:
    """Return the mean and the 99th percentile as one cell."""
    return f"{format_tenths(counts['mean'])} / {format_count(counts['p99'])}"


def _peers(measurements: Measurements) -> str:
    """Return the table of the peers: what each does, and its rate where the stages were run."""
    stages = next(iter(measurements.values()))
    rows = [
        (name, peer.about, measured_cell(stages, "peers", name, show=format_count))
        for name, peer in PEERS.items()
    ]
    return markdown_table(("peer", "what it does with an item", "items/s"), rows)


def _stages(measurements: Measurements) -> str:
    """Return the table of the stages: rates and ratios against datasketch, for each rule."""
    rows = []
    for (kind, stage), title in _STAGES.items():
        ratios = "ratios" if kind == "stages" else "ratios_alone"
        cells = [
            cell
            for one in measurements.values()
            for cell in (
                measured_cell(one, kind, stage, show=format_count),
                measured_cell(one, ratios, f"{stage}_vs_datasketch", show=format_ratio),
            )
        ]
        rows.append((title, *cells))
    columns = [
        column for rule in measurements for column in (f"`{rule}`, items/s", "against datasketch")
    ]
    return markdown_table(("stage", *columns), rows)


def _redis(measurements: Measurements) -> str:
    """Return the table of the index in Redis: a row for each rule."""
    rows = []
    for rule, one in measurements.items():
        cell = _cells_of(one)
        rows.append(
            (
                f"`{rule}`",
                cell(format_count, "redis"),
                cell(format_count, "peers", "datasketch_redis"),
                cell(format_ratio, "ratios", "redis_vs_datasketch_redis"),
                cell(format_ratio, "ratios", "redis_vs_datasketch_redis_buffered"),
                f"{one['p50_ms']:.2f} / {one['p99_ms']:.2f}",
                cell(format_count, "bytes", "postings"),
                cell(format_count, "bytes_per_item"),
            )
        )
    columns = (
        "rule",
        "items/s",
        "datasketch on Redis",
        "ratio",
        "ratio, its inserts buffered",
        "look-up, ms",
        "postings, bytes/item",
        "all, bytes/item",
    )
    return markdown_table(columns, rows)


def _workers(measurements: Measurements) -> str:
    """Return the table of workers end to end: a row for each runner."""
    cell = _cells_of(measurements)
    rows = [
        (
            runner,
            cell(format_count, "runners", runner),
            cell(format_count, "empty", runner),
            cell(format_ratio, "ratios", runner),
            *[
                f"{measurements['share'][runner][part]:.0%}"
                for part in ("engine", "redis", "kafka")
            ],
        )
        for runner in measurements["runners"]
    ]
    columns = ("runner", "items/s", "empty runner", "ratio", "analysis", "Redis", "Kafka")
    return markdown_table(columns, rows)


def _latency(measurements: Measurements) -> str:
    """Return the table of latencies: a row for each runner, rate and kind of worker."""
    rows = []
    for runner, kinds in measurements["latency"].items():
        for rate in kinds["whole"]:
            for kind, title in _WORKERS.items():
                cell = _cells_of(measurements, "latency", runner, kind, rate)
                shown = [cell(format_count, name) for name in ("p50_ms", "p90_ms", "p99_ms")]
                rows.append((runner, rate, title, *shown))
    return markdown_table(("runner", "items/s", "", "p50, ms", "p90, ms", "p99, ms"), rows)


def _cells_of(measurements: Measurements, *prefix: Step) -> Callable[..., str]:
    """Return a function from a form and a path below the prefix to the cell of that number."""

    def cell(show: Callable[[float], str], *path: Step) -> str:
        """Return the number at a path below the prefix as text."""
        return measured_cell(measurements, *prefix, *path, show=show)

    return cell


def _measured(results: Measurements) -> str:
    """Return the table of when and on what each part was measured, and the commands below it."""
    rows = []
    for name, part in results.items():
        made, machine = part["made"], part["made"]["machine"]
        rows.append(
            (
                name,
                made["date"][:10],
                f"{made['minutes']:g}",
                f"{machine['system']}, {machine['processors']} processors",
                machine["python"],
                f"{machine['load']:g}",
                ", ".join(f"{one} {number}" for one, number in made["versions"].items()),
            )
        )
    columns = ("part", "date", "minutes", "machine", "Python", "load before", "releases")
    commands = dict.fromkeys(_command(part) for part in results.values())
    return "\n".join([markdown_table(columns, rows), "", "```sh", *commands, "```"])


def _command(part: Any) -> str:
    """Return the command line that measured a part."""
    return str(part["made"]["command"])
