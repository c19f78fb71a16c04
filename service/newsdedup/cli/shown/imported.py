"""The figures of an import, for programs and in words."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from newsdedup.cli.output import counted


def import_stats(
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


def import_sentence(stats: Mapping[str, Any]) -> str:
    """Return the figures in words."""
    rate = stats["items"] / max(stats["seconds"], 0.001)
    parts = [f"{counted(stats['items'], 'item')} of {counted(stats['files'], 'file')}"]
    if stats["verdicts"]:
        parts.append(_listed(stats["verdicts"]))
    if stats["left_out"]:
        parts.append(f"left out: {_listed(stats['left_out'])}")
    if stats["dead"]:
        parts.append(
            f"{counted(stats['dead'], 'dead letter')} ({_listed(stats['dead_by_code'])}) in "
            f"{stats['dlq']}"
        )
    if stats["resumed"]:
        parts.append(f"read before: {counted(stats['resumed'], 'record')}")
    if stats["damaged"]:
        parts.append(f"damaged: {counted(stats['damaged'], 'file')}")
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
