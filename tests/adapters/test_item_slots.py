"""Items find their slots by hashes, whichever have the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup import ItemKey
from newsdedup.adapters.memory import item_slots
from newsdedup.adapters.memory.item_slots import ItemSlots, hash_item

NAMES = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 30)), unique=True)


@given(names=NAMES, order=st.randoms(), hashes=st.integers(1, 4))
def test_items_with_the_same_hash_find_their_own_slots(names, order, hashes):
    keys = [ItemKey(source, f"{number}") for source, number in names]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item_slots, "hash_item", lambda key: int(key.id) % hashes)
        slots = ItemSlots(keys.__getitem__)
        for slot, key in enumerate(keys):
            assert slots.find(key) is None
            slots.add(key, slot)
        left = set(keys)
        for slot, key in order.sample(list(enumerate(keys)), len(keys)):
            assert len(slots) == len(left)
            assert {one for one in keys if slots.find(one) is not None} == left
            assert slots.find(key) == slot
            slots.remove(key, slot)
            left.remove(key)
        assert len(slots) == 0


def test_a_hash_has_63_bits_and_depends_on_source_and_id():
    keys = [ItemKey(source, name) for source in ("ab", "a", "\ud800") for name in ("c", "bc", "")]
    hashes = {hash_item(key) for key in keys}
    assert len(hashes) == len(keys)
    assert all(0 <= one < 1 << 63 for one in hashes)
