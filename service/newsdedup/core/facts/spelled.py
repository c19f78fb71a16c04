"""Numbers in words: "двадцать пять тысяч", "twenty-five", "двоє"."""

import re
from collections.abc import Collection, Iterable, Iterator

from newsdedup.core.facts.fact import MILLION, Numeral
from newsdedup.core.facts.units import DOZENS, PEOPLE, SCALES, measure_of, rounding_step
from newsdedup.data.lang import affixes, numbered, pattern, words

_VALUES = numbered("numbers.words")
_ENGLISH = numbered("numbers.words", ["en"])
_COMPOUND = {
    f"{ten}-{one}": tens + ones
    for ten, tens in _ENGLISH.items()
    for one, ones in _ENGLISH.items()
    if ones < 10 and tens >= 20
}
_ONE = frozenset(word for word, value in _VALUES.items() if value == 1)
"""Mostly a pronoun; a quantity only behind tens and hundreds, or before a word for people."""
_HALF_SCALES = words("numbers.half_scales")
_HALF_WORDS = words("numbers.half")
HALF_WORDS = words("numbers.halves")
_DIGIT_RANKS = {
    word: 3 if value >= 100 else 2 if value >= 20 else 1 for word, value in _VALUES.items()
} | dict.fromkeys(_COMPOUND, 2)
"""The digit of a number that a word is, counted from the right: each word ranks below the last."""
WORD_VALUES = {word: value * MILLION for word, value in (_VALUES | _COMPOUND).items()}
WORD_VALUES |= dict.fromkeys(words("numbers.one_and_a_half"), 3 * MILLION // 2)
_STARTS = frozenset(WORD_VALUES) | {"hundred"}
"""What a spelled-out number can begin with; "a hundred" too."""
_ORDINAL_BEGINNINGS = affixes("numbers.ordinals")


_ALONE = words("numbers.alone")
_ABOUT_ONE = words("numbers.about_one")
_about = re.compile(rf"{pattern('numbers.about')} \Z")
NUMBER_WORDS = _STARTS | _ALONE | _HALF_SCALES | _HALF_WORDS | _ABOUT_ONE
_next = re.compile(r"(?: and|)[ -]([^\W\d_]{1,14}(?:['-][^\W\d_]{2,9})?)(?![\w'])")
_word = re.compile(r"([^\W\d_]{1,14})(?![\w'])")
_and_a_half = re.compile(rf" {pattern('numbers.and_a_half')}(?!')")
_HALF = 3
"""Characters of "пол" and "пів"."""
_THOUSAND = 1_000


def find_spelled_numbers(lower: str, number_words: Collection[str]) -> list[Numeral]:
    """Return the numbers that begin with one of these `NUMBER_WORDS`, in order, without overlap."""
    numbers: list[Numeral] = []
    starts = sorted(each for form in number_words for each in _occurrences(lower, form))
    for start, word in starts:
        if numbers and start < numbers[-1].end:
            continue
        numeral = _numeral(lower, start, word)
        if numeral is not None:
            numbers.append(numeral)
    return numbers


def add_halves(lower: str, numbers: Iterable[Numeral]) -> list[Numeral]:
    """Return all the numbers; whole ones before "с половиной" or "and a half" have it added."""
    added = []
    for number in numbers:
        half = None if number.value % MILLION else _and_a_half.match(lower, number.end)
        if half is None:
            added.append(number)
            continue
        value = number.value + MILLION // 2
        added.append(Numeral(number.start, half.end(), value, rounding_step(value), plain=False))
    return added


def _occurrences(lower: str, word: str) -> Iterator[tuple[int, str]]:
    """Yield (start, word) wherever the word is by itself, and not behind a hyphen."""
    start = lower.find(word)
    while start >= 0:
        end = start + len(word)
        before, after = lower[start - 1 : start], lower[end : end + 1]
        if not (before.isalnum() or before in ("-", "'")) and not (after.isalnum() or after == "'"):
            yield start, word
        start = lower.find(word, end)


def _numeral(lower: str, start: int, word: str) -> Numeral | None:
    """Return the number that begins with the word at `start`, or None: "пів року", "друг"."""
    if word in _HALF_WORDS:
        ahead = _next.match(lower, start + _HALF)
        if ahead is None or (ahead[1] not in SCALES and ahead[1] not in DOZENS):
            return None  # "пів року"
    if word in _HALF_WORDS or word in _HALF_SCALES:
        return Numeral(start, start + _HALF, MILLION // 2, MILLION // 10, plain=False)
    if word in _ABOUT_ONE:
        about = _about.search(lower, max(0, start - 20), start)
        first = None if about is None else Numeral(start, start, MILLION, MILLION, plain=False)
    else:
        first = _alone(lower, start) if word in _ALONE else _group(lower, start, word)
    return None if first is None else _with_thousands(lower, first)


def _with_thousands(lower: str, thousands: Numeral) -> Numeral:
    """Return the number with a "thousand two hundred" behind it added, or as it is without one."""
    end = thousands.end
    scale = _word.match(lower, end) if end == thousands.start else _next.match(lower, end)
    if scale is None or SCALES.get(scale[1]) != _THOUSAND or thousands.value >= 1_000 * MILLION:
        return thousands
    ahead = _next.match(lower, scale.end())
    if ahead is None or ahead[1] not in WORD_VALUES or ahead[1] in _ONE:
        return thousands
    rest = _group(lower, ahead.start(1), ahead[1])
    if rest is None or rest.value % MILLION:
        return thousands
    value = thousands.value * _THOUSAND + rest.value
    return Numeral(thousands.start, rest.end, value, rounding_step(value), plain=False)


def _group(lower: str, start: int, word: str) -> Numeral | None:
    """Return the number without scale that begins with the word, or None if none does.

    A lone "one" is mostly a pronoun, and "twenty-first" is an ordinal: neither is a number here.
    """
    value, left = WORD_VALUES.get(word, 100 * MILLION), _digit_rank(word)
    end = start + len(word)
    ahead = _next.match(lower, end)
    words = 1
    while ahead is not None and words < 5:
        follows = ahead[1]
        if follows == "hundred" and value < 100 * MILLION:
            value, left = value * 100, 3
        elif _DIGIT_RANKS.get(follows, left) < left:
            value, left = value + WORD_VALUES[follows], _digit_rank(follows)
        else:
            break
        words += 1
        end = ahead.end()
        ahead = _next.match(lower, end)
    follows = "" if ahead is None else ahead[1]
    pronoun = word in _ONE and words == 1 and measure_of(follows) not in PEOPLE
    counts = follows in WORD_VALUES or follows in DOZENS
    if pronoun or (follows.startswith(_ORDINAL_BEGINNINGS) and not counts):
        return None
    return Numeral(start, end, value, rounding_step(value), plain=False)


def _digit_rank(word: str) -> int:
    """Return 3 for hundreds, 2 for tens, 1 for ones; the next word of a number must rank lower."""
    return 1 if "-" in word else _DIGIT_RANKS.get(word, 3 if word == "hundred" else 1)


def _alone(lower: str, start: int) -> Numeral | None:
    """Return the 1, or half, of a scale at `start` without a number: "тысяча", "half a million"."""
    before = lower[max(0, start - 20) : start].split()
    if before[-1:] == ["a"]:
        before.pop()
    last = before[-1] if before else ""
    if last in HALF_WORDS:
        one_and = "and" in before[-3:]
        if before[-4:-3] != ["one"] if one_and else last != "half":
            return None  # "half" ends another number
        value = MILLION // 2 + (MILLION if one_and else 0)
        return Numeral(start, start, value, MILLION // 10, plain=False)
    if last in _STARTS or last in DOZENS or last[-1:].isdigit():
        return None
    return Numeral(start, start, MILLION, MILLION, plain=False)
