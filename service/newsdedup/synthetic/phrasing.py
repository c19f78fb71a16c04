"""Sentence templates: spintax, two phrasings of every fact, slots for its values.

`[said|told]` is a free choice, `{who.gen}` a form of a fact, `<cause>` a fact in words that
has a phrasing of its own in either template: "fog ~ poor visibility".
"""

import re
from collections.abc import Iterable, Mapping
from itertools import product
from random import Random
from typing import NamedTuple


class Sentence(NamedTuple):
    """A template with its free choices apart, and the names of the facts it needs."""

    pieces: tuple[str, ...]
    """The fixed text, with "" in the place of each choice."""
    choices: tuple[tuple[int, tuple[str, ...]], ...]
    """The place of each choice in `pieces`, and its options."""
    needs: tuple[str, ...]


PhrasingPair = tuple[Sentence, Sentence]
"""Two phrasings of one fact."""


class Wordings(NamedTuple):
    """A fact in words: its two phrasings, then both with a capital to open a sentence."""

    a: str
    b: str
    A: str
    B: str


_CHOICE = re.compile(r"\[([^\]]*)\]")
_WORDS = re.compile(r"(^|[.!?] )?<([a-z_]+)>")
_NEED = re.compile(r"\{([a-z_][a-z_0-9]*)")


def parse_sentence(text: str, phrasing: int = 0) -> Sentence:
    """Parse a template; each `<fact>` in it takes the wording of this phrasing, 0 or 1.

    A `<fact>` that opens a sentence takes the wording with a capital.
    """
    marked = _WORDS.sub(lambda found: _slot(found, phrasing), text)
    parts = _CHOICE.split(marked)
    return Sentence(
        pieces=tuple("" if index % 2 else part for index, part in enumerate(parts)),
        choices=tuple((at, tuple(parts[at].split("|"))) for at in range(1, len(parts), 2)),
        needs=tuple(dict.fromkeys(_NEED.findall(marked))),
    )


def _slot(found: re.Match[str], phrasing: int) -> str:
    """Return the slot for a match of _WORDS: {name.a} or {name.b}, capital at the beginning."""
    opening, name = found.groups()
    form = "ab"[phrasing] if opening is None else "AB"[phrasing]
    return f"{opening or ''}{{{name}.{form}}}"


def parse_pair(texts: list[str]) -> PhrasingPair:
    """Parse the two templates of a fact, each with the wordings of its own phrasing."""
    return parse_sentence(texts[0], 0), parse_sentence(texts[1], 1)


def parse_wordings(text: str) -> Wordings:
    """Parse a fact in words, `this ~ that`, or one wording that serves both phrasings."""
    first, _, second = text.partition(" ~ ")
    second = second or first
    return Wordings(first, second, first[0].upper() + first[1:], second[0].upper() + second[1:])


def make_choices(template: Sentence, rng: Random) -> str:
    """Return the text of the template with one option drawn for each choice; slots stay open."""
    pieces, chance = list(template.pieces), rng.random
    for at, options in template.choices:
        pieces[at] = options[int(chance() * len(options))]
    return "".join(pieces)


def render_sentence(template: str, facts: Mapping[str, object]) -> str:
    """Fill the slots of a text and capitalize its first letter; KeyError if a fact is missing."""
    text = template.format_map(facts)
    return text if text[0].isupper() else text[0].upper() + text[1:]


Rings = Mapping[str, tuple[str, ...]]
"""By word of the templates, the words of the same form that may stand there, itself first."""

MOST_VARIANTS = 12
"""No more variants are made of one phrase: a long phrase with many rings must not flood a pool."""

_PARTS = re.compile(r"(\{[^}]*\}|<[^>]*>|\[[^\]]*\])")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def parse_rings(lines: Iterable[str]) -> Rings:
    """Parse lines `this|that|other` into rings by their first word, as written and capitalized.

    A ring is a group of words of one form that may replace its first word.
    """
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        words = tuple(line.split("|"))
        found[words[0]] = words
        capitals = tuple(word[0].upper() + word[1:] for word in words)
        found[capitals[0]] = capitals
    return found


def add_choices(template: str, rings: Rings) -> str:
    """Return the template with each word that has a ring turned into a free choice; slots stay.

    An existing choice gains options: `[said|told]` becomes `[said|noted|told]`.
    """
    parts = _PARTS.split(template)
    for index, part in enumerate(parts):
        if part.startswith("["):
            options = [way for option in part[1:-1].split("|") for way in variants(option, rings)]
            parts[index] = "[" + "|".join(dict.fromkeys(options)) + "]"
        elif index % 2 == 0:
            parts[index] = _WORD.sub(lambda found: _choice(found[0], rings), part)
    return "".join(parts)


def _choice(word: str, rings: Rings) -> str:
    """Return the word as a free choice among its ring, or as it is if it has none."""
    ring = rings.get(word)
    return word if ring is None else "[" + "|".join(ring) + "]"


def variants(phrase: str, rings: Rings) -> list[str]:
    """Return at most MOST_VARIANTS of the ways to replace words of the phrase from their rings.

    A phrase with slots stays as it is.
    """
    if "{" in phrase or "<" in phrase:
        return [phrase]
    parts: list[tuple[str, ...]] = []
    end = 0
    for found in _WORD.finditer(phrase):
        if found[0] in rings:
            parts += [(phrase[end : found.start()],), rings[found[0]]]
            end = found.end()
    if not parts:
        return [phrase]
    ways = ["".join(way) for way in product(*parts, (phrase[end:],))]
    # Spread over all ways, so that each word of a ring has its turn.
    return ways[:: -(-len(ways) // MOST_VARIANTS)]
