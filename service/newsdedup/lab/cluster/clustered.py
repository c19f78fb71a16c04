"""The clusterings of seed 002 over thresholds, scored against a truth."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace

from newsdedup.lab.clusterings.catalogue import CLUSTERINGS
from newsdedup.lab.clusterings.cover import Cover, partition
from newsdedup.lab.clusterings.graph import Graph
from newsdedup.lab.clusterings.scores import b_cubed, cluster_score, pairwise
from newsdedup.lab.clusterings.star import Star
from newsdedup.lab.collections.truths import ClusterTruth
from newsdedup.lab.report.stages import Advance
from newsdedup.lab.score.scores import PairOutcome, full_score

Row = dict[str, object]


def table(
    graph: Graph, truth: ClusterTruth, thresholds: Sequence[float], advance: Advance
) -> list[Row]:
    """Return the scores of every clustering at every threshold, below them one of no clusters."""
    rows = list(_rows(graph, truth, thresholds, advance))
    alone = Graph(graph.nodes, ())
    nothing = CLUSTERINGS[0].cluster(alone)
    return [
        *rows,
        {"clustering": "nothing joined", "threshold": None, **scores(nothing, alone, truth)},
    ]


def _rows(
    graph: Graph, truth: ClusterTruth, thresholds: Iterable[float], advance: Advance
) -> Iterator[Row]:
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
            told = scores(found, similar, truth)
            yield {"clustering": clustering.name, "threshold": threshold, **told}
            advance(1)


def scores(found: Cover, graph: Graph, truth: ClusterTruth) -> Row:
    """Return Pr, Re, F1 and CPr of the clusters as found, B-cubed and pairs of their partition."""
    parts = (
        found if len(found.homes()) == sum(map(len, found.clusters)) else partition(found, graph)
    )
    judged = truth.restrict(parts)
    told: Row = {
        "clusters": sum(len(cluster) > 1 for cluster in found.clusters),
        "largest": max(map(len, found.clusters), default=0),
        **asdict(cluster_score(truth.clusters, truth.restrict(found))),
        "b_cubed": asdict(b_cubed(truth.clusters, judged)),
        "pairwise": asdict(pairwise(truth.clusters, judged)),
    }
    if truth.labelled:
        told["labelled"] = asdict(full_score(_outcomes(parts, truth)))
    return told


def _outcomes(parts: Cover, truth: ClusterTruth) -> list[PairOutcome]:
    """Return what became of each pair that people compared: whether it is in one cluster."""
    home = {node: places[0] for node, places in parts.homes().items()}
    return [PairOutcome(same, home[left] == home[right]) for left, right, same in truth.labelled]
