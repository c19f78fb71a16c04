from newsdedup.lab.clusterings.graph import Graph


def joined(graph: Graph) -> list[int]:
    """Return for each node, by place, one node of its connected part, the same for all of it."""
    root = list(range(len(graph.nodes)))
    for left, right, _ in graph.edges:
        unite(root, left, right)
    return [top(root, place) for place in range(len(root))]


def unite(root: list[int], left: int, right: int) -> None:
    """Put two places into one part."""
    root[top(root, left)] = top(root, right)


def top(root: list[int], place: int) -> int:
    """Return the representative of a place, halving the way to it for those who come later."""
    while root[place] != place:
        root[place] = root[root[place]]
        place = root[place]
    return place
