from dataclasses import dataclass

from newsdedup.lab.clusterings.cover import Cover, cover_of_centres
from newsdedup.lab.clusterings.graph import Graph


@dataclass(frozen=True, slots=True)
class Center:
    """Clusters around the nodes that are met first (CENTER; Haveliwala, Gionis, Indyk 2000).

    One pass over the pairs, the most similar first. A node met for the first time becomes a
    centre, unless its partner is a centre already: then it joins it and is closed, which means
    that it neither leads nor moves. Of two new nodes the first in order is the centre.

    A new node whose partner is closed is met too, so it becomes a centre and can join no other.
    The text may also be read so that closed nodes are passed over with their pairs: with
    `skip_closed` such a node stays new and may join a centre that comes later.
    """

    skip_closed: bool = False
    name: str = "center"
    overlapping: bool = False

    def cluster(self, graph: Graph) -> Cover:
        """Return the clusters in O(edges)."""
        centre: list[int | None] = [None] * len(graph.nodes)
        for left, right, _ in graph.edges:
            for new, partner in ((left, right), (right, left)):
                if centre[new] is None:
                    if centre[partner] == partner:
                        centre[new] = partner
                    elif centre[partner] is None or not self.skip_closed:
                        centre[new] = new
        return cover_of_centres(graph, [at if of is None else of for at, of in enumerate(centre)])
