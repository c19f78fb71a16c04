"""The largest number of couples: each of either side at most once."""

from collections.abc import Mapping, Sequence


def most_couples(partners: Mapping[int, Sequence[int]]) -> int:
    """Return how many of the keys can have one of their partners for themselves.

    Maximum bipartite matching by augmenting paths (Berge 1957): as long as someone without a
    partner can reach a free one by others changing theirs, one more couple is made. The number
    is the same from either side.
    """
    holder: dict[int, int] = {}
    held: dict[int, int] = {}
    return sum([_engage(one, partners, holder, held) for one in partners])


def _engage(
    one: int,
    partners: Mapping[int, Sequence[int]],
    holder: dict[int, int],
    held: dict[int, int],
) -> bool:
    """Return whether a partner was found; those in the way take another."""
    asker: dict[int, int] = {}
    waiting = [one]
    for asking in waiting:
        for partner in partners[asking]:
            if partner in asker:
                continue
            asker[partner] = asking
            if partner not in holder:
                _change(partner, one, asker, holder, held)
                return True
            waiting.append(holder[partner])
    return False


def _change(
    partner: int, one: int, asker: Mapping[int, int], holder: dict[int, int], held: dict[int, int]
) -> None:
    """Give the free partner to who asked for it, what that one had to who asked for that, ..."""
    asking = asker[partner]
    while asking != one:
        left = held[asking]
        holder[partner], held[asking] = asking, partner
        partner, asking = left, asker[left]
    holder[partner], held[one] = one, partner
