"""The methods of the seeds over one collection, each a stage of its own."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import xxhash

from newsdedup import bootstrap
from newsdedup.adapters.files.outputs import writing
from newsdedup.core.fingerprints.corpus import CorpusStats, count_corpus
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.fingerprints.names import METHODS
from newsdedup.core.words.pivots import Pivots
from newsdedup.lab.collections.corpora import Corpus
from newsdedup.lab.collections.shelf import Shelf, shelved
from newsdedup.lab.compare.buckets import EFFORT, REACH, Packed
from newsdedup.lab.compare.curves import recall, stability, variance
from newsdedup.lab.compare.edits import made_texts
from newsdedup.lab.compare.method import Clock, Cost, compared
from newsdedup.lab.compare.quality import quality
from newsdedup.lab.compare.report import report
from newsdedup.lab.compare.whole import VERSION, WHOLE, whole
from newsdedup.lab.report.report import Report
from newsdedup.lab.report.stages import Stages
from newsdedup.ports.errors import SettingsInvalid, SourceUnusable

ALL = "all"
NAMES = (*METHODS, WHOLE)
SAMPLE = 2_000_000
"""Pairs of the pool whose texts are compared, at most; of more, so many are drawn by hash."""
REPORTS = 160
TRIALS = 1_000
SEED = 20_261_121


@dataclass(frozen=True, slots=True)
class Choice:
    """What is compared, and with what."""

    methods: tuple[str, ...] = NAMES
    pairs: tuple[Path, ...] = ()
    """Files of pairs that people compared: a truth each."""
    planted: Path | None = None
    """The truth beside a generated stream."""
    sample: int = SAMPLE
    trials: int = TRIALS


def chosen(named: str, without: str = "") -> tuple[str, ...]:
    """Return the methods of a list with commas, or all, without some, in their usual order."""
    wanted = set(NAMES) if named == ALL else set(named.split(","))
    left_out = set(filter(None, without.split(",")))
    unknown = sorted((wanted | left_out) - set(NAMES))
    if unknown:
        raise SettingsInvalid(f"{', '.join(unknown)}: no method; there are {', '.join(NAMES)}")
    names = tuple(name for name in NAMES if name in wanted - left_out)
    if not names:
        raise SettingsInvalid("--methods: none is left")
    return names


class Study:
    """Documents, a stage for each method, the truths, and the curves."""

    def __init__(
        self, corpus: Corpus, stages: Stages, choice: Choice, *, clock: Clock, pivots: Pivots
    ) -> None:
        self._corpus = corpus
        self._stages = stages
        self._choice = choice
        self._clock = clock
        self._pivots = pivots
        self._parts = stages.folder / "compare.parts"
        self._shelf = Shelf(self._parts)

    def report(self) -> Report:
        """Return the report."""
        with writing(self._parts):
            self._parts.mkdir(exist_ok=True)
        documents = self._kept(
            "documents", {}, self._documents, lambda told: told["digest"] == self._shelf.digest()
        )
        methods = bootstrap.methods(_signing(self._choice.methods), self._pivots)
        signing = {method.name: method for method in methods}
        costs = {name: self._cost(name, signing) for name in self._choice.methods}
        told = self._quality(costs)
        curves = self._stages.done(
            "compare-curves", {"trials": self._choice.trials, "seed": SEED}, self._curves
        )
        return report(documents, costs, told, curves)

    def _kept(
        self,
        name: str,
        parameters: Mapping[str, object],
        work: Callable[[], object],
        intact: Callable[[Any], bool],
    ) -> Any:
        """Return a stage that leaves files behind: done again if they are not as it left them."""
        told = self._stages.done(f"compare-{name}", parameters, work)
        if intact(told):
            return told
        return replace(self._stages, fresh=True).done(f"compare-{name}", parameters, work)

    def _documents(self) -> object:
        self._shelf = shelved(self._corpus, self._parts, self._stages.watch)
        index = self._shelf.index
        return {
            "documents": len(index.ids),
            "mean_words": round(sum(index.words) / len(index.words), 1),
            "mean_letters": round(sum(index.letters) / len(index.letters), 1),
            "digest": self._shelf.digest(),
        }

    @cached_property
    def _counts(self) -> CorpusStats:
        return count_corpus(self._shelf.readings())

    def _cost(self, name: str, signing: Mapping[str, Method]) -> Any:
        version = signing[name].version if name in signing else VERSION
        return self._kept(
            name,
            {"version": version, "reach": REACH, "effort": EFFORT},
            lambda: self._filed(name, *self._done(name, signing)),
            lambda told: _digest(self._file(name)) == told["digest"],
        )

    def _done(self, name: str, signing: Mapping[str, Method]) -> tuple[Cost, Packed]:
        if name == WHOLE:
            return whole(self._shelf, self._clock, self._stages.watch)
        return compared(signing[name], self._shelf, self._counts, self._clock, self._stages.watch)

    def _filed(self, name: str, cost: Cost, pairs: Packed) -> object:
        path = self._file(name)
        with writing(path):
            np.save(path, pairs)
        return {**asdict(cost), "digest": _digest(path)}

    def _file(self, name: str) -> Path:
        return self._parts / f"{name}.pairs.npy"

    def _pairs(self, name: str) -> Packed:
        found: Packed = np.load(self._file(name))
        return found

    def _quality(self, costs: Mapping[str, Any]) -> Any:
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
        return self._stages.done("compare-quality", made_of, self._judged)

    def _judged(self) -> object:
        choice = self._choice
        found = {name: self._pairs(name) for name in choice.methods}
        return quality(
            found,
            self._shelf,
            self._stages.watch,
            people=choice.pairs,
            planted=choice.planted,
            sample=choice.sample,
        )

    def _curves(self) -> object:
        texts = made_texts(self._corpus.analyzer, REPORTS, seed=SEED)
        told = {}
        for curve in (stability, recall, variance):
            with self._stages.watch.step(f"edits: {curve.__name__}"):
                points = curve(texts, self._choice.trials, SEED)
            told[curve.__name__] = [{**asdict(one), "inside": one.inside} for one in points]
        return told


def _signing(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the methods that sign documents one by one."""
    return tuple(name for name in names if name != WHOLE)


def _digest(path: Path) -> str:
    """Return a hash of a file; of one that cannot be read, nothing."""
    try:
        return xxhash.xxh3_128_hexdigest(path.read_bytes())
    except OSError:
        return ""
