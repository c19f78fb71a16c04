"""What a look-up reads of the server, and which of the found records it meant."""

from collections.abc import Sequence
from typing import Final

import msgspec

from newsdedup.adapters.redis.calls import Part
from newsdedup.adapters.redis.keys import (
    ADDRESSES,
    Keys,
    Role,
    Sets,
    address,
    item_field,
    known_address,
    time_digits,
)
from newsdedup.core.matching.prefix import HITS, meet
from newsdedup.ports.shared_store import Lookup, StoredRecord

ROLES: Final[dict[str, Role]] = {"leaders": "l", "members": "m", "followers": "f"}
_ENCODE = msgspec.msgpack.Encoder().encode


def asked(keys: Keys, looks: Sequence[Lookup], live: Sequence[int]) -> tuple[list[str], list[Part]]:
    """Return the keys that look-ups read, and what is asked; one argument stands before it."""
    names = [*keys.fixed, *(name for span in live for name in keys.hashes(span))]
    items: list[bytes] = []
    said: list[dict[str, object]] = []
    for one in looks:
        if one.kind == "item" and one.key is not None:
            items.append(item_field(one.key))
            said.append({"item": 2 + len(items)})
            continue
        role = ROLES[one.kind]
        sets = weighted(keys, one)
        said.append(
            {
                "first": len(names) + 1,
                "weights": sets.weights,
                "since": "" if one.since is None else time_digits(one.since),
            }
        )
        for span in live:
            names.extend(keys.named(role, span, sets.slots))
    return names, [_ENCODE({"spans": len(live), "looks": said}), *items]


def weighted(keys: Keys, look: Lookup) -> Sets:
    """Return the sets that a search reads."""
    if look.kind == "followers" and look.key is not None:
        return Sets([keys.followers(look.key)], [HITS])
    return keys.weighted(look.filing, ROLES[look.kind])


def addresses(keys: Keys, look: Lookup) -> list[int]:
    """Return what a look-up read as the log of commits tells it: addresses, each with a weight."""
    if look.kind == "item" and look.key is not None:
        return [known_address(look.key), HITS]
    role = ADDRESSES[ROLES[look.kind]]
    sets = zip(*weighted(keys, look), strict=True)
    return [number for slot, weight in sets for number in (address(role, slot), weight)]


def is_meant(look: Lookup, held: StoredRecord) -> bool:
    """Return whether a record is what a look-up meant: others stand in the same sets."""
    record = held.record
    match look.kind:
        case "item":
            return record.key == look.key
        case "followers":
            return record.leader == look.key and not record.leads
        case "leaders":
            return record.leads and meet(look.filing, held.filing)
        case "members":
            member = record.leader is not None and not record.leads
            return member and meet(look.filing, held.filing)
