"""The measurements behind docs/quality.md, collected from several reports, without item names."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.report.docs_page import shorten_command

QUALITY_REPORTS = {
    **dict.fromkeys(("dev", "terms", "own", "two", "lk", "hard"), "score"),
    "fit": "fit",
}
"""The reports by the folder in which each lies, and what its file is called."""
_THRESHOLDS = tuple(index / 20 for index in range(1, 20))
"""Thresholds whose scores are kept, alongside the one that is set."""


def load_results(folder: Path) -> dict[str, Any]:
    """Return the results of the reports in a folder by name, as docs/results/quality.json has them.

    Raise SourceUnusable if a report is missing or is not JSON.
    """
    reports = {
        name: _report(folder / name / f"{file}.json") for name, file in QUALITY_REPORTS.items()
    }
    return {
        name: {"made": _made(one["made"]), "measurements": _measurements(name, one["measurements"])}
        for name, one in reports.items()
    }


def _report(path: Path) -> dict[str, Any]:
    """Return the JSON of a report; raise SourceUnusable if it cannot be read or is not JSON."""
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SourceUnusable(f"{path}: no report of the lab: {error}") from error
    return found


def _made(made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the provenance of a report with its command shortened."""
    return {**made, "command": shorten_command(made["command"])}


def _measurements(name: str, measurements: Mapping[str, Any]) -> dict[str, Any]:
    """Return the measurements of the report called `name` as they are stored.

    Those of a score lose their sweeps of thresholds; of the rule's sweep its threshold and the
    scores at fixed thresholds stay.
    """
    if QUALITY_REPORTS[name] == "fit":
        return dict(measurements)
    remaining = {key: value for key, value in measurements.items() if key != "sweeps"}
    [sweep] = [one for one in measurements["sweeps"].values() if one["scale"] != "match"]
    return {**remaining, "threshold": sweep["threshold"], "thresholds": _thresholds(sweep)}


def _thresholds(sweep: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return scores of a sweep by threshold, as dicts of "threshold", "plain" and "weighted".

    The thresholds are fixed ones and the set one if they are probabilities, else all of the curve;
    those above the whole curve are left out.
    """
    plain, weighted = sweep["plain"]["curve"], sweep["weighted"]["curve"]
    requested = sorted({*_THRESHOLDS, sweep["threshold"]})
    if sweep["scale"] != "probability":
        requested = [one["threshold"] for one in plain]
    rows = [(cut, _at(plain, cut), _at(weighted, cut)) for cut in requested]
    return [
        {"threshold": cut, "plain": own, "weighted": other}
        for cut, own, other in rows
        if own is not None
    ]


def _at(curve: Sequence[Mapping[str, Any]], threshold: float) -> dict[str, Any] | None:
    """Return the scores at the first threshold of the curve that is not lower, None without one."""
    found = next((one for one in curve if one["threshold"] >= threshold), None)
    if found is None:
        return None
    return {key: found[key] for key in ("precision", "recall", "f1")}


def command_lines(reports: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the command behind each report with its date."""
    return [f"# {one['made']['date'][:10]}\n{one['made']['command']}" for one in reports]
