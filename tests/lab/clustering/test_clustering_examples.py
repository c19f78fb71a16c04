"""One small graph, clustered by hand.

a-b .9, b-c .8, a-c .7, c-d .6, d-e .5, and f, which is similar to none.
"""

from newsdedup_lab.clusterings.articulation import Articulation
from newsdedup_lab.clusterings.catalogue import Center, Leader, MergeCenter, Star
from newsdedup_lab.clusterings.cover import make_cover, partition
from newsdedup_lab.clusterings.graph import build_graph
from newsdedup_lab.clusterings.ricochet import Ricochet

PAIRS = [("a", "b", 0.9), ("b", "c", 0.8), ("a", "c", 0.7), ("c", "d", 0.6), ("d", "e", 0.5)]
GRAPH = build_graph("abcdef", PAIRS)


def words(found):
    return ["".join(cluster) for cluster in found.clusters]


def test_center():
    # a-b: a is met first and leads, b joins it and is closed.  b-c: b is closed; c is met for the
    # first time and leads.  a-c: both lead.  c-d: d joins c.  d-e: d is closed, e leads.
    assert words(Center().cluster(GRAPH)) == ["ab", "cd", "e", "f"]


def test_center_that_passes_over_closed_nodes():
    # b-c is passed over, so a-c finds c new: it joins a.  c-d is passed over; d-e: d leads e.
    assert words(Center(skip_closed=True).cluster(GRAPH)) == ["abc", "de", "f"]


def test_merge_center():
    # As center with the centres a, c, e; b-c: b of a's cluster is similar to the centre c;
    # d-e: d, now of that cluster, is similar to the centre e.
    assert words(MergeCenter().cluster(GRAPH)) == ["abcde", "f"]


def test_merge_center_does_not_merge_over_two_closed_nodes():
    # p leads q, r leads s; q-s joins two closed nodes and merges nothing.
    graph = build_graph([], [("p", "q", 0.9), ("r", "s", 0.8), ("q", "s", 0.7)])
    assert words(MergeCenter().cluster(graph)) == ["pq", "rs"]


def test_star_at_a_threshold():
    # Of at least .6: degrees a 2, b 2, c 3, d 1, e 0, f 0.  c takes a, b, d; e and f are left.
    assert words(Star(threshold=0.6).cluster(GRAPH)) == ["abcd", "e", "f"]
    # Of at least .4: degrees a 2, b 2, c 3, d 2, e 1.  c takes a, b, d; e takes its neighbour d,
    # which is in both.
    assert words(Star(threshold=0.4).cluster(GRAPH)) == ["abcd", "de", "f"]


def test_the_partition_of_overlapping_stars():
    # d: the most similar fellow is c (.6) in abcd and e (.5) in de.
    assert words(partition(Star(threshold=0.4).cluster(GRAPH), GRAPH)) == ["abcd", "e", "f"]


def test_ricochet():
    # Means: a (.9+.7)/2 = .8, b (.9+.8)/2 = .85, c (.8+.7+.6)/3 = .7, d .55, e .5.
    # b takes a (.9) and c (.8).  a wins nobody: c is .7 from it, .8 from b.
    # c wins d, becomes a seed and leaves b.  d wins e, becomes a seed and leaves c, which is left
    # alone and joins the nearest seed: b (.8), not d (.6).  All have a cluster.
    assert words(Ricochet().cluster(GRAPH)) == ["abc", "de", "f"]


def test_a_seed_left_alone_far_from_any_seed_has_no_cluster_until_another_takes_it():
    # Means: s .5, v (.6+.1)/2 = .35, m (.5+.6+.1+.1)/4 = .325, the others .1.
    # s takes m (.5).  v takes m (.6) and x (.1); s is left alone, its only neighbour m is no seed.
    # m wins s (.5), y and z, becomes a seed and leaves v, which keeps x.
    pairs = [("s", "m", 0.5), ("v", "m", 0.6), ("v", "x", 0.1), ("m", "y", 0.1), ("m", "z", 0.1)]
    assert words(Ricochet().cluster(build_graph([], pairs))) == ["msyz", "vx"]


def test_articulation():
    # Without c the part falls into ab and de, without d into abc and e: cut at both.
    assert words(Articulation().cluster(GRAPH)) == ["abc", "cd", "de", "f"]


def test_leader():
    # a leads; b joins a (.9); c joins a (.7), as b is no leader; d is similar to the member c
    # only and leads; e joins d.
    assert words(Leader().cluster(GRAPH)) == ["abc", "de", "f"]


def test_leader_joins_the_most_similar_leader_and_of_equal_ones_the_earliest():
    best = build_graph([], [(1, 3, 0.5), (2, 3, 0.6)])
    assert Leader().cluster(best).clusters == ((1,), (2, 3))
    equal = build_graph([], [(1, 3, 0.5), (2, 3, 0.5)])
    assert Leader().cluster(equal).clusters == ((1, 3), (2,))


def test_of_equally_close_clusters_a_partition_prefers_the_larger():
    # x is .5 from y, in xyz, and .5 from w, in wx.
    graph = build_graph([], [("x", "y", 0.5), ("y", "z", 0.9), ("x", "w", 0.5)])
    assert words(partition(make_cover(["wx", "xyz"]), graph)) == ["w", "xyz"]
