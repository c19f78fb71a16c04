from dataclasses import dataclass

from newsdedup.lab.clusterings.cover import Cover, cover_of_centres
from newsdedup.lab.clusterings.graph import Graph
from newsdedup.lab.clusterings.joined import top, unite


@dataclass(frozen=True, slots=True)
class MergeCenter:
    """CENTER whose clusters merge at a common node (MERGE-CENTER; Hassanzadeh, Miller 2009).

    The pass of CENTER; beside it two clusters merge when a node of one is similar to a centre of
    the other. A merged cluster keeps all its centres. Only a pair of two closed nodes merges
    nothing, so a chain of similar pairs need not end in one cluster.
    """

    name: str = "merge_center"
    overlapping: bool = False

    def cluster(self, graph: Graph) -> Cover:
        """Return the clusters in O(edges log nodes)."""
        root = list(range(len(graph.nodes)))
        met = [False] * len(graph.nodes)
        central = [False] * len(graph.nodes)
        for left, right, _ in graph.edges:
            for new, partner in ((left, right), (right, left)):
                if not met[new]:
                    met[new] = True
                    central[new] = not central[partner]
            if central[left] or central[right]:
                unite(root, left, right)
        return cover_of_centres(graph, [top(root, place) for place in range(len(root))])
