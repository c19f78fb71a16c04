"""Clusterings around centres, and the list of all clusterings."""

from dataclasses import dataclass

from newsdedup_lab.clusterings.articulation import Articulation
from newsdedup_lab.clusterings.cover import Clustering, Cover, cover_of_centres, cover_of_indexes
from newsdedup_lab.clusterings.graph import Graph, find_root, unite
from newsdedup_lab.clusterings.ricochet import Ricochet


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
        """Return the clusters around centres, by one pass over the edges, the most similar first.

        A node met for the first time becomes a centre, unless the other node is one: then it joins
        it.
        """
        centre: list[int | None] = [None] * len(graph.nodes)
        for left, right, _ in graph.edges:
            for new, partner in ((left, right), (right, left)):
                if centre[new] is None:
                    if centre[partner] == partner:
                        centre[new] = partner
                    elif centre[partner] is None or not self.skip_closed:
                        centre[new] = new
        return cover_of_centres(graph, [at if of is None else of for at, of in enumerate(centre)])


@dataclass(frozen=True, slots=True)
class MergeCenter:
    """CENTER whose clusters merge at a common node (MERGE-CENTER; Hassanzadeh, Miller 2009).

    The pass of CENTER; alongside it two clusters merge when a node of one is similar to a centre of
    the other. A merged cluster keeps all its centres. Only a pair of two closed nodes merges
    nothing, so a chain of similar pairs need not end in one cluster.
    """

    name: str = "merge_center"
    overlapping: bool = False

    def cluster(self, graph: Graph) -> Cover:
        """Return the clusters of CENTER, merged where one's node is similar to another's centre.

        It takes O(edges log nodes).
        """
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
        return cover_of_centres(graph, [find_root(root, position) for position in range(len(root))])


STAR_THRESHOLDS = (0.2, 0.3, 0.4)
"""The thresholds theta whose numbers paper 002 prints; the last has the best F1 there."""


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
        """Return overlapping stars: a node with all neighbours, the one with most neighbours first.

        Only edges of at least `threshold` count, and nodes that are in a star lead none. It takes
        O(nodes log nodes + edges).
        """
        near = graph.at_least(self.threshold).adjacency()
        marked = [False] * len(near)
        stars = []
        for centre in sorted(
            range(len(near)), key=lambda position: (-len(near[position]), position)
        ):
            if marked[centre]:
                continue
            star = [centre, *(neighbour.position for neighbour in near[centre])]
            for position in star:
                marked[position] = True
            stars.append(star)
        return cover_of_indexes(graph, stars)


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
        """Return the stories of the service: in order, each node joins a leader or becomes one.

        It joins the most similar of the earlier leaders among its neighbours, of equal ones the
        earliest.
        """
        leaders: list[int] = []
        for position, near in enumerate(graph.adjacency()):
            # The neighbours come the most similar first, and of equal ones the earliest first.
            earlier = (
                n.position
                for n in near
                if n.position < position and leaders[n.position] == n.position
            )
            leaders.append(next(earlier, position))
        return cover_of_centres(graph, leaders)


CLUSTERINGS: tuple[Clustering, ...] = (
    Center(),
    MergeCenter(),
    Star(),
    Ricochet(),
    Articulation(),
    Leader(),
)
"""The clusterings of paper 002 and the service's own, each with its default parameters."""
