"""Validation of models on pairs of other stories, sources and streams than they were fitted on.

Whatever is chosen, the threshold among it, is chosen without the pairs that are judged.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from newsdedup.core.matching.verify.model import Model
from newsdedup_lab.fit.fitting import Fitting
from newsdedup_lab.fit.logistic import FloatArray, split_folds
from newsdedup_lab.fit.samples import (
    AS_IT_CAME,
    READING_WEIGHTS,
    BoolArray,
    IndexArray,
    Samples,
    StreamReading,
)
from newsdedup_lab.report.study_stages import Advance
from newsdedup_lab.scores import PairOutcome

_Group = TypeVar("_Group", int, str)

OUTER_FOLDS, _INNER = 10, 5
_TURNS = 5
"""Times that the pairs are parted anew for a threshold: of one parting it hangs on single pairs."""
_LEAST_OF_A_LABEL = 20
"""Pairs of either label without which a file or a stream decides no threshold."""
_NEIGHBOURS = 5
"""Thresholds on either side of one that count with it."""
THRESHOLD_GRID = tuple(position / 100 for position in range(30, 91))


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predictions for samples that the models were not fitted on."""

    positions: IndexArray
    chances: Mapping[StreamReading, FloatArray]
    thresholds: FloatArray
    """The threshold of each."""

    def is_duplicate(self, reading: StreamReading = AS_IT_CAME) -> BoolArray:
        """Return for each sample whether its probability in a reading reaches its threshold."""
        called: BoolArray = self.chances[reading] >= self.thresholds
        return called

    def select(self, rows: IndexArray) -> "Predictions":
        """Return the predictions at these row numbers of `positions`."""
        chances = {reading: found[rows] for reading, found in self.chances.items()}
        return Predictions(self.positions[rows], chances, self.thresholds[rows])

    def outcomes(
        self, samples: Samples, *, reading: StreamReading = AS_IT_CAME, file: int | None = None
    ) -> list[PairOutcome]:
        """Return true label, prediction and weight of each sample, of one file if it is given."""
        return [
            PairOutcome(
                bool(samples.truth[position]), bool(called), float(samples.weights[position])
            )
            for position, called in zip(self.positions, self.is_duplicate(reading), strict=True)
            if file in (None, samples.files[position])
        ]


def choose_threshold(chances: FloatArray, truth: BoolArray, streams: IndexArray) -> float:
    """Return the threshold around which the worst stream has the best F, of ties the highest.

    Of each threshold the mean over those within .05 counts: the best F of all hangs on few pairs.
    `streams` has the number of the stream of each pair.
    """
    parts = [streams == stream for stream in set(streams.tolist())]
    worst = [
        min([_f1(chances[part] >= cut, truth[part]) for part in parts]) for cut in THRESHOLD_GRID
    ]
    around = [
        sum(near) / len(near)
        for position in range(len(worst))
        for near in [worst[max(0, position - _NEIGHBOURS) : position + _NEIGHBOURS + 1]]
    ]
    return max(zip(around, THRESHOLD_GRID, strict=True))[1]


def _f1(called: BoolArray, truth: BoolArray) -> float:
    """Return F of the called duplicates against the true ones."""
    return 2 * int((called & truth).sum()) / max(1, int(called.sum()) + int(truth.sum()))


def cross_validated_threshold(fitting: Fitting, positions: IndexArray) -> float:
    """Return the threshold for a model fitted on these indexes, by cross-validation among them.

    Pairs of a file or a stream with fewer than 20 of either label do not count, unless all are so:
    they were chosen to be hard, or say nothing of precision.
    """
    samples = fitting.samples
    predictions = [_unseen(fitting, positions, turn) for turn in range(_TURNS)]
    counted = positions
    for numbers in (samples.files, samples.streams):
        if len(usable := _of_many_labels(samples, counted, numbers)):
            counted = usable
    return choose_threshold(
        np.concatenate([chances[counted] for chances in predictions]),
        np.tile(samples.truth[counted], _TURNS),
        np.tile(np.array(samples.streams)[counted], _TURNS),
    )


def _of_many_labels(samples: Samples, positions: IndexArray, numbers: Sequence[int]) -> IndexArray:
    """Return those `positions` whose file or stream, by number, has enough of both labels."""
    counted = Counter((numbers[position], bool(samples.truth[position])) for position in positions)
    many = {
        number
        for number, _ in counted
        if min(counted[number, True], counted[number, False]) >= _LEAST_OF_A_LABEL
    }
    return positions[[numbers[position] in many for position in positions]]


def _unseen(fitting: Fitting, positions: IndexArray, turn: int) -> FloatArray:
    """Predict the pairs of each of five folds of `positions` by a model of the other four.

    The result has a probability for every sample, 0 for those not in `positions`; `turn` selects
    the division into folds.
    """
    chances = np.zeros(len(fitting.samples.pairs))
    for tested in _folds(fitting, positions, _INNER, turn=turn):
        model = fitting.fit(np.setdiff1d(positions, tested))
        chances[tested] = fitting.chances(model, tested)
    return chances


