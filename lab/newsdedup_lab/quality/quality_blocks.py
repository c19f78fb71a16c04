"""The generated parts of docs/quality.md: tables, from docs/results/quality.json."""

from collections.abc import Mapping, Sequence
from typing import Any

from newsdedup.core.model import Relation
from newsdedup_lab.fit.samples import READING_TITLES, StreamReading
from newsdedup_lab.quality.results import command_lines
from newsdedup_lab.report.docs_page import markdown_table

_Measurements = Mapping[str, Any]
_Row = Sequence[str]

_CLASSES = {
    "R": "reprint",
    "W": "rewrite",
    "U": "update",
    "P": "part",
    "S": "same event, other message",
    "T": "template",
    "N": "unrelated",
    "BAD": "hard: another event",
}
_RELATIONS: tuple[Relation, ...] = ("reprint", "rewrite", "update", "part", "similar", "none")
_READINGS: tuple[StreamReading, ...] = ("one source", "unlearned")
_SLICES = {
    "set": "set",
    "lang": "language",
    "length": "content words of the shorter",
    "source": "source",
    "hours": "hours apart",
}
_LENGTHS = {"short": "fewer than 12", "middle": "12 to 99", "long": "100 and more"}
_DECIMALS = 3
"""Decimals of a share."""
_THRESHOLDS = (0.05, *[rank / 10 for rank in range(1, 10)], 0.95)
"""Thresholds of the table, alongside the set one; the plot has more."""


def quality_blocks(results: _Measurements) -> dict[str, str]:
    """Return the Markdown of each generated block of docs/quality.md, by its name.

    `results` has the measurements of each report, as in docs/results/quality.json.
    """
    return {
        "other streams": _other_streams(results["fit"]["measurements"]),
        "scores": _scores(results),
        "unseen": _unseen(results["fit"]["measurements"]),
        "confusion": _confusion(results["dev"]["measurements"], results["terms"]["measurements"]),
        "confusion of our own pairs": _confusion(results["own"]["measurements"]),
        "confusion of the hard pairs": _confusion(results["hard"]["measurements"]),
        "slices": slice_table(results["dev"]["measurements"]["slices"], weighted=True),
        "slices of our own pairs": slice_table(
            results["own"]["measurements"]["slices"], weighted=False
        ),
        "reliability": _reliability(results["fit"]["measurements"]),
        "reliability by stream": _reliability_by_stream(results["fit"]["measurements"]),
        "preferences": _preferences(results["fit"]["measurements"]),
        "thresholds": _thresholds(results["dev"]["measurements"]),
        "thresholds by length": _thresholds_by_length(results["fit"]["measurements"]),
        "contradictions": _contradictions(results["fit"]["measurements"]),
        "commands": "\n".join(["```sh", *command_lines(results.values()), "```"]),
    }


def format_share(value: float | None) -> str:
    """Return a share as the page writes it: .907, 1 for all, - for none."""
    if value is None:
        return "-"
    written = f"{value:.{_DECIMALS}f}"
    return written.removeprefix("0") if value < 1 else "1"


def _bounded(part: _Measurements, kind: str, name: str) -> str:
    """Return a score with its 95 % interval as .907 [.88, .93], without one if there is none.

    `kind` is "plain" or "weighted", `name` the score.
    """
    interval = part["intervals"][kind].get(name)
    if interval is None:
        return format_share(part[kind][name])
    low, high = interval
    return f"{format_share(part[kind][name])} [{low:.2f}, {high:.2f}]".replace("[0.", "[.").replace(
        ", 0.", ", ."
    )


def _scores(results: _Measurements) -> str:
    """Return the table of scores on labelled pairs by rule, in the stream and compared directly."""
    names = {
        "dev": "463 pairs",
        "terms": "463 pairs",
        "lk": "lk, 463 pairs",
        "two": "two readers, 463 pairs",
        "own": "our own pairs",
    }
    rows = []
    for name, pairs in names.items():
        found = results[name]["measurements"]
        rule = found["rule"].partition("-")[0]
        named = pairs.replace("463", str(found["pairs"]))
        for reading, part in (("stream", found), ("the pairs directly", found["decision"])):
            shares = [_bounded(part, "plain", one) for one in ("precision", "recall", "f1")]
            candidates = format_share(found["candidates"]["plain"]) if reading == "stream" else ""
            weighted = _bounded(part, "weighted", "f1") if name != "own" else ""
            rows.append((named, f"`{rule}`", reading, *shares, weighted, candidates))
    columns = ("pairs", "rule", "", "precision", "recall", "F", "F weighted", "candidates")
    return markdown_table(columns, rows)


