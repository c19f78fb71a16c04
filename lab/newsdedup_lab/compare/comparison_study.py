"""The study of `lab compare`: each method is its own stage, so reruns repeat only changes."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import xxhash

from newsdedup.adapters.files.outputs import sink_errors
from newsdedup.bootstrap.rules import make_methods
from newsdedup.core.fingerprints.catalogue import METHODS
from newsdedup.core.fingerprints.corpus import CorpusStats, count_corpus
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.words.background import Pivots
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable
from newsdedup_lab.collections.corpora import Corpus
from newsdedup_lab.collections.document_store import DocumentStore, build_document_store
from newsdedup_lab.compare.buckets import MAX_EFFORT, MAX_REACH, PackedPairs
from newsdedup_lab.compare.comparison_report import compare_report
from newsdedup_lab.compare.method import (
    WHOLE_METHOD,
    WHOLE_VERSION,
    CpuClock,
    MethodCost,
    measure_method,
    measure_whole,
)
from newsdedup_lab.compare.paper_scores import measure_quality
from newsdedup_lab.compare.predicted_curves import recall, stability, synthesize_texts, variance
from newsdedup_lab.report.report_content import StudyReport
from newsdedup_lab.report.study_stages import Stages, render_json, write_atomically

_ALL_METHODS = "all"
METHOD_NAMES = (*METHODS, WHOLE_METHOD)
_SAMPLE = 2_000_000
"""Pairs of the pool whose texts are compared, at most; of more, so many are drawn by hash."""
_REPORTS = 160
_TRIALS = 1_000
_SEED = 20_261_121


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """The options of a comparison."""

    methods: tuple[str, ...] = METHOD_NAMES
    pairs: tuple[Path, ...] = ()
    """Files of pairs that people labelled; each file is scored on its own."""
    planted: Path | None = None
    """The file of true duplicates that comes with a generated stream."""
    sample: int = _SAMPLE
    trials: int = _TRIALS


def choose_methods(named: str, without: str = "") -> tuple[str, ...]:
    """Return the methods of --methods (names by comma, or "all") that --without does not name.

    Raise SettingsInvalid for an unknown name, or if no method remains.
    """
    wanted = set(METHOD_NAMES) if named == _ALL_METHODS else set(named.split(","))
    left_out = set(filter(None, without.split(",")))
    unknown = sorted((wanted | left_out) - set(METHOD_NAMES))
    if unknown:
        raise SettingsInvalid(
            f"{', '.join(unknown)}: no method; there are {', '.join(METHOD_NAMES)}"
        )
    names = tuple(name for name in METHOD_NAMES if name in wanted - left_out)
    if not names:
        raise SettingsInvalid("--methods: none is left")
    return names


class CompareStudy:
    """Stores the documents, measures each method, scores the pairs, draws the curves."""

    def __init__(
        self,
        corpus: Corpus,
        stages: Stages,
        choice: CompareOptions,
        *,
        clock: CpuClock,
        pivots: Pivots,
    ) -> None:
        self._corpus = corpus
        self._stages = stages
        self._choice = choice
        self._clock = clock
        self._pivots = pivots
        self._parts = stages.folder / "compare.parts"
        self._store = DocumentStore(self._parts)

    def report(self) -> StudyReport:
        """Run the stages and return the page of `lab compare`.

        They store the documents, measure each chosen method, score the pairs that it finds, and run
        the trials of the curves; a stage that is stored is read instead. Raise SinkUnusable if the
        folder for their files cannot be made.
        """
        with sink_errors(self._parts):
            self._parts.mkdir(exist_ok=True)
        documents = self._run_with_files(
            "documents",
            {},
            self._documents,
            lambda values: values["digest"] == self._store.digest(),
        )
        methods = make_methods(_signing_methods(self._choice.methods), self._pivots)
        signing = {method.name: method for method in methods}
        costs = {name: self._cost(name, signing) for name in self._choice.methods}
        values = self._quality(costs)
        curves = self._stages.run(
            "compare-curves", {"trials": self._choice.trials, "seed": _SEED}, self._curves
        )
        return compare_report(documents, costs, values, curves)

    def _run_with_files(
        self,
        name: str,
        parameters: Mapping[str, object],
        work: Callable[[], object],
        intact: Callable[[Any], bool],
    ) -> Any:
        """Return the measurements of a stage that also writes files.

        Do the stage again if `intact`, given its results, returns False, as the files have changed.
        """
        values = self._stages.run(f"compare-{name}", parameters, work)
        if intact(values):
            return values
        return replace(self._stages, fresh=True).run(f"compare-{name}", parameters, work)

    def _documents(self) -> object:
        """Prepare and store the documents; return their number, mean sizes, and a hash."""
        self._store = build_document_store(self._corpus, self._parts, self._stages.watch)
        index = self._store.index
        return {
            "documents": len(index.ids),
            "mean_words": round(sum(index.words) / len(index.words), 1),
            "mean_letters": round(sum(index.letters) / len(index.letters), 1),
            "digest": self._store.digest(),
        }

    @cached_property
    def _counts(self) -> CorpusStats:
        """Return the statistics of the corpus that methods sign with."""
        return count_corpus(self._store.readings())

    def _cost(self, name: str, signing: Mapping[str, Method]) -> Any:
        """Return the cost of a method from its stage, which also stores the pairs that it finds."""
        version = signing[name].version if name in signing else WHOLE_VERSION
        return self._run_with_files(
            name,
            {"version": version, "reach": MAX_REACH, "effort": MAX_EFFORT},
            lambda: self._save_pairs(name, *self._measure(name, signing)),
            lambda values: _digest(self._file(name)) == values["digest"],
        )

    def _measure(self, name: str, signing: Mapping[str, Method]) -> tuple[MethodCost, PackedPairs]:
        """Measure a method: return its cost and the pairs that it finds."""
        if name == WHOLE_METHOD:
            return measure_whole(self._store, self._clock, self._stages.watch)
        return measure_method(
            signing[name], self._store, self._counts, self._clock, self._stages.watch
        )

    def _save_pairs(self, name: str, cost: MethodCost, pairs: PackedPairs) -> object:
        """Store the pairs of a method in its file; return its cost and the file's hash."""
        path = self._file(name)
        with sink_errors(path):
            np.save(path, pairs)
        measurements = asdict(cost)
        # The reports call it as the papers do.
        return {**measurements, "found": measurements.pop("pair_count"), "digest": _digest(path)}

    def _file(self, name: str) -> Path:
        """Return the path of the file with the pairs of a method."""
        return self._parts / f"{name}.pairs.npy"

    def _pairs(self, name: str) -> PackedPairs:
        """Load the pairs that a method found from its file."""
        found: PackedPairs = np.load(self._file(name))
        return found

    def _quality(self, costs: Mapping[str, Any]) -> Any:
        """Return the measurements of the stage that scores the pairs of all methods.

        Raise SourceUnusable if a truth file cannot be read.
        """
        choice = self._choice
        truths = [*choice.pairs, *([choice.planted] if choice.planted else [])]
        made_of = {
            "found": {name: cost["digest"] for name, cost in costs.items()},
            "truths": [_digest(path) for path in truths],
            "names": [path.name for path in choice.pairs],
            "sample": choice.sample,
        }
        for path in truths:
            if not _digest(path):
                raise SourceUnusable(f"{path}: cannot be read")
        return self._stages.run("compare-quality", made_of, self._measure_quality)

    def _measure_quality(self) -> object:
        """Load the pairs of all methods, and return their scores as JSON values."""
        choice = self._choice
        found = {name: self._pairs(name) for name in choice.methods}
        return measure_quality(
            found,
            self._store,
            self._stages.watch,
            people=choice.pairs,
            planted=choice.planted,
            sample=choice.sample,
        )

    def _curves(self) -> object:
        """Run the trials over made-up texts; return the points of the curves as JSON values."""
        texts = synthesize_texts(self._corpus.analyzer, _REPORTS, seed=_SEED)
        values = {}
        for curve in (stability, recall, variance):
            with self._stages.watch.step(f"edits: {curve.__name__}"):
                points = curve(texts, self._choice.trials, _SEED)
            values[curve.__name__] = [{**asdict(one), "inside": one.inside} for one in points]
        return values


