"""Which items of a collection labelled pairs mean: by ID, or SOURCE/ID where sources share ids."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from newsdedup.core.item_names import item_name, possible_keys
from newsdedup.core.model import ItemKey
from newsdedup.lab.collections.pairs import LabelledPair
from newsdedup.ports.errors import SourceUnusable

SHOWN = 3


@dataclass(frozen=True, slots=True)
class NamedItems:
    """The items of a collection by what they may be called."""

    by_id: Mapping[str, tuple[ItemKey, ...]]

    def meant(self, name: str) -> ItemKey | None:
        """Return the item that a name means, None if none; refuse an id that several have."""
        exact = tuple(key for key in possible_keys(name) if key in self.by_id.get(key.id, ()))
        found = exact or self.by_id.get(name, ())
        if len(found) > 1:
            some = ", ".join(item_name(key) for key in found[:SHOWN])
            raise SourceUnusable(
                f"{len(found)} sources have an item {name}; write SOURCE/ID, as in: {some}"
            )
        return found[0] if found else None

    def of(self, pair: LabelledPair) -> tuple[ItemKey, ItemKey] | None:
        """Return both items of a pair, None if one of them is not in the collection."""
        left, right = self.meant(pair.left), self.meant(pair.right)
        if left is not None and left == right:
            raise SourceUnusable(f"{pair.left} and {pair.right} are one item: no pair")
        return None if left is None or right is None else (left, right)

    def refuse_strangers(self, pairs: Sequence[LabelledPair], path: Path) -> None:
        """Refuse pairs of which none is in the collection: there would be nothing to tell."""
        if not pairs:
            raise SourceUnusable(f"{path}: of no pair is said whether it is one of duplicates")
        if not [pair for pair in pairs if self.of(pair) is not None]:
            raise SourceUnusable(f"{path}: no pair of it is among the items")


def named_items(keys: Iterable[ItemKey]) -> NamedItems:
    """Return items by their names."""
    by_id: dict[str, dict[ItemKey, None]] = {}
    for key in keys:
        by_id.setdefault(key.id, {})[key] = None
    return NamedItems({name: tuple(found) for name, found in by_id.items()})
