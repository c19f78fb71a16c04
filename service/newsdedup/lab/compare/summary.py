"""The figures of a comparison without the name of any item: what may be published anywhere."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from newsdedup.lab.report.files import render_json, write_atomically

_SCORES = ("precision", "recall", "f1")
_MICRO = 1e6


def write_summary(figures: Path, to: Path) -> None:
    """Write the summary of the figures that a report left beside its page."""
    write_atomically(to, render_json(summarize(json.loads(figures.read_bytes())), indent=1))


def summarize(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return counts, costs for each document, and scores."""
    figures = told["figures"]
    quality, documents = figures["quality"], figures["documents"]
    people = {one["file"]: one for one in quality["people"]}
    return {
        "made": told["made"],
        "documents": {name: documents[name] for name in ("documents", "mean_words")},
        "pairs": {name: quality[name] for name in ("pool", "compared", "same")},
        "people": {
            name: {key: one[key] for key in ("pairs", "duplicates")} for name, one in people.items()
        },
        "planted": quality["planted"]["pairs"] if quality["planted"] else None,
        "methods": {
            name: {
                **_cost(cost, documents["documents"]),
                "texts": _scores(_row(quality["texts"], name)),
                **{file: _people(_row(one["rows"], name)) for file, one in people.items()},
                **_planted(quality["planted"], name),
            }
            for name, cost in figures["methods"].items()
        },
        "curves": figures["curves"],
    }


def _cost(cost: Mapping[str, Any], documents: int) -> dict[str, object]:
    return {
        "version": cost["version"],
        "sign_us": round(_MICRO * cost["sign_seconds"] / documents, 1),
        "pair_us": round(_MICRO * cost["pair_seconds"] / documents, 1),
        "signed": round(cost["signed"] / documents, 4),
        "keys": round(cost["keys"] / documents, 1),
        "bytes": round(cost["bytes"] / documents, 1),
        **{name: cost[name] for name in ("compared", "reach", "largest", "left_out", "found")},
    }


def _row(rows: list[dict[str, Any]], name: str) -> Mapping[str, Any]:
    return next(row for row in rows if row["method"] == name)


def _scores(row: Mapping[str, Any]) -> dict[str, float]:
    return {score: row[score] for score in _SCORES}


def _people(row: Mapping[str, Any]) -> dict[str, object]:
    return {**_scores(row), "weighted": _scores(row["weighted"])}


def _planted(told: Mapping[str, Any] | None, name: str) -> dict[str, object]:
    return {"planted": _scores(_row(told["rows"], name))} if told else {}
