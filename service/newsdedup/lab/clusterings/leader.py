from dataclasses import dataclass

from newsdedup.lab.clusterings.cover import Cover, cover_of_centres
from newsdedup.lab.clusterings.graph import Graph


@dataclass(frozen=True, slots=True)
class Leader:
    """The stories of the service: a node joins the best earlier leader it is similar to.

    In the order of the nodes each joins the most similar of the earlier leaders among its
    neighbours, of equal ones the earliest, else it leads. Members attract nobody, so stories do
    not chain (docs/decisions/0002-stories-by-leader.md).
    """

    name: str = "leader"
    overlapping: bool = False

    def cluster(self, graph: Graph) -> Cover:
        """Return the stories in O(nodes + edges)."""
        leaders: list[int] = []
        for place, near in enumerate(graph.adjacency()):
            # The neighbours come the most similar first, and of equal ones the earliest first.
            earlier = (n.place for n in near if n.place < place and leaders[n.place] == n.place)
            leaders.append(next(earlier, place))
        return cover_of_centres(graph, leaders)
