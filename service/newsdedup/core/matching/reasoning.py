"""Why each rule says what it says about two entries, in sentences: one way for every rule."""

from typing import NamedTuple

from newsdedup.core.matching.digest import count_shared_messages, share_most_messages
from newsdedup.core.matching.evidence import MICROS_PER_HOUR
from newsdedup.core.matching.method_rules import MarkedRule, MethodRule
from newsdedup.core.matching.passages import passage_entry
from newsdedup.core.matching.prefix import are_candidates
from newsdedup.core.matching.rules import Rule, TermsRule
from newsdedup.core.matching.terms_reasons import (
    outside_window,
    terms_otherwise,
    terms_reasons,
    within_window,
)
from newsdedup.core.matching.verified_reasons import describe_contributions
from newsdedup.core.matching.verified_rule import Verification, VerifiedRule
from newsdedup.core.matching.verify.contradictions import describe_contradiction
from newsdedup.core.model import Entry


class Reasoning(NamedTuple):
    """Why the verdict is what it is, and what would have to change for another."""

    why: tuple[str, ...]
    otherwise: tuple[str, ...] = ()


def give_reasons(a: Entry, b: Entry, rule: Rule, *, dated: bool = True) -> Reasoning:
    """Return the reasoning of a rule about A and B."""
    match rule:
        case MarkedRule(base):
            found = give_reasons(a, b, base, dated=dated)
            return found._replace(why=(*found.why, *_fired(a, b, rule)))
        case TermsRule():
            return Reasoning(terms_reasons(a, b, rule, dated=dated), terms_otherwise(a, b, rule))
        case VerifiedRule():
            return _of_verifier(a, b, rule)
        case MethodRule():
            return _of_method(a, b, rule)
        case _:
            return Reasoning((f"Rule {rule.name} gives no reasons.",))


def _fired(a: Entry, b: Entry, rule: MarkedRule) -> tuple[str, ...]:
    known = rule.base.details(a, b).fingerprints
    fired = [name for name in rule.details(a, b).fingerprints if name not in known]
    if not fired:
        return ("No further fingerprint would call them duplicates.",)
    return (f"Fingerprints that would call them duplicates: {', '.join(fired)}.",)


def _of_verifier(a: Entry, b: Entry, rule: VerifiedRule) -> Reasoning:
    found = _by_text(a, b, rule)
    if within_window(a, b, rule):
        return found
    apart = abs(a.effective_at - b.effective_at)
    return found._replace(why=(outside_window(apart, rule.window), *found.why))


def _by_text(a: Entry, b: Entry, rule: VerifiedRule) -> Reasoning:
    """Return what the texts say for themselves, whenever they came."""
    if a.version == b.version:
        return _of_equals(a, b, rule)
    weighed = rule.verify(a, b)
    if bool(a.passages) != bool(b.passages) and not weighed.plain:
        return _of_digest(a, b, rule)
    said = _decided(a, b, rule, weighed)
    said += _weighing(a, b, rule, weighed)
    if within_window(a, b, rule) and not are_candidates(rule.index_keys(a), rule.index_keys(b)):
        said.append("They share no key: in a stream one would not be found by the other.")
    return Reasoning(tuple(said))


def _of_equals(a: Entry, b: Entry, rule: VerifiedRule) -> Reasoning:
    same = "They say the same, word for word."
    match = rule.match_equal_texts(a, b)
    if match is not None and match.duplicate:
        return Reasoning((same,))
    again = "So short a text can be said again of something new; here copies seldom come so late."
    weighed = rule.verify(a, b)
    return Reasoning((same, again, *_decided(a, b, rule, weighed), *_weighing(a, b, rule, weighed)))


def _decided(a: Entry, b: Entry, rule: VerifiedRule, weighed: Verification) -> list[str]:
    """Return what decides: the face of the texts, what overrules the model, or the model."""
    if weighed.plain:
        return ["The texts are the same on their face; every figure agrees."]
    digests = bool(a.passages and b.passages)
    said = [_of_digests(a, b)] if digests else []
    if weighed.contradiction is not None:
        how = describe_contradiction(weighed.contradiction, rule.view(a), rule.view(b))
        said.append(f"They contradict each other: {how}.")
    likely = weighed.match is not None and weighed.match.duplicate
    others = digests and likely and not share_most_messages(a.passages, b.passages)
    overruled = weighed.contradiction is not None or others
    if overruled and within_window(a, b, rule):
        said[-1] += " This alone decides."
    begins = "But for that, the" if overruled else "The"
    enough = f"from {rule.threshold:.0%} on it is one."
    return [
        *said,
        f"{begins} probability of one message is {weighed.model_probability:.0%}; {enough}",
    ]


def _of_digests(a: Entry, b: Entry) -> str:
    same, of = count_shared_messages(a.passages, b.passages)
    are = "is" if same == 1 else "are"
    messages = f"{same} of {of} messages {are} the same"
    return f"Both are digests; {messages}, more than half make a duplicate."


def _of_digest(a: Entry, b: Entry, rule: VerifiedRule) -> Reasoning:
    name, other, passages = ("A", "B", a.passages) if a.passages else ("B", "A", b.passages)
    said = [f"{name} is a digest of {len(passages)} messages: never one story with a part of it."]
    inside = rule.find_passage(a, b)
    if inside is None:
        return Reasoning((*said, f"{other} tells none of them."))
    said.append(
        f"{other} tells message {inside.passage + 1} of it: {inside.score:.0%} by the texts alone."
    )
    digest, item = (a, b) if a.passages else (b, a)
    said += _weighing(a, b, rule, rule.verify(passage_entry(digest, inside.passage), item))
    return Reasoning(tuple(said))


def _weighing(a: Entry, b: Entry, rule: VerifiedRule, weighed: Verification) -> list[str]:
    """Return what speaks for one message and what against it."""
    speaks_for, against = describe_contributions(rule.details(a, b).contributions, weighed.compared)
    return [f"For: {one}." for one in speaks_for] + [f"Against: {one}." for one in against]


def _of_method(a: Entry, b: Entry, rule: MethodRule) -> Reasoning:
    left, right, method = a.marks[0], b.marks[0], rule.method
    if not within_window(a, b, rule):
        return Reasoning(
            (f"They are further apart than the window of {rule.window / MICROS_PER_HOUR:g} h.",)
        )
    if not (left.keys and right.keys):
        return Reasoning((f"{method.name} finds nothing to sign: only the same text matches.",))
    score, threshold = round(method.match(left, right), 4), round(method.threshold, 4)
    keys = len(set(left.keys).intersection(right.keys))
    says = f"{method.name} gives them {score:g}; from {threshold:g} on they are duplicates."
    found = "and a stream compares them" if keys else "so a stream never compares them"
    return Reasoning(
        (says, f"Of {len(left.keys)} and {len(right.keys)} keys {keys} are shared, {found}.")
    )
