"""Records as the server tells them, read."""

from collections.abc import Sequence

from newsdedup.adapters.redis.codec import RowCodec, reader
from newsdedup.core.matching.rules import Rule
from newsdedup.ports.shared_store import RecordPlace, StoredRecord


class HeldReader:
    """Reads what one worker is told."""

    def __init__(self, rule: Rule, codec: RowCodec) -> None:
        self._read = reader(rule)
        self._codec = codec

    def held(
        self, live: Sequence[int], span: int, ordinal: bytes, data: bytes, row: bytes | None = None
    ) -> StoredRecord:
        """Return a record with its place; spans are told by their numbers among the live ones."""
        bucket, record, filing = self._read(data)
        place = RecordPlace(live[span - 1], ordinal.decode())
        return StoredRecord(
            record, bucket, filing, place, None if row is None else self._codec.decoded(row)
        )