def _unseen(measurements: _Measurements) -> str:
    """Return the table of the scores of models on pairs that they were not fitted on.

    It has rows for the readings, other sources, other streams, lengths, and our own pairs.
    """
    first, second, *_ = measurements["by_story"]
    came = {**measurements["by_story"][first]["as it came"], "intervals": measurements["intervals"]}
    shown = (("plain", "precision"), ("plain", "recall"), ("plain", "f1"), ("weighted", "f1"))
    rows: list[_Row] = [(READING_TITLES["as it came"], *[_bounded(came, *one) for one in shown])]
    rows += [
        (READING_TITLES[name], *_shares(measurements["by_story"][first][name]))
        for name in _READINGS
    ]
    rows.append(
        ("no pair of the fit has a source of the tested pair", *_shares(measurements["by_source"]))
    )
    for name, found in measurements["by_length"].items():
        text = f"content words of the shorter: {_LENGTHS[name]} ({found['pairs']})"
        rows.append((text, *_shares(found)))
    own = measurements["by_story"][second]["as it came"]
    rows.append((f"our own pairs in one language ({own['pairs']})", *_shares(own)[:3], ""))
    columns = (
        f"{measurements['pairs'][first]} pairs, unseen",
        "precision",
        "recall",
        "F",
        "F weighted",
    )
    return markdown_table(columns, rows)


def _other_streams(measurements: _Measurements) -> str:
    """Return the table of scores on streams that no pair of the fit is from, and their worst."""
    shown = (("plain", "precision"), ("plain", "recall"), ("plain", "f1"), ("weighted", "f1"))
    rows: list[_Row] = []
    whole: dict[str, float] = {}
    for name, found in measurements["by_stream"].items():
        for file, part in found["files"].items():
            weighted = part["weighted"] != part["plain"]
            cells = [_bounded(part, *one) for one in shown]
            counted = (file.removesuffix(".tsv"), str(part["pairs"]))
            rows.append((stream_name(name), *counted, *cells[:3], cells[3] if weighted else ""))
        whole[stream_name(name)] = found["plain"]["f1"]
        cells = [_bounded(found, *one) for one in shown[:3]]
        rows.append((stream_name(name), "all", str(found["pairs"]), *cells, ""))
    mean, worst = sum(whole.values()) / len(whole), min(whole, key=lambda name: whole[name])
    rows.append(("mean of the streams", "", "", "", "", format_share(mean), ""))
    rows.append((f"worst: {worst}", "", "", "", "", format_share(whole[worst]), ""))
    columns = ("stream", "labels", "pairs", "precision", "recall", "F", "F weighted")
    return markdown_table(columns, rows)


def _thresholds_by_length(measurements: _Measurements) -> str:
    """Return the table of precision and recall of unseen pairs at fixed thresholds, by length."""
    classes = measurements["at"]
    cuts = [one["threshold"] for one in next(iter(classes.values()))]
    rows = [
        (
            f"{cut:g}",
            *[
                format_share(rows[rank][score])
                for rows in classes.values()
                for score in ("precision", "recall")
            ],
        )
        for rank, cut in enumerate(cuts)
    ]
    titles = [
        f"{_LENGTHS[name]} ({rows[0]['pairs']}): {score}"
        for name, rows in classes.items()
        for score in ("precision", "recall")
    ]
    return markdown_table(("threshold", *titles), rows)


def _contradictions(measurements: _Measurements) -> str:
    """Return the table of what contradicts a copy: its pairs by stream, and what it changes.

    A row has the measurements of the stream as it came, then those of it read as of one source.
    """
    rows: dict[tuple[str, str], list[str]] = {}
    keys = ("others", "spared", "duplicates", "lost")
    for rank, reading in enumerate(("as it came", "one source")):
        for one in measurements["contradictions"]:
            if one["reading"] == reading:
                row = rows.setdefault((one["contradiction"], stream_name(one["stream"])), ["0"] * 8)
                row[4 * rank : 4 * rank + 4] = [str(one[key]) for key in keys]
    named = ("no duplicates", "of them spared", "duplicates", "lost")
    columns = ("contradiction", "stream", *named, *[f"of one source: {name}" for name in named])
    return markdown_table(columns, [(*key, *row) for key, row in sorted(rows.items())])


def stream_name(name: str) -> str:
    """Return the name of a stream without a slash and what follows it."""
    return name.partition("/")[0]


def _shares(found: _Measurements) -> tuple[str, ...]:
    """Return precision, recall, F and weighted F, as the page writes them."""
    plain, weighted = found["plain"], found["weighted"]
    return tuple(
        format_share(one)
        for one in (plain["precision"], plain["recall"], plain["f1"], weighted["f1"])
    )


def _confusion(measurements: _Measurements, alongside: _Measurements | None = None) -> str:
    """Return a table with a row for each class of the guide: how its pairs were judged.

    A row has the number of pairs, how many got each relation in direct comparison, and how many
    were found duplicates in the stream; with `alongside`, also how many the rule `terms` found.
    """
    rows = []
    for label, name in _CLASSES.items():
        taken = measurements["relations"].get(label)
        if taken is None:
            continue
        part = f"label={label}"
        pairs, found = (measurements["slices"][part][key] for key in ("pairs", "found"))
        other = () if alongside is None else (str(alongside["slices"][part]["found"]),)
        counts = [str(taken.get(relation, 0)) for relation in _RELATIONS]
        rows.append((name, str(pairs), *counts, str(found), *other))
    columns = ("class of the guide", "pairs", *_RELATIONS, "found in the stream")
    return markdown_table(columns if alongside is None else (*columns, "by `terms`"), rows)


