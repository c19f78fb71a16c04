"""Why the verified rule says what it says about A and B, in sentences for a reader."""

from collections.abc import Mapping, Sequence

from newsdedup.core.matching.digest import count_shared_messages, passage_entry
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.matching.rules import Contribution
from newsdedup.core.matching.terms_reasons import outside_window, within_window
from newsdedup.core.matching.verified_rule import Verification, VerifiedRule
from newsdedup.core.matching.verify.features import FEATURES, ViewComparison
from newsdedup.core.matching.verify.relations import describe_contradiction
from newsdedup.core.model import Entry

_WORDS: Mapping[str, tuple[str, str]] = {
    **{feature.name: (feature.words_for, feature.words_against) for feature in FEATURES},
    "translated": (
        "one is Russian and one Ukrainian: a translation keeps less",
        "one is Russian and one Ukrainian",
    ),
    "habit": (
        "such pairs often are copies in this stream, by source and time",
        "such pairs seldom are copies in this stream, by source and time",
    ),
}
"""What a contribution says where it speaks for a duplicate, and against one."""

_VALUES_WITHOUT_QUANTITIES = {"numbers": 1.0, "number_count": 0.0, "conflicts": 0.0}
"""The features of quantities that say nothing where neither text has any, and their values then."""

_LEAST_LOGIT = 0.25
"""Log-odds below which a feature says nothing worth a line."""


def verified_reasons(a: Entry, b: Entry, rule: VerifiedRule) -> tuple[str, ...]:
    """Return sentences on what decides about A and B and what speaks for or against a match."""
    within = within_window(a, b, rule)
    apart = abs(a.effective_at - b.effective_at)
    window = () if within else (outside_window(apart, rule.window),)
    if a.version == b.version:
        return (*window, *_equal_text_reasons(a, b, rule))
    verification = rule.verify(a, b)
    if bool(a.passages) != bool(b.passages) and not verification.is_plain:
        return (*window, *_digest_reasons(a, b, rule))
    why = (*window, *_decision(a, b, rule, verification), *_weighing(a, b, rule, verification))
    if within and not are_candidates(rule.index_keys(a), rule.index_keys(b)):
        return (*why, "They share no key: in a stream one would not be found by the other.")
    return why


def _equal_text_reasons(a: Entry, b: Entry, rule: VerifiedRule) -> tuple[str, ...]:
    """Return sentences on two equal texts, which may still be a repeated alert and no copy."""
    same = "They say the same, word for word."
    match = rule.match_equal_texts(a, b)
    if match is not None and match.duplicate:
        return (same,)
    again = "So short a text can be said again of something new; here copies seldom come so late."
    verification = rule.verify(a, b)
    decision = _decision(a, b, rule, verification)
    return (same, again, *decision, *_weighing(a, b, rule, verification))


def _decision(a: Entry, b: Entry, rule: VerifiedRule, verification: Verification) -> list[str]:
    """Return sentences on what decides: a plain copy, a contradiction, or the model."""
    if verification.is_plain:
        return ["The texts are the same on their face; every number agrees."]
    lines, too_few = [], False
    if a.passages and b.passages:
        same, total = count_shared_messages(a.passages, b.passages)
        too_few = 2 * same <= total
        messages = f"{same} of {total} messages {'is' if same == 1 else 'are'} the same"
        lines.append(f"Both are digests; {messages}, more than half make a duplicate.")
    if verification.contradiction is not None:
        how = describe_contradiction(verification.contradiction, rule.view(a), rule.view(b))
        lines.append(f"They contradict each other: {how}.")
    likely = verification.match is not None and verification.match.duplicate
    overruled = verification.contradiction is not None or (likely and too_few)
    if overruled and within_window(a, b, rule):
        lines[-1] += " This alone decides."
    begins = "But for that, the" if overruled else "The"
    probability, threshold = f"{verification.model_probability:.0%}", f"{rule.threshold:.0%}"
    return [
        *lines,
        f"{begins} probability of one message is {probability}; from {threshold} on it is one.",
    ]


def _digest_reasons(a: Entry, b: Entry, rule: VerifiedRule) -> tuple[str, ...]:
    """Return sentences on a digest and another item: which message of the digest it tells."""
    name, other, digest, item = ("A", "B", a, b) if a.passages else ("B", "A", b, a)
    messages = f"{len(digest.passages)} messages"
    digest_line = f"{name} is a digest of {messages}: never one story with a part of it."
    match = rule.find_passage(a, b)
    if match is None:
        return (digest_line, f"{other} tells none of them.")
    verification = rule.verify(passage_entry(digest, match.passage), item)
    number, likely = match.passage + 1, f"{match.score:.0%} by the texts alone"
    retold = f"{other} tells message {number} of it: {likely}."
    return (digest_line, retold, *_weighing(a, b, rule, verification))


def _weighing(a: Entry, b: Entry, rule: VerifiedRule, verification: Verification) -> list[str]:
    """Return sentences on the features that speak for one message, then on those against it.

    Of each the strongest come first; features of little weight are left out. If neither text counts
    anything, the features of quantities that have nothing to compare share one line.
    """
    quantities = verification.comparison.quantities
    has_quantities = bool(quantities.agreed or quantities.left or quantities.right)
    without_quantities, lines = [], []
    for each in rule.details(a, b).contributions:
        if abs(each.logit) < _LEAST_LOGIT:
            continue
        if not has_quantities and _VALUES_WITHOUT_QUANTITIES.get(each.feature) == each.value:
            without_quantities.append(each)
        else:
            lines.append(_weighed_line(_words(each, verification.comparison), [each]))
    if without_quantities:
        lines.append(_weighed_line("neither counts anything", without_quantities))
    lines.sort(key=lambda line: -abs(line[0]))
    speaks_for = [f"For: {words}." for logit, words in lines if logit > 0]
    return speaks_for + [f"Against: {words}." for logit, words in lines if logit <= 0]


def _weighed_line(words: str, contributions: Sequence[Contribution]) -> tuple[float, str]:
    """Return the log-odds that contributions add, and the words with each of them in brackets."""
    values = [f"{one.feature} {one.value:.2f}: {one.logit:+.2f}" for one in contributions]
    return sum(one.logit for one in contributions), f"{words} ({', '.join(values)})"


def _words(each: Contribution, comparison: ViewComparison) -> str:
    """Return what a contribution says in words, by its feature and by its sign."""
    if each.feature == "freshness" and not comparison.phrases.shared:
        return "they share no phrase"
    if each.feature == "numbers" and each.value < 1 and each.logit > 0:
        return "most of their numbers agree"
    return _WORDS[each.feature][0 if each.logit > 0 else 1]
