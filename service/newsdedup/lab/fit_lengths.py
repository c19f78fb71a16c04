"""How models do on unseen pairs of each length, and whether one needs a threshold of its own."""

import sys
from dataclasses import replace

import numpy as np

from newsdedup.core.scores import score
from newsdedup.lab.pairs import LONG, SHORT
from newsdedup.lab.samples import Samples
from newsdedup.lab.validation import Told

LENGTHS = {"short": (0, SHORT), "middle": (SHORT, LONG), "long": (LONG, sys.maxsize)}
"""Distinct content lemmas of the shorter text: from how many on, and below how many."""

OTHER_CUTS = (0.4, 0.5, 0.6, 0.7, 0.8)


def of_length(name: str, told: Told, samples: Samples, file: str) -> Told:
    """Return what is said of the pairs of a file that have this length."""
    least, end = LENGTHS[name]
    sizes = samples.sizes[told.places]
    meant = np.array([samples.files[place] == file for place in told.places])
    return told.part(np.flatnonzero(meant & (sizes >= least) & (sizes < end)))


def f_at(told: Told, samples: Samples) -> dict[str, float]:
    """Return F at thresholds that were not chosen."""
    return {
        str(cut): score(replace(told, cuts=np.full(len(told.places), cut)).outcomes(samples)).f1
        for cut in OTHER_CUTS
    }
