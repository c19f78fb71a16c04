"""What a number counts by its wider context: people, their harm, a currency, a noun, nothing."""

import re

from newsdedup.core.facts import units
from newsdedup.core.facts.context import Context
from newsdedup.core.facts.fact import MILLION
from newsdedup.core.facts.numerals import WORD_VALUES
from newsdedup.data.lang import affixes, pattern, words

_FAR = 120
"""Characters before a number that are searched for "the number of the injured"."""
_NO_END = "".join([f"(?<! {word})" for word in sorted(words("grammar.clause_abbreviations"))])
_clause_end = re.compile(rf"[!?;\n]|{_NO_END}\.(?= |\Z)")
_number_of = re.compile(
    rf"(?:{pattern('units.number_of')} |(?={pattern('units.tolls')}))(\S+(?: \S+){{0,2}})"
)
_REACHED = words("units.reached")
"""Words between "the number of the injured" and how many they are."""


def _harm_near(context: Context) -> str:
    """Return "killed" or "injured" if words near the number say so of those it counts, or ""."""
    for word in reversed(context.before.split()[-3:]):
        harm = units.harm_of(word)
        if harm:
            if _is_in_clause(context, word):
                return harm
            break
    first, second, third = context.words
    behind = "" if first in units.CONJUNCTIONS else units.harm_of(second) or units.harm_of(third)
    return behind or _harm_far_before(context)


def _is_in_clause(context: Context, word: str) -> bool:
    """Return whether a word before the number is in the clause of the number.

    A comma behind another number begins a clause: "погибли 2 человека, 300 эвакуированы".
    """
    start = context.numeral.start
    index = context.lower.rfind(word, 0, start)
    between = context.lower[index:start]
    if _clause_end.search(between):
        return False
    if "," not in between:
        return True
    earlier = context.lower[max(0, start - _FAR) : index + between.rfind(",")]
    return not _has_number(_clause_end.split(earlier)[-1])


def _harm_far_before(context: Context) -> str:
    """Return the one harm of "the number of the injured in the blast rose to 51", or ""."""
    if context.label not in _REACHED:
        return ""
    start = context.numeral.start
    before = context.lower[max(0, start - _FAR) : start]
    for match in _number_of.finditer(before):
        between = before[match.start(1) :]
        if _clause_end.search(between) or _has_number(between):
            continue
        if any(map(units.harm_of, match[1].split())):
            (harm, *others) = {units.harm_of(word) for word in between.split()} - {""}
            return "" if others else harm
    return ""


def _has_number(text: str) -> bool:
    """Return whether there is a number in a text, in digits or in a word."""
    return any(map(str.isdigit, text)) or not WORD_VALUES.keys().isdisjoint(text.split())


_range_begun = re.compile(rf"({units.CURRENCY_SIGN}) ?[0-9][0-9.,]*-\Z")
THOUSAND = frozenset(entry.partition(".")[0] for entry in words("units.thousand_roubles"))
"""What is short for a thousand where roubles follow."""
THOUSAND_ROUBLES = re.compile(rf" ?{pattern('units.thousand_roubles')}")
"""Matches "т.р." behind a number."""
_next = re.compile(r"[ .]*(?:[^\W\d_]{1,10}\.? ){0,2}?([^\W\d_]+)[ :-]{1,3}[0-9]")
"""A currency between a number and the next one: "USD 92 EUR 100"."""
_LISTED = units.CURRENCIES - {"rub", "uah"}
"""Currencies whose price in another one is listed."""


def currency_sign(context: Context) -> str:
    """Return the currency of a sign before the number, "rub" for "т.р." behind it, or ""."""
    before = context.before
    if context.words[0] in THOUSAND and THOUSAND_ROUBLES.match(context.lower, context.end):
        return "rub"
    ranged = _range_begun.search(before) if before[-1:] == "-" else None  # "$2-3 billion"
    return _sign_before(before) or ("" if ranged is None else units.CURRENCY_SIGNS[ranged[1]])


def _sign_before(before: str) -> str:
    """Return the currency of a sign before a number, but not of "5 млн ₽ 700" or "500₽ 700"."""
    bare = before.rstrip(" ")
    currency = units.CURRENCY_SIGNS.get(bare[-1:], "")
    if not currency or bare[-2:-1].isdigit():
        return ""
    if bare == before:
        return currency
    former = bare[:-1].rstrip(" .")
    word = former[former.rfind(" ") + 1 :]
    return "" if word in units.SCALES or word[-1:].isdigit() else currency


def choose_currency(context: Context, unit: str) -> str:
    """Return `unit`, or the currency whose code precedes the number: "USD 92".

    A currency behind the number wins, as in a price ("USD - 92.50 roubles"), unless the next number
    follows it ("USD 92 EUR 100").
    """
    label = context.label
    code = units.CURRENCY_CODES.get(label, "")
    if unit not in units.CURRENCIES:
        return code if code and unit != units.PERCENT else unit
    if (
        code
        or units.measure_of(label) in units.CURRENCIES
        or context.words[0] in units.CURRENCY_CODES
    ):
        behind = _next.match(context.lower, context.end)
        if behind and (behind[1] in units.CURRENCY_CODES or units.measure_of(behind[1]) in _LISTED):
            return code
    return unit


