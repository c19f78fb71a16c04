"""The study of `lab cluster`: the tables of paper 002."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from newsdedup_lab.cluster.clustering_report import cluster_report
from newsdedup_lab.cluster.measures import MEASURES, SimilarPair, similar_pairs
from newsdedup_lab.clusterings.catalogue import CLUSTERINGS, Star
from newsdedup_lab.clusterings.cluster_scores import b_cubed, cluster_score, pairwise
from newsdedup_lab.clusterings.cover import Cover, partition
from newsdedup_lab.clusterings.graph import Graph, build_graph
from newsdedup_lab.collections.corpora import Corpus, Documents, load_documents
from newsdedup_lab.collections.truths import ClusterTruth, TruthChoice
from newsdedup_lab.report.report_content import StudyReport
from newsdedup_lab.report.study_stages import Advance, Stages
from newsdedup_lab.scores import PairOutcome, full_score

_Row = dict[str, object]


def score_clusterings(
    graph: Graph, truth: ClusterTruth, thresholds: Sequence[float], advance: Advance
) -> list[_Row]:
    """Return a row of scores for each clustering at each threshold, and one that joins nothing.

    A row has the names "clustering" and "threshold" and the scores of `score_cover`. `advance`
    counts the rows but the last.
    """
    rows = list(_rows(graph, truth, thresholds, advance))
    alone = Graph(graph.nodes, ())
    nothing = CLUSTERINGS[0].cluster(alone)
    return [
        *rows,
        {"clustering": "nothing joined", "threshold": None, **score_cover(nothing, alone, truth)},
    ]


def _rows(
    graph: Graph, truth: ClusterTruth, thresholds: Iterable[float], advance: Advance
) -> Iterator[_Row]:
    """Yield a row of scores for each clustering at each threshold; count it by `advance`."""
    for threshold in thresholds:
        similar = graph.at_least(threshold)
        for clustering in CLUSTERINGS:
            # A star has a threshold of its own, which is the one of the table here.
            own = (
                replace(clustering, threshold=threshold)
                if isinstance(clustering, Star)
                else clustering
            )
            found = own.cluster(similar)
            measurements = score_cover(found, similar, truth)
            yield {"clustering": clustering.name, "threshold": threshold, **measurements}
            advance(1)


def score_cover(found: Cover, graph: Graph, truth: ClusterTruth) -> _Row:
    """Return scores of found clusters: Pr, Re, F1 and CPr as they are, others of a partition.

    Those of the partition, in which each document is in one cluster, are B-cubed, pairwise and, if
    the truth has labelled pairs, scores on these alone.
    """
    parts = (
        found if len(found.homes()) == sum(map(len, found.clusters)) else partition(found, graph)
    )
    judged = truth.restrict(parts)
    measurements: _Row = {
        "clusters": sum(len(cluster) > 1 for cluster in found.clusters),
        "largest": max(map(len, found.clusters), default=0),
        **asdict(cluster_score(truth.clusters, truth.restrict(found))),
        "b_cubed": asdict(b_cubed(truth.clusters, judged)),
        "pairwise": asdict(pairwise(truth.clusters, judged)),
    }
    if truth.labelled:
        measurements["labelled"] = asdict(full_score(_outcomes(parts, truth)))
    return measurements


def _outcomes(parts: Cover, truth: ClusterTruth) -> list[PairOutcome]:
    """Return for each labelled pair whether one cluster contains both items."""
    home = {node: indexes[0] for node, indexes in parts.homes().items()}
    return [PairOutcome(same, home[left] == home[right]) for left, right, same in truth.labelled]


_LEAST_SIMILARITY = 0.2
"""The lowest threshold of the paper, at which pairs are sought in any case."""
_THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True)
class ClusterOptions:
    """The options of the study."""

    similarities: tuple[str, ...] = tuple(MEASURES)
    thresholds: tuple[float, ...] = _THRESHOLDS
    truth: TruthChoice = field(default_factory=TruthChoice)


class ClusterStudy:
    """Finds similar pairs, truth and scores, each as a stage."""

    def __init__(self, corpus: Corpus, stages: Stages, choice: ClusterOptions) -> None:
        self._corpus = corpus
        self._stages = stages
        self._choice = choice
        self._least = min((_LEAST_SIMILARITY, *choice.thresholds))
        self._pairs_by_measure: dict[str, list[SimilarPair]] = {}

    def report(self) -> StudyReport:
        """Run the stages and return the page of `lab cluster`.

        They find the truth and, for each similarity, pairs and scores; a stage that is stored is
        read instead.
        """
        truth = self._stages.run("truth", self._truth_parameters, self._truth)
        tables = {name: self._table(name, truth) for name in self._choice.similarities}
        return cluster_report(truth, tables, self._choice.thresholds)

    @property
    def _truth_parameters(self) -> dict[str, object]:
        """Return the parameters of the truth stage."""
        return {**self._choice.truth.digests(), "least": self._least}

    @cached_property
    def _documents(self) -> Documents:
        """Return the documents of the corpus, which is read at the first call only."""
        return load_documents(self._corpus, self._stages.watch)

    def _truth(self) -> object:
        """Compute the truth: clusters, labelled pairs and their counts as JSON values."""
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

    def _pairs(self, name: str) -> list[SimilarPair]:
        """Return the similar pairs of one measure, from memory, its stored stage, or computed."""
        if name not in self._pairs_by_measure:
            stored = self._stages.run(
                f"pairs-{name}", {"least": self._least}, lambda: self._find_pairs(name)
            )
            self._pairs_by_measure[name] = [
                (left, right, similarity) for left, right, similarity in stored
            ]
        return self._pairs_by_measure[name]

    def _find_pairs(self, name: str) -> list[SimilarPair]:
        """Compute the pairs of at least the lowest threshold by one measure."""
        measure = MEASURES[name](self._documents)
        with self._stages.watch.step(f"pairs by {name}", len(measure.vectors)) as advance:
            return similar_pairs(measure, self._least, advance)

    def _table(self, name: str, truth: dict[str, Any]) -> Any:
        """Return the measurements of the stage that scores all clusterings under one similarity.

        `truth` has the measurements of the truth stage.
        """
        made_of = {**self._truth_parameters, "thresholds": self._choice.thresholds}
        return self._stages.run(f"scores-{name}", made_of, lambda: self._score_table(name, truth))

    def _score_table(self, name: str, measurements: dict[str, Any]) -> object:
        """Score all clusterings at all thresholds, made from the pairs of one similarity.

        `measurements` are those of the truth stage. The numbers of similar pairs by threshold are
        added.
        """
        graph: Graph = build_graph(range(measurements["documents"]), self._pairs(name))
        thresholds = self._choice.thresholds
        with self._stages.watch.step(
            f"clusters by {name}", len(thresholds) * len(CLUSTERINGS)
        ) as advance:
            rows = score_clusterings(graph, _restore_truth(measurements), thresholds, advance)
        return {"pairs": [len(graph.at_least(at).edges) for at in thresholds], "rows": rows}


def _restore_truth(stored: dict[str, Any]) -> ClusterTruth:
    """Return the truth that a stage stored as JSON."""
    clusters = Cover(tuple(tuple(members) for members in stored["members"]))
    labelled = tuple((left, right, same) for left, right, same in stored["labelled"])
    return ClusterTruth(stored["kind"], clusters, labelled)


def choose_thresholds(named: Sequence[float] | None) -> tuple[float, ...]:
    """Return the given thresholds, distinct and ascending, or the default ones."""
    return tuple(sorted(set(named))) if named else _THRESHOLDS
