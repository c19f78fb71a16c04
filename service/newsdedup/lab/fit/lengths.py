"""How models do on unseen pairs of each length, and whether one needs a threshold of its own."""

from dataclasses import replace

import numpy as np

from newsdedup.lab.collections.pairs import length_class
from newsdedup.lab.fit.samples import Samples
from newsdedup.lab.fit.validation import Predictions
from newsdedup.lab.score.scores import full_score

_OTHER_THRESHOLDS = (0.4, 0.5, 0.6, 0.7, 0.8)


def select_length(name: str, told: Predictions, samples: Samples, file: int) -> Predictions:
    """Return what is said of the pairs of a file that have this length."""
    meant = [
        samples.files[n] == file and length_class(samples.sizes[n]) == name for n in told.places
    ]
    return told.select(np.flatnonzero(meant))


def f1_by_threshold(told: Predictions, samples: Samples) -> dict[str, float]:
    """Return F at thresholds that were not chosen."""
    return {
        str(cut): full_score(
            replace(told, thresholds=np.full(len(told.places), cut)).outcomes(samples)
        ).f1
        for cut in _OTHER_THRESHOLDS
    }
