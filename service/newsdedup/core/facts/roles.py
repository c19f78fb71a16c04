"""What happened to the people whom a number counts, told by the words of its own clause."""

import re

from newsdedup.core.facts.around import Around
from newsdedup.core.facts.number_words import VALUES
from newsdedup.core.facts.units import AND, harm

_NEAR = 3
"""Words before a number among which one may say what happened."""
_FAR = 120
"""Characters before a number in which the number of the injured may be spoken of."""
_ended = re.compile(r"[!?;\n]|(?<! ок)(?<! г)\.(?= |\Z)")
_TOLD = ("числ", "колич", "кільк", "number of", "death toll")
_told = re.compile(
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


def role(around: Around) -> str:
    """Return whether the words around say that the people counted are killed or injured."""
    return _before(around) or _behind(around) or _far_before(around)


def _before(around: Around) -> str:
    for word in reversed(around.before.split()[-_NEAR:]):
        found = harm(word)
        if found:
            return found if _one_clause(around, word) else ""
    return ""


def _behind(around: Around) -> str:
    first, second, third = around.words
    if first in AND:
        return ""
    return (harm(second) if second else "") or (harm(third) if third else "")


def _one_clause(around: Around, word: str) -> bool:
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


def _far_before(around: Around) -> str:
    """Return what "the number of the injured in the blast ... rose to 51" says of the 51."""
    if around.label not in _REACHED:
        return ""
    start = around.numeral.start
    said = around.lower[max(0, start - _FAR) : start]
    if not any(map(said.__contains__, _TOLD)):
        return ""
    for told in _told.finditer(said):
        between = said[told.start(1) :]
        if _ended.search(between) or _numbered(between) or not any(map(harm, told[1].split())):
            continue
        (found, *others) = {harm(word) for word in between.split()} - {""}
        return "" if others else found
    return ""


def _numbered(said: str) -> bool:
    """Return whether there is a number in it, in digits or in a word."""
    return any(map(str.isdigit, said)) or not VALUES.keys().isdisjoint(said.split())