def slice_table(slices: Mapping[str, _Measurements], *, weighted: bool) -> str:
    """Return the Markdown table of scores by slice, in the order of kind and value.

    `slices` are keyed KIND=VALUE; `weighted` adds a column of weighted F. Intervals and candidates
    are shown if the measurements of all slices have them.
    """
    bounded = all("intervals" in part for part in slices.values())
    rows = []
    for kind, text in _SLICES.items():
        parts = {
            name.partition("=")[2]: part
            for name, part in slices.items()
            if name.startswith(f"{kind}=")
        }
        for value in sorted(parts, key=_order):
            shown = _LENGTHS.get(value, f"{value[:-1]} and more" if value.endswith("-") else value)
            *cells, f1 = (_slice_bounded if bounded else _slice)(parts[value])
            candidates = [format_share(parts[value]["candidates"]["plain"])] if bounded else []
            rows.append((f"{text}: {shown}", *cells, *([f1] if weighted else []), *candidates))
    columns = ["slice", "pairs", "found", "precision", "recall", "F"]
    columns += ["F weighted"] * weighted + ["candidates"] * bounded
    return markdown_table(columns, rows)


def _order(value: str) -> tuple[int, float, str]:
    """Return a sort key of slice values: lengths by length, hours by time, all else by name."""
    if value in _LENGTHS:
        return 0, list(_LENGTHS).index(value), value
    begin = value.partition("-")[0]
    return (0, float(begin), value) if begin.isdigit() else (1, 0, value)


def _slice(part: _Measurements) -> tuple[str, ...]:
    """Return pairs, found ones, precision, recall, F and weighted F of a slice."""
    counts = (str(part["pairs"]), str(part["found"]))
    # Older results have 0 for a precision that cannot be computed.
    nothing = not part["found"] and part["plain"]["precision"] == 0
    return (*counts, *(("-",) * 4 if nothing else _shares(part)))


def _slice_bounded(part: _Measurements) -> tuple[str, ...]:
    """Return pairs, found ones, precision, recall, F and weighted F of a slice, with intervals."""
    shown = (("plain", "precision"), ("plain", "recall"), ("plain", "f1"), ("weighted", "f1"))
    return (str(part["pairs"]), str(part["found"]), *[_bounded(part, *one) for one in shown])


def _reliability(measurements: _Measurements) -> str:
    """Return the table of predicted probability and share of duplicates, by tenths."""
    step = 0.1
    rows = [
        (
            f"{one['from']:.1f} to {one['from'] + step:.1f}",
            str(one["pairs"]),
            format_share(one["predicted"]),
            format_share(one["true"]),
        )
        for one in measurements["reliability"]
    ]
    return markdown_table(("probability", "pairs", "predicted", "duplicates"), rows)


def _reliability_by_stream(measurements: _Measurements) -> str:
    """Return the table of the share of duplicates by tenths of the probability, for each stream."""
    streams = measurements["by_stream"]
    rows = []
    for tenth in range(10):
        cells = []
        for found in streams.values():
            part = [one for one in found["reliability"] if one["from"] == tenth / 10]
            cells.append(f"{format_share(part[0]['true'])} ({part[0]['pairs']})" if part else "")
        rows.append((f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}", *cells))
    return markdown_table(("probability", *map(stream_name, streams)), rows)


def _preferences(measurements: _Measurements) -> str:
    """Return the table of scores on streams outside the fit, by stream and `rule.prefer`."""
    shown = (("plain", "precision"), ("plain", "recall"), ("plain", "f1"))
    rows = [
        (stream_name(name), f"`{prefer}`", *[_bounded(part, *one) for one in shown])
        for name, found in measurements["by_stream"].items()
        for prefer, part in found["preferred"].items()
    ]
    return markdown_table(("stream", "`rule.prefer`", "precision", "recall", "F"), rows)


def _thresholds(measurements: _Measurements) -> str:
    """Return the table of scores at fixed thresholds and at the set one, which is marked."""
    rows = []
    for one in measurements["thresholds"]:
        if one["threshold"] not in (*_THRESHOLDS, measurements["threshold"]):
            continue
        scores = [one[kind][name] for kind in ("plain", "weighted")
                  for name in ("precision", "recall", "f1")]  # fmt: skip
        at = f"{one['threshold']:g}"
        note = " (set)" if one["threshold"] == measurements["threshold"] else ""
        rows.append((f"{at}{note}", *map(format_share, scores)))
    columns = ("threshold", "precision", "recall", "F", "weighted P", "weighted R", "weighted F")
    return markdown_table(columns, rows)
