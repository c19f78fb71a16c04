"""Writes docs/performance.md: its generated tables, its plots and the measurements behind them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.performance.cells import Measurements, measured_range, measurement_at
from newsdedup_lab.performance.frontier_page import read_frontier, write_frontier
from newsdedup_lab.performance.performance_blocks import performance_blocks
from newsdedup_lab.report.docs_page import DocsPage
from newsdedup_lab.report.report_content import Plot, Series
from newsdedup_lab.report.study_stages import render_json

PERFORMANCE_PAGE = DocsPage(
    "lab performance",
    page="performance.md",
    measurements=Path("results", "performance.json"),
    plots="performance",
)

MEASURED_PARTS = ("dense", "stages", "redis", "kafka", "latency")
"""The parts of the suite."""


def write_performance(measured: Path, docs: Path) -> list[Path]:
    """Write page, measurements and plots into the folder `docs`; return their paths.

    `measured` is a file with parts of the suite; parts that it lacks stay as `docs` has them. Raise
    SourceUnusable if a part is in neither, the page is missing or its comments do not match the
    blocks; nothing is written then. A file of `bench --pairs --json` renews only what is about
    speed and quality.
    """
    pairs = read_frontier(measured)
    if pairs is not None:
        return write_frontier(pairs, docs)
    old = docs / PERFORMANCE_PAGE.measurements
    results = {**(_read_parts(old) if old.exists() else {}), **_read_parts(measured)}
    if missing := [name for name in MEASURED_PARTS if name not in results]:
        raise SourceUnusable(f"{measured}: there are no measurements of {', '.join(missing)}")
    ordered = {name: results[name] for name in MEASURED_PARTS}
    return PERFORMANCE_PAGE.write(
        docs,
        render_json(ordered, indent=1),
        performance_blocks(ordered),
        performance_plots(ordered),
    )


def _read_parts(path: Path) -> dict[str, Any]:
    """Return the parts of the suite in a file; raise SourceUnusable if it has none."""
    try:
        parts = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SourceUnusable(f"{path}: no measurements of the suite: {error}") from error
    named = {name: parts[name] for name in MEASURED_PARTS if name in parts}
    if not named or not all("made" in part and "measurements" in part for part in named.values()):
        raise SourceUnusable(
            f"{path}: no measurements of the suite (newsdedup bench --suite --json)"
        )
    return named


def performance_plots(results: Measurements) -> dict[str, Plot]:
    """Return the plots by file name: rate by window size, and latency by rate."""
    measurements = {name: part["measurements"] for name, part in results.items()}
    return {
        "density.svg": _density(measurements["dense"], measurements["redis"]["dense"]),
        "latency.svg": _latency(measurements["latency"]),
    }


def _density(memory: Measurements, redis: Measurements) -> Plot:
    """Plot the rate against the number of items in the window: ours, and those of the peers."""
    peers = memory["steps"][0]["peers"]
    return Plot(
        "Rate by window size",
        "items in a window of 72 hours",
        "items/s",
        (
            _window_series(f"{memory['rule']}, in memory", memory, "rate"),
            _window_series(f"{redis['rule']}, in Redis", redis, "rate"),
            *[_window_series(peer, memory, "peers", peer) for peer in peers],
        ),
        y_scale="log",
    )


def _window_series(label: str, measurements: Measurements, *path: str) -> Series:
    """Return a number of the steps by window size, with the range of its repeats."""
    indexes = [(number, step["items"]) for number, step in enumerate(measurements["steps"])]
    points, band = [], []
    for number, items in indexes:
        points.append((items, measurement_at(measurements, "steps", number, *path)))
        extent = measured_range(measurements, "steps", number, *path)
        if extent is not None:
            band.append((items, *extent))
    return Series(label, tuple(points), band=tuple(band) if len(band) == len(points) else ())


def _latency(measurements: Measurements) -> Plot:
    """Plot the latency against the rate: median and 99th percentile of worker and empty runner."""
    return Plot(
        "Latency by rate",
        "items/s",
        "from record to event, ms",
        tuple(_latency_series(measurements)),
        x_scale="log",
        y_scale="log",
    )


def _latency_series(measurements: Measurements) -> Iterator[Series]:
    """Yield the lines of each runner."""
    shown = (("worker, p50", "whole", "p50_ms"), ("worker, p99", "whole", "p99_ms"))
    for runner, kinds in measurements["latency"].items():
        for label, kind, name in (*shown, ("empty, p99", "empty", "p99_ms")):
            points = [(float(rate), one[name]) for rate, one in kinds[kind].items()]
            yield Series(f"{runner} {label}", tuple(points))
