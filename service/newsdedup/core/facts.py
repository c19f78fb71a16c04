import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from newsdedup.core.model import Language
from newsdedup.core.vocabulary import Vocabulary

MOST_NUMBERS = 64
MOST_NAMES = 12
HEAD = 2_000
"""Characters in which names are looked for: who it is about stands at the head of a message."""
DIGITS = "0123456789"
LONGEST_NUMBER = 24
"""Longer runs of digits are account numbers and noise."""

# Groups of three after a space are one number (12 500), unless a year stands before (2024 100).
# It begins with a character class alone, which the engine finds fast.
NUMBER = re.compile(r"[0-9]+(?:(?<![0-9]{4})(?: [0-9]{3}(?![0-9])){1,4})?(?:[.,:][0-9]+)*(?: ?%)?")

_CAPITAL = "[A-ZÀ-ÖØ-ÞА-ЯІЇЄҐ]"
_QUOTE = "[\"'(]"
# What stands before the space is neither the end of a sentence nor the dash of speech or a list.
_INSIDE = "[^\\s.!?:*-]"

# It begins with a literal space, which the engine finds fast, and asks for the capital before it
# looks back: most words fail there.
NAME = re.compile(
    f" (?:(?={_CAPITAL})(?<={_INSIDE} )|{_QUOTE}(?={_CAPITAL})(?<={_INSIDE} {_QUOTE}))"
    r"(\w+(?:['-]\w+)*)"
)


def said_numbers(text: str) -> list[str]:
    """Return the numbers of the text in its order, canonical, repeated as they are."""
    if not any(map(text.__contains__, DIGITS)):
        return []
    return [canonical(n) for n in NUMBER.findall(text) if len(n) <= LONGEST_NUMBER]


def numbers(said: Iterable[str]) -> tuple[str, ...]:
    """Return the first 64 distinct numbers, sorted as text."""
    return tuple(sorted(islice(dict.fromkeys(said), MOST_NUMBERS)))


def canonical(written: str) -> str:
    """Return one spelling for all spellings of a number.

    "1 200", "1,200" and "1200" are "1200"; "3,5" and "3.50" are "3.5"; "15 %" is "15%"; scores
    and times ("2:1"), dates and versions ("5.11.2024") stay as written.

    A comma before exactly three digits is taken for the English thousands sign, since Russian
    and Ukrainian news seldom gives three decimals; a dot is always decimal.
    """
    number = written.rstrip(" %")
    percent = "%" if number != written else ""
    whole, *rest = number.replace(" ", "").replace(",", ".").split(".")
    if ":" in number or (len(rest) > 1 and "," not in number):
        return number + percent
    if rest and "," in number and whole != "0":
        while rest and len(rest[0]) == 3:
            whole += rest.pop(0)
    whole = whole.lstrip("0") or "0"
    decimals = ".".join(rest).rstrip("0")
    return f"{whole}.{decimals}{percent}" if decimals else whole + percent


def names(text: str, vocabulary: Vocabulary, lang: Language) -> tuple[str, ...]:
    """Return up to 12 lemmas that the head of the text writes with a capital inside a sentence.

    The most frequent come first, equally frequent ones in alphabetical order. The headline of an
    English text is passed over where more follows: English prints its words with capitals.
    """
    prose = text.partition("\n")[2] if lang == "en" else ""
    capitalized = NAME.findall(prose or text, 0, HEAD)
    if not capitalized:
        return ()
    terms = vocabulary.terms(map(str.lower, capitalized), lang)
    counted = Counter([term.lemma for term in terms])
    # Sorting keeps the order of equals, reversed or not.
    ranked = sorted(sorted(counted), key=counted.__getitem__, reverse=True)
    return tuple(ranked[:MOST_NAMES])
