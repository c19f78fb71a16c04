import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.clustering.drawn_graphs import (
    NODES,
    PAIRS,
    graphs,
    named_clusters,
    parts,
    weights_of,
)
from newsdedup_lab.clusterings.catalogue import CLUSTERINGS, Center
from newsdedup_lab.clusterings.cover import partition
from newsdedup_lab.clusterings.graph import build_graph

METHODS = [*CLUSTERINGS, Center(skip_closed=True, name="center, closed nodes passed over")]
EVERY = pytest.mark.parametrize("clustering", METHODS, ids=lambda one: one.name)


def test_no_two_clusterings_have_one_name():
    assert len({one.name for one in CLUSTERINGS}) == len(CLUSTERINGS)


@given(graph=graphs())
def test_every_node_is_in_a_cluster_and_in_one_only_unless_the_method_overlaps(graph):
    for clustering in METHODS:
        homes = clustering.cluster(graph).homes()
        assert set(homes) == set(graph.nodes)
        assert clustering.overlapping or all(len(indexes) == 1 for indexes in homes.values())


@given(graph=graphs())
def test_a_node_that_is_similar_to_none_is_alone(graph):
    for clustering in METHODS:
        isolated = set(graph.nodes) - {node for pair in weights_of(graph) for node in pair}
        found = clustering.cluster(graph).clusters
        assert {one for one in found if isolated & set(one)} == {(node,) for node in isolated}


@given(graph=graphs())
def test_pairs_hold_every_cluster_together(graph):
    for clustering in METHODS:
        weights = weights_of(graph)
        found = clustering.cluster(graph).clusters
        assert all(len(parts(cluster, weights)) == 1 for cluster in found)


@given(nodes=NODES, pairs=PAIRS, random=st.randoms(use_true_random=False))
def test_the_order_of_nodes_and_pairs_never_shows(nodes, pairs, random):
    for clustering in METHODS:
        turned = [(v, u, w) if random.random() < 0.5 else (u, v, w) for u, v, w in pairs]
        shuffled = build_graph(
            random.sample(nodes, len(nodes)), random.sample(turned, len(turned)) + turned[:3]
        )
        graph = build_graph(nodes, pairs)
        assert clustering.cluster(shuffled) == clustering.cluster(graph)
        assert partition(clustering.cluster(shuffled), shuffled) == partition(
            clustering.cluster(graph), graph
        )


@given(graph=graphs())
def test_parts_that_no_pair_joins_do_not_see_each_other(graph):
    for clustering in METHODS:
        weights = weights_of(graph)
        alone = set()
        for part in parts(graph.nodes, weights):
            pairs = [(u, v, w) for (u, v), w in weights.items() if u in part]
            alone |= named_clusters(clustering.cluster(build_graph(part, pairs)))
        assert named_clusters(clustering.cluster(graph)) == alone


@EVERY
def test_no_nodes_make_no_clusters(clustering):
    assert clustering.cluster(build_graph([], [])).clusters == ()


@EVERY
def test_a_long_chain_of_pairs_is_no_deep_recursion(clustering):
    chain = build_graph([], [(at, at + 1, 0.5) for at in range(5_000)])
    assert set(clustering.cluster(chain).homes()) == set(range(5_001))


@given(graph=graphs())
def test_the_partition_of_a_cover_has_every_node_once_in_a_cluster_it_was_in(graph):
    for clustering in METHODS:
        found = clustering.cluster(graph)
        parted = partition(found, graph)
        assert sorted(map(str, (n for c in parted.clusters for n in c))) == sorted(
            map(str, graph.nodes)
        )
        assert all(
            any(set(one) <= set(other) for other in found.clusters) for one in parted.clusters
        )


@given(graph=graphs())
def test_a_partition_goes_by_the_most_similar_fellow(graph):
    for clustering in METHODS:
        found, weights = clustering.cluster(graph), weights_of(graph)
        expected = {}
        for node in graph.nodes:
            ranked = [
                (
                    -max((weights.get((node, u), 0.0) for u in c if u != node), default=0.0),
                    -len(c),
                    at,
                )
                for at, c in enumerate(found.clusters)
                if node in c
            ]
            expected.setdefault(min(ranked)[2], set()).add(node)
        assert named_clusters(partition(found, graph)) == {frozenset(c) for c in expected.values()}
