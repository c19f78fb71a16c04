"""A threshold is chosen with care, and no model is asked of what it was fitted on."""

from dataclasses import replace

import numpy as np

from newsdedup.core.matching.verify.copy_rates import PAIR_KINDS
from newsdedup.core.matching.verify.features import Features
from newsdedup.core.matching.verify.model import Model
from newsdedup.lab.collections.named_items import named_items
from newsdedup.lab.collections.pairs import LENGTHS, LabelledPair
from newsdedup.lab.fit.fitting import Fitting
from newsdedup.lab.fit.lengths import f_at, of_length
from newsdedup.lab.fit.readings import READINGS
from newsdedup.lab.fit.samples import AS_IT_CAME, Met, Samples, Stream
from newsdedup.lab.fit.validation import by_source, by_story, by_stream, chosen

SIZE = 80
NOTHING_MET = Met(np.zeros((0, len(Features._fields))), np.zeros(0, dtype=np.int64))


def met_nobody(name):
    return Stream(name, 0, named_items(()), {}, {reading: NOTHING_MET for reading, _ in READINGS})


def samples(*, ruled=None):
    """Return pairs of two streams whose first sentences tell the duplicates, but for one in ten."""
    truth = np.arange(SIZE) % 2 == 0
    head = np.where(np.arange(SIZE) % 20 == 0, ~truth, truth) * 0.9
    table = np.zeros((SIZE, len(Features._fields)))
    table[:, Features._fields.index("head")] = head
    verdicts = np.full(SIZE, np.nan) if ruled is None else ruled
    return Samples(
        pairs=tuple(LabelledPair(f"l{n}", f"r{n}", bool(truth[n])) for n in range(SIZE)),
        files=(0,) * SIZE,
        streams=tuple(int(place >= SIZE // 2) for place in range(SIZE)),
        sources=tuple(frozenset((f"s{n % 7}", f"s{n % 5 + 7}")) for n in range(SIZE)),
        stories=tuple(f"l{n}" for n in range(SIZE)),
        features={reading: table for reading, _ in READINGS},
        kinds={reading: np.full(SIZE, PAIR_KINDS - 1) for reading, _ in READINGS},
        ruled={reading: verdicts for reading, _ in READINGS},
        truth=truth,
        weights=np.ones(SIZE),
        sizes=np.arange(SIZE),
    )


def fitting(**values):
    return Fitting(samples(**values), [met_nobody("first"), met_nobody("second")], ("pool",))


def nobody(_):
    return None


def test_of_thresholds_that_do_as_well_the_highest_is_chosen():
    chances = np.array([0.9] * 9 + [0.4] + [0.1] * 10)
    truth = np.array([True] * 10 + [False] * 10)
    # Up to .4 all ten are found: F 1. From .41 to .9 nine of them, F .947: not near the best.
    assert chosen(chances, truth) == 0.4
    assert chosen(np.where(truth, 0.9, 0.1), truth) == 0.9


def test_a_threshold_that_misses_too_many_is_not_chosen():
    chances = np.array([0.9] * 8 + [0.4, 0.4] + [0.35] * 3)
    truth = np.array([True] * 10 + [False] * 3)
    assert chosen(chances, truth) == 0.4


def test_every_pair_is_told_of_once_and_most_are_told_right():
    study = fitting()
    told = by_story(study, nobody)
    assert told.places.tolist() == list(range(SIZE))
    right = told.found() == study.samples.truth
    assert right.mean() == 0.95


def test_no_model_knows_a_source_or_a_stream_of_the_pairs_it_is_asked_of(monkeypatch):
    study = fitting()
    known = []
    fit = Fitting.model
    monkeypatch.setattr(
        Fitting,
        "model",
        lambda self, places, **more: (
            known.append(set(places.tolist())),
            fit(self, places, **more),
        )[1],
    )
    stories = by_story(study, nobody)
    known.clear()
    told = by_source(study, stories, nobody)
    assert len(told.places) == SIZE
    for sources in set(study.samples.sources):
        assert any(
            all(sources.isdisjoint(study.samples.sources[place]) for place in places)
            for places in known
        )
    known.clear()
    found = by_stream(study, nobody)
    assert {place: len(told.places) for place, told in found.items()} == {
        0: SIZE // 2,
        1: SIZE // 2,
    }
    assert not any({0, SIZE - 1} <= places for places in known)


def test_no_model_knows_the_story_of_a_pair_it_is_asked_of(monkeypatch):
    # Some pairs of the second stream, of other sources, go on with stories of the first one.
    half = SIZE // 2
    stories = tuple(f"l{n - half + 1 if half <= n < half + 9 else n}" for n in range(SIZE))
    study = Fitting(replace(samples(), stories=stories), fitting().streams, ("pool",))
    by_stories = by_story(study, nobody)
    fit, chances = Fitting.model, Fitting.chances
    fitted: list[tuple[Model, set[str]]] = []
    asked: list[set[str]] = []

    def model(self, places, **more):
        fitted.append((fit(self, places, **more), {stories[place] for place in places}))
        return fitted[-1][0]

    def said(self, model, places, *more):
        [known] = [known for one, known in fitted if one is model]
        asked.append(known & {stories[place] for place in places})
        return chances(self, model, places, *more)

    monkeypatch.setattr(Fitting, "model", model)
    monkeypatch.setattr(Fitting, "chances", said)
    assert len(by_stream(study, nobody)) == 2
    assert len(by_source(study, by_stories, nobody).places) == SIZE
    assert len(asked) > 2
    assert not any(asked)


def test_what_the_texts_rule_out_is_no_duplicate_whatever_the_model_says():
    ruled = np.full(SIZE, np.nan)
    ruled[:2] = 0.0, 1.0
    study = fitting(ruled=ruled)
    model = study.model(np.arange(SIZE))
    assert study.chances(model, np.arange(2), AS_IT_CAME).tolist() == [0.0, 1.0]


def test_the_lengths_share_the_pairs_among_them_and_are_told_at_other_thresholds():
    study = fitting()
    told = by_story(study, nobody)
    parts = [of_length(name, told, study.samples, 0) for name in LENGTHS]
    assert [part.places.tolist() for part in parts] == [
        list(range(LENGTHS["middle"])),
        list(range(LENGTHS["middle"], SIZE)),
        [],
    ]
    # Of the 12 short pairs the sentence misleads about the first only: recall 5/6, F 10/11.
    assert set(f_at(parts[0], study.samples).values()) == {0.9091}
    assert len(of_length("short", told, study.samples, 1).places) == 0
