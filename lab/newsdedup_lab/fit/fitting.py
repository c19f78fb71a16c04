"""Fits a verifier model: first on texts alone, then with the copy rates of the streams, too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from newsdedup.core.matching.verify.copy_rates import (
    BINS_PER_LOGIT,
    LOGIT_BINS,
    LOGIT_LIMIT,
    NO_SHIFTS,
    PAIR_KINDS,
    Shifts,
    estimate_shifts,
)
from newsdedup.core.matching.verify.model import Model
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.fit.logistic import FloatArray, fit_table
from newsdedup_lab.fit.samples import (
    AS_IT_CAME,
    READING_WEIGHTS,
    CandidateTable,
    IndexArray,
    Samples,
    Stream,
    StreamReading,
)

_UNLEARNED: StreamReading = "unlearned"

StreamShifts = Mapping[tuple[int, StreamReading], Shifts]
"""The shifts learned from each stream, by its number and the reading."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """The samples and streams of a fit; fits models and predicts with them."""

    samples: Samples
    streams: Sequence[Stream]
    files: Sequence[str]
    """What the files of pairs are called."""

    def fit(self, positions: IndexArray, *, version: str = "0") -> Model:
        """Fit a model on the samples at these indexes.

        A first model is fitted without shifts (by how much the copy rates of a stream move the
        log-odds of a kind of pair). The shifts are estimated by it, and a second model learns their
        weight, `habit`. Raise SourceUnusable if the samples do not have both labels, as may happen
        in a fold if few stories have one of them.
        """
        by_text = self._fit(positions, self._no_shifts(), version)
        return self._fit(positions, self.learn_shifts(by_text), version)

    def learn_shifts(self, model: Model) -> StreamShifts:
        """Return the shifts that a model estimates from each stream, by stream number and reading.

        A shift is by how much the stream's copy rate moves the log-odds of a kind of pair. No
        labels are used, only all candidate pairs of the stream. In the reading "unlearned" shifts
        are 0.
        """
        learned = {
            (position, reading): _stream_shift(candidates, model)
            for position, found in enumerate(self.streams)
            for reading, candidates in found.candidates.items()
            if reading != _UNLEARNED
        }
        return {**self._no_shifts(), **learned}

    def _no_shifts(self) -> StreamShifts:
        """Return shifts of 0 for each stream and reading."""
        return {
            (position, reading): NO_SHIFTS
            for position, found in enumerate(self.streams)
            for reading in found.candidates
        }

    def chances(
        self, model: Model, positions: IndexArray, reading: StreamReading = AS_IT_CAME
    ) -> FloatArray:
        """Return the probability that each of these samples is a pair of duplicates.

        It is 0 or 1 where the rule decides without the model: by the texts alone, or by the window.
        The shifts of a stream are estimated from all of it, also from what came after the pair.
        """
        ruled = self.samples.ruled[reading][positions]
        return np.where(np.isnan(ruled), self.modelled_chances(model, positions, reading), ruled)

    def modelled_chances(
        self, model: Model, positions: IndexArray, reading: StreamReading = AS_IT_CAME
    ) -> FloatArray:
        """Return the probabilities by the model alone, even where the rule decides without it."""
        shifts = self._shifts(self.learn_shifts(model), positions, reading)
        return _chances(_logits(model, self.samples.features[reading][positions]), model, shifts)

    def _fit(self, positions: IndexArray, shifts: StreamShifts, version: str) -> Model:
        """Fit a model on these samples in all readings, each weighted, with the given shifts.

        Raise SourceUnusable if they do not have both labels.
        """
        if not self.samples.has_both_labels(positions):
            raise SourceUnusable(
                "too few labelled pairs: a model is tested on stories that it was not fitted on, "
                "and the other stories have no duplicates or nothing else: label pairs in more "
                "stories"
            )
        parts = [
            np.column_stack(
                [
                    self.samples.features[reading][positions],
                    self._shifts(shifts, positions, reading),
                ]
            )
            for reading, _ in READING_WEIGHTS
        ]
        truth = np.tile(self.samples.truth[positions].astype(np.float64), len(READING_WEIGHTS))
        weights = np.repeat([weight for _, weight in READING_WEIGHTS], len(positions))
        model = fit_table(np.vstack(parts), truth, weights, version=version)
        return replace(model, means=_means(self.samples.features[AS_IT_CAME][positions]))

    def _shifts(
        self, shifts: StreamShifts, positions: IndexArray, reading: StreamReading
    ) -> FloatArray:
        """Return the shift of each of these samples, by its stream and its kind of pair."""
        streams, kinds = self.samples.streams, self.samples.kinds[reading]
        return np.array(
            [shifts[streams[position], reading][kinds[position]] for position in positions]
        )


def _logits(model: Model, features: FloatArray) -> FloatArray:
    """Return the log-odds of each row by the features alone, without shift."""
    found: FloatArray = features @ np.array(model.weights) + model.bias
    return found


def _chances(logits: FloatArray, model: Model, shifts: FloatArray) -> FloatArray:
    """Return the probabilities of log-odds by the features and shifts."""
    found: FloatArray = 1 / (1 + np.exp(-np.clip(logits + model.habit * shifts, -30, 30)))
    return found


def _means(features: FloatArray) -> tuple[float, ...]:
    """Return the mean of each feature, with 3 decimals."""
    return tuple(round(float(mean), 3) for mean in features.mean(axis=0))


def _stream_shift(candidates: CandidateTable, model: Model) -> Shifts:
    """Return the shift of each kind of pair, estimated by a model from a stream's candidates.

    The candidates are counted by kind and by the log-odds that the model gives their texts.
    """
    logits = np.round(_logits(model, candidates.features), 2)
    bins = np.rint(
        (np.clip(logits, -LOGIT_LIMIT, LOGIT_LIMIT) + LOGIT_LIMIT) * BINS_PER_LOGIT
    ).astype(np.int64)
    return estimate_shifts(
        tuple([_count_bins(bins[candidates.kinds == kind]) for kind in range(PAIR_KINDS)]),
        base=model.base,
        concentration=candidates.concentration,
    )


def _count_bins(bins: IndexArray) -> tuple[int, ...]:
    """Return how many candidates are in each bin of log-odds."""
    return tuple(np.bincount(bins, minlength=LOGIT_BINS).tolist())
