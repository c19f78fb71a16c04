"""Why the rules `terms` and `verified` say what they say about A and B, in English sentences."""

from collections.abc import Mapping, Sequence

from newsdedup.core.matching.digest import count_shared_messages, passage_entry
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.matching.rules import Contribution, Rule, TermsRule
from newsdedup.core.matching.verified_rule import Anew, Verification, VerifiedRule
from newsdedup.core.matching.verify.contradictions import describe_contradiction
from newsdedup.core.matching.verify.features import FEATURES, ViewComparison
from newsdedup.core.model import Entry, Micros
from newsdedup.core.moments import HOUR

SMALL_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve"
"""Small numbers are written out where they begin a sentence."""


def terms_reasons(a: Entry, b: Entry, rule: TermsRule, *, dated: bool = True) -> tuple[str, ...]:
    """Return sentences on why rule `terms` says what it says about A and B.

    Unless `dated`, one of them has no time, and they count as of one time.
    """
    lines = (*_about_terms(a, b, rule), *_about_relation(a, b, rule))
    if not dated:
        return (*lines, "At least one of them has no time: they are taken to be of one time.")
    apart = abs(a.effective_at - b.effective_at)
    if not within_window(a, b, rule):
        return (outside_window(apart, rule.window), *lines)
    return (*lines, f"They are {_hours(apart)} apart, within the window of {_hours(rule.window)}.")


def outside_window(apart: Micros, window: Micros) -> str:
    """Return a sentence on a time beyond the window, with enough decimals to tell them apart."""
    spans = [(_hours(apart, decimals), _hours(window, decimals)) for decimals in range(2, 11)]
    far, near = next((each for each in spans if each[0] != each[1]), spans[-1])
    return f"They are {far} apart, more than the window of {near}: this alone decides."


def terms_otherwise(a: Entry, b: Entry, rule: TermsRule) -> tuple[str, ...]:
    """Return sentences on what would have to change for another verdict."""
    if not within_window(a, b, rule):
        match = rule.match(a, b._replace(effective_at=a.effective_at))
        verdict = "be similar" if match else "still be different"
        verdict = "be duplicates" if match and match.duplicate else verdict
        return (f"Within {_hours(rule.window)} of each other they would {verdict}.",)
    if _is_short(a, b, rule):
        return (_otherwise_short(a, b, rule),)
    shared, needed = _shared(a, b), _needed(a, b, rule)
    if shared >= needed:
        below = "similar only" if needed > rule.similar else "different"
        return (f"{_terms(shared - needed + 1, 'fewer')} would make them {below}.",)
    duplicates = f"{_terms(needed - shared, 'more')} would make them duplicates."
    if shared >= rule.similar:
        apart = f"{_terms(shared - rule.similar + 1, 'fewer')} would make them different."
        return (duplicates, apart)
    if rule.similar == needed:
        return (duplicates,)
    return (f"{_terms(rule.similar - shared, 'more')} would make them similar.", duplicates)


def _about_terms(a: Entry, b: Entry, rule: TermsRule) -> tuple[str, ...]:
    """Return sentences on how many terms A and B share, and how many the rule asks for."""
    if _is_short(a, b, rule):
        return _about_short(a, b, rule)
    shared, longer = _shared(a, b), max(len(a.terms), len(b.terms))
    if len(a.terms) == len(b.terms):
        many = {0: "None of the", longer: "All"}.get(shared, f"{shared} of the")
        terms = f"{many} {longer} weightiest terms {'is' if shared == 0 else 'are'} shared"
    else:
        terms = f"{_count(shared)} shared, of {len(a.terms)} in A and {len(b.terms)} in B"
    needed = _needed(a, b, rule)
    enough = f"{needed} make a duplicate" + (", half of them" if needed > rule.duplicate else "")
    if shared < needed and rule.similar < needed:
        enough = f"{rule.similar} make them similar, {enough}"
    return (f"{terms}; {enough}.",)


def _about_short(a: Entry, b: Entry, rule: TermsRule) -> tuple[str, ...]:
    """Return sentences on two signatures of which one is too short to match in part."""
    if not (a.terms or b.terms):
        same = "it is" if a.version == b.version else "it is not"
        return (f"Neither has a term that could be weighed: only the same text matches; {same}.",)
    sizes = f"A has {_count(len(a.terms))}, B has {len(b.terms)}"
    needs = f"with fewer than {rule.duplicate}, only equal terms and equal numbers match"
    terms = "equal" if a.terms == b.terms else "not equal"
    numbers = "equal" if a.numbers == b.numbers else "not equal"
    return (f"{sizes}: {needs}.", f"The terms are {terms}, the numbers are {numbers}.")


