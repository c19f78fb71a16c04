from newsdedup.archive.views import CopyCell, CopyMatrix
from newsdedup.server.pages.source_graph import source_graph


def matrix(*counts: tuple[str, str, int]) -> CopyMatrix:
    names = sorted({name for one in counts for name in one[:2]})
    cells = tuple(
        CopyCell(
            source=copier,
            original_source=original,
            items=items,
            median_delay_seconds=60.0,
            mean_delay_seconds=60.0,
        )
        for copier, original, items in counts
    )
    return CopyMatrix(sources=tuple(names), cells=cells, strongest=cells)


def test_a_source_that_repeats_only_itself_makes_no_graph() -> None:
    assert source_graph(matrix(("a", "a", 9))) is None


def test_a_source_of_which_more_is_copied_is_larger() -> None:
    graph = source_graph(matrix(("a", "b", 9), ("c", "b", 9), ("b", "a", 1)))
    assert graph is not None
    sizes = {node.source: node.radius for node in graph.nodes}
    assert sizes["b"] > sizes["a"] > sizes["c"]
    assert {node.source: node.copied for node in graph.nodes} == {"a": 1, "b": 18, "c": 0}


def test_a_wedge_begins_at_the_original_and_ends_in_one_point_at_the_copier() -> None:
    graph = source_graph(matrix(("copier", "first", 4)))
    assert graph is not None
    ends = {node.source: f"{node.x:.0f} {node.y:.0f}" for node in graph.nodes}
    path = graph.edges[0].path
    assert f" {ends['copier']}Q" in path
    assert not path.startswith(f"M{ends['first']}Q")


def test_weaker_pairs_are_counted_instead_of_drawn_and_names_stay_within_the_picture() -> None:
    names = [f"s{at:02}" for at in range(16)]
    pairs = [(one, two, 1 + at) for at, one in enumerate(names) for two in names if one != two]
    graph = source_graph(matrix(*pairs))
    assert graph is not None
    assert len(graph.edges) + graph.left_out == len(pairs)
    assert graph.left_out > 0
    assert all(0 < node.label_x < graph.width for node in graph.nodes)
    assert all(10 < node.label_y < graph.height for node in graph.nodes)
    strengths = [edge.cell.items for edge in graph.edges]
    assert strengths == sorted(strengths)
