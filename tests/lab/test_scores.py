from newsdedup_lab.scores import PairOutcome, PartialScore, Score, full_score, partial_score

PAIRS = [
    PairOutcome(duplicate=True, predicted=True, weight=3),
    PairOutcome(duplicate=True, predicted=False, weight=1),
    PairOutcome(duplicate=False, predicted=True, weight=1),
    PairOutcome(duplicate=False, predicted=False, weight=100),
]


def test_precision_recall_and_f_of_a_worked_example():
    # Two are found, one of them rightly; two are duplicates: P = 1/2, R = 1/2, F = 2*1/(2+2).
    assert full_score(PAIRS) == Score(0.5, 0.5, 0.5)


def test_weights_count_pairs_more_than_once():
    # Right 3, found 3+1, duplicates 3+1: P = 3/4, R = 3/4, F = 6/8.
    assert full_score(PAIRS, weighted=True) == Score(0.75, 0.75, 0.75)


def test_nothing_found_scores_nothing():
    assert full_score([]) == Score(0.0, 0.0, 0.0)


def test_what_cannot_be_computed_is_reported_as_such():
    missed = PairOutcome(duplicate=True, predicted=False)
    other = PairOutcome(duplicate=False, predicted=True)
    assert partial_score([missed]) == PartialScore(None, 0.0, 0.0)
    assert partial_score([other]) == PartialScore(0.0, None, None)
    assert partial_score([]) == PartialScore(None, None, None)
    assert partial_score(PAIRS) == PartialScore(0.5, 0.5, 0.5)
    nothing = [PairOutcome(duplicate=True, predicted=True, weight=0)]
    assert partial_score(nothing, weighted=True) == PartialScore(None, None, None)
