"""Names of items as people write them: ID, or SOURCE/ID where two sources use one id."""

import heapq
from collections.abc import Iterable, Iterator

from newsdedup.core.model import ItemKey


def item_name(key: ItemKey) -> str:
    """Return the name of an item: SOURCE/ID, or ID if it has no source."""
    return f"{key.source}/{key.id}" if key.source else key.id


def possible_keys(name: str) -> Iterator[ItemKey]:
    """Yield each identity that a name SOURCE/ID may mean: one for each slash in it."""
    for at, character in enumerate(name):
        if character == "/":
            yield ItemKey(name[:at], name[at + 1 :])


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three of the known names that begin and end most like this one, best first.

    Likeness is the share of equal characters from the left and from the right, which is high after
    one typing error, and fast enough for a million names. Names of a likeness below a half are left
    out, unless they begin with this one.
    """
    unlike = ((-_likeness(name, other), other) for other in known)
    nearest = heapq.nsmallest(3, (pair for pair in unlike if pair[0] <= -1 / 2))
    return [other for _, other in nearest]


def _likeness(one: str, other: str) -> float:
    """Return how alike two names are, from 0 to 1, as `nearest_names` defines it."""
    if len(one) >= 4 and other.startswith(one):
        return 1.0
    shorter, longer = sorted((len(one), len(other)))
    if not longer or 2 * shorter < longer:
        return 0.0
    left = _agreeing(one, other)
    right = min(_agreeing(one[::-1], other[::-1]), shorter - left)
    return (left + right) / longer


def _agreeing(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
