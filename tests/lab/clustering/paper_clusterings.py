"""The clusterings as their texts tell them, without a thought for speed."""

from math import fsum

from lab.clustering.drawn_graphs import parts, weights_of
from newsdedup_lab.clusterings.graph import order_of


def falling(graph):
    weights = weights_of(graph)
    pairs = [pair for pair in weights if order_of(pair[0]) < order_of(pair[1])]
    return sorted(pairs, key=lambda pair: (-weights[pair], *map(order_of, pair)))


def center(graph, *, skip_closed=False):
    """One pass over sorted pairs; who is met first leads, partners of leaders join, are closed."""
    clusters, closed = {}, []
    for u, v in falling(graph):
        if skip_closed and (u in closed or v in closed):
            continue
        for one, other in ((u, v), (v, u)):
            if one not in clusters and one not in closed:
                if other in clusters:
                    clusters[other].append(one)
                    closed.append(one)
                else:
                    clusters[one] = [one]
    for node in graph.nodes:
        if node not in clusters and node not in closed:
            clusters[node] = [node]
    return clusters


def center_clusters(graph, *, skip_closed=False):
    return {frozenset(cluster) for cluster in center(graph, skip_closed=skip_closed).values()}


def merge_center_clusters(graph):
    """Merge while a node of one cluster is similar to a centre of another."""
    weights = weights_of(graph)
    clusters = [({centre}, set(members)) for centre, members in center(graph).items()]
    merged = True
    while merged:
        merged = False
        for one in clusters:
            for other in clusters:
                similar = any((node, c) in weights for node in one[1] for c in other[0])
                if one is not other and similar and not merged:
                    one[0].update(other[0])
                    one[1].update(other[1])
                    clusters.remove(other)
                    merged = True
    return {frozenset(members) for _, members in clusters}


def star_clusters(graph, threshold):
    """Take the unmarked node of highest degree with its neighbours until all are marked."""
    weights = {pair: w for pair, w in weights_of(graph).items() if w >= threshold}
    near = {node: {v for u, v in weights if u == node} for node in graph.nodes}
    unmarked, stars = set(graph.nodes), set()
    while unmarked:
        centre = min(unmarked, key=lambda node: (-len(near[node]), order_of(node)))
        stars.add(frozenset({centre} | near[centre]))
        unmarked -= {centre} | near[centre]
    return stars


def ricochet_clusters(graph):
    """Ripple through each connected part until all of it have a cluster."""
    weights = weights_of(graph)
    found = set()
    for part in parts(graph.nodes, weights):
        found |= _rippled(part, {pair: w for pair, w in weights.items() if pair[0] in part})
    return found


def _rippled(part, weights):
    clusters = {}

    def mean(node):
        own = [w for (u, _), w in weights.items() if u == node]
        return fsum(own) / len(own) if own else 0.0

    def seed_of(node):
        return next((s for s, members in clusters.items() if node in members), None)

    def nearness(node):
        seed = seed_of(node)
        return 2.0 if seed == node else weights.get((node, seed), 0.0)

    for node in sorted(part, key=lambda node: (-mean(node), order_of(node))):
        if all(seed_of(other) is not None for other in part):
            break
        won = {v for v in part if weights.get((node, v), 0.0) > nearness(v)}
        if not won:
            continue
        # Anyone who led the new seed comes first, then who led its neighbours, the nearest first.
        near = sorted(won, key=lambda v: (-weights[node, v], order_of(v)))
        left = list(dict.fromkeys(seed_of(v) for v in [node, *near]))
        clusters = {seed: members - won - {node} for seed, members in clusters.items()}
        clusters[node] = won | {node}
        for seed in left:
            if clusters.get(seed) == {seed}:
                _dissolve(clusters, seed, weights)
    lone = {frozenset({node}) for node in part if seed_of(node) is None}
    return {frozenset(members) for members in clusters.values()} | lone


def _dissolve(clusters, lone, weights):
    """Let a cluster of one vertex join the nearest seed, if any is near."""
    del clusters[lone]
    candidates = [seed for seed in clusters if (lone, seed) in weights]
    if candidates:
        nearest = min(candidates, key=lambda seed: (-weights[lone, seed], order_of(seed)))
        clusters[nearest].add(lone)


def articulation_clusters(graph):
    """Cut at a node without which a part falls apart, until there is none."""
    weights = weights_of(graph)
    waiting, found = parts(graph.nodes, weights), set()
    while waiting:
        part = waiting.pop()
        for node in part:
            pieces = parts(part - {node}, weights)
            if len(pieces) > 1:
                waiting.extend(piece | {node} for piece in pieces)
                break
        else:
            found.add(frozenset(part))
    return found


def leader_clusters(graph):
    """Let each node in order join the most similar of the leaders so far, or lead."""
    weights, stories = weights_of(graph), {}
    for node in graph.nodes:
        matched = [leader for leader in stories if (node, leader) in weights]
        if matched:
            best = min(matched, key=lambda leader: (-weights[node, leader], order_of(leader)))
            stories[best].append(node)
        else:
            stories[node] = [node]
    return {frozenset(story) for story in stories.values()}
