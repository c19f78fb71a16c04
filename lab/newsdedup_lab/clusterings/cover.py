"""Clusters of a graph: a cover, in which a node may be in several, and its partition."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

from newsdedup_lab.clusterings.graph import Graph, Node, order_of

Cluster = tuple[Node, ...]
"""Nodes in their order, at least one."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Distinct clusters in the order of their nodes."""

    clusters: tuple[Cluster, ...]

    def homes(self) -> dict[Node, list[int]]:
        """Return for each node the numbers of the clusters that it is in, ascending."""
        found: dict[Node, list[int]] = {}
        for at, cluster in enumerate(self.clusters):
            for node in cluster:
                found.setdefault(node, []).append(at)
        return found


class Clustering(Protocol):
    """An algorithm from similar pairs to clusters.

    Laws, checked for all of them by tests/lab/clustering/test_clustering_laws.py: every node is
    in a cluster and an isolated one alone; clusters are connected; the answer is the same for
    any order of nodes and pairs; parts of a graph that no path joins do not see each other.
    """

    @property
    def name(self) -> str:
        """Return the name in the catalogue."""

    @property
    def overlapping(self) -> bool:
        """Return whether a node may be in several clusters."""

    def cluster(self, graph: Graph) -> Cover:
        """Return the clusters of a graph."""


def make_cover(clusters: Iterable[Iterable[Node]]) -> Cover:
    """Return the cover of these clusters, without empty or repeated ones, in order of nodes."""
    distinct = {tuple(sorted(set(cluster), key=order_of)) for cluster in clusters}
    return Cover(tuple(sorted(distinct - {()}, key=lambda nodes: [order_of(n) for n in nodes])))


def cover_of_indexes(graph: Graph, clusters: Iterable[Iterable[int]]) -> Cover:
    """Return the cover of clusters of node indexes."""
    return make_cover([graph.nodes[position] for position in cluster] for cluster in clusters)


def cover_of_centres(graph: Graph, centres: Collection[int]) -> Cover:
    """Return the clusters of nodes with a common centre; `centres` has the centre of each node."""
    members: dict[int, list[int]] = {}
    for position, centre in enumerate(centres):
        members.setdefault(centre, []).append(position)
    return cover_of_indexes(graph, members.values())


def partition(found: Cover, graph: Graph) -> Cover:
    """Return the cover with each node only in the cluster of its most similar neighbour.

    closeness(v, c) = max of weight(v, u) over the other nodes u of c, with the clusters as in
    `found`. A node goes to the closest of its clusters; of equally close ones to the larger, then
    to the first. The result does not depend on the order of the nodes, as the index of one node
    does not depend on where others go.
    """
    homes = found.homes()
    shared = {node for node, positions in homes.items() if len(positions) > 1}
    if not shared:
        return found
    closeness = {node: dict.fromkeys(homes[node], 0.0) for node in shared}
    for left, right, weight in graph.edges:
        pair = graph.nodes[left], graph.nodes[right]
        for node, fellow in (pair, pair[::-1]):
            if node in shared:
                _raise_closeness(closeness[node], homes[fellow], weight)
    members_of: list[list[Node]] = [[] for _ in found.clusters]
    for node, positions in homes.items():
        members_of[_closest(closeness[node], found) if node in shared else positions[0]].append(
            node
        )
    return make_cover(members_of)


def _raise_closeness(closeness: dict[int, float], homes: Iterable[int], weight: float) -> None:
    """Raise the closeness to at least `weight` for those of `homes` that `closeness` has."""
    for home in homes:
        if home in closeness:
            closeness[home] = max(closeness[home], weight)


def _closest(closeness: dict[int, float], found: Cover) -> int:
    """Return the number of the closest cluster; of equal ones the largest, then the first."""
    return min(closeness, key=lambda at: (-closeness[at], -len(found.clusters[at]), at))
