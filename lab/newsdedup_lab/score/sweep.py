"""Scores of a rule or method at every threshold, not only at its own."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from newsdedup import ItemKey
from newsdedup.core.fingerprints.catalogue import load_methods
from newsdedup.core.fingerprints.corpus import (
    CorpusStats,
    PreparedText,
    corpus_from_background,
    prepare_text,
)
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.matching.index_keys import HITS
from newsdedup.core.matching.rules import MethodRule, Rule, TermsRule, deciding_rule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.model import Entry, Match
from newsdedup.core.words.background import Background
from newsdedup.core.words.vocabulary import Vocabulary
from newsdedup_lab.collections.pairs import LabelledPair
from newsdedup_lab.score.replay import Replay

_NEAR_BEST = 0.01
"""Thresholds whose F1 is at most this much below the best form the critical interval."""


@dataclass(frozen=True, slots=True)
class ThresholdScore:
    """The score at one threshold; precision is None where nothing is predicted."""

    threshold: float
    precision: float | None
    recall: float
    f1: float


def threshold_scores(
    same: Sequence[float],
    other: Sequence[float],
    thresholds: Sequence[float],
    *,
    whole: float | None = None,
) -> list[ThresholdScore]:
    """Return the score at each of ascending thresholds.

    `same` and `other` count, for each threshold, the duplicates and the other pairs whose score is
    at least that and below the next one. `whole` is the number of all duplicates, if some are below
    the lowest threshold.
    """
    whole = sum(same) if whole is None else whole
    rows = zip(thresholds, _sums_to_end(same), _sums_to_end(other), strict=True)
    return [_scores(at, hits, wrong, whole) for at, hits, wrong in rows]


def best_score(curve: Sequence[ThresholdScore]) -> ThresholdScore:
    """Return the score with the largest F1; of equal ones, that of the lowest threshold."""
    return max(curve, key=lambda one: (one.f1, -one.threshold))


def critical_interval(curve: Sequence[ThresholdScore]) -> tuple[float, float]:
    """Return the lowest and highest threshold around the best with an F1 at most 0.01 lower.

    All thresholds between them have such an F1, too.
    """
    low = high = curve.index(best_score(curve))
    enough = curve[low].f1 - _NEAR_BEST
    while low > 0 and curve[low - 1].f1 >= enough:
        low -= 1
    while high + 1 < len(curve) and curve[high + 1].f1 >= enough:
        high += 1
    return curve[low].threshold, curve[high].threshold


def _scores(at: float, hits: float, wrong: float, whole: float) -> ThresholdScore:
    """Return the score at one threshold, given its true and false positives and all duplicates."""
    predicted = hits + wrong
    recall = hits / whole if whole else 0.0
    f1 = 2 * hits / (predicted + whole) if predicted + whole else 0.0
    return ThresholdScore(at, hits / predicted if predicted else None, recall, f1)


def _sums_to_end(counts: Sequence[float]) -> list[float]:
    """Return for each index the sum of the counts from there to the end."""
    return list(accumulate(reversed(counts)))[::-1]


_UNREACHABLE = 2.0
"""A threshold that no probability reaches."""

_PairScore = Callable[[Entry, Entry], float]


@dataclass(frozen=True, slots=True)
class Sweep:
    """The scores that a rule or method gives pairs; a duplicate scores the threshold or more."""

    name: str
    scale: str
    """The quantity that the threshold bounds, as text."""
    threshold: float
    """The threshold with which the rule or method runs."""
    pairs: tuple[LabelledPair, ...]
    scores: tuple[float, ...]

    def curve(self, *, weighted: bool) -> list[ThresholdScore]:
        """Return the scores at each pair's score and at the set threshold, by ascending threshold.

        With `weighted` pairs count their weights. A score of 0 is never found, so it is no
        threshold.
        """
        thresholds = sorted({score for score in self.scores if score > 0} | {self.threshold})
        same: defaultdict[float, float] = defaultdict(float)
        other: defaultdict[float, float] = defaultdict(float)
        for pair, score in zip(self.pairs, self.scores, strict=True):
            counted = same if pair.duplicate else other
            counted[score] += pair.weight if weighted else 1.0
        counts = [[counted[at] for at in thresholds] for counted in (same, other)]
        return threshold_scores(counts[0], counts[1], thresholds, whole=sum(same.values()))

    def at_set_threshold(self, curve: Sequence[ThresholdScore]) -> ThresholdScore:
        """Return the score of this sweep's `curve` at the set threshold."""
        return next(one for one in curve if one.threshold == self.threshold)

    def for_pairs(self, pairs: Sequence[LabelledPair]) -> "Sweep":
        """Return the sweep of these of its pairs; raise KeyError for any other pair."""
        score = dict(zip(self.pairs, self.scores, strict=True))
        return replace(self, pairs=tuple(pairs), scores=tuple(score[pair] for pair in pairs))


