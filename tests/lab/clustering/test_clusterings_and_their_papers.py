from hypothesis import given
from hypothesis import strategies as st

from lab.clustering import paper_clusterings as paper
from lab.clustering.drawn_graphs import graphs, named_clusters
from newsdedup_lab.clusterings.articulation import Articulation
from newsdedup_lab.clusterings.catalogue import Center, Leader, MergeCenter, Star
from newsdedup_lab.clusterings.ricochet import Ricochet

THRESHOLDS = st.sampled_from([0.0, 0.2, 0.3, 0.4, 0.95, 1.0])


@given(graphs(), st.booleans())
def test_center_is_the_pass_over_sorted_pairs(graph, skip_closed):
    expected = paper.center_clusters(graph, skip_closed=skip_closed)
    assert named_clusters(Center(skip_closed=skip_closed).cluster(graph)) == expected


@given(graphs())
def test_merge_center_merges_until_no_centre_is_similar_to_a_node_outside(graph):
    assert named_clusters(MergeCenter().cluster(graph)) == paper.merge_center_clusters(graph)


@given(graphs(), THRESHOLDS)
def test_star_takes_the_highest_degree_until_all_are_marked(graph, threshold):
    expected = paper.star_clusters(graph, threshold)
    assert named_clusters(Star(threshold=threshold).cluster(graph)) == expected


@given(graphs())
def test_ricochet_ripples_from_seed_to_seed(graph):
    assert named_clusters(Ricochet().cluster(graph)) == paper.ricochet_clusters(graph)


@given(graphs())
def test_articulation_cuts_until_no_node_holds_a_cluster_together(graph):
    assert named_clusters(Articulation().cluster(graph)) == paper.articulation_clusters(graph)


@given(graphs())
def test_leader_is_the_greedy_assignment_in_the_order_of_the_nodes(graph):
    assert named_clusters(Leader().cluster(graph)) == paper.leader_clusters(graph)
