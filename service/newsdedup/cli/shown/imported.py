"""The figures of an import, for programs and in words."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from newsdedup.cli.output import counted


def import_figures(
    counts: Counter[str],
    judged: Counter[str],
    *,
    kind: str,
    to: str,
    dead: str,
    seconds: float,
) -> dict[str, Any]:
    """Return the figures of an import; `judged` are the counts of the engine, if it was the output.

    `items` were written by this start, `resumed` are records that earlier ones have read.
    """
    return {
        "kind": kind,
        "to": to,
        "files": counts["files"],
        "damaged": counts["damaged"],
        "items": counts["items"],
        "left_out": _with_prefix(counts, "left_out_"),
        "dead": counts["dead"],
        "dead_by_code": _with_prefix(counts, "dead_"),
        "dlq": dead,
        "resumed": counts["resumed"],
        "verdicts": {name: judged[name] for name in ("original", "duplicate") if judged[name]},
        "seconds": round(seconds, 3),
    }


def import_sentence(figures: Mapping[str, Any]) -> str:
    """Return the figures in words."""
    rate = figures["items"] / max(figures["seconds"], 0.001)
    parts = [f"{counted(figures['items'], 'item')} of {counted(figures['files'], 'file')}"]
    if figures["verdicts"]:
        parts.append(_listed(figures["verdicts"]))
    if figures["left_out"]:
        parts.append(f"left out: {_listed(figures['left_out'])}")
    if figures["dead"]:
        parts.append(
            f"{counted(figures['dead'], 'dead letter')} ({_listed(figures['dead_by_code'])}) in "
            f"{figures['dlq']}"
        )
    if figures["resumed"]:
        parts.append(f"read before: {counted(figures['resumed'], 'record')}")
    if figures["damaged"]:
        parts.append(f"damaged: {counted(figures['damaged'], 'file')}")
    return f"{'; '.join(parts)}; {rate:,.0f} items/s"


def _with_prefix(counts: Counter[str], prefix: str) -> dict[str, int]:
    """Return the counts whose names begin so, without that beginning, sorted by name."""
    return {
        name.removeprefix(prefix): number
        for name, number in sorted(counts.items())
        if name.startswith(prefix)
    }


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in numbers.items())
