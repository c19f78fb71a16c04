import pytest

from newsdedup import ItemKey
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.cluster.clustering_study import score_clusterings, score_cover
from newsdedup_lab.clusterings.cover import Cover, make_cover
from newsdedup_lab.clusterings.graph import build_graph
from newsdedup_lab.collections.corpora import Documents
from newsdedup_lab.collections.truths import (
    planted_pairs,
    planted_truth,
    truth_of_pairs,
    truth_of_texts,
)

KEYS = [ItemKey("s", name) for name in "abcdef"]


def written(path, *rows):
    path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    return path


def test_labelled_pairs_are_closed_and_only_their_items_judged(tmp_path):
    pairs = written(
        tmp_path / "pairs.tsv",
        ("id1", "id2", "dup"),
        ("a", "b", "1"),
        ("b", "c", "1"),
        ("c", "d", "0"),
        ("d", "e", "?"),
        ("a", "unknown", "1"),
    )
    truth = truth_of_pairs(pairs, KEYS)
    assert truth.clusters == make_cover([[0, 1, 2], [3]])
    assert truth.labelled == ((0, 1, True), (1, 2, True), (2, 3, False))
    assert truth.restrict(make_cover([[0, 5], [1, 2, 3, 4]])) == make_cover([[0], [1, 2, 3]])


def test_an_id_of_two_sources_needs_its_source(tmp_path):
    pairs = written(tmp_path / "pairs.tsv", ("id1", "id2", "dup"), ("a", "b", "1"))
    keys = [*KEYS, ItemKey("other", "a")]
    with pytest.raises(SourceUnusable, match="2 sources have an item a; write SOURCE/ID"):
        truth_of_pairs(pairs, keys)
    written(pairs, ("id1", "id2", "dup"), ("other/a", "b", "1"))
    assert truth_of_pairs(pairs, keys).labelled == ((6, 1, True),)


def test_planted_stories_are_the_truth(tmp_path):
    rows = [("s", name, "reprint", story) for name, story in zip("abc", "xyx", strict=True)]
    truth = planted_truth(
        written(tmp_path / "t.tsv", ("source", "id", "kind", "story"), *rows), KEYS
    )
    assert truth.clusters == make_cover([[0, 2], [1]])


def test_planted_pairs_are_items_and_what_they_were_made_from(tmp_path):
    columns = ("source", "id", "kind", "story", "of_source", "of_id")
    rows = [
        ("s", "a", "original", "x", "", ""),
        ("t", "a", "reprint", "x", "s", "a"),
        ("t", "b", "update", "y", "s", "a"),
        ("t", "b", "edit", "y", "t", "b"),
        ("t", "c", "reprint", "x", "t", "a"),
        ("t", "c", "moved_edit", "z", "t", "c"),
    ]
    pairs = planted_pairs(written(tmp_path / "t.tsv", columns, *rows))
    assert [(pair.left, pair.right, pair.duplicate, pair.label) for pair in pairs] == [
        ("s/a", "t/a", True, "reprint"),
        ("s/a", "t/b", False, "update"),
    ]


@pytest.mark.parametrize("rows", [[("id", "story")], [("source", "id", "story")]])
def test_a_truth_of_other_items_or_columns_is_refused(tmp_path, rows):
    with pytest.raises(SourceUnusable):
        planted_truth(written(tmp_path / "t.tsv", *rows, ("1", "2", "3")[: len(rows[0])]), KEYS)


def test_nearly_equal_texts_are_the_truth():
    texts = ("пожар в Туле потушен", "пожар в Туле не потушен", "другое", "", "", "иное дело")
    documents = Documents(tuple(KEYS), ((),) * 6, texts)
    candidates = [(0, 1, 0.5), (0, 2, 0.5), (2, 5, 0.9)]
    truth = truth_of_texts(documents, candidates, lambda _: None)
    assert truth.clusters == make_cover([[0, 1], [2], [3], [4], [5]])


def test_scores_by_hand_of_one_cluster_too_large(tmp_path):
    pairs = written(
        tmp_path / "pairs.tsv",
        ("id1", "id2", "dup"),
        ("a", "b", "1"),
        ("c", "d", "0"),
    )
    truth = truth_of_pairs(pairs, KEYS)
    graph = build_graph(range(6), [(0, 1, 0.9), (1, 2, 0.9), (4, 5, 0.9)])
    scores = score_cover(Cover(((0, 1, 2), (3,), (4, 5))), graph, truth)
    assert (scores["clusters"], scores["largest"]) == (2, 3)
    # Of {a, b}: 2 of 3 found belong to it, both are found; of {c}: 1 of 3; {d} alone. By size,
    # Pr = (2 * 2/3 + 1/3 + 1) / 4 = 2/3; a found pair in three is true.
    assert (scores["precision"], scores["recall"]) == (0.6667, 1.0)
    assert scores["clustering_precision"] == 0.3333
    assert scores["pairwise"] == {"precision": 0.3333, "recall": 1.0, "f1": 0.5}
    assert scores["labelled"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_a_table_ends_with_nothing_joined(tmp_path):
    pairs = written(tmp_path / "pairs.tsv", ("id1", "id2", "dup"), ("a", "b", "1"))
    rows = score_clusterings(
        build_graph(range(6), [(0, 1, 0.3)]),
        truth_of_pairs(pairs, KEYS),
        (0.2, 0.4),
        lambda _: None,
    )
    stars = [row["recall"] for row in rows if row["clustering"] == "star"]
    assert stars == [1.0, 0.5]
    assert (rows[-1]["clustering"], rows[-1]["recall"]) == ("nothing joined", 0.5)
