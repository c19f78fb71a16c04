"""Sentence templates: spintax, two phrasings of every fact, slots for its values.

`[said|told]` is a free choice, `{who.gen}` a form of a fact, `<cause>` a fact in words that
has a phrasing of its own in either template: "fog ~ poor visibility".
"""

import re
from collections.abc import Mapping
from random import Random
from typing import NamedTuple


class Sentence(NamedTuple):
    """A template with its free choices apart, and the names of the facts it needs."""

    pieces: tuple[str, ...]
    """What always stands there, with a gap for each choice."""
    choices: tuple[tuple[int, tuple[str, ...]], ...]
    """The gaps and what may fill them."""
    needs: tuple[str, ...]


Pair = tuple[Sentence, Sentence]
"""Two phrasings of one fact."""


class Words(NamedTuple):
    """A fact in words: its two phrasings, then the same opening a sentence."""

    a: str
    b: str
    A: str
    B: str


_CHOICE = re.compile(r"\[([^\]]*)\]")
_WORDS = re.compile(r"(^|[.!?] )?<([a-z_]+)>")
_NEED = re.compile(r"\{([a-z_][a-z_0-9]*)")


def sentence(text: str, phrasing: int = 0) -> Sentence:
    """Return a template; a fact in words opens a sentence with a capital."""
    marked = _WORDS.sub(lambda found: _slot(found, phrasing), text)
    parts = _CHOICE.split(marked)
    return Sentence(
        pieces=tuple("" if place % 2 else part for place, part in enumerate(parts)),
        choices=tuple((at, tuple(parts[at].split("|"))) for at in range(1, len(parts), 2)),
        needs=tuple(dict.fromkeys(_NEED.findall(marked))),
    )


def _slot(found: re.Match[str], phrasing: int) -> str:
    opening, name = found.groups()
    form = "ab"[phrasing] if opening is None else "AB"[phrasing]
    return f"{opening or ''}{{{name}.{form}}}"


def pair(texts: list[str]) -> Pair:
    """Return both phrasings of a fact."""
    return sentence(texts[0], 0), sentence(texts[1], 1)


def words(text: str) -> Words:
    """Return a fact in words from `this ~ that`, or from one phrasing for both."""
    first, _, second = text.partition(" ~ ")
    second = second or first
    return Words(first, second, first[0].upper() + first[1:], second[0].upper() + second[1:])


def settled(template: Sentence, rng: Random) -> str:
    """Return the template with its free choices made."""
    pieces, chance = list(template.pieces), rng.random
    for at, options in template.choices:
        pieces[at] = options[int(chance() * len(options))]
    return "".join(pieces)


def said(template: str, facts: Mapping[str, object]) -> str:
    """Return the sentence the facts make of a settled template."""
    text = template.format_map(facts)
    return text if text[0].isupper() else text[0].upper() + text[1:]