def _about_relation(a: Entry, b: Entry, rule: TermsRule) -> tuple[str, ...]:
    """Return a sentence on why a duplicate is a reprint or a rewrite; nothing for other pairs."""
    match = rule.match(a, b)
    if match is None or not match.duplicate:
        return ()
    if match.relation == "reprint":
        return ("Nothing of weight is in only one of them: a reprint.",)
    return ("Some terms are in only one of them: a rewrite, no reprint.",)


def _otherwise_short(a: Entry, b: Entry, rule: TermsRule) -> str:
    """Return a sentence on what would change the verdict where `_is_short`."""
    if rule.match(a, b) is not None:
        return "Any other term or number would make them different."
    if a.terms == b.terms and a.terms:
        return "With equal numbers they would be duplicates."
    if a.numbers == b.numbers or not (a.terms or b.terms):
        return "With equal terms they would be duplicates."
    return "With equal terms and equal numbers they would be duplicates."


def within_window(a: Entry, b: Entry, rule: Rule) -> bool:
    """Return whether two items are no further apart in time than the window of the rule."""
    return abs(a.effective_at - b.effective_at) <= rule.window


def _is_short(a: Entry, b: Entry, rule: TermsRule) -> bool:
    """Return whether an item has so few terms that the two can only match as a whole."""
    return min(len(a.terms), len(b.terms)) < rule.duplicate


def _shared(a: Entry, b: Entry) -> int:
    """Return how many terms both signatures have."""
    return len(set(a.terms).intersection(b.terms))


def _needed(a: Entry, b: Entry, rule: TermsRule) -> int:
    """Return how many shared terms make a duplicate of signatures as long as these."""
    return max(rule.duplicate, (max(len(a.terms), len(b.terms)) + 1) // 2)


def _terms(count: int, direction: str) -> str:
    """Return "Two more shared terms" or "Two shared terms fewer", by the direction."""
    small = SMALL_NUMBERS.split()
    number = small[count] if count < len(small) else str(count)
    terms = f"shared {'term' if count == 1 else 'terms'}"
    both = f"more {terms}" if direction == "more" else f"{terms} fewer"
    return f"{number.capitalize()} {both}"


def _count(terms: int) -> str:
    """Return "1 term" or "5 terms"."""
    return f"{terms} {'term' if terms == 1 else 'terms'}"


def _hours(span: Micros, decimals: int = 2) -> str:
    """Return a span of time as "1 hour" or "2.5 hours", rounded to so many decimals."""
    hours = round(span / HOUR, decimals)
    return f"{hours:.12g} {'hour' if hours == 1 else 'hours'}"


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


_ANEW_WORDS: Mapping[Anew, str] = {
    "repeated": "Their sources say so short a text again and again; hours later it is news.",
    "seldom": (
        "So short a text can be said again of something new; here copies seldom come so late."
    ),
}


def _equal_text_reasons(a: Entry, b: Entry, rule: VerifiedRule) -> tuple[str, ...]:
    """Return sentences on two equal texts, which may still be a repeated alert and no copy."""
    same = "They say the same, word for word."
    anew = rule.why_anew(a, b)
    return (same,) if anew is None else (same, f"{_ANEW_WORDS[anew]} This alone decides.")


def _decision(a: Entry, b: Entry, rule: VerifiedRule, verification: Verification) -> list[str]:
    """Return sentences on what decides: a plain copy, a contradiction, or the model."""
    if verification.is_plain:
        return ["The texts are the same on their face; every number agrees."]
    if verification.is_excerpt:
        return ["The later text is taken over from the earlier one, word for word."]
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
    """Return the sum of the contributions' log-odds, and `words` with each of them in brackets."""
    values = [f"{one.feature} {one.value:.2f}: {one.logit:+.2f}" for one in contributions]
    return sum(one.logit for one in contributions), f"{words} ({', '.join(values)})"


def _words(each: Contribution, comparison: ViewComparison) -> str:
    """Return what a contribution says in words, by its feature and by its sign."""
    if each.feature == "freshness" and not comparison.phrases.shared:
        return "they share no phrase"
    if each.feature == "numbers" and each.value < 1 and each.logit > 0:
        return "most of their numbers agree"
    return _WORDS[each.feature][0 if each.logit > 0 else 1]
