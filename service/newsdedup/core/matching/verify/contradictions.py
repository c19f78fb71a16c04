"""What two texts contradict each other in: they state what cannot be one message.

The model is overruled then, however much the texts share.
"""

from collections.abc import Iterable, Mapping

from newsdedup.core.facts.comparison import clock_codes, telling_values, times_conflict
from newsdedup.core.facts.editions import edition_codes
from newsdedup.core.facts.fact import MOST_CODES, FactKind
from newsdedup.core.facts.moves import find_moves
from newsdedup.core.matching.verify.features import ViewComparison, begin_with_other_ranks
from newsdedup.core.matching.verify.relations import (
    EXCERPT_SIZES,
    STALE,
    Contradiction,
    is_excerpt,
    shares_enough_phrases,
)
from newsdedup.core.matching.verify.view import (
    LEMMAS,
    WEIGHT_BITS,
    TextView,
    lemma_codes,
    sum_weights,
)
from newsdedup.core.words.background import term_key

SAME_PHRASES = 0.6
"""Share of the phrases of the smaller sample from which texts are the same but for a few words."""

SAME_WORDS = 0.6
"""Share of the words of either text from which two whole texts of two sources are the same."""

OTHER_NAMES = 0.45
"""Value of the feature `names` from which each of two such texts names others."""

ALERT_LEMMAS = 24
"""Content lemmas of the longest text that is taken for an alert: a report tells of its end, too."""

_BELOW = 0.01
"""How far below the threshold a score stays where the texts contradict each other."""

MANY_CONFLICTS = 3
"""Conflicts of quantities from which two texts of one form are two messages."""

CONFLICTS_IN_THE_SAME = 2
"""Those from which two texts are that share most phrases."""

OTHER_FACTS = 3
"""Facts that each of two texts of the same phrases states, and the other does not."""

NEW_LEAD = 0.66
"""Share of a first sentence, by weight, that is new in a follow-up."""

_BEGINNING = 32
"""Lemmas of a text among which its news is: behind them a longer headline moves others."""


def find_contradiction(
    comparison: ViewComparison,
    earlier: TextView,
    later: TextView,
    *,
    same_source: bool,
    translated: bool,
) -> Contradiction | None:
    """Return in what two texts contradict each other, however much they share, or None.

    - figures: each begins with a quantity that the other lacks, and two that count the same differ.
    - values: three quantities or more that count the same differ, or two in texts that share most
      phrases, and fewer agree: two bulletins. So are texts of one length that share most phrases
      where each has three facts or more that the other lacks, of whatever kind, and fewer agree.
    - places: each begins with another rank in one order (the 17th and the 18th package).
    - over: one is an alert, the other its all-clear.

    Where they are alike by a form that their sources fill in again and again, any day with which
    one begins and the other does not (days), and anything that they count differently (counts).

    Of one source:

    - edited: the later one is marked as an update or a correction, and the earlier one is not, or
      as another one.
    - news: the later one begins with what the earlier one does not say, or says that what the
      earlier one reports is extended.

    Of one source, or where two sources have the same short text in most words, also:

    - days: neither names the days with which the other begins; of one source that shares most
      phrases with itself, any day that the other lacks.
    - counts, names: they share most phrases, but count something differently, or name others. Of
      one source a time of day counts, too. Names in a translation are spelled in so many ways that
      they contradict nothing.

    A source says the same again only of something new. Two sources that publish one article at
    length differ in a day, a misprint or the names that they add: there these are only weighed
    (docs/decisions/0021).
    """
    found = _find_between_any(comparison, earlier, later)
    # What is taken over word for word names and counts nothing that the whole text does not.
    if found is None and same_source and edition_codes(later.facts) - edition_codes(earlier.facts):
        found = "edited"
    if found is not None or is_excerpt(comparison, earlier, later, same_source=same_source):
        return found
    # Texts so short are stored whole.
    short = max(earlier.size, later.size) <= LEMMAS
    found = _find_in_form(comparison, earlier, later)
    if found is None and same_source and _is_follow_up(comparison, earlier, later):
        found = "news"
    if found is None and (same_source or (short and comparison.features.cover >= SAME_WORDS)):
        found = _find_moved_notice(
            comparison, earlier, later, same_source=same_source, translated=translated
        )
    return found


def _find_between_any(
    comparison: ViewComparison, earlier: TextView, later: TextView
) -> Contradiction | None:
    """Return "figures", "values", "places" or "over" if the texts contradict each other so."""
    features, quantities = comparison.features, comparison.quantities
    if features.opening_both and features.conflicts:
        return "figures"
    alike = _share_most_phrases(comparison, earlier, later)
    many = CONFLICTS_IN_THE_SAME if alike else MANY_CONFLICTS
    if quantities.conflicts >= max(many, quantities.agreed + 1):
        return "values"
    if alike and _state_others(earlier, later):
        return "values"
    if begin_with_other_ranks(earlier, later):
        return "places"
    return "over" if _is_called_off(earlier, later) else None


def _state_others(earlier: TextView, later: TextView) -> bool:
    """Return whether most numbers, years and days of two texts of one length are others.

    Not where not all may be stored: those of the same text in another order may be others then.
    """
    shorter, longer = sorted((earlier.size, later.size))
    most = max(len(earlier.facts), len(later.facts))
    if most >= MOST_CODES or shorter < EXCERPT_SIZES[1] * longer:
        return False
    ours, theirs = telling_values(earlier.facts), telling_values(later.facts)
    agreed = len(ours & theirs)
    return min(len(ours), len(theirs)) >= agreed + max(OTHER_FACTS, agreed + 1)


