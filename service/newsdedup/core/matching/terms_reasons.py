"""The reasoning of rule `terms` as sentences, and what would make it say something else."""

from newsdedup.core.matching.rules import Rule, TermsRule
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