def validate_by_story(fitting: Fitting, advance: Advance) -> Predictions:
    """Predict the pairs of each tenth of the stories by a model of the other nine tenths."""
    every = np.arange(len(fitting.samples.pairs))
    parts = []
    for tested in _folds(fitting, every, OUTER_FOLDS):
        parts.append(_predict(fitting, np.setdiff1d(every, tested), tested))
        advance(1)
    return _concatenate(parts)


def validate_by_source(fitting: Fitting, stories: Predictions, advance: Advance) -> Predictions:
    """Predict the pairs of the first file, each by a model without its sources and stories.

    The thresholds are those of `stories`: each was chosen without the story of its pair. Pairs are
    left out if all pairs without their sources and stories have one label.
    """
    samples = fitting.samples
    groups: dict[frozenset[str], list[int]] = {}
    for position, file in enumerate(samples.files):
        if file == samples.files[0]:
            groups.setdefault(samples.sources[position], []).append(position)
    parts = [stories.select(np.array([], dtype=np.int64))]
    for sources, tested in groups.items():
        positions = np.array(tested)
        apart = samples.where(sources.isdisjoint(others) for others in samples.sources)
        known = _of_other_stories(samples, apart, positions)
        cuts = stories.thresholds[np.searchsorted(stories.positions, positions)]
        if samples.has_both_labels(known):
            parts.append(_predict(fitting, known, positions, cuts=cuts))
        advance(len(tested))
    return _concatenate(parts)


def validate_by_stream(fitting: Fitting, advance: Advance) -> dict[int, Predictions]:
    """Predict the pairs of each stream by a model of the other streams.

    The result is by the number of the stream. A stream is left out if its pairs, or those of all
    others, have one label. Streams may share items: pairs of the other streams with a story of this
    one are not fitted on either.
    """
    return _leave_out(fitting, fitting.samples.streams, advance)


def validate_by_language(fitting: Fitting, advance: Advance) -> dict[str, Predictions]:
    """Predict the pairs of each language by a model of the other languages, by its code.

    A language is left out if its pairs, or those of all others, have one label.
    """
    return _leave_out(fitting, fitting.samples.languages, advance)


def _leave_out(
    fitting: Fitting, groups: Sequence[_Group], advance: Advance
) -> dict[_Group, Predictions]:
    """Predict the pairs of each group by a model of the others; `groups` has that of each pair."""
    samples = fitting.samples
    found: dict[_Group, Predictions] = {}
    for group in dict.fromkeys(groups):
        tested = samples.where(other == group for other in groups)
        apart = samples.where(other != group for other in groups)
        known = _of_other_stories(samples, apart, tested)
        if samples.has_both_labels(tested) and samples.has_both_labels(known):
            found[group] = _predict(fitting, known, tested)
        advance(1)
    return found


def _of_other_stories(samples: Samples, positions: IndexArray, tested: IndexArray) -> IndexArray:
    """Return those of `positions` that have no story in common with the tested ones."""
    stories = {samples.stories[position] for position in tested}
    return positions[[samples.stories[position] not in stories for position in positions]]


def _predict(
    fitting: Fitting, known: IndexArray, tested: IndexArray, *, cuts: FloatArray | None = None
) -> Predictions:
    """Fit a model on the indexes `known` and predict those `tested`, in all readings.

    The thresholds are `cuts`, or one that cross-validation among the known indexes chooses.
    """
    model: Model = fitting.fit(known)
    if cuts is None:
        cuts = np.full(len(tested), cross_validated_threshold(fitting, known))
    return Predictions(
        tested,
        {reading: fitting.chances(model, tested, reading) for reading, _ in READING_WEIGHTS},
        cuts,
    )


def _folds(
    fitting: Fitting, positions: IndexArray, count: int, *, turn: int = 0
) -> list[IndexArray]:
    """Return the indexes in up to `count` non-empty folds; those of one story stay together.

    `turn` selects one of several divisions.
    """
    groups = [fitting.samples.stories[position] for position in positions]
    return [positions[sorted(fold)] for fold in split_folds(groups, count, turn=turn) if fold]


def _concatenate(parts: list[Predictions]) -> Predictions:
    """Return the predictions as one, ordered by index."""
    positions = np.concatenate([part.positions for part in parts])
    order = np.argsort(positions, kind="stable")
    return Predictions(
        positions[order],
        {
            reading: np.concatenate([part.chances[reading] for part in parts])[order]
            for reading, _ in READING_WEIGHTS
        },
        np.concatenate([part.thresholds for part in parts])[order],
    )
