"""The study of `lab fit`: from items and labelled pairs to a model and its validation."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from newsdedup.bootstrap.rules import batch_analysis, item_analyzer
from newsdedup.bootstrap.runs import line_decoder
from newsdedup.config import Settings
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.model import Entry
from newsdedup.core.moments import MICROSECOND
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable
from newsdedup_lab.collections.items import arrival_entries, load_collection
from newsdedup_lab.collections.pairs import read_labelled_pairs
from newsdedup_lab.fit.fit_measurements import Validation, fit_measurements
from newsdedup_lab.fit.fitting import Fitting
from newsdedup_lab.fit.logistic import fit_offset
from newsdedup_lab.fit.samples import (
    AS_IT_CAME,
    READING_WEIGHTS,
    IndexArray,
    Samples,
    Stream,
    build_samples,
    build_stream,
)
from newsdedup_lab.fit.validation import (
    OUTER_FOLDS,
    cross_validated_threshold,
    validate_by_language,
    validate_by_source,
    validate_by_story,
    validate_by_stream,
)
from newsdedup_lab.report.study_stages import StepProgress


@dataclass(frozen=True, slots=True)
class FitResult:
    """A model, the samples it was fitted on, and its validation."""

    model: Model
    fitting: Fitting
    validation: Validation

    def measurements(self) -> dict[str, object]:
        """Return all measurements as JSON values."""
        return fit_measurements(self.fitting, self.model, self.validation)


def run_fit(
    inputs: Sequence[str],
    pairs: Sequence[Path],
    settings: Settings,
    *,
    version: str,
    watch: StepProgress,
) -> FitResult:
    """Fit a model on labelled pairs and validate it; each input is a stream of its own.

    `pairs` are the files of labelled pairs; unseen sources are tried on the first one. The same
    inputs give the same model, to the last digit. Raise SettingsInvalid if the settings name
    another rule than `verified`, SourceUnusable if too few pairs can be used, or if they contradict
    each other.
    """
    if settings.rule.name != VerifiedRule.name:
        raise SettingsInvalid(f"rule.name = {settings.rule.name}: only `verified` has a model")
    called = short_names([Path(name) for name in inputs])
    streams = [_stream(*one, settings, watch) for one in zip(inputs, called, strict=True)]
    labelled = [read_labelled_pairs(path) for path in pairs]
    fitting = Fitting(
        _require_usable(build_samples(labelled, streams)), streams, short_names(pairs)
    )
    trials = _validate(fitting, watch)
    every = np.arange(len(fitting.samples.pairs))
    model = replace(
        fitting.fit(every, version=version),
        threshold=cross_validated_threshold(fitting, every),
        translated=_translated(fitting, build_samples(labelled, streams, translated=True), every),
    )
    return FitResult(model, fitting, trials)


def _translated(fitting: Fitting, crossing: Samples, every: IndexArray) -> float:
    """Return what to add to the log-odds of pairs in two languages, 0 if none is labelled.

    `crossing` are those pairs. The constant is fitted to the ones that the rule leaves to a model
    of all other pairs (`every`).
    """
    if not crossing.pairs:
        return 0.0
    model = fitting.fit(every)
    table = crossing.features[AS_IT_CAME]
    logits = table @ np.array(model.weights) + model.bias
    open_still = np.isnan(crossing.ruled[AS_IT_CAME])
    return fit_offset(logits[open_still], crossing.truth[open_still].astype(np.float64))


def short_names(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return each path as FOLDER/NAME; paths that look alike are numbered in their order."""
    short = ["/".join(path.parts[-2:]) for path in paths]
    return tuple(
        f"{name} ({short[: position + 1].count(name)})" if short.count(name) > 1 else name
        for position, name in enumerate(short)
    )


def _stream(path: str, name: str, settings: Settings, watch: StepProgress) -> Stream:
    """Read the items of a file or folder `path` and build the stream called `name` of them."""
    window = settings.rule.window // MICROSECOND
    read = _read(path, settings, watch)
    with watch.step(f"comparing {path}", len(read) * len(READING_WEIGHTS)) as advance:
        return build_stream(name, read, window=window, advance=advance)


def _read(name: str, settings: Settings, watch: StepProgress) -> list[Entry]:
    """Read and analyze the items of a file or folder; return their entries."""
    decode, limit = line_decoder(settings).content, settings.limits.line_bytes
    found = load_collection([name], decode, line_limit=limit).items
    analyzed = []
    with (
        closing(batch_analysis(settings, item_analyzer(settings))) as analysis,
        watch.step(f"reading {name}", len(found)) as advance,
    ):
        for one in analysis.analyze_stream(found):
            analyzed.append(one)
            advance(1)
    return arrival_entries(analyzed)


def _require_usable(samples: Samples) -> Samples:
    """Return the samples; raise SourceUnusable for one label alone or fewer than ten stories."""
    if len(set(samples.truth.tolist())) < 2 or len(set(samples.stories)) < OUTER_FOLDS:
        raise SourceUnusable(
            f"{len(samples.pairs)} labelled pairs have both items in one of the streams and in one "
            f"language: duplicates and others are needed, of {OUTER_FOLDS} stories and more"
        )
    return samples


def _validate(fitting: Fitting, watch: StepProgress) -> Validation:
    """Predict pairs by models fitted on other stories, sources, streams and languages."""
    found = fitting.samples
    first = found.files.count(found.files[0])
    with watch.step("other stories", OUTER_FOLDS) as advance:
        stories = validate_by_story(fitting, advance)
    with watch.step("other sources", first) as advance:
        sources = validate_by_source(fitting, stories, advance)
    with watch.step("other streams", len(fitting.streams)) as advance:
        streams = validate_by_stream(fitting, advance)
    with watch.step("other languages", len(set(found.languages))) as advance:
        languages = validate_by_language(fitting, advance)
    return Validation(stories, sources, streams, languages)