_NO_LABELS = words("grammar.no_labels")
"""First words of a line that label no row of a table."""


def subject_of(context: Context, word: str, unit: str) -> str:
    """Return what a number counts: its `unit`, but for "person" and "" the harm near the number.

    Without unit and harm it is the stem of `word`, which follows the number and its scale, if that
    is an adjective; else that of the label before the number, the head of a table row; else "".
    """
    if unit not in ("person", ""):
        return unit
    # "100 пожарных и 31 машина": the adjective is the noun.
    noun = units.noun_stem(word) if units.is_adjective(word) else ""
    subject = _harm_near(context) or unit or noun
    if subject:
        return subject
    # "Brent - 73". The first word of a line is always the label of a row: "Net 1,234,567".
    label, bare = context.label, context.before.rstrip(" :-.")
    before = bare[: len(bare) - len(label)]
    first = before.endswith("\n") or (not before and context.numeral.start == len(context.before))
    return units.stem(label) if first and label not in _NO_LABELS else units.noun_stem(label)


_LABELS = words("labels.labels", "labels.planes")
_HOUSES = words("labels.houses")
_street = re.compile(rf"{pattern('labels.streets')}\.? [^,.;\n\d]{{2,32}}, \Z")
OF_MANY = affixes("grammar.many_endings")
"""Endings of a noun after a number that counts it, which is no house: "на улице Мира, 10 домов"."""


def is_name(context: Context, unit: str) -> bool:
    """Return whether a number labels something and counts nothing: "ст. 15", "Boeing 737"."""
    label = context.label
    if label in _LABELS:
        return unit != "minute"  # "в 9 ч 30 мин"
    if label in _HOUSES:
        return not (units.measure_of(context.words[0]) or units.noun_stem(context.words[0]))
    if not context.before.endswith(", "):
        return False
    # "На улице Мира, 10, загорелся" has the number of a house.
    (start, _, value, _, plain), word = context.numeral, context.words[0]
    if not plain or value > 400 * MILLION or units.measure_of(word) or word.endswith(OF_MANY):
        return False
    return _street.search(context.lower, max(0, start - 56), start) is not None


_LONGEST = 48
"""Characters of the longest line of page counters."""
_line = re.compile(rf"(?:[\W\d_]++|{pattern('labels.counters', 'labels.near_counters')}(?!\w))++")
_counters = re.compile(rf"(?<!\w){pattern('labels.counters')}")


def is_page_counter(lower: str, start: int) -> bool:
    """Return whether the number is in a line of page counters behind the headline: "Views: 125"."""
    first = lower.rfind("\n", max(0, start - _LONGEST), start) + 1
    if not first:
        return False
    last = lower.find("\n", start, first + _LONGEST)
    end = last if last >= 0 else len(lower)
    counters = end - first <= _LONGEST and _line.fullmatch(lower, first, end)
    return bool(counters and _counters.search(lower, first, end))


_number = re.compile(
    # +44 20 7946 0958, +380 (67) 123-45-67
    r"(?<=\+)[1-9][0-9]{0,3}(?:[ -]?\(?[0-9]{1,6}\)?){2,6}"
    # (555) 123-4567
    r"|(?<=\()[2-9][0-9]{2}\) ?[0-9]{3}-[0-9]{4}"
    # 8 800 555 35 35
    r"|8[ -]\(?[0-9]{3,4}\)?[ -][0-9]{2,3}[ -][0-9]{2}[ -][0-9]{2}"
    # 0 800 123 456, 0800 555 111, 020 7946 0958, (044) 123 45 67
    r"|0[ -]?[0-9]{2,4}\)?(?:[ -][0-9]{2,4}){2,4}"
)
_local = re.compile(r"[0-9]{2,3}-[0-9]{2}-[0-9]{2}\Z")
_code = re.compile(
    r"(?:(?:\+[0-9]{1,3}|\b8)[ -]?)?(?:\([0-9]{3,5}\)|(?<=[0-9][ -])[0-9]{3,5})[ -]?\Z"
)
"""The country and area codes before a local telephone number: "+7 (914) 544-55-32"."""


def telephone_end(lower: str, start: int) -> int:
    """Return the end index of the telephone number that begins at `start`, or 0 if none does."""
    if lower[start] not in "08" and lower[start - 1 : start] not in "+(":
        return 0
    number = _number.match(lower, start)
    if number is None or lower[number.end() : number.end() + 1].isdigit():
        return 0
    return number.end() if sum(map(str.isdigit, number[0])) >= 9 else 0


def local_telephone_start(lower: str, literal: str, start: int) -> int | None:
    """Return where "544-55-32" at `start` begins, its area code included; None for no telephone."""
    if not _local.match(literal):
        return None
    code = _code.search(lower, max(0, start - 14), start)
    return start if code is None else code.start()
