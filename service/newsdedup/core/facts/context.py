"""A number and its neighbours: its sign, its label, the words behind it."""

import re
from typing import NamedTuple

from newsdedup.core.facts.days import MONTHS
from newsdedup.core.facts.fact import FactKind, Numeral
from newsdedup.core.facts.units import (
    ATTACHED_SCALES,
    CURRENCY_CODES,
    CURRENCY_LETTERS,
    CURRENCY_SIGN,
    CURRENCY_SIGNS,
    MONEY_SCALES,
    SCALES,
)
from newsdedup.core.text.tokens import LONGEST_NUMBER, NUMBER, canonical_number
from newsdedup.data.lang import affixes, any_of, pattern, rows, words

_WORD = r"[^\W\d_]{1,24}"

# A sign that touches the number behind it belongs to that one: "в 2024 $5 млрд".
_SIGN = rf"(?:{CURRENCY_SIGN}(?![0-9]))"
_NEXT = rf" ?({_SIGN}|(?<= ){_WORD})"
_tail = re.compile(
    rf"[ -]?({_WORD}|%|°(?:[cсf]\b)?|{_SIGN})\.?"
    rf"(?:{_NEXT}\.?(?:{_NEXT})?)?"
)
_SUFFIXES = sorted(words("grammar.ordinal_suffixes"))
# "-й" behind any digit, "1-ша" behind its own.
_BEHIND_DIGITS = [
    each if each[0] == "-" else f"(?<={each[0]}){each[1:]}" for each in _SUFFIXES if "-" in each
]
_ordinal = re.compile(
    rf"-?{any_of([each for each in _SUFFIXES if each.isalpha()])}"
    rf"|(?:{'|'.join(_BEHIND_DIGITS)})(?![\w-])"
)
_cardinal = re.compile(pattern("grammar.cardinal_suffixes"))
_code = re.compile(rf"(?<!\w)(?:{'|'.join(CURRENCY_CODES)})\Z")
"""A currency that touches the number behind it: "Rs500"."""
_thousands = any_of([*SCALES, *ATTACHED_SCALES, *MONEY_SCALES])
_sum = re.compile(rf"(?:[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9.]+[ -]?{_thousands})(?!\w)")
_letters = re.compile(rf"(?<!\w){any_of(CURRENCY_LETTERS)}\Z")
"""A currency before a sum of thousands or more: "N12bn", "P500,000", and not "N95"."""
_unparted = re.compile("[\u0e00-\u0eff\u3041-\u309f\u3400-\u9fff](?<!第)\\Z")
"""A letter of a script without spaces: a number behind it is no part of a name, "約1200"."""
_first_end = re.compile(r"(?<![\w-])[0-9][0-9.:,]*[^\W\d_]{1,3}-\Z")
"""The first end of a range, with its unit: "9am-5pm"."""
_first_day = re.compile(r"[0-9] ([^\W\d_]{3,9})-\Z")
_SIGN_WORDS = words("numbers.minus", "numbers.plus")
_ABBREVIATED = words("grammar.abbreviations")
"""Words whose dot ends no sentence."""


class Context(NamedTuple):
    """A number and its neighbours."""

    lower: str
    numeral: Numeral
    before: str
    """Up to 28 characters before it, without the word of its sign."""
    words: tuple[str, str, str]
    """The three words behind it in its sentence; "" where there are fewer."""
    end: int
    """Where the number ends, with "-th" and the like."""
    label: str
    """The word before it, with at most a dash or a colon between."""
    ordinal: bool
    """Whether it ends as an ordinal does: "40-й", "28th"."""


def read_context(lower: str, numeral: Numeral) -> Context | None:
    """Return the number with its neighbours, or None where it is a part of a name: "Су-57"."""
    before, code = lower[max(0, numeral.start - 28) : numeral.start], ""
    if before[-1:].isalpha() and not (_code.search(before) or _unparted.search(before)):
        letters = _letters.search(before)
        if letters is None or _sum.match(lower, numeral.start) is None:
            return None
        code = CURRENCY_LETTERS[letters[0]]
    if before[-1:] == "-" and before[-2:-1].isalpha() and not _is_second_end(before):
        return None
    end, ordinal = numeral.end, None
    follows = lower[end : end + 1]
    if follows == "-" or follows.isalpha():
        ordinal = _ordinal.match(lower, end)
        suffix = ordinal or _cardinal.match(lower, end)
        end = end if suffix is None else suffix.end()
    tail = _tail.match(lower, end)
    words = ("", "", "") if tail is None else _words(tail)
    label = code or _label(before)
    if label in _SIGN_WORDS:
        before = before[: before.rindex(label)]
        label = _label(before)
    return Context(lower, numeral, before, words, end, label, ordinal is not None)


def _is_second_end(before: str) -> bool:
    """Return whether a hyphen joins a number to the first end of a range, not to a name."""
    if _first_end.search(before):
        return True
    day = _first_day.search(before)
    return day is not None and day[1] in MONTHS