def average_precision(curve: Sequence[ThresholdScore]) -> float:
    """Return the average precision of a curve with ascending thresholds.

    From the highest threshold down, each gain in recall is multiplied by the precision there; the
    recall that no threshold reaches adds 0.
    """
    total = before = 0.0
    for one in reversed(curve):
        total += (one.recall - before) * (one.precision or 0.0)
        before = one.recall
    return total


def rule_sweep(pairs: Sequence[LabelledPair], replay: Replay, *, terms: int) -> Sweep:
    """Return the sweep of the replay's rule over these pairs; `terms` is the size of a signature.

    Raise ValueError for a rule without a threshold.
    """
    rule = deciding_rule(replay.rule)
    scale, threshold, score = _scoring(rule, terms)
    return Sweep(rule.name, scale, threshold, tuple(pairs), _score_pairs(pairs, replay, score))


def method_sweeps(
    pairs: Sequence[LabelledPair],
    replay: Replay,
    names: Sequence[str],
    table: Background,
    vocabulary: Vocabulary,
) -> list[Sweep]:
    """Return the sweep of each named fingerprint method, computed for the items of the pairs alone.

    Raise KeyError for a name that is not in the catalogue.
    """
    known, corpus = load_methods(pivots=table.pivots), corpus_from_background(table)
    items = sorted({key for pair in pairs for key in replay.keys(pair)})
    readings = {key: prepare_text(replay.analyzed[key].document, vocabulary) for key in items}
    return [_method_sweep(pairs, replay, known[name], readings, corpus) for name in names]


def _method_sweep(
    pairs: Sequence[LabelledPair],
    replay: Replay,
    method: Method,
    readings: Mapping[ItemKey, PreparedText],
    corpus: CorpusStats,
) -> Sweep:
    """Return the sweep of one method, which signs the given readings."""
    sketches = {key: method.sign(reading, corpus) for key, reading in readings.items()}
    rule = MethodRule(method, replay.rule.window)

    def score(left: Entry, right: Entry) -> float:
        """Return how well the method's fingerprints of two entries match."""
        signed = [one._replace(sketches=(sketches[one.key],)) for one in (left, right)]
        return _score_by_method(rule, signed[0], signed[1])

    scores = _score_pairs(pairs, replay, score)
    return Sweep(method.name, "match", method.threshold, tuple(pairs), scores)


def _score_pairs(
    pairs: Sequence[LabelledPair], replay: Replay, score: _PairScore
) -> tuple[float, ...]:
    """Return `score` of each pair's entries, earlier first, 0 for pairs beyond the window."""
    scores = []
    for pair in pairs:
        earlier, later = replay.entries(pair)
        scores.append(score(earlier, later) if replay.within_window(pair) else 0.0)
    return tuple(scores)


def _scoring(rule: Rule, terms: int) -> tuple[str, float, _PairScore]:
    """Return the name of the score that a rule has a threshold for, the threshold, and the score.

    Raise ValueError for a rule without a threshold.
    """
    if isinstance(rule, VerifiedRule):
        return "probability", rule.threshold, _score_by_model(rule)
    if isinstance(rule, TermsRule):
        return "shared terms", rule.duplicate, lambda a, b: _score_by_terms(rule, terms, a, b)
    if isinstance(rule, MethodRule):
        return "match", rule.method.threshold, lambda a, b: _score_by_method(rule, a, b)
    raise ValueError(f"rule {rule.name}: no threshold of it is known")


def _score_by_model(rule: VerifiedRule) -> _PairScore:
    """Return a function that scores a pair by the probability of the model.

    The score is 1 for pairs that the rule calls duplicates whatever the model says, and 0 for pairs
    that it never does.
    """
    anything, nothing = (
        VerifiedRule(rule.model, rule.window, threshold=at) for at in (0.0, _UNREACHABLE)
    )

    def score(left: Entry, right: Entry) -> float:
        """Return the probability of a duplicate, 1 or 0 if the rule decides without the model."""
        if _is_duplicate(nothing.match(left, right)):
            return 1.0
        match = anything.match(left, right)
        return match.score if match is not None and match.duplicate else 0.0

    return score


def _score_by_terms(rule: TermsRule, terms: int, left: Entry, right: Entry) -> float:
    """Return the largest number of required shared terms with which a pair is a duplicate.

    At most `terms` are tried, at least HITS, the fewest that a rule may require; 0 if none will do.
    """
    for requested in range(terms, HITS - 1, -1):
        if _is_duplicate(replace(rule, duplicate=requested, similar=HITS).match(left, right)):
            return requested
    return 0.0


def _score_by_method(rule: MethodRule, left: Entry, right: Entry) -> float:
    """Return how well the fingerprints of two entries match, from 0 to 1.

    If one is empty, 0; if both are, 1 for items of the same version, else 0.
    """
    one, other = left.sketches[0], right.sketches[0]
    if not one.keys or not other.keys:
        return float(not one.keys and not other.keys and left.version == right.version)
    return rule.method.match(one, other)


def _is_duplicate(match: Match | None) -> bool:
    """Return whether a match makes a duplicate; False for no match."""
    return match is not None and match.duplicate
