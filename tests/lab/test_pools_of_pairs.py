import numpy as np
import pytest

from newsdedup_lab.compare.buckets import pack_pairs
from newsdedup_lab.compare.paper_scores import text_scores
from newsdedup_lab.compare.truth import build_pool, dice_matrix, draw_pairs


def pairs(*numbers: tuple[int, int]) -> np.ndarray:
    left, right = (np.array(side, dtype=np.int64) for side in zip(*numbers, strict=True))
    return np.sort(pack_pairs(left, right))


NOTHING = np.empty(0, dtype=np.uint64)
FOUND = {
    "one": pairs((0, 1), (0, 2), (1, 2)),
    "other": pairs((1, 2), (3, 4)),
    "none": NOTHING,
}


def test_the_pool_knows_who_found_each_pair():
    whole = build_pool(FOUND)
    assert whole.pairs.tolist() == pairs((0, 1), (0, 2), (1, 2), (3, 4)).tolist()
    assert whole.hits("one").tolist() == [True, True, True, False]
    assert whole.hits("other").tolist() == [False, False, True, True]
    assert not whole.hits("none").any()


def test_dice_is_twice_what_both_found_by_what_either_found():
    # one and other: 2 * 1 / (3 + 2); none and none: 0 / 0.
    assert dice_matrix(build_pool(FOUND)) == [[1.0, 0.4, 0.0], [0.4, 1.0, 0.0], [0.0, 0.0, None]]


def test_scores_against_texts_of_a_worked_example():
    # True are (0, 1), (1, 2) and (3, 4), with .82, .97 and 1.
    similar = np.array([0.82, 0.0, 0.97, 1.0], dtype=np.float32)
    other, one, none = text_scores(build_pool(FOUND), similar)
    assert (one["method"], one["precision"], one["recall"]) == ("one", 0.6667, 0.6667)
    # 2 * 2 right of 2 found and 3 true.
    assert (other["method"], other["precision"], other["recall"]) == ("other", 1.0, 0.6667)
    assert other["f1"] == 0.8
    assert other["recall_by_similarity"] == [0.0, None, None, 1.0, 1.0]
    assert (none["precision"], none["recall"], none["f1"]) == (0.0, 0.0, 0.0)


def test_a_sample_of_the_pool_is_the_same_every_time_and_keeps_its_finders():
    whole = build_pool(
        {"one": pairs(*[(at, at + 1) for at in range(500)]), "other": FOUND["other"]}
    )
    drawn = whole.sample(100)
    assert len(drawn.pairs) == 100
    assert drawn.pairs.tolist() == whole.sample(100).pairs.tolist() == sorted(drawn.pairs.tolist())
    kept = np.isin(whole.pairs, drawn.pairs)
    assert drawn.hits("other").tolist() == whole.hits("other")[kept].tolist()
    assert whole.sample(10_000) is whole
    # It is spread over the whole of them.
    assert 20 < (drawn.pairs < whole.pairs[250]).sum() < 80


def test_few_pairs_of_many_are_the_beginning_of_more_of_them():
    many = pairs(*[(at, at + 3) for at in range(50)])
    assert draw_pairs(many, 20)[:5] == draw_pairs(many, 5)
    assert len(set(draw_pairs(many, 80))) == 50


def test_a_pool_has_room_for_so_many_methods():
    with pytest.raises(ValueError, match="at most 32"):
        build_pool({str(number): NOTHING for number in range(33)})
