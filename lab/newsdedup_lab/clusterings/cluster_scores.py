"""Scores of found clusters against true ones."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from newsdedup_lab.clusterings.cover import Cover
from newsdedup_lab.clusterings.graph import Node
from newsdedup_lab.scores import Score


@dataclass(frozen=True, slots=True)
class ClusterScore:
    """The four scores of Hassanzadeh and others (2009); undefined ones are 0."""

    precision: float
    recall: float
    f1: float
    clustering_precision: float


def cluster_score(truth: Cover, found: Cover) -> ClusterScore:
    """Return Pr, Re, F1 and CPr of found clusters, which may overlap.

    f(g) = the found cluster with most of the true cluster g; of several the smallest, then the
    first. Pr = sum of |g|/|R| * |f(g) & g| / |f(g)|, Re = sum of |g|/|R| * |f(g) & g| / |g|, with
    |R| the sum of all |g|; F1 = 2 Pr Re / (Pr + Re). CPr = mean over the found clusters of two
    nodes and more of the share of their pairs that are together in the truth; clusters of one node
    have no pair and do not count.
    """
    homes = found.homes()
    records = sum(map(len, truth.clusters))
    precision = recall = Fraction()
    for true in truth.clusters:
        shared = Counter(home for node in true for home in homes.get(node, ()))
        if shared:
            best = min(shared, key=lambda at: (-shared[at], len(found.clusters[at]), at))
            precision += Fraction(len(true) * shared[best], len(found.clusters[best]))
            recall += shared[best]
    precision, recall = _share(precision, records), _share(recall, records)
    f1 = _share(2 * precision * recall, precision + recall)
    return ClusterScore(
        *map(_rounded, (precision, recall, f1, _clustering_precision(truth, found)))
    )


def _clustering_precision(truth: Cover, found: Cover) -> Fraction:
    """Return the mean share of true pairs in the found clusters of several nodes, 0 without any.

    A pair with a node that is in no true cluster is not true. Raise ValueError if true clusters
    overlap.
    """
    label = _labels(truth)
    several = [cluster for cluster in found.clusters if len(cluster) > 1]
    together = Fraction()
    for cluster in several:
        sizes = Counter(label[node] for node in cluster if node in label)
        together += Fraction(_pairs(sizes.values()), comb(len(cluster), 2))
    return _share(together, len(several))


def b_cubed(truth: Cover, found: Cover) -> Score:
    """Return the B-cubed scores of two partitions of the same nodes (Bagga, Baldwin 1998).

    For each node, with c its found and g its true cluster: precision |c & g| / |c|, recall |c & g|
    / |g|; of both the mean over the nodes, and the harmonic mean of the two means. Raise ValueError
    if clusters overlap or the nodes differ.
    """
    cells, sizes_found, sizes_true = _cells(truth, found)
    nodes = sum(cells.values())
    precision = sum(Fraction(n * n, sizes_found[c]) for (c, _), n in cells.items())
    recall = sum(Fraction(n * n, sizes_true[g]) for (_, g), n in cells.items())
    return _score(_share(precision, nodes), _share(recall, nodes))


def pairwise(truth: Cover, found: Cover) -> Score:
    """Return precision, recall and F of the pairs of nodes that two partitions put together.

    Raise ValueError if clusters overlap or the nodes differ.
    """
    cells, sizes_found, sizes_true = _cells(truth, found)
    right = _pairs(cells.values())
    precision = _share(right, _pairs(sizes_found.values()))
    return _score(precision, _share(right, _pairs(sizes_true.values())))


def _cells(
    truth: Cover, found: Cover
) -> tuple[Counter[tuple[int, int]], Counter[int], Counter[int]]:
    """Return sizes: of the intersections by (found, true) number, of the found and true clusters.

    Raise ValueError if clusters overlap or the two partitions are not of the same nodes.
    """
    true, ours = _labels(truth), _labels(found)
    if true.keys() != ours.keys():
        raise ValueError("the two partitions are not of the same nodes")
    return (
        Counter((cluster, true[node]) for node, cluster in ours.items()),
        Counter(ours.values()),
        Counter(true.values()),
    )


def _labels(partition: Cover) -> dict[Node, int]:
    """Return the number of the cluster of each node; raise ValueError for overlapping clusters."""
    homes = partition.homes()
    if any(len(positions) > 1 for positions in homes.values()):
        raise ValueError("a node is in several clusters: this score needs a partition")
    return {node: positions[0] for node, positions in homes.items()}


def _pairs(sizes: Iterable[int]) -> int:
    """Return how many pairs lie within groups of these sizes."""
    return sum(comb(size, 2) for size in sizes)


def _score(precision: Fraction, recall: Fraction) -> Score:
    """Return precision, recall and their harmonic mean, rounded to 4 decimals."""
    f1 = _share(2 * precision * recall, precision + recall)
    return Score(_rounded(precision), _rounded(recall), _rounded(f1))


def _share(part: Fraction | int, whole: Fraction | int) -> Fraction:
    """Return part / whole, 0 if the whole is 0."""
    return Fraction(part) / whole if whole else Fraction()


def _rounded(share: Fraction) -> float:
    """Return a share with 4 decimals."""
    return round(float(share), 4)
