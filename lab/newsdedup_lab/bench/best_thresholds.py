"""The thresholds to try for a rule on labelled pairs, and the rule with another threshold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.matching.rules import MethodRule, Rule, TermsRule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.model import Fingerprint
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import ItemAnalyzer, entry_of
from newsdedup_lab.collections.pairs import LabelledPair
from newsdedup_lab.score.replay import Replay
from newsdedup_lab.score.sweep import best_score, rule_sweep


@dataclass(frozen=True, slots=True)
class MethodAt(Method):
    """A method with another threshold; its keys stay those of its own."""

    base: Method
    least: float
    """The threshold."""

    @property
    def version(self) -> str:
        """Return the version of the method, and the threshold."""
        return f"{self.base.version}@{self.least:g}"

    @property
    def threshold(self) -> float:
        """Return the least match of duplicates."""
        return self.least

    @property
    def exact(self) -> bool:
        """Return whether the keys lose no duplicate: not below the method's own threshold."""
        return self.base.exact and self.least >= self.base.threshold

    def sign(self, prepared: PreparedText, corpus: CorpusStats, /) -> Fingerprint:
        """Return what the method signs."""
        return self.base.sign(prepared, corpus)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the match of the method."""
        return self.base.match(left, right)


def replay_of_pairs(
    rule: Rule, analyzer: ItemAnalyzer, pairs: Sequence[LabelledPair], replay: Replay
) -> Replay:
    """Return the items of the pairs as another rule's analysis has them, at the same times.

    The records contain nothing but the entries.
    """
    keys = dict.fromkeys(key for pair in pairs for key in replay.keys(pair))
    records = {
        key: Record(
            entry_of(
                analyzer.analyze(replay.analyzed[key].item),
                at=replay.verdicts[key].entry.effective_at,
            )
        )
        for key in keys
    }
    return Replay(rule, replay.names, replay.analyzed, records)


def thresholds_to_try(
    pairs: Sequence[LabelledPair], replay: Replay, *, terms: int
) -> tuple[str, list[float]]:
    """Return the scale of the rule's threshold, and the thresholds to try, one or two.

    The first has the best F in direct comparisons of the pairs, where a pair that the look-up does
    not retrieve is never found; the second is that of the rule, if it differs. `terms` is the size
    of a signature. The look-up of rule `terms` depends on its threshold and loses no duplicate.
    """
    sweep = rule_sweep(pairs, replay, terms=terms)
    if not isinstance(replay.rule, TermsRule):
        scores = [
            score if score and replay.is_candidate(pair) else 0.0
            for pair, score in zip(sweep.pairs, sweep.scores, strict=True)
        ]
        sweep = replace(sweep, scores=tuple(scores))
    best = best_score(sweep.curve(weighted=False)).threshold
    return sweep.scale, list(dict.fromkeys((best, sweep.threshold)))


def rule_at(rule: Rule, threshold: float) -> Rule:
    """Return the rule with another threshold; raise ValueError for a rule without one."""
    if isinstance(rule, VerifiedRule):
        return VerifiedRule(rule.model, rule.window, threshold=threshold)
    if isinstance(rule, TermsRule):
        least = int(threshold)
        return replace(rule, duplicate=least, similar=min(rule.similar, least))
    if isinstance(rule, MethodRule):
        return MethodRule(MethodAt(rule.name, rule.method, threshold), rule.window)
    raise ValueError(f"rule {rule.name}: no threshold of it is known")
