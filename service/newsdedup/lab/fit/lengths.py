"""How models do on unseen pairs of each length, and whether one needs a threshold of its own."""

from dataclasses import replace

import numpy as np

from newsdedup.lab.collections.pairs import length
from newsdedup.lab.fit.samples import Samples
from newsdedup.lab.fit.validation import Told
from newsdedup.lab.score.scores import score

OTHER_CUTS = (0.4, 0.5, 0.6, 0.7, 0.8)


def of_length(name: str, told: Told, samples: Samples, file: int) -> Told:
    """Return what is said of the pairs of a file that have this length."""
    meant = [samples.files[n] == file and length(samples.sizes[n]) == name for n in told.places]
    return told.part(np.flatnonzero(meant))


def f_at(told: Told, samples: Samples) -> dict[str, float]:
    """Return F at thresholds that were not chosen."""
    return {
        str(cut): score(replace(told, cuts=np.full(len(told.places), cut)).outcomes(samples)).f1
        for cut in OTHER_CUTS
    }
