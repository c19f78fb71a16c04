"""Labelled pairs against the engine: what the stream finds, and what the rule says directly."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from newsdedup.core.moments import is_dated
from newsdedup.lab.collections.pairs import Found, LabelledPair, PairFile, slices
from newsdedup.lab.report.stages import Watch
from newsdedup.lab.score.intervals import intervals
from newsdedup.lab.score.score import Replay
from newsdedup.lab.score.scores import Outcome, shares


def report(
    labelled: PairFile, replay: Replay, *, lines_left_out: int, watch: Watch
) -> dict[str, object]:
    """Return the scores of the stream and of the bare decision, whole and by slice.

    `lines_left_out` counts the lines of the items' files that are no items.
    """
    known = [pair for pair in labelled.pairs if replay.knows(pair)]
    stream = _outcomes(known, replay.in_one_story)
    decision = _outcomes(known, lambda pair: replay.match(pair).duplicate)
    told = []
    with watch.step("intervals", 2) as advance:
        for outcomes in (stream, decision):
            told.append(_intervals(outcomes))
            advance(1)
    stream_intervals, decision_intervals = told
    return {
        "pairs": len(known),
        "pairs_without_items": len(labelled.pairs) - len(known),
        "pairs_left_out": dict(labelled.left_out),
        "items": len(replay.analyzed),
        "items_undated": sum(not is_dated(one.item) for one in replay.analyzed.values()),
        "lines_left_out": lines_left_out,
        "rule": replay.rule.version,
        "found": _found(stream),
        **_scores(stream),
        "intervals": stream_intervals,
        "decision": {
            "found": _found(decision),
            **_scores(decision),
            "intervals": decision_intervals,
        },
        "candidates": _candidates(known, replay),
        "relations": _relations(known, replay),
        "slices": _sliced(known, replay, watch),
    }


def _found(outcomes: Iterable[Outcome]) -> int:
    return sum(outcome.found for outcome in outcomes)


def _outcomes(pairs: Iterable[LabelledPair], found: Found) -> list[Outcome]:
    return [Outcome(pair.duplicate, found(pair), pair.weight) for pair in pairs]


def _scores(outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {
        "plain": asdict(shares(outcomes)),
        "weighted": asdict(shares(outcomes, weighted=True)),
    }


def _intervals(outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {
        "plain": intervals(outcomes, weighted=False),
        "weighted": intervals(outcomes, weighted=True),
    }


def _candidates(pairs: Iterable[LabelledPair], replay: Replay) -> dict[str, float | None]:
    """Return the share of the duplicates that a look-up finds: recall can be no better."""
    outcomes = _outcomes([pair for pair in pairs if pair.duplicate], replay.retrievable)
    return {
        "plain": shares(outcomes).recall,
        "weighted": shares(outcomes, weighted=True).recall,
    }


def _relations(pairs: Iterable[LabelledPair], replay: Replay) -> dict[str, dict[str, int]]:
    """Return how often each class of the guide was given each relation by the bare decision."""
    table: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for pair in pairs:
        if pair.label:
            table[pair.label][replay.match(pair).relation] += 1
    return {label: dict(sorted(row.items())) for label, row in sorted(table.items())}


def _sliced(
    pairs: Iterable[LabelledPair], replay: Replay, watch: Watch
) -> dict[str, dict[str, object]]:
    """Return the scores of each slice, with how many pairs were found."""
    parts: dict[str, list[LabelledPair]] = defaultdict(list)
    for pair in pairs:
        left, right = (replay.analyzed[key] for key in replay.keys(pair))
        for name in slices(pair, left, right, replay.hours(pair)):
            parts[name].append(pair)
    with watch.step("slices", len(parts)) as advance:
        told = {}
        for name in sorted(parts):
            told[name] = _slice(parts[name], replay)
            advance(1)
    return told


def _slice(pairs: Sequence[LabelledPair], replay: Replay) -> dict[str, object]:
    outcomes = _outcomes(pairs, replay.in_one_story)
    return {
        "pairs": len(outcomes),
        "found": _found(outcomes),
        **_scores(outcomes),
        "intervals": _intervals(outcomes),
        "candidates": _candidates(pairs, replay),
    }
