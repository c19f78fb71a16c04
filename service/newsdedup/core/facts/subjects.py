"""What a number counts where no unit stands behind it: people, a noun, the row of a table."""

import re

from newsdedup.core.facts.context import Context
from newsdedup.core.facts.spelled import WORD_VALUES
from newsdedup.core.facts.units import (
    CONJUNCTIONS,
    CURRENCIES,
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    PERCENT,
    SCALES,
    harm_of,
    is_adjective,
    measure_of,
    noun_stem,
    stem,
)
from newsdedup.data.lang import pattern, words

_NEAR = 3
"""Words before a number among which one may say what happened."""
_FAR = 120
"""Characters before a number in which the number of the injured may be spoken of."""
_NO_END = "".join([f"(?<! {word})" for word in words("grammar.clause_abbreviations")])
_clause_end = re.compile(rf"[!?;\n]|{_NO_END}\.(?= |\Z)")
_number_of = re.compile(
    rf"(?:{pattern('units.number_of')} |(?={pattern('units.tolls')}))(\S+(?: \S+){{0,2}})"
)
_REACHED = frozenset(words("units.reached"))
"""Words between "the number of the injured" and how many they are."""


def harm_near(context: Context) -> str:
    """Return whether the words around say that the people counted are killed or injured."""
    return _before(context) or _behind(context) or _far_before(context)


def _before(context: Context) -> str:
    for word in reversed(context.before.split()[-_NEAR:]):
        found = harm_of(word)
        if found:
            return found if _one_clause(context, word) else ""
    return ""


def _behind(context: Context) -> str:
    first, second, third = context.words
    if first in CONJUNCTIONS:
        return ""
    return (harm_of(second) if second else "") or (harm_of(third) if third else "")


def _one_clause(context: Context, word: str) -> bool:
    """Return whether the word before the number stands in its clause.

    "погибли 2 человека, 300 эвакуированы": behind another number, a comma begins a clause.
    """
    start = context.numeral.start
    place = context.lower.rfind(word, 0, start)
    said = context.lower[place:start]
    if _clause_end.search(said):
        return False
    if "," not in said:
        return True
    earlier = context.lower[max(0, start - _FAR) : place + said.rfind(",")]
    return not _numbered(_clause_end.split(earlier)[-1])


def _far_before(context: Context) -> str:
    """Return what "the number of the injured in the blast ... rose to 51" says of the 51."""
    if context.label not in _REACHED:
        return ""
    start = context.numeral.start
    said = context.lower[max(0, start - _FAR) : start]
    for told in _number_of.finditer(said):
        between = said[told.start(1) :]
        if (
            _clause_end.search(between)
            or _numbered(between)
            or not any(map(harm_of, told[1].split()))
        ):
            continue
        (found, *others) = {harm_of(word) for word in between.split()} - {""}
        return "" if others else found
    return ""


def _numbered(said: str) -> bool:
    """Return whether there is a number in it, in digits or in a word."""
    return any(map(str.isdigit, said)) or not WORD_VALUES.keys().isdisjoint(said.split())


_range_begun = re.compile(rf"([{''.join(CURRENCY_SIGNS)}]) ?[0-9][0-9.,]*-\Z")
_thousand_roubles = re.compile(rf" ?{pattern('units.thousand_roubles')}")
_next = re.compile(r"[ .]*(?:[^\W\d_]{1,10}\.? ){0,2}?([^\W\d_]+)[ :-]{1,3}[0-9]")
"""A currency behind a number that stands before the next one: "USD 92 EUR 100"."""
_LISTED = CURRENCIES - {"rub", "uah"}
"""Currencies that have a price in another one: "92,50 рубля 3 мая" is one."""


def currency_sign(context: Context) -> str:
    """Return the currency of a number told by a sign before it, or by "т.р." behind, or ""."""
    before = context.before
    if context.words[0] == "т" and thousand_roubles(context):
        return "rub"
    return _sign(before) or (_first_sign(before) if before[-1:] == "-" else "")


def thousand_roubles(context: Context) -> bool:
    """Return whether "т.р." stands behind a number."""
    return _thousand_roubles.match(context.lower, context.end) is not None


def _sign(before: str) -> str:
    """Return the currency whose sign stands before a number, unless it is that of another one.

    In "500₽ 700" and "5 млн ₽ 700" the sign belongs to what stands before it.
    """
    said = before.rstrip(" ")
    currency = CURRENCY_SIGNS.get(said[-1:], "")
    if not currency or said[-2:-1].isdigit():
        return ""
    if said == before:
        return currency
    former = said[:-1].rstrip(" .")
    word = former[former.rfind(" ") + 1 :]
    return "" if word in SCALES or word[-1:].isdigit() else currency


def _first_sign(before: str) -> str:
    """Return the currency whose sign stands before the first end of a range: "$2-3 billion"."""
    ranged = _range_begun.search(before)
    return "" if ranged is None else CURRENCY_SIGNS[ranged[1]]


def choose_currency(context: Context, unit: str) -> str:
    """Return the unit of a number without a sign, or the currency named before it.

    The currency behind it is that of a price ("USD - 92.50 roubles"), unless it is of the next one.
    """
    code = CURRENCY_CODES.get(context.label, "")
    if unit in CURRENCIES:
        listed = (
            code or measure_of(context.label) in CURRENCIES or context.words[0] in CURRENCY_CODES
        )
        return code if listed and _is_of_next(context) else unit
    return code if code and unit != PERCENT else unit


def _is_of_next(context: Context) -> bool:
    found = _next.match(context.lower, context.end)
    if found is None:
        return False
    return found[1] in CURRENCY_CODES or measure_of(found[1]) in _LISTED


_NO_LABELS = frozenset(words("grammar.no_labels"))
"""Words with which a line may begin that label no row of a table."""


def subject_of(context: Context, word: str, unit: str) -> str:
    """Return the unit, or what the words around say of people and of what has none.

    `word` is the one behind the number and its scale.
    """
    if unit not in ("person", ""):
        return unit
    # "100 пожарных и 31 машина": the adjective is the noun.
    return (
        harm_near(context)
        or unit
        or (noun_stem(word) if is_adjective(word) else "")
        or _row(context)
    )


def _row(context: Context) -> str:
    """Return what the word before the number says is counted, as in "Brent - 73", or ""."""
    word = context.label
    # The first word of a line is the label of a row: "Net 1,234,567".
    said = context.before.rstrip(" :-.")
    before = said[: len(said) - len(word)]
    first = before.endswith("\n") or (not before and context.numeral.start == len(context.before))
    return stem(word) if first and word not in _NO_LABELS else noun_stem(word)
