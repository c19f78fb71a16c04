from newsdedup.lab.score.scores import Outcome, Score, Shares, score, shares

PAIRS = [
    Outcome(duplicate=True, found=True, weight=3),
    Outcome(duplicate=True, found=False, weight=1),
    Outcome(duplicate=False, found=True, weight=1),
    Outcome(duplicate=False, found=False, weight=100),
]


def test_precision_recall_and_f_of_a_worked_example():
    # Two are found, one of them rightly; two are duplicates: P = 1/2, R = 1/2, F = 2*1/(2+2).
    assert score(PAIRS) == Score(0.5, 0.5, 0.5)


def test_weights_count_pairs_more_than_once():
    # Right 3, found 3+1, duplicates 3+1: P = 3/4, R = 3/4, F = 6/8.
    assert score(PAIRS, weighted=True) == Score(0.75, 0.75, 0.75)


def test_nothing_found_scores_nothing():
    assert score([]) == Score(0.0, 0.0, 0.0)


def test_what_cannot_be_computed_is_told_as_such():
    missed = Outcome(duplicate=True, found=False)
    other = Outcome(duplicate=False, found=True)
    assert shares([missed]) == Shares(None, 0.0, 0.0)
    assert shares([other]) == Shares(0.0, None, None)
    assert shares([]) == Shares(None, None, None)
    assert shares(PAIRS) == Shares(0.5, 0.5, 0.5)
    nothing = [Outcome(duplicate=True, found=True, weight=0)]
    assert shares(nothing, weighted=True) == Shares(None, None, None)
