"""The encoded records that one worker has, so that Redis does not send them again.

A look-up answers with the length and the front (time and stamp) of each record that it found. Of
most of them the worker has these bytes, as it has written or read them before; the others are
fetched in a second request. If one was changed between the two, the whole look-up is repeated.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.keys import Keys
from newsdedup.ports.store import RecordSlot

_CACHED_RECORDS: Final = 65_536
"""Of about .7 kB each."""


class MatchedRecord(NamedTuple):
    """A record that look-ups have found, with its bytes."""

    slot: RecordSlot
    data: bytes
    row: bytes | None
    """Its encoded ledger rows, None if they were not read."""


class MatchedRecords(NamedTuple):
    """The records that look-ups have found, in the order in which the server numbers them."""

    records: Sequence[MatchedRecord]
    sent: int
    """How many of them the server sent."""


class RecordCache:
    """The records that one worker has read or written, by slot; the least used are dropped."""

    def __init__(self, size: int = _CACHED_RECORDS) -> None:
        self._size = size
        self._records: OrderedDict[RecordSlot, bytes] = OrderedDict()

    def put(self, slot: RecordSlot, data: bytes) -> None:
        """Cache the bytes of the record in a slot."""
        self._records[slot] = data
        self._records.move_to_end(slot)
        if len(self._records) > self._size:
            self._records.popitem(last=False)

    def find(self, slot: RecordSlot, length: int, front: bytes) -> bytes:
        """Return the bytes of the record in a slot, b"" if missing or of an earlier state."""
        data = self._records.get(slot, b"")
        if not _is_described(data, length, front):
            return b""
        self._records.move_to_end(slot)
        return data

    async def complete(
        self, calls: Calls, keys: Keys, live: Sequence[int], answer: Sequence[Sequence[Any]]
    ) -> MatchedRecords | None:
        """Return the records of an answer of `look` with their bytes, fetching those that lack.

        None if one of them has been changed since. `live` are the spans that were looked up. Raise
        Unavailable if the server does not answer.
        """
        found: list[MatchedRecord] = []
        missing: dict[int, list[int]] = defaultdict(list)
        """By span the numbers of the records whose bytes are not cached."""
        sent = 0
        for number, (span, ordinal, *values) in enumerate(answer):
            slot = RecordSlot(live[span - 1], ordinal.decode())
            row = None
            if isinstance(values[0], int):
                data = self.find(slot, *values)
                if not data:
                    missing[slot.span].append(number)
            else:
                data, row = values if len(values) > 1 else (*values, None)
                self.put(slot, data)
                sent += 1
            found.append(MatchedRecord(slot, data, row))
        for span, numbers in missing.items():
            records, *_ = keys.span_hashes(span)
            slots = [found[number].slot for number in numbers]
            fetched = await calls.command("HMGET", records, *[slot.ordinal for slot in slots])
            for number, slot, data in zip(numbers, slots, fetched, strict=True):
                if data is not None:
                    self.put(slot, data)
                if not _is_described(data or b"", *answer[number][2:]):
                    return None
                found[number] = MatchedRecord(slot, data, None)
            sent += len(numbers)
        return MatchedRecords(found, sent)


def _is_described(data: bytes, length: int, front: bytes) -> bool:
    """Return whether these are the bytes of a record of which the server says length and front."""
    return len(data) == length and data.startswith(front)
