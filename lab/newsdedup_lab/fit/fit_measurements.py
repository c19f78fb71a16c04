"""The measurements of a fit as JSON: the model, and the scores of such models on unseen pairs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from newsdedup.config.settings import PREFERENCES
from newsdedup.core.matching.verify.features import Features
from newsdedup.core.matching.verify.model import Model
from newsdedup_lab.collections.pairs import LENGTH_CLASSES, length_class
from newsdedup_lab.fit.fitting import Fitting
from newsdedup_lab.fit.samples import AS_IT_CAME, READING_WEIGHTS, Samples, StreamReading
from newsdedup_lab.fit.validation import Predictions
from newsdedup_lab.scores import PairOutcome, bootstrap_intervals, full_score, partial_score

_TENTHS = 10
"""Of the reliability table."""


@dataclass(frozen=True, slots=True)
class Validation:
    """Predictions of models for pairs that they were not fitted on."""

    by_story: Predictions
    by_source: Predictions
    by_stream: dict[int, Predictions]
    by_language: dict[str, Predictions]


def fit_measurements(fitting: Fitting, model: Model, trials: Validation) -> dict[str, object]:
    """Return all measurements of a fit as JSON values: the model, and the scores of such models.

    The scores are those of `trials`, on pairs that no model was fitted on; most are of each file of
    pairs by itself, intervals and lengths of the first file alone.
    """
    samples = fitting.samples
    files = {position: fitting.files[position] for position in dict.fromkeys(samples.files)}
    leading = samples.files[0]
    first = trials.by_story.outcomes(samples, file=leading)
    return {
        "pairs": {name: samples.files.count(file) for file, name in files.items()},
        "held_again": samples.held_again,
        "items": {found.name: len(found.items[AS_IT_CAME]) for found in fitting.streams},
        "model": {
            "version": model.version,
            "bias": model.bias,
            "weights": dict(zip(Features._fields, model.weights, strict=True)),
            "habit": model.habit,
            "threshold": model.threshold,
        },
        "by_story": {
            name: _readings(fitting, trials.by_story, file) for file, name in files.items()
        },
        "intervals": _intervals(first),
        "by_source": _scores(trials.by_source.outcomes(samples)),
        "by_stream": {
            fitting.streams[position].name: {
                **_bounded_scores(predictions.outcomes(samples)),
                "files": {
                    name: _bounded_scores(outcomes)
                    for file, name in files.items()
                    if (outcomes := predictions.outcomes(samples, file=file))
                },
                "preferred": _preferred(fitting, predictions),
                "reliability": _reliability(fitting, predictions),
            }
            for position, predictions in trials.by_stream.items()
        },
        "by_language": {
            lang: _bounded_scores(predictions.outcomes(samples))
            for lang, predictions in sorted(trials.by_language.items())
        },
        "by_length": {
            name: _length(fitting, trials.by_story, name, leading) for name in LENGTH_CLASSES
        },
        "classes": {name: _classes(fitting, trials.by_story, file) for file, name in files.items()},
        "contradictions": _contradictions(fitting, model),
        "at": {name: _at_thresholds(fitting, trials.by_story, name) for name in LENGTH_CLASSES},
        "thresholds": sorted(set(trials.by_story.thresholds.tolist())),
        "reliability": _reliability(fitting, trials.by_story),
    }


def _scores(outcomes: Sequence[PairOutcome]) -> dict[str, object]:
    """Return precision, recall and F of the outcomes, plain and weighted."""
    return {
        "pairs": len(outcomes),
        "plain": asdict(partial_score(outcomes)),
        "weighted": asdict(partial_score(outcomes, weighted=True)),
    }


def _bounded_scores(outcomes: Sequence[PairOutcome]) -> dict[str, object]:
    """Return the scores of the outcomes with their intervals."""
    return {**_scores(outcomes), "intervals": _intervals(outcomes)}


def _intervals(outcomes: Sequence[PairOutcome]) -> dict[str, object]:
    """Return the intervals of the scores, plain and weighted."""
    return {
        "plain": bootstrap_intervals(outcomes, weighted=False),
        "weighted": bootstrap_intervals(outcomes, weighted=True),
    }


def _readings(fitting: Fitting, predictions: Predictions, file: int) -> dict[str, object]:
    """Return the scores of one file's pairs in each reading of the streams."""
    return {
        reading: _scores(predictions.outcomes(fitting.samples, reading=reading, file=file))
        for reading, _ in READING_WEIGHTS
    }


def _classes(fitting: Fitting, predictions: Predictions, file: int) -> dict[str, dict[str, int]]:
    """Return by class of the guide the "pairs" of a file and those predicted duplicates, "called".

    Pairs without a class count as "?".
    """
    samples = fitting.samples
    counted: dict[str, dict[str, int]] = {}
    for position, called in zip(predictions.positions, predictions.is_duplicate(), strict=True):
        if samples.files[position] == file:
            label = samples.pairs[position].label or "?"
            row = counted.setdefault(label, {"pairs": 0, "called": 0})
            row["pairs"] += 1
            row["called"] += bool(called)
    return dict(sorted(counted.items()))


