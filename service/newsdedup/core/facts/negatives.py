"""Which numbers are below zero: a sign touches them, or a word beside them says so."""

import re

from newsdedup.core.facts.units import SIGNS

_WORDS = frozenset(("минус ", "мінус ", "minus "))
_WORD = 6
_NEAR = 24
"""Characters before a number in which its sign stands, and the range that it ends."""
# A dash behind a number and a space is that of a range: "5 -7"; dots go before the second of two.
_SIGN = r"(?:\A|(?<=[\s(])(?<![0-9]\s)|(?<=\.\.))-"
# The second number of a range has the sign of the first: "-5-7", "-5 -7".
_minus = re.compile(rf"{_SIGN}(?:[{''.join(SIGNS)}]?|[0-9]+(?:[.,][0-9]+)? ?-)\Z")
_word = re.compile(r"(?:\A|[\s(])(?<!\bor )(?<!\bили )(?<!\bабо )(?<!\bчи )\w+ \Z")
_ENDED = r"(?: ?-|\.\.\.| (?:до|и|і|й|та|to|and) )"
_frost_behind = re.compile(
    rf"(?:{_ENDED}[0-9]{{1,2}})?[ -]?(?:°[cсf]?|градус\w*|degrees)?"
    r" (?:мороз(?:а|у|ы|ом)?|ниже (?:нуля|ноля)|нижче нуля|below zero|of frost)\b"
)
_frost_before = re.compile(
    r"мороз\w* (?:(?:\w*(?:усил|окреп|ослаб|достиг|сягн|міцн)\w*|буд[еу]\w*) )?"
    rf"(?:до|в|около|от|від|близько|понад|свыше) (?:[0-9]{{1,2}}{_ENDED})?\Z"
)
_warm = re.compile(r" ?(?:°[cсf]?|градус\w*)? ?(?:тепла|выше|вище|above)\b")
_fell = re.compile(
    r"(?:сниз|сниж|упа[лд]|падает|опуст|подешев|дешев|потеря|теря|сокра|уменьш|просе|обвал|знизи|знижу|впа[влд]"
    r"|здешев|втра|скоро|зменш|просі|\bfell|drop|declin|\blost|slip|\bdown)[^.;\n]*"
    r"\((?:-|минус |мінус |minus )\Z"
)
_CLAUSE = 64
"""Characters before a sign in brackets in which a word says that a value fell."""


def frosty(text: str) -> bool:
    """Return whether a lower-case text may speak of degrees below zero in words."""
    return "мороз" in text or " нуля" in text or " ноля" in text or "below z" in text


def below_zero(text: str, start: int, end: int) -> bool:
    """Return whether words put the degrees of a number below zero: "5 градусов мороза"."""
    if _frost_behind.match(text, end):
        return True
    cold = _frost_before.search(text, max(0, start - 2 * _NEAR), start)
    return cold is not None and _warm.match(text, end) is None


def fallen(text: str, start: int) -> bool:
    """Return whether the sign in brackets says again what a word said: "упал до 5 (-2%)"."""
    return _fell.search(text, max(0, start - _CLAUSE), start) is not None


def negative(text: str, start: int) -> bool:
    """Return whether a number that begins there in a lower-case text is below zero.

    "COVID-19", "5-7" and "- 5" of a list are not.
    """
    if text[start - 1 : start] != " ":
        return signed(text, start)
    near = text[max(0, start - _WORD) : start]
    return near in _WORDS and _word.search(text, max(0, start - _NEAR), start) is not None


def signed(text: str, start: int) -> bool:
    """Return whether a minus sign makes the number that begins there one below zero."""
    last = text[start - 1 : start]
    if last != "-" and last not in SIGNS:
        return False
    return _minus.search(text, max(0, start - _NEAR), start) is not None
