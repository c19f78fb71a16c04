"""The measurements of `lab score`: the stream and the direct decision against labelled pairs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from newsdedup.core.moments import is_dated
from newsdedup_lab.collections.pairs import LabelledPair, PairFile, PairTest
from newsdedup_lab.report.study_stages import StepProgress
from newsdedup_lab.score.replay import Replay
from newsdedup_lab.scores import PairOutcome, bootstrap_intervals, partial_score


def score_measurements(
    labelled: PairFile, replay: Replay, *, lines_left_out: int, watch: StepProgress
) -> dict[str, object]:
    """Return the scores of the stream and of the direct decision, overall and by slice.

    The stream is the replay of all items; the direct decision compares the items of each pair.
    Pairs whose items are not in the replay are only counted. `lines_left_out` counts the lines of
    the items' files that are no items.
    """
    known = [pair for pair in labelled.pairs if replay.contains(pair)]
    stream = _outcomes(known, replay.in_one_story)
    decision = _outcomes(known, lambda pair: replay.match(pair).duplicate)
    results = []
    with watch.step("intervals", 2) as advance:
        for outcomes in (stream, decision):
            results.append(_intervals(outcomes))
            advance(1)
    stream_intervals, decision_intervals = results
    return {
        "pairs": len(known),
        "pairs_without_items": len(labelled.pairs) - len(known),
        "pairs_left_out": dict(labelled.left_out),
        "items": len(replay.analyzed),
        "items_undated": sum(not is_dated(one.item) for one in replay.analyzed.values()),
        "lines_left_out": lines_left_out,
        "rule": replay.rule.version,
        "found": _count_predicted(stream),
        **_scores(stream),
        "intervals": stream_intervals,
        "decision": {
            "found": _count_predicted(decision),
            **_scores(decision),
            "intervals": decision_intervals,
        },
        "candidates": _candidates(known, replay),
        "relations": _relations(known, replay),
        "slices": _slices(known, replay, watch),
    }


def _count_predicted(outcomes: Iterable[PairOutcome]) -> int:
    """Return how many pairs were predicted to be duplicates."""
    return sum(outcome.predicted for outcome in outcomes)


def _outcomes(pairs: Iterable[LabelledPair], found: PairTest) -> list[PairOutcome]:
    """Return label, prediction and weight of each pair; `found` predicts."""
    return [PairOutcome(pair.duplicate, found(pair), pair.weight) for pair in pairs]


def _scores(outcomes: Sequence[PairOutcome]) -> dict[str, object]:
    """Return precision, recall and F, plain and weighted."""
    return {
        "plain": asdict(partial_score(outcomes)),
        "weighted": asdict(partial_score(outcomes, weighted=True)),
    }


def _intervals(outcomes: Sequence[PairOutcome]) -> dict[str, object]:
    """Return the 95 % intervals of the scores, plain and weighted."""
    return {
        "plain": bootstrap_intervals(outcomes, weighted=False),
        "weighted": bootstrap_intervals(outcomes, weighted=True),
    }


def _candidates(pairs: Iterable[LabelledPair], replay: Replay) -> dict[str, float | None]:
    """Return the share of duplicates that a look-up retrieves, plain and weighted.

    It is an upper bound of recall, and None without duplicates.
    """
    outcomes = _outcomes([pair for pair in pairs if pair.duplicate], replay.is_candidate)
    return {
        "plain": partial_score(outcomes).recall,
        "weighted": partial_score(outcomes, weighted=True).recall,
    }


def _relations(pairs: Iterable[LabelledPair], replay: Replay) -> dict[str, dict[str, int]]:
    """Return how often the direct decision gives each relation, by class of the guide.

    Pairs without a class are left out.
    """
    table: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for pair in pairs:
        if pair.label:
            table[pair.label][replay.match(pair).relation] += 1
    return {label: dict(sorted(row.items())) for label, row in sorted(table.items())}


def _slices(
    pairs: Iterable[LabelledPair], replay: Replay, watch: StepProgress
) -> dict[str, dict[str, object]]:
    """Return the scores of each slice by its name, such as lang=uk."""
    parts = replay.slices(pairs)
    with watch.step("slices", len(parts)) as advance:
        results = {}
        for name, part in parts.items():
            results[name] = _slice(part, replay)
            advance(1)
    return results


def _slice(pairs: Sequence[LabelledPair], replay: Replay) -> dict[str, object]:
    """Return the scores of some pairs in the stream: counts, precision, recall, F and intervals.

    "candidates" is the share of duplicates that a look-up retrieves.
    """
    outcomes = _outcomes(pairs, replay.in_one_story)
    return {
        "pairs": len(outcomes),
        "found": _count_predicted(outcomes),
        **_scores(outcomes),
        "intervals": _intervals(outcomes),
        "candidates": _candidates(pairs, replay),
    }
