"""The ledger in memory keeps what a dictionary of versions would, until it expires."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from adapters.published import JUDGED
from newsdedup import ItemKey
from newsdedup.adapters.memory import item_slots
from newsdedup.adapters.memory import ledger as ledger_module
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.core.events import Judgement
from newsdedup.core.model import Version

KEYS = [ItemKey("north.example", f"{number}") for number in range(4)]
VERSIONS = [Version("first"), Version("second"), Version("\ud83d")]
"""The last one is half of a surrogate pair, which no encoding takes."""
Stored = dict[ItemKey, dict[Version, tuple[bytes, Judgement]]]


def judged(version: Version, number: int) -> Judgement:
    return replace(JUDGED, version=version, event_id=f"{number}")


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "write", "revise", "retain", "erase", "expire"]),
        st.sampled_from(KEYS),
        st.sampled_from(VERSIONS),
    ),
    max_size=60,
)


@given(steps=STEPS, hashes=st.integers(1, 4), recent=st.sampled_from((1, 3, 64)))
def test_versions_are_kept_as_in_a_dictionary(steps, hashes, recent):
    expected: Stored = {}
    buckets: dict[ItemKey, int] = {}
    floor = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item_slots, "hash_item", lambda key: int(key.id) % hashes)
        patch.setattr(ledger_module, "_RECENT", recent)
        ledger = MemoryLedger()
        for number, (step, key, version) in enumerate(steps):
            rows = expected.setdefault(key, {})
            if step == "write":
                bucket = floor + number % 3
                received, published = f"{number}".encode(), judged(version, number)
                ledger.write(key, received=received, published=published, bucket=bucket)
                rows[version] = received, published
                buckets[key] = max(bucket, buckets.get(key, bucket))
            elif step == "revise" and version in rows:
                rows[version] = rows[version][0], judged(version, number)
                ledger.revise(key, published=rows[version][1])
            elif step == "retain" and rows:
                ledger.retain(key, frozenset([version]))
                expected[key] = {one: rows[one] for one in rows if one == version}
            elif step == "erase":
                ledger.erase(key)
                del expected[key]
                buckets.pop(key, None)
            elif step == "expire":
                floor += 1
                ledger.expire(before=floor)
                for one in [one for one, bucket in buckets.items() if bucket < floor]:
                    del expected[one], buckets[one]
            check(ledger, expected)


def check(ledger: MemoryLedger, expected: Stored) -> None:
    for key in KEYS:
        for version in VERSIONS:
            kept = expected.get(key, {}).get(version)
            if kept is None:
                with pytest.raises(KeyError):
                    ledger.read(key, version)
            else:
                assert ledger.read(key, version) == kept


def test_a_version_that_is_not_stored_is_not_revised():
    ledger = MemoryLedger()
    with pytest.raises(KeyError):
        ledger.revise(KEYS[0], published=judged(VERSIONS[0], 1))
    ledger.write(KEYS[0], received=b"", published=judged(VERSIONS[0], 1), bucket=0)
    with pytest.raises(KeyError):
        ledger.revise(KEYS[0], published=judged(VERSIONS[1], 1))


def test_slots_of_expired_items_are_used_again():
    ledger = MemoryLedger()
    for bucket in range(30):
        ledger.expire(before=bucket - 1)
        for number in range(10):
            key = ItemKey("north.example", f"{bucket} {number}")
            ledger.write(key, received=b"", published=judged(VERSIONS[0], 1), bucket=bucket)
    assert len(ledger._packed) <= 40