def _label(before: str) -> str:
    """Return the word that ends the text before a number; "" if there is none or it has a hyphen.

    Blanks, dashes, colons and one dot behind it are skipped. Of "30-july" it is "july".
    """
    bare = before.rstrip(" :-")
    word = bare[max(bare.rfind(" "), bare.rfind("\n")) + 1 :].lstrip("(\"'")
    if word[-1:] == ".":
        word = word[:-1]
    if word[:1].isdigit():  # "June 30-July 5"
        word = word[word.rfind("-") + 1 :]
    return word if word.isalpha() else ""


def _words(tail: re.Match[str]) -> tuple[str, str, str]:
    """Return up to three words after a number in its sentence, "" for each that is missing."""
    first, second, third = tail.groups("")
    if "." in tail[0]:
        text = tail.string
        if text.startswith(".", tail.end(1)) and first not in _ABBREVIATED:
            return first, "", ""
        if text.startswith(".", tail.end(2)) and second not in _ABBREVIATED:
            return first, second, ""
    return first, second, third


_MINUS_WORDS = tuple([f"{word} " for word in words("numbers.minus")])
_NEAR = 24
"""Characters before a number that are searched for its sign and for the range that it ends."""
# A dash behind a number and a space is that of a range: "5 -7"; dots go before the second of two.
_MINUS = r"(?:\A|(?<=[\s(])(?<![0-9]\s)|(?<=\.\.))-"
# The second number of a range has the sign of the first: "-5-7", "-5 -7".
_minus = re.compile(rf"{_MINUS}(?:{CURRENCY_SIGN}?|[0-9]+(?:[.,][0-9]+)? ?-)\Z")
_minus_word = re.compile(rf"(?:\A|[\s(]){pattern('numbers.minus')} \Z")
_after_or = re.compile(rf"{pattern('grammar.or')} \w+ \Z")
"""A choice between signs, "плюс или минус 5", is no sign."""
_ENDED = rf"(?: ?-|\.\.\.| (?:{pattern('grammar.and')}|{pattern('grammar.between')}) )"
_DEGREES = rf"(?:°[cсf]?|{any_of(rows('units.words')['degree'])})?"
_frost_behind = re.compile(
    rf"(?:{_ENDED}[0-9]{{1,2}})?[ -]?{_DEGREES} {pattern('numbers.below_zero')}"
)
_FROST = affixes("numbers.frost") + tuple(
    word for word in words("numbers.below_zero") if not word.startswith(affixes("numbers.frost"))
)
_frost_before = re.compile(
    rf"{pattern('numbers.frost')} (?:{pattern('numbers.frost_does')} )?"
    rf"{pattern('numbers.before_degrees')} (?:[0-9]{{1,2}}{_ENDED})?\Z"
)
_warm = re.compile(rf" ?{_DEGREES} ?{pattern('numbers.above_zero')}")
_fell = re.compile(rf"{pattern('numbers.fell')}[^.;\n]*\((?:-|{pattern('numbers.minus')} )\Z")


def mentions_frost(text: str) -> bool:
    """Return whether a lower-case text may put degrees below zero in words: a quick test."""
    return any(map(text.__contains__, _FROST))


def sign_of(text: str, numeral: Numeral, kind: FactKind, *, frost: bool) -> int:
    """Return -1 for a number below zero, else 1; with `frost`, words may say so, too.

    A minus in brackets that repeats a verb, "упал до 5 (-2%)", does not count.
    """
    start, end = numeral.start, numeral.end
    if _is_negative(text, start):
        may_repeat = kind in (FactKind.PERCENT, FactKind.MONEY)
        return 1 if may_repeat and _fell.search(text, max(0, start - 64), start) else -1
    if not frost:
        return 1
    cold = _frost_before.search(text, max(0, start - 2 * _NEAR), start)
    below = _frost_behind.match(text, end) or (cold and not _warm.match(text, end))
    return -1 if below else 1


def _is_negative(text: str, start: int) -> bool:
    """Return whether a minus, as a sign or a word, precedes the number at index `start`.

    "COVID-19", "5-7" and "- 5" of a list are not.
    """
    if text[start - 1 : start] != " ":
        return has_minus_sign(text, start)
    if not text.endswith(_MINUS_WORDS, 0, start):
        return False
    near = max(0, start - _NEAR)
    return bool(_minus_word.search(text, near, start)) and not _after_or.search(text, near, start)


def has_minus_sign(text: str, start: int) -> bool:
    """Return whether a minus sign, and no hyphen, touches the number that begins at `start`."""
    last = text[start - 1 : start]
    if last != "-" and last not in CURRENCY_SIGNS:
        return False
    return _minus.search(text, max(0, start - _NEAR), start) is not None


def find_signed_numbers(text: str) -> list[str]:
    """Return what `find_numbers` does, with "-" in front where a minus sign touches the number."""
    return [
        ("-" if has_minus_sign(text, match.start(1)) else "") + canonical_number(match[1])
        for match in NUMBER.finditer(text)
        if match[1] and len(match[1]) <= LONGEST_NUMBER
    ]
