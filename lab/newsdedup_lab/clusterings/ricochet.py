"""Clustering by ricochet."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf

from newsdedup_lab.clusterings.cover import Cover, cover_of_centres
from newsdedup_lab.clusterings.graph import Graph, Neighbour, connected_parts


@dataclass(frozen=True, slots=True)
class Ricochet:
    """Clusters that ripple from seed to seed (sequential rippling; Wijaya, Bressan 2009).

    Nodes are tried as seeds by the mean weight of their pairs, highest first, then in order. A new
    seed takes the neighbours that are nearer to it than to their present seed; a node without such
    neighbours is no seed. A seed that lost all of its followers joins the nearest seed among its
    neighbours; without one it has no cluster again. It ends when every node has a cluster, each
    connected part of the graph by itself: otherwise a distant story would decide how long this one
    is worked on.
    """

    name: str = "ricochet"
    overlapping: bool = False

    def cluster(self, graph: Graph) -> Cover:
        """Return the clusters of nodes with one seed, in O(nodes log nodes + edges).

        Each node is tried once as a seed, the highest mean weight first, and takes the neighbours
        that are nearer to it than to their seeds.
        """
        near = graph.adjacency()
        ripples = _Ripples(near, connected_parts(graph))
        mean = [fsum(n.weight for n in some) / (len(some) or 1) for some in near]
        for position in sorted(range(len(near)), key=lambda position: (-mean[position], position)):
            ripples.try_seed(position)
        return cover_of_centres(graph, ripples.seeds())


class _Ripples:
    """The seed of each node while seeds are tried."""

    def __init__(self, near: Sequence[Sequence[Neighbour]], part: Sequence[int]) -> None:
        self._near = near
        self._part = part
        self._seed: list[int | None] = [None] * len(near)
        self._nearness = [0.0] * len(near)
        self._size = [0] * len(near)
        self._without = [0] * len(near)
        for one in part:
            self._without[one] += 1

    def seeds(self) -> list[int]:
        """Return the seed of each node; a node without one is its own."""
        return [position if seed is None else seed for position, seed in enumerate(self._seed)]

    def try_seed(self, position: int) -> None:
        """Make a node a seed if it wins a neighbour and some node of its component has no seed yet.

        It wins the neighbours that are nearer to it than to their seeds. A seed that thereby lost
        all of its followers is given another seed.
        """
        if not self._without[self._part[position]]:
            return
        won = [n for n in self._near[position] if n.weight > self._nearness[n.position]]
        if not won:
            return
        left = [self._seed[n.position] for n in (Neighbour(position, inf), *won)]
        self._move(position, position, inf)
        for neighbour in won:
            self._move(neighbour.position, position, neighbour.weight)
        # The former seeds of the nodes that moved, in the order of their nearness to the new one.
        for seed in dict.fromkeys(left):
            if seed is not None and self._size[seed] == 1 and self._seed[seed] == seed:
                self._resettle(seed)

    def _move(self, position: int, seed: int | None, nearness: float) -> None:
        """Assign a node to a seed (None: to none) at a nearness; update sizes and counts."""
        before = self._seed[position]
        if before is None:
            self._without[self._part[position]] -= 1
        else:
            self._size[before] -= 1
        if seed is None:
            self._without[self._part[position]] += 1
        else:
            self._size[seed] += 1
        self._seed[position] = seed
        self._nearness[position] = nearness

    def _resettle(self, lone: int) -> None:
        """Assign a seed without followers to the nearest seed among its neighbours, or to none."""
        for neighbour in self._near[lone]:
            if self._seed[neighbour.position] == neighbour.position:
                self._move(lone, neighbour.position, neighbour.weight)
                return
        self._move(lone, None, 0.0)
