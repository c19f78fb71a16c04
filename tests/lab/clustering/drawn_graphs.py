from hypothesis import strategies as st

from newsdedup_lab.clusterings.graph import build_graph

NAMES = st.one_of(st.integers(0, 6), st.sampled_from("abcd"))
WEIGHTS = st.sampled_from([0.1, 0.2, 0.25, 0.3, 0.4, 0.45, 0.5, 0.9, 1.0])
PAIRS = st.lists(st.tuples(NAMES, NAMES, WEIGHTS), max_size=24)
NODES = st.lists(NAMES, max_size=6)


def graphs():
    return st.builds(build_graph, NODES, PAIRS)


def weights_of(graph):
    """Return the weight of every pair in both directions, by the names of its nodes."""
    named = {(graph.nodes[e.left], graph.nodes[e.right]): e.weight for e in graph.edges}
    return named | {(right, left): weight for (left, right), weight in named.items()}


def named_clusters(cover):
    return {frozenset(cluster) for cluster in cover.clusters}


def parts(nodes, weights):
    """Return the connected parts of some nodes."""
    left, found = set(nodes), []
    while left:
        part, frontier = set(), [left.pop()]
        while frontier:
            node = frontier.pop()
            part.add(node)
            near = {other for other in left if (node, other) in weights}
            left -= near
            frontier.extend(near)
        found.append(part)
    return found
