"""Rings of words that can stand for each other: what keeps two reports from sharing all verbs."""

import re
from collections.abc import Iterable, Mapping
from itertools import product

Rings = Mapping[str, tuple[str, ...]]
"""A word of the templates to the words of the same form it can be replaced by, itself first."""

MOST = 12
"""No more variants are made of one phrase: a long phrase with many rings must not flood a pool."""

_PARTS = re.compile(r"(\{[^}]*\}|<[^>]*>|\[[^\]]*\])")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def rings(lines: Iterable[str]) -> Rings:
    """Return the rings of `this|that|other` lines, each by its first word, small and capital."""
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        words = tuple(line.split("|"))
        found[words[0]] = words
        capitals = tuple(word[0].upper() + word[1:] for word in words)
        found[capitals[0]] = capitals
    return found


def loosened(template: str, known: Rings) -> str:
    """Return a template whose words of a ring are free choices; slots stay as they are.

    A choice gains options: `[said|told]` becomes `[said|noted|told]`.
    """
    parts = _PARTS.split(template)
    for place, part in enumerate(parts):
        if part.startswith("["):
            options = [told for option in part[1:-1].split("|") for told in variants(option, known)]
            parts[place] = "[" + "|".join(dict.fromkeys(options)) + "]"
        elif place % 2 == 0:
            parts[place] = _WORD.sub(lambda found: _choice(found[0], known), part)
    return "".join(parts)


def _choice(word: str, known: Rings) -> str:
    ring = known.get(word)
    return word if ring is None else "[" + "|".join(ring) + "]"


def variants(phrase: str, known: Rings) -> list[str]:
    """Return the phrase with its words of a ring replaced in every way, MOST ways at most."""
    if "{" in phrase or "<" in phrase:
        return [phrase]
    parts: list[tuple[str, ...]] = []
    end = 0
    for found in _WORD.finditer(phrase):
        if found[0] in known:
            parts += [(phrase[end : found.start()],), known[found[0]]]
            end = found.end()
    if not parts:
        return [phrase]
    ways = ["".join(way) for way in product(*parts, (phrase[end:],))]
    # Spread over all ways, so that each word of a ring has its turn.
    return ways[:: -(-len(ways) // MOST)]
