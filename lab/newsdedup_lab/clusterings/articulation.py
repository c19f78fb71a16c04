"""Clustering by articulation points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from newsdedup_lab.clusterings.cover import Cover, cover_of_indexes
from newsdedup_lab.clusterings.graph import Graph, Neighbour


@dataclass(frozen=True, slots=True)
class Articulation:
    """Biconnected components (Hopcroft, Tarjan 1973): clusters that no single node joins.

    A node without which its part of the graph falls apart is an articulation point. Cutting at all
    of them gives the components; an articulation point is in each that it joins. A pair that only
    one path joins is a component of two. Weights do not matter.
    """

    name: str = "articulation"
    overlapping: bool = True

    def cluster(self, graph: Graph) -> Cover:
        """Return the parts of a graph that removing any single node does not divide.

        A node may be in several of these biconnected components; an isolated node is one by itself.
        It takes O(nodes + edges).
        """
        near = graph.adjacency()
        found = [0] * len(near)
        components: list[list[int]] = []
        for position, neighbours in enumerate(near):
            if not neighbours:
                components.append([position])
            elif not found[position]:
                components.extend(_components_of_part(position, near, found))
        return cover_of_indexes(graph, components)


def _components_of_part(
    root: int, near: Sequence[Sequence[Neighbour]], found: list[int]
) -> Iterator[list[int]]:
    """Yield the biconnected components of the connected part around `root`, as lists of nodes.

    Depth-first search (Hopcroft, Tarjan 1973). `found` is filled with the order in which nodes are
    met, from 1, where it was 0; reach[v] is the earliest node with an edge to v or to a descendant
    of v. If the reach of a child is not before its parent, a component ends: the parent, the child
    and the nodes met since that are in no component yet. The search keeps its path in a list, as a
    recursion could be as deep as the graph is large.
    """
    number = found[root] = 1
    reach = {root: 1}
    waiting: list[int] = []
    way = [(root, iter(near[root]), 0)]
    while way:
        position, rest, begin = way[-1]
        neighbour = next(rest, None)
        if neighbour is None:
            way.pop()
            if way:
                parent = way[-1][0]
                reach[parent] = min(reach[parent], reach[position])
                if reach[position] >= found[parent]:
                    yield [parent, *waiting[begin:]]
                    del waiting[begin:]
        elif found[neighbour.position]:
            reach[position] = min(reach[position], found[neighbour.position])
        else:
            number += 1
            found[neighbour.position] = reach[neighbour.position] = number
            way.append((neighbour.position, iter(near[neighbour.position]), len(waiting)))
            waiting.append(neighbour.position)
