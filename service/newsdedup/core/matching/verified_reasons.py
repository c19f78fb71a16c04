"""Why the verified rule says what it says about A and B, in sentences for a reader."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from newsdedup.core.matching.digest import count_shared_messages, share_most_messages
from newsdedup.core.matching.passages import passage_entry
from newsdedup.core.matching.prefix import are_candidates
from newsdedup.core.matching.rules import Contribution
from newsdedup.core.matching.terms_reasons import outside_window, within_window
from newsdedup.core.matching.verified_rule import Verification, VerifiedRule
from newsdedup.core.matching.verify.contradictions import describe_contradiction
from newsdedup.core.matching.verify.features import FEATURES, ViewComparison
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

_NO_QUANTITIES = "neither counts anything"
"""What the features of figures say together where there are none to agree or to differ."""

_VALUES_WITHOUT_QUANTITIES = {"numbers": 1.0, "number_count": 0.0, "conflicts": 0.0}

_NO_PHRASES = "they share no phrase"
"""What `freshness` says where nothing is shared that could be fresh."""

_MOST_QUANTITIES = "most of their figures agree"
"""What `numbers` says for a duplicate where some figure has no counterpart."""

_LEAST_LOGIT = 0.25
"""Log-odds below which a feature says nothing worth a line."""


def verified_reasons(a: Entry, b: Entry, rule: VerifiedRule) -> tuple[str, ...]:
    """Return sentences on why the rule says what it says: what decides, for, and against.

    Outside the window the texts are compared, too.
    """
    why = _text_reasons(a, b, rule)
    if within_window(a, b, rule):
        return why
    apart = abs(a.effective_at - b.effective_at)
    return (outside_window(apart, rule.window), *why)


def _text_reasons(a: Entry, b: Entry, rule: VerifiedRule) -> tuple[str, ...]:
    """Return the sentences on the texts of A and B, whatever the window."""
    if a.version == b.version:
        return _equal_text_reasons(a, b, rule)
    verification = rule.verify(a, b)
    if bool(a.passages) != bool(b.passages) and not verification.is_plain:
        return _digest_reasons(a, b, rule)
    why = (*_decision(a, b, rule, verification), *_weighing(a, b, rule, verification))
    if within_window(a, b, rule) and not are_candidates(rule.index_keys(a), rule.index_keys(b)):
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
    """Return sentences on what decides: a plain copy, a contradiction, or the model.

    `verification` is that of A and B.
    """
    if verification.is_plain:
        return ["The texts are the same on their face; every figure agrees."]
    digests = bool(a.passages and b.passages)
    lines = [_shared_messages_line(a, b)] if digests else []
    if verification.contradiction is not None:
        how = describe_contradiction(verification.contradiction, rule.view(a), rule.view(b))
        lines.append(f"They contradict each other: {how}.")
    likely = verification.match is not None and verification.match.duplicate
    other_messages = digests and likely and not share_most_messages(a.passages, b.passages)
    overruled = verification.contradiction is not None or other_messages
    if overruled and within_window(a, b, rule):
        lines[-1] += " This alone decides."
    begins = "But for that, the" if overruled else "The"
    probability, threshold = f"{verification.model_probability:.0%}", f"{rule.threshold:.0%}"
    return [
        *lines,
        f"{begins} probability of one message is {probability}; from {threshold} on it is one.",
    ]


def _shared_messages_line(a: Entry, b: Entry) -> str:
    """Return a sentence on how many messages two digests share."""
    same, of = count_shared_messages(a.passages, b.passages)
    are = "is" if same == 1 else "are"
    messages = f"{same} of {of} messages {are} the same"
    return f"Both are digests; {messages}, more than half make a duplicate."


def _digest_reasons(a: Entry, b: Entry, rule: VerifiedRule) -> tuple[str, ...]:
    """Return sentences on a digest and an item that is none: which message of it the item tells."""
    name, other, passages = ("A", "B", a.passages) if a.passages else ("B", "A", b.passages)
    digest_line = (
        f"{name} is a digest of {len(passages)} messages: never one story with a part of it."
    )
    match = rule.find_passage(a, b)
    if match is None:
        return (digest_line, f"{other} tells none of them.")
    index = match.passage + 1
    digest, item = (a, b) if a.passages else (b, a)
    verification = rule.verify(passage_entry(digest, match.passage), item)
    return (
        digest_line,
        f"{other} tells message {index} of it: {match.score:.0%} by the texts alone.",
        *_weighing(a, b, rule, verification),
    )


def _weighing(a: Entry, b: Entry, rule: VerifiedRule, verification: Verification) -> list[str]:
    """Return sentences on the features that speak for one message, then on those against it.

    Of each the strongest come first; features of little weight are left out.
    """
    contributions = rule.details(a, b).contributions
    lines = _contribution_lines(
        [each for each in contributions if abs(each.logit) >= _LEAST_LOGIT], verification.comparison
    )
    lines.sort(key=lambda line: -abs(line.logit))
    speaks_for = [f"For: {line.text}." for line in lines if line.logit > 0]
    return speaks_for + [f"Against: {line.text}." for line in lines if line.logit <= 0]


class _Line(NamedTuple):
    words: str
    contributions: tuple[Contribution, ...]

    @property
    def logit(self) -> float:
        return sum(each.logit for each in self.contributions)

    @property
    def text(self) -> str:
        """Return the words with the name, value and log-odds of each contribution in brackets."""
        quantities = [
            f"{one.feature} {one.value:.2f}: {one.logit:+.2f}" for one in self.contributions
        ]
        return f"{self.words} ({', '.join(quantities)})"


def _contribution_lines(
    contributions: Iterable[Contribution], comparison: ViewComparison
) -> list[_Line]:
    """Return a line for each contribution, in their order.

    If neither text counts anything, the features of figures that have nothing to compare share one
    line, the last.
    """
    quantities = comparison.quantities
    has_quantities = bool(quantities.agreed or quantities.left or quantities.right)
    without_quantities, lines = [], []
    for each in contributions:
        if not has_quantities and _VALUES_WITHOUT_QUANTITIES.get(each.feature) == each.value:
            without_quantities.append(each)
        else:
            lines.append(_Line(_words(each, comparison), (each,)))
    return (
        [*lines, _Line(_NO_QUANTITIES, tuple(without_quantities))] if without_quantities else lines
    )


def _words(each: Contribution, comparison: ViewComparison) -> str:
    """Return what a contribution says in words, by its feature and by its sign."""
    if each.feature == "freshness" and not comparison.phrases.shared:
        return _NO_PHRASES
    if each.feature == "numbers" and each.value < 1 and each.logit > 0:
        return _MOST_QUANTITIES
    return _WORDS[each.feature][0 if each.logit > 0 else 1]