def _length(fitting: Fitting, predictions: Predictions, name: str, file: int) -> dict[str, object]:
    """Return the scores of one file's pairs of a length class, and their F at fixed thresholds."""
    part = select_length(name, predictions, fitting.samples, file)
    return {
        **_scores(part.outcomes(fitting.samples)),
        "f1_at": f1_by_threshold(part, fitting.samples),
    }


def _contradictions(fitting: Fitting, model: Model) -> list[dict[str, object]]:
    """Return by reading, kind of contradiction and stream the pairs in it, and what it changes.

    "lost" are the duplicates that the model alone would have called so, "spared" the other pairs
    that it would have. The model knows these pairs.
    """
    samples = fitting.samples
    every = np.arange(len(samples.pairs))
    counted: dict[tuple[StreamReading, str, str], Counter[str]] = {}
    for reading in _CONTRADICTED:
        called = fitting.modelled_chances(model, every, reading) >= model.threshold
        for position, kind in enumerate(samples.contradictions[reading]):
            if kind is not None:
                stream = fitting.streams[samples.streams[position]].name
                row = counted.setdefault((reading, kind, stream), Counter())
                duplicate = bool(samples.truth[position])
                row["duplicates" if duplicate else "others"] += 1
                row["lost" if duplicate else "spared"] += bool(called[position])
    names = ("duplicates", "others", "lost", "spared")
    return [
        {
            **dict(zip(("reading", "contradiction", "stream"), key, strict=True)),
            **{name: row[name] for name in names},
        }
        for key, row in sorted(counted.items())
    ]


def _at_thresholds(
    fitting: Fitting, predictions: Predictions, name: str
) -> list[dict[str, float | int | None]]:
    """Return precision and recall of all pairs of a length class at fixed thresholds."""
    samples = fitting.samples
    part = predictions.select(
        np.flatnonzero(
            [length_class(samples.sizes[position]) == name for position in predictions.positions]
        )
    )
    rows: list[dict[str, float | int | None]] = []
    for cut in _THRESHOLDS_BY_USE:
        at = replace(part, thresholds=np.full(len(part.positions), cut))
        score = partial_score(at.outcomes(samples))
        rows.append({"threshold": cut, "pairs": len(part.positions), **asdict(score)})
    return rows


def _preferred(fitting: Fitting, predictions: Predictions) -> dict[str, object]:
    """Return the scores of the pairs for each value of `rule.prefer` that has a name."""
    found: dict[str, object] = {}
    for name, percent in PREFERENCES.items():
        at = predictions
        if percent:
            cut = percent / 100
            at = replace(predictions, thresholds=np.full(len(predictions.positions), cut))
        found[name] = _bounded_scores(at.outcomes(fitting.samples))
    return found


def _reliability(fitting: Fitting, predictions: Predictions) -> list[dict[str, float]]:
    """Return for each tenth of the probability its pairs, mean probability and share of duplicates.

    Tenths without a pair are left out.
    """
    chances, truth = predictions.chances[AS_IT_CAME], fitting.samples.truth[predictions.positions]
    tenth = np.minimum((chances * _TENTHS).astype(np.int64), _TENTHS - 1)
    return [
        {
            "from": position / _TENTHS,
            "pairs": int((tenth == position).sum()),
            "predicted": round(float(chances[tenth == position].mean()), 3),
            "true": round(float(truth[tenth == position].mean()), 3),
        }
        for position in _filled(tenth.tolist())
    ]


def _filled(tenths: Iterable[int]) -> list[int]:
    """Return the tenths that have a pair, ascending."""
    return sorted(set(tenths))


_CONTRADICTED: tuple[StreamReading, ...] = (AS_IT_CAME, "one source")
"""The readings in which contradictions are counted: they matter most where habits say nothing."""
_THRESHOLDS_BY_USE = tuple(position / 10 for position in range(1, 10))
_OTHER_THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.8)


def select_length(name: str, predictions: Predictions, samples: Samples, file: int) -> Predictions:
    """Return the predictions for the pairs of one file, by its number, and of one length class."""
    return predictions.select(
        np.flatnonzero(
            [
                samples.files[position] == file and length_class(samples.sizes[position]) == name
                for position in predictions.positions
            ]
        )
    )


def f1_by_threshold(predictions: Predictions, samples: Samples) -> dict[str, float]:
    """Return F at five fixed thresholds, in place of those of the predictions."""
    return {
        str(cut): full_score(
            replace(predictions, thresholds=np.full(len(predictions.positions), cut)).outcomes(
                samples
            )
        ).f1
        for cut in _OTHER_THRESHOLDS
    }
