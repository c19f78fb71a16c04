"""The way from items and labelled pairs to a model and to what is told of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from newsdedup import bootstrap
from newsdedup.config import Settings
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.model import Entry
from newsdedup.core.moments import MICROSECOND
from newsdedup.lab.collections.collection import collected, entries
from newsdedup.lab.collections.pairs import labelled_pairs
from newsdedup.lab.fit.figures import Trials, figures
from newsdedup.lab.fit.fitting import Fitting
from newsdedup.lab.fit.logistic import offset
from newsdedup.lab.fit.readings import READINGS
from newsdedup.lab.fit.samples import AS_IT_CAME, Places, Samples, Stream, samples, stream
from newsdedup.lab.fit.validation import OUTER, Told, by_source, by_story, by_stream, threshold
from newsdedup.lab.report.stages import Watch
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model, what it was fitted on, and how such models do on unseen pairs."""

    model: Model
    fitting: Fitting
    trials: Trials

    def figures(self) -> dict[str, object]:
        """Return all that is told, as JSON knows it."""
        return figures(self.fitting, self.model, self.trials)


def fitted_anew(
    inputs: Sequence[str],
    pairs: Sequence[Path],
    settings: Settings,
    *,
    version: str,
    watch: Watch,
) -> Fitted:
    """Return the model of labelled pairs; each input is a stream of its own.

    The same inputs give the same model, to the last digit.
    """
    if settings.rule.name != VerifiedRule.name:
        raise SettingsInvalid(f"rule.name = {settings.rule.name}: only `verified` has a model")
    called = names([Path(name) for name in inputs])
    streams = [_stream(*one, settings, watch) for one in zip(inputs, called, strict=True)]
    labelled = [labelled_pairs(path) for path in pairs]
    fitting = Fitting(_usable(samples(labelled, streams)), streams, names(pairs))
    trials = _trials(fitting, watch)
    every = np.arange(len(fitting.samples.pairs))
    model = replace(
        fitting.model(every, version=version),
        threshold=threshold(fitting, every),
        translated=_translated(fitting, samples(labelled, streams, translated=True), every),
    )
    return Fitted(model, fitting, trials)


def _translated(fitting: Fitting, crossing: Samples, every: Places) -> float:
    """Return what pairs in two languages lack beside others, by those that were labelled."""
    if not crossing.pairs:
        return 0.0
    model = fitting.model(every)
    table = crossing.features[AS_IT_CAME]
    logits = table @ np.array(model.weights) + model.bias
    open_still = np.isnan(crossing.ruled[AS_IT_CAME])
    return offset(logits[open_still], crossing.truth[open_still].astype(np.float64))


def names(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return how files are told of: by name and folder, the same on every machine.

    Those that are called alike are numbered, in the order in which they are given.
    """
    short = ["/".join(path.parts[-2:]) for path in paths]
    return tuple(
        f"{name} ({short[: place + 1].count(name)})" if short.count(name) > 1 else name
        for place, name in enumerate(short)
    )


def _stream(path: str, name: str, settings: Settings, watch: Watch) -> Stream:
    window = settings.rule.window // MICROSECOND
    read = _read(path, settings, watch)
    with watch.step(f"comparing {path}", len(read) * len(READINGS)) as advance:
        return stream(name, read, window=window, advance=advance)


def _read(name: str, settings: Settings, watch: Watch) -> list[Entry]:
    decode, limit = bootstrap.decode(settings), settings.limits.line_bytes
    found = collected([name], decode, line_limit=limit).items
    analyze = bootstrap.analyze(settings, bootstrap.background(settings))
    analyzed = []
    with watch.step(f"reading {name}", len(found)) as advance:
        for item in found:
            analyzed.append(analyze(item, b""))
            advance(1)
    return entries(analyzed)


def _usable(found: Samples) -> Samples:
    if len(set(found.truth.tolist())) < 2 or len(set(found.stories)) < OUTER:
        raise SourceUnusable(
            f"{len(found.pairs)} labelled pairs have both items in one of the streams and in one "
            f"language: duplicates and others are needed, of {OUTER} stories and more"
        )
    return found


def _trials(fitting: Fitting, watch: Watch) -> Trials:
    found = fitting.samples
    first = found.files.count(found.files[0])
    with watch.step("other stories", OUTER) as advance:
        stories = by_story(fitting, advance)
    with watch.step("other sources", first) as advance:
        sources = by_source(fitting, stories, advance)
    with watch.step("other streams", len(fitting.streams)) as advance:
        streams: dict[int, Told] = by_stream(fitting, advance)
    return Trials(stories, sources, streams)
