"""The tables of seed 002 for any collection."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from newsdedup.lab.cluster.clustered import table
from newsdedup.lab.cluster.joining import Pair, similar_pairs
from newsdedup.lab.cluster.measures import MEASURES
from newsdedup.lab.cluster.report import report
from newsdedup.lab.clusterings.catalogue import CLUSTERINGS
from newsdedup.lab.clusterings.cover import Cover
from newsdedup.lab.clusterings.graph import Graph, scored_graph
from newsdedup.lab.collections.collated import Documents, load_documents
from newsdedup.lab.collections.corpora import Corpus
from newsdedup.lab.collections.truth_choice import TruthChoice
from newsdedup.lab.collections.truths import ClusterTruth
from newsdedup.lab.report.report import StudyReport
from newsdedup.lab.report.stages import Stages

LEAST = 0.2
"""The lowest threshold of the seed, at which pairs are sought in any case."""
THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True)
class Choice:
    """What is to be compared with what."""

    similarities: tuple[str, ...] = tuple(MEASURES)
    thresholds: tuple[float, ...] = THRESHOLDS
    truth: TruthChoice = field(default_factory=TruthChoice)


class Study:
    """Similar pairs, truth and scores: stages of their own, of which later ones need earlier."""

    def __init__(self, corpus: Corpus, stages: Stages, choice: Choice) -> None:
        self._corpus = corpus
        self._stages = stages
        self._choice = choice
        self._least = min((LEAST, *choice.thresholds))
        self._found: dict[str, list[Pair]] = {}

    def report(self) -> StudyReport:
        """Return the report."""
        truth = self._stages.run("truth", self._of_truth, self._truth)
        tables = {name: self._table(name, truth) for name in self._choice.similarities}
        return report(truth, tables, self._choice.thresholds)

    @property
    def _of_truth(self) -> dict[str, object]:
        """Return all that the truth is made of."""
        return {**self._choice.truth.digests(), "least": self._least}

    @cached_property
    def _documents(self) -> Documents:
        return load_documents(self._corpus, self._stages.watch)

    def _truth(self) -> object:
        truth = self._choice.truth.truth(
            self._documents, lambda: self._pairs("jaccard"), self._stages.watch
        )
        sizes = [len(cluster) for cluster in truth.clusters.clusters]
        return {
            "kind": truth.kind,
            "documents": len(self._documents.keys),
            "judged": sum(sizes),
            "clusters": len(sizes),
            "of_several": sum(size > 1 for size in sizes),
            "largest": max(sizes),
            "members": truth.clusters.clusters,
            "labelled": truth.labelled,
        }

    def _pairs(self, name: str) -> list[Pair]:
        """Return the pairs of a similarity; the truth may have asked for them already."""
        if name not in self._found:
            kept = self._stages.run(
                f"pairs-{name}", {"least": self._least}, lambda: self._joined(name)
            )
            self._found[name] = [(left, right, similarity) for left, right, similarity in kept]
        return self._found[name]

    def _joined(self, name: str) -> list[Pair]:
        measure = MEASURES[name](self._documents)
        with self._stages.watch.step(f"pairs by {name}", len(measure.vectors)) as advance:
            return similar_pairs(measure, self._least, advance)

    def _table(self, name: str, truth: dict[str, Any]) -> Any:
        made_of = {**self._of_truth, "thresholds": self._choice.thresholds}
        return self._stages.run(f"scores-{name}", made_of, lambda: self._scored(name, truth))

    def _scored(self, name: str, told: dict[str, Any]) -> object:
        graph: Graph = scored_graph(range(told["documents"]), self._pairs(name))
        thresholds = self._choice.thresholds
        with self._stages.watch.step(
            f"clusters by {name}", len(thresholds) * len(CLUSTERINGS)
        ) as advance:
            rows = table(graph, _told(told), thresholds, advance)
        return {"pairs": [len(graph.at_least(at).edges) for at in thresholds], "rows": rows}


def _told(kept: dict[str, Any]) -> ClusterTruth:
    """Return a truth as it was before it was kept."""
    clusters = Cover(tuple(tuple(members) for members in kept["members"]))
    labelled = tuple((left, right, same) for left, right, same in kept["labelled"])
    return ClusterTruth(kept["kind"], clusters, labelled)


def thresholds_of(named: Sequence[float] | None) -> tuple[float, ...]:
    """Return the thresholds that were named, ascending, each once; else the usual ones."""
    return tuple(sorted(set(named))) if named else THRESHOLDS
