"""How models do on pairs that they have not seen: other stories, other sources, other streams.

Whatever is chosen, the threshold among it, is chosen without the pairs that are judged.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from newsdedup.core.matching.verify.model import Model
from newsdedup.lab.fit.fitting import Fitting
from newsdedup.lab.fit.logistic import Numbers, folds
from newsdedup.lab.fit.readings import READINGS, Reading
from newsdedup.lab.fit.samples import AS_IT_CAME, Flags, Places, Samples
from newsdedup.lab.report.stages import Advance
from newsdedup.lab.score.scores import Outcome, score

OUTER, INNER = 10, 5
TURNS = 5
"""Times that the pairs are parted anew for a threshold: of one parting it hangs on single pairs."""
CUTS = tuple(place / 100 for place in range(30, 91))

LEAST_RECALL = 0.9


@dataclass(frozen=True, slots=True)
class Told:
    """What models that had not seen these samples say of them."""

    places: Places
    chances: Mapping[Reading, Numbers]
    cuts: Numbers
    """The threshold of each."""

    def found(self, reading: Reading = AS_IT_CAME) -> Flags:
        """Return which of the samples are called duplicates."""
        called: Flags = self.chances[reading] >= self.cuts
        return called

    def part(self, rows: Places) -> "Told":
        """Return what is said of some of the samples, named by their rows here."""
        chances = {reading: found[rows] for reading, found in self.chances.items()}
        return Told(self.places[rows], chances, self.cuts[rows])

    def outcomes(
        self, samples: Samples, *, reading: Reading = AS_IT_CAME, file: int | None = None
    ) -> list[Outcome]:
        """Return the outcomes, perhaps of the pairs of one file only."""
        return [
            Outcome(bool(samples.truth[place]), bool(called), float(samples.weights[place]))
            for place, called in zip(self.places, self.found(reading), strict=True)
            if file in (None, samples.files[place])
        ]


def chosen(chances: Numbers, truth: Flags) -> float:
    """Return the threshold of the best F that finds nine in ten; of such the highest."""
    scores = {
        cut: score([Outcome(bool(t), bool(c >= cut)) for t, c in zip(truth, chances, strict=True)])
        for cut in CUTS
    }
    usable = [cut for cut, found in scores.items() if found.recall >= LEAST_RECALL]
    return max(usable or CUTS, key=lambda cut: (scores[cut].f1, cut))


def threshold(fitting: Fitting, places: Places) -> float:
    """Return the threshold for a model of these places, by cross-validations among them.

    Only pairs of the first file count, the others being hard on purpose, if there are any.
    """
    samples = fitting.samples
    told = [_unseen(fitting, places, turn) for turn in range(TURNS)]
    first = np.array([samples.files[place] == samples.files[0] for place in places])
    counted = places[first] if samples.truth[places[first]].any() else places
    return chosen(
        np.concatenate([chances[counted] for chances in told]),
        np.tile(samples.truth[counted], TURNS),
    )


def _unseen(fitting: Fitting, places: Places, turn: int) -> Numbers:
    """Return what models of the other folds of a turn say of each of these places."""
    chances = np.zeros(len(fitting.samples.pairs))
    for tested in _folds(fitting, places, INNER, turn=turn):
        model = fitting.model(np.setdiff1d(places, tested))
        chances[tested] = fitting.chances(model, tested)
    return chances


def by_story(fitting: Fitting, advance: Advance) -> Told:
    """Return what models of nine tenths of the stories say of the tenth."""
    every = np.arange(len(fitting.samples.pairs))
    parts = []
    for tested in _folds(fitting, every, OUTER):
        parts.append(_told(fitting, np.setdiff1d(every, tested), tested))
        advance(1)
    return _joined(parts)


def by_source(fitting: Fitting, stories: Told, advance: Advance) -> Told:
    """Return what is said of the pairs of the first file; their sources and stories are unknown.

    The thresholds are those of `stories`: each was chosen without the story of its pair.
    """
    samples = fitting.samples
    groups: dict[frozenset[str], list[int]] = {}
    for place, file in enumerate(samples.files):
        if file == samples.files[0]:
            groups.setdefault(samples.sources[place], []).append(place)
    parts = []
    for sources, tested in groups.items():
        places = np.array(tested)
        apart = samples.where(sources.isdisjoint(others) for others in samples.sources)
        known = _of_other_stories(samples, apart, places)
        cuts = stories.cuts[np.searchsorted(stories.places, places)]
        parts.append(_told(fitting, known, places, cuts=cuts))
        advance(len(tested))
    return _joined(parts)


def by_stream(fitting: Fitting, advance: Advance) -> dict[int, Told]:
    """Return what is said of the pairs of the first file, by stream, by models of the others.

    Streams may share items: what the others hold of a story of this one is not fitted on either.
    """
    samples = fitting.samples
    found: dict[int, Told] = {}
    for place in dict.fromkeys(samples.streams):
        tested = samples.where(
            other == place and file == samples.files[0]
            for other, file in zip(samples.streams, samples.files, strict=True)
        )
        apart = samples.where(other != place for other in samples.streams)
        known = _of_other_stories(samples, apart, tested)
        if len(tested) and len(set(samples.truth[known])) > 1:
            found[place] = _told(fitting, known, tested)
        advance(1)
    return found


def _of_other_stories(samples: Samples, places: Places, tested: Places) -> Places:
    """Return those of the places that share no story with what is tested."""
    stories = {samples.stories[place] for place in tested}
    return places[[samples.stories[place] not in stories for place in places]]


def _told(fitting: Fitting, known: Places, tested: Places, *, cuts: Numbers | None = None) -> Told:
    model: Model = fitting.model(known)
    if cuts is None:
        cuts = np.full(len(tested), threshold(fitting, known))
    return Told(
        tested,
        {reading: fitting.chances(model, tested, reading) for reading, _ in READINGS},
        cuts,
    )


def _folds(fitting: Fitting, places: Places, count: int, *, turn: int = 0) -> list[Places]:
    groups = [fitting.samples.stories[place] for place in places]
    return [places[sorted(fold)] for fold in folds(groups, count, turn=turn) if fold]


def _joined(parts: list[Told]) -> Told:
    """Return all parts as one, in the order of the places."""
    places = np.concatenate([part.places for part in parts])
    order = np.argsort(places, kind="stable")
    return Told(
        places[order],
        {
            reading: np.concatenate([part.chances[reading] for part in parts])[order]
            for reading, _ in READINGS
        },
        np.concatenate([part.cuts for part in parts])[order],
    )
