"""Whether two digests, or two versions of one, tell the same messages."""

from collections.abc import Sequence

from newsdedup.core.model import Passage


def same_messages(left: Sequence[Passage], right: Sequence[Passage]) -> bool:
    """Return whether each tells every message of the other, in whatever order and words."""
    return _covers(left, right) and _covers(right, left)


def mostly_the_same(left: Sequence[Passage], right: Sequence[Passage]) -> bool:
    """Return whether two digests share most messages of the one that has more.

    Two editions of a morning begin with the same message and go on with others: whole texts seem
    alike by their beginnings.
    """
    shared, of = shared_messages(left, right)
    return 2 * shared > of


def shared_messages(left: Sequence[Passage], right: Sequence[Passage]) -> tuple[int, int]:
    """Return how many messages of the digest that has more the other one has, and how many it has.

    Of two that have as many it is the same one, in whatever order they come.
    """
    fewer, more = sorted((left, right), key=_length)
    return sum([any(_same_terms(one, other) for other in fewer) for one in more]), len(more)


def _length(digest: Sequence[Passage]) -> tuple[int, list[tuple[int, ...]]]:
    return len(digest), [passage.terms for passage in digest]


def _covers(left: Sequence[Passage], right: Sequence[Passage]) -> bool:
    return all(any(_same_terms(one, other) for other in left) for one in right)


def _same_terms(left: Passage, right: Passage) -> bool:
    """Return whether two messages share half of the terms of the longer signature."""
    shared = len(set(left.terms).intersection(right.terms))
    return 2 * shared >= max(len(left.terms), len(right.terms))