def _find_in_form(
    comparison: ViewComparison, earlier: TextView, later: TextView
) -> Contradiction | None:
    """Return "days" or "counts" if two texts fill one form of their sources with other ones."""
    if comparison.phrases.freshness >= STALE or not _share_most_phrases(comparison, earlier, later):
        return None
    if comparison.features.dates:
        return "days"
    return "counts" if comparison.quantities.conflicts else None


def _is_follow_up(comparison: ViewComparison, earlier: TextView, later: TextView) -> bool:
    """Return whether a text of the same source begins with news above the words of the earlier one.

    They share most phrases, but of what its first sentence says, names apart, the earlier text has
    a third at most, and what follows has new words, too. Under another headline alone a text stays
    the same. One word is enough if it says that a notice was extended.
    """
    enough = shares_enough_phrases(comparison)
    if not (enough and _share_most_phrases(comparison, earlier, later)):
        return False
    extended = _EXTENDED & _without_weights(later.lead)
    if extended and _EXTENDED.isdisjoint(_without_weights(earlier.lemmas)):
        return True
    named = {*earlier.names, *later.names}
    known = {*earlier.lemmas, *earlier.terms}
    lead = [lemma for lemma in later.lead if lemma not in named]
    new = sum_weights([lemma for lemma in lead if lemma not in known])
    if new < NEW_LEAD * sum_weights(lead) or not new:
        return False
    behind = later.lemmas[:_BEGINNING]
    return any(lemma not in known and lemma not in later.lead for lemma in behind)


def _share_most_phrases(comparison: ViewComparison, earlier: TextView, later: TextView) -> bool:
    """Return whether the texts share at least 60 % of the phrases of the smaller sample."""
    smaller = min(len(earlier.phrases.hashes), len(later.phrases.hashes))
    return comparison.phrases.shared >= SAME_PHRASES * smaller > 0


def _find_moved_notice(
    comparison: ViewComparison,
    earlier: TextView,
    later: TextView,
    *,
    same_source: bool,
    translated: bool,
) -> Contradiction | None:
    """Return "days", "counts" or "names" if the texts contradict each other in these, or None."""
    features = comparison.features
    if features.dates == 1:
        return "days"
    if not _share_most_phrases(comparison, earlier, later):
        return None
    if same_source and features.dates:
        return "days"
    times = 0 if same_source else times_conflict(earlier.facts, later.facts)
    if comparison.quantities.conflicts > times:
        return "counts"
    return "names" if not translated and features.names >= OTHER_NAMES else None


def most_of_contradicted(threshold: float) -> float:
    """Return the highest score that texts which contradict each other get: threshold - 0.01."""
    return round(threshold - _BELOW, 4)


_DESCRIPTIONS: Mapping[Contradiction, str] = {
    "days": "they begin with different days",
    "names": "they say the same of other names",
    "values": "most of their numbers and days are others",
    "places": "they begin with other ranks in one order",
    "edited": "the later one is marked as an update or a correction",
    "news": "the later one begins with news above the same words",
    "over": "one says that the alert is over",
    "counts": "they say the same, but {counts}",
    "figures": "each begins with {quantity} the other lacks, and they {counts}",
}


def describe_contradiction(contradiction: Contradiction, a: TextView, b: TextView) -> str:
    """Return the contradiction of two texts as a clause in English, for a reader of the verdict."""
    counts = any(move.kind < FactKind.ORDINAL for move in find_moves(a.facts, b.facts))
    differences = ["count one thing differently"] if counts else []
    if times_conflict(a.facts, b.facts):
        differences.append("name other times of day")
    # The remaining kind of conflict: one value of two measures.
    differences = differences or ["count different things with one number"]
    timed = clock_codes(a.opening) or clock_codes(b.opening)
    quantity = "a number or a time of day" if timed else "a number"
    return _DESCRIPTIONS[contradiction].format(quantity=quantity, counts=" and ".join(differences))


def _lemma_hashes(lemmas: str) -> frozenset[int]:
    """Return the hashes of lemmas that spaces divide: their codes without the weights."""
    return _without_weights(lemma_codes([term_key(lemma, None) for lemma in lemmas.split()]))


def _without_weights(codes: Iterable[int]) -> frozenset[int]:
    """Return the hashes in codes of lemmas, which have the weight in their lowest 6 bits."""
    return frozenset([code >> WEIGHT_BITS for code in codes])


_EXTENDED = _lemma_hashes(
    "extend extension prolong renew продлить продление продолжить подовжити подовження"
    " verlängert verlängerung"
)
"""What says that a notice or a term is extended."""

_ALERTS = _lemma_hashes("тревога опасность угроза небезпека загроза")
_ALL_CLEAR = _lemma_hashes("отбой")
_OVER = _ALL_CLEAR | _lemma_hashes(
    "отмена отменить снять снятой снятый прекратить прекратиться окончание окончить закончить"
    " закончиться завершить завершиться миновать минуть"
)
"""What says that an alert is over. Ukrainian lemmas have Russian names (docs/decisions/0011)."""


def _is_called_off(one: TextView, other: TextView) -> bool:
    """Return whether two short texts are about an alert, and exactly one is its all-clear."""
    if max(one.size, other.size) > ALERT_LEMMAS:
        return False
    ours, theirs = _without_weights(one.lemmas), _without_weights(other.lemmas)
    first, second = not _OVER.isdisjoint(ours), not _OVER.isdisjoint(theirs)
    if first is second or _ALL_CLEAR.isdisjoint(ours if first else theirs):
        return False
    return not _ALERTS.isdisjoint(ours & theirs)


def may_be_called_off(view: TextView) -> bool:
    """Return whether a text may be an alert or its all-clear: it is short and names an alert."""
    return view.size <= ALERT_LEMMAS and not _ALERTS.isdisjoint(_without_weights(view.lemmas))
