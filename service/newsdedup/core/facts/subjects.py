"""What a number counts where no unit stands behind it: people, a noun, the row of a table."""

import re

from newsdedup.core.facts.around import Context
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

_NEAR = 3
"""Words before a number among which one may say what happened."""
_FAR = 120
"""Characters before a number in which the number of the injured may be spoken of."""
_ended = re.compile(r"[!?;\n]|(?<! ок)(?<! г)\.(?= |\Z)")
_TOLD = ("числ", "колич", "кільк", "number of", "death toll")
_number_of = re.compile(
    r"\b(?:числ[оа] |количеств[оа] |кільк(?:ість|ості) |number of |(?=death toll))"
    r"(\S+(?: \S+){0,2})"
)
_REACHED = frozenset(
    (
        *("до", "составило", "составляет", "составила", "достигло", "достигла", "превысило"),
        *("превысила", "становить", "становила", "становило", "складає", "склала", "склало"),
        *("досягла", "досягло", "сягнула", "сягнуло", "перевищила", "перевищило"),
        *("to", "at", "is", "was", "reached", "hit", "passed", "exceeded"),
    )
)
"""Words between the number of the injured and how many they are."""


def harm_near(around: Context) -> str:
    """Return whether the words around say that the people counted are killed or injured."""
    return _before(around) or _behind(around) or _far_before(around)


def _before(around: Context) -> str:
    for word in reversed(around.before.split()[-_NEAR:]):
        found = harm_of(word)
        if found:
            return found if _one_clause(around, word) else ""
    return ""


def _behind(around: Context) -> str:
    first, second, third = around.words
    if first in CONJUNCTIONS:
        return ""
    return (harm_of(second) if second else "") or (harm_of(third) if third else "")


def _one_clause(around: Context, word: str) -> bool:
    """Return whether the word before the number stands in its clause.

    "погибли 2 человека, 300 эвакуированы": behind another number, a comma begins a clause.
    """
    start = around.numeral.start
    place = around.lower.rfind(word, 0, start)
    said = around.lower[place:start]
    if _ended.search(said):
        return False
    if "," not in said:
        return True
    earlier = around.lower[max(0, start - _FAR) : place + said.rfind(",")]
    return not _numbered(_ended.split(earlier)[-1])


def _far_before(around: Context) -> str:
    """Return what "the number of the injured in the blast ... rose to 51" says of the 51."""
    if around.label not in _REACHED:
        return ""
    start = around.numeral.start
    said = around.lower[max(0, start - _FAR) : start]
    if not any(map(said.__contains__, _TOLD)):
        return ""
    for told in _number_of.finditer(said):
        between = said[told.start(1) :]
        if _ended.search(between) or _numbered(between) or not any(map(harm_of, told[1].split())):
            continue
        (found, *others) = {harm_of(word) for word in between.split()} - {""}
        return "" if others else found
    return ""


def _numbered(said: str) -> bool:
    """Return whether there is a number in it, in digits or in a word."""
    return any(map(str.isdigit, said)) or not WORD_VALUES.keys().isdisjoint(said.split())


_range_begun = re.compile(rf"([{''.join(CURRENCY_SIGNS)}]) ?[0-9][0-9.,]*-\Z")
_thousand_roubles = re.compile(r" ?т\. ?р(?:уб)?(?!\w)")
_next = re.compile(r"[ .]*(?:[^\W\d_]{1,10}\.? ){0,2}?([^\W\d_]+)[ :-]{1,3}[0-9]")
"""A currency behind a number that stands before the next one: "USD 92 EUR 100"."""
_LISTED = CURRENCIES - {"rub", "uah"}
"""Currencies that have a price in another one: "92,50 рубля 3 мая" is one."""


def currency_sign(around: Context) -> str:
    """Return the currency of a number told by a sign before it, or by "т.р." behind, or ""."""
    before = around.before
    if around.words[0] == "т" and thousand_roubles(around):
        return "rub"
    return _sign(before) or (_first_sign(before) if before[-1:] == "-" else "")


def thousand_roubles(around: Context) -> bool:
    """Return whether "т.р." stands behind a number."""
    return _thousand_roubles.match(around.lower, around.end) is not None


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


def choose_currency(around: Context, unit: str) -> str:
    """Return the unit of a number without a sign, or the currency named before it.

    The currency behind it is that of a price ("USD - 92.50 roubles"), unless it is of the next one.
    """
    code = CURRENCY_CODES.get(around.label, "")
    if unit in CURRENCIES:
        listed = code or measure_of(around.label) in CURRENCIES or around.words[0] in CURRENCY_CODES
        return code if listed and _is_of_next(around) else unit
    return code if code and unit != PERCENT else unit


def _is_of_next(around: Context) -> bool:
    found = _next.match(around.lower, around.end)
    if found is None:
        return False
    return found[1] in CURRENCY_CODES or measure_of(found[1]) in _LISTED


_NO_LABELS = frozenset(
    (
        *("в", "во", "у", "с", "со", "з", "із", "до", "к", "по", "на", "за"),
        *("от", "від", "о", "об", "и", "а", "і", "та"),
        *("почти", "майже", "около", "близько", "более", "понад", "свыше"),
    )
)
"""Words with which a line may begin that label no row of a table."""


def subject_of(around: Context, word: str, unit: str) -> str:
    """Return the unit, or what the words around say of people and of what has none.

    `word` is the one behind the number and its scale.
    """
    if unit not in ("person", ""):
        return unit
    # "100 пожарных и 31 машина": the adjective is the noun.
    return (
        harm_near(around) or unit or (noun_stem(word) if is_adjective(word) else "") or _row(around)
    )


def _row(around: Context) -> str:
    """Return what the word before the number says is counted, as in "Brent - 73", or ""."""
    word = around.label
    # The first word of a line is the label of a row: "Net 1,234,567".
    said = around.before.rstrip(" :-.")
    before = said[: len(said) - len(word)]
    first = before.endswith("\n") or (not before and around.numeral.start == len(around.before))
    return stem(word) if first and word not in _NO_LABELS else noun_stem(word)
