"""The slots of items, found by a hash of their keys: 13 bytes an item."""

from collections.abc import Callable
from functools import lru_cache

import xxhash

from newsdedup.adapters.memory.sorted_pairs import SortedPairs
from newsdedup.core.model import ItemKey


class ItemSlots:
    """Items to slots. The keys themselves are where the items are: several may have one hash."""

    def __init__(self, read_key: Callable[[int], ItemKey]) -> None:
        """Begin empty; `read_key` returns the key of the item in a slot."""
        self._read_key = read_key
        self._pairs = SortedPairs()
        self._latest: tuple[ItemKey, int | None] | None = None
        """The item that was added or asked for last: a decision asks for one again and again."""

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self._pairs)

    def find(self, key: ItemKey) -> int | None:
        """Return the slot of an item, None if it has none."""
        if self._latest is not None and self._latest[0] == key:
            return self._latest[1]
        for slot in self._pairs.read(hash_item(key)):
            if self._read_key(slot) == key:
                self._latest = key, slot
                return slot
        self._latest = key, None
        return None

    def add(self, key: ItemKey, slot: int) -> None:
        """Add an item that has no slot yet."""
        self._pairs.add(hash_item(key), slot)
        self._latest = key, slot

    def remove(self, key: ItemKey, slot: int) -> None:
        """Remove an item; raise ValueError if this is not its slot."""
        self._pairs.remove(hash_item(key), slot)
        self._latest = None


# A decision asks for the same few items several times.
@lru_cache(maxsize=256)
def hash_item(key: ItemKey) -> int:
    """Return the hash of an item's key: 63 bits."""
    return xxhash.xxh3_64_intdigest("\0".join(key).encode("utf-8", "surrogatepass")) >> 1
