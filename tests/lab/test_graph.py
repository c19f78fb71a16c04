from hypothesis import given
from hypothesis import strategies as st

from newsdedup_lab.clusterings.graph import Edge, Neighbour, build_graph


def test_numbers_stand_before_strings_and_pairs_fall_by_weight():
    graph = build_graph([10], [("a", 2, 0.5), (2, 10, 0.9), ("a", 10, 0.5)])
    assert graph.nodes == (2, 10, "a")
    assert graph.edges == (Edge(0, 1, 0.9), Edge(0, 2, 0.5), Edge(1, 2, 0.5))


def test_a_pair_given_twice_counts_once_with_its_greater_weight():
    graph = build_graph([], [("a", "b", 0.5), ("b", "a", 0.7), ("a", "b", 0.6)])
    assert graph.edges == (Edge(0, 1, 0.7),)


def test_a_pair_without_similarity_and_a_node_with_itself_are_no_edges():
    graph = build_graph([], [("a", "b", 0.0), ("c", "c", 1.0)])
    assert graph.nodes == ("a", "b", "c")
    assert graph.edges == ()


def test_a_threshold_keeps_the_pairs_that_reach_it():
    graph = build_graph([], [(1, 2, 0.2), (2, 3, 0.3), (3, 4, 0.4)])
    assert [edge.weight for edge in graph.at_least(0.3).edges] == [0.4, 0.3]
    assert graph.at_least(0.3).nodes == graph.nodes


def test_neighbours_come_the_most_similar_first():
    graph = build_graph([], [(1, 2, 0.2), (1, 3, 0.9), (1, 4, 0.2)])
    assert graph.adjacency()[0] == [Neighbour(2, 0.9), Neighbour(1, 0.2), Neighbour(3, 0.2)]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(0, 1))),
    st.randoms(use_true_random=False),
)
def test_a_graph_does_not_show_how_it_came(pairs, random):
    turned = [(v, u, w) for u, v, w in random.sample(pairs, len(pairs))]
    assert build_graph([], turned) == build_graph([], pairs)
