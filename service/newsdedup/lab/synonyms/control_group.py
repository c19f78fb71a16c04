"""The documents that a study compares, each with each: duplicates, and others around them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import xxhash

from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import SourceUnusable

Cluster = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """Documents by their places in a collection, and what is known of them.

    True clusters are taken whole, those of several documents and those of one each with a chance
    of their own; a document stands for `weights` of its kind.
    """

    places: tuple[int, ...]
    clusters: tuple[int, ...]
    """The true cluster of each document, by number."""
    weights: tuple[float, ...]
    labelled: tuple[tuple[int, int, bool], ...] = ()
    """Pairs by numbers in this group. If there are any, nothing is known of other pairs."""

    def told(self) -> dict[str, Any]:
        """Return it as JSON knows it."""
        return {
            "places": self.places,
            "clusters": self.clusters,
            "weights": self.weights,
            "labelled": self.labelled,
        }


def labelled_group(pairs: Sequence[tuple[int, int, bool]]) -> ControlGroup:
    """Return all documents of labelled pairs, for their number is what people could compare."""
    places = sorted({place for left, right, _ in pairs for place in (left, right)})
    number = {place: at for at, place in enumerate(places)}
    labelled = tuple((number[left], number[right], same) for left, right, same in pairs)
    return ControlGroup(tuple(places), tuple(range(len(places))), (1.0,) * len(places), labelled)


def control_group(
    clusters: Sequence[Cluster], keys: Sequence[ItemKey], *, most: int
) -> ControlGroup:
    """Return at most so many documents, half of them in clusters of several, chosen by hash."""
    several = [cluster for cluster in clusters if len(cluster) > 1]
    alone = [cluster for cluster in clusters if len(cluster) == 1]
    taken, weight = _taken(several, keys, most // 2)
    if not taken:
        raise SourceUnusable("no two of the items are duplicates by the truth: nothing to compare")
    rest, of_rest = _taken(alone, keys, most - sum(map(len, taken)))
    members = [
        (place, number, worth)
        for number, (cluster, worth) in enumerate(
            [*((cluster, weight) for cluster in taken), *((cluster, of_rest) for cluster in rest)]
        )
        for place in cluster
    ]
    places, numbers, weights = zip(*members, strict=True)
    return ControlGroup(tuple(places), tuple(numbers), tuple(weights))


def kept(told: dict[str, Any]) -> ControlGroup:
    """Return a group as it was before it was told."""
    labelled = tuple((left, right, same) for left, right, same in told["labelled"])
    return ControlGroup(
        tuple(told["places"]), tuple(told["clusters"]), tuple(told["weights"]), labelled
    )


def _taken(
    clusters: Sequence[Cluster], keys: Sequence[ItemKey], most: int
) -> tuple[list[Cluster], float]:
    """Return clusters by the hash of their first documents, and for how many each stands.

    A cluster that is larger than the room is left out and stood for by none; the first of the
    others that does not fit ends the draw, so that size does not matter.
    """
    fitting = [cluster for cluster in clusters if len(cluster) <= most]
    found: list[Cluster] = []
    room = most
    for cluster in sorted(fitting, key=lambda cluster: _chance(keys[min(cluster)])):
        room -= len(cluster)
        if room < 0:
            break
        found.append(cluster)
    return found, len(fitting) / len(found) if found else 1.0


def _chance(key: ItemKey) -> tuple[int, ItemKey]:
    return xxhash.xxh3_64_intdigest(f"{key.source}\n{key.id}".encode()), key
