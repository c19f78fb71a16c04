from dataclasses import dataclass

from newsdedup.lab.clusterings.cover import Cover, cover_of_places
from newsdedup.lab.clusterings.graph import Graph

STAR_THRESHOLDS = (0.2, 0.3, 0.4)
"""The thresholds theta whose figures seed 002 prints; the last has the best F1 there."""


@dataclass(frozen=True, slots=True)
class Star:
    """Overlapping stars around the nodes with most neighbours (Aslam, Pelekhov, Rus 2004).

    Of the pairs of at least `threshold`: the unmarked node of the highest degree becomes the
    centre of a star of all its neighbours, marked ones too, and all of them are marked; again
    until no node is unmarked. Degrees are counted once; of equal ones the first in order leads.
    """

    threshold: float = STAR_THRESHOLDS[-1]
    name: str = "star"
    overlapping: bool = True

    def cluster(self, graph: Graph) -> Cover:
        """Return the stars in O(nodes log nodes + edges)."""
        near = graph.at_least(self.threshold).adjacency()
        marked = [False] * len(near)
        stars = []
        for centre in sorted(range(len(near)), key=lambda place: (-len(near[place]), place)):
            if marked[centre]:
                continue
            star = [centre, *(neighbour.place for neighbour in near[centre])]
            for place in star:
                marked[place] = True
            stars.append(star)
        return cover_of_places(graph, stars)