def _signing_methods(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the methods that sign documents one by one: all but A11 over all shingles."""
    return tuple(name for name in names if name != WHOLE_METHOD)


def _digest(path: Path) -> str:
    """Return the hash of a file, "" if it cannot be read."""
    try:
        return xxhash.xxh3_128_hexdigest(path.read_bytes())
    except OSError:
        return ""


_SCORES = ("precision", "recall", "f1")
_MICRO = 1e6


def write_summary(measurements: Path, to: Path) -> None:
    """Read the JSON measurements of a comparison and write their summary, which names no items."""
    write_atomically(to, render_json(summarize(json.loads(measurements.read_bytes())), indent=1))


def summarize(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a comparison's measurements, without item names.

    It has the counts of documents and pairs, the curves, and for each method its costs per document
    and its scores.
    """
    measurements = values["measurements"]
    quality, documents = measurements["quality"], measurements["documents"]
    people = {one["file"]: one for one in quality["people"]}
    return {
        "made": values["made"],
        "documents": {name: documents[name] for name in ("documents", "mean_words")},
        "pairs": {name: quality[name] for name in ("pool", "compared", "same")},
        "people": {
            name: {key: one[key] for key in ("pairs", "duplicates")} for name, one in people.items()
        },
        "planted": quality["planted"]["pairs"] if quality["planted"] else None,
        "methods": {
            name: {
                **_cost(cost, documents["documents"]),
                "texts": _scores(_row(quality["texts"], name)),
                **{file: _people(_row(one["rows"], name)) for file, one in people.items()},
                **_planted(quality["planted"], name),
            }
            for name, cost in measurements["methods"].items()
        },
        "curves": measurements["curves"],
    }


def _cost(cost: Mapping[str, Any], documents: int) -> dict[str, object]:
    """Return a method's cost in the summary: microseconds and sizes per document, and counts."""
    return {
        "version": cost["version"],
        "sign_us": round(_MICRO * cost["sign_seconds"] / documents, 1),
        "pair_us": round(_MICRO * cost["pair_seconds"] / documents, 1),
        "signed": round(cost["signed"] / documents, 4),
        "keys": round(cost["keys"] / documents, 1),
        "bytes": round(cost["bytes"] / documents, 1),
        **{name: cost[name] for name in ("compared", "reach", "largest", "left_out", "found")},
    }


def _row(rows: list[dict[str, Any]], name: str) -> Mapping[str, Any]:
    """Return the row of a method."""
    return next(row for row in rows if row["method"] == name)


def _scores(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the scores of a row without its other values."""
    return {score: row[score] for score in _SCORES}


def _people(row: Mapping[str, Any]) -> dict[str, object]:
    """Return the scores of a row against labelled pairs, plain and weighted."""
    return {**_scores(row), "weighted": _scores(row["weighted"])}


def _planted(values: Mapping[str, Any] | None, name: str) -> dict[str, object]:
    """Return the scores of a method against the planted truth, {} without one."""
    return {"planted": _scores(_row(values["rows"], name))} if values else {}
