"""The weighted graph of similar pairs that clusterings work on."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

Node = int | str
"""The name of a node. Numbers stand before strings; numbering the items by their total order
makes the order of the nodes the order of the stream."""


class Edge(NamedTuple):
    """A similar pair by node indexes, left < right."""

    left: int
    right: int
    weight: float


class Neighbour(NamedTuple):
    """A neighbour by its index, with the weight of the edge."""

    position: int
    weight: float


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in order, and edges by falling weight.

    Pairs of one weight stand in the order of their nodes, so no reader ever sees in which order
    they came.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def at_least(self, threshold: float) -> "Graph":
        """Return the graph of the same nodes with only the edges of at least this weight."""
        end = bisect_right(self.edges, -threshold, key=lambda edge: -edge.weight)
        return Graph(self.nodes, self.edges[:end])

    def adjacency(self) -> list[list[Neighbour]]:
        """Return the neighbours of each node, most similar first, then by index."""
        near: list[list[Neighbour]] = [[] for _ in self.nodes]
        for left, right, weight in self.edges:
            near[left].append(Neighbour(right, weight))
            near[right].append(Neighbour(left, weight))
        return near


def build_graph(nodes: Iterable[Node], pairs: Iterable[tuple[Node, Node, float]]) -> Graph:
    """Return the graph of all nodes that are given or in a pair (one, other, weight).

    A pair given twice, in whatever direction, counts once with its greater weight. Pairs without a
    positive weight and pairs of a node with itself give no edge.
    """
    pairs = list(pairs)
    named = {*nodes, *(node for pair in pairs for node in pair[:2])}
    order = tuple(sorted(named, key=order_of))
    position = {node: at for at, node in enumerate(order)}
    weights: dict[tuple[int, int], float] = {}
    for one, other, weight in pairs:
        left, right = sorted((position[one], position[other]))
        if left != right and weight > weights.get((left, right), 0.0):
            weights[left, right] = weight
    edges = [Edge(left, right, weight) for (left, right), weight in weights.items()]
    edges.sort(key=lambda edge: (-edge.weight, edge.left, edge.right))
    return Graph(order, tuple(edges))


def order_of(node: Node) -> tuple[bool, int, str]:
    """Return the sort key of a node: numbers before strings."""
    return (False, node, "") if isinstance(node, int) else (True, 0, node)


def connected_parts(graph: Graph) -> list[int]:
    """Return for each node a representative, the same for all of its connected component."""
    root = list(range(len(graph.nodes)))
    for left, right, _ in graph.edges:
        unite(root, left, right)
    return [find_root(root, position) for position in range(len(root))]


def unite(root: list[int], left: int, right: int) -> None:
    """Join the components of two nodes (union-find)."""
    root[find_root(root, left)] = find_root(root, right)


def find_root(root: list[int], position: int) -> int:
    """Return the representative of a node, and shorten its path in `root` by half (union-find)."""
    while root[position] != position:
        root[position] = root[root[position]]
        position = root[position]
    return position
