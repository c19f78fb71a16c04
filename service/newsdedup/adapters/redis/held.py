"""Records as the server tells them, read."""

from collections.abc import Sequence

from newsdedup.adapters.redis.codec import RowCodec, reader
from newsdedup.core.matching.rules import Rule
from newsdedup.engine.shared.messages import Held, Place


class HeldReader:
    """Reads what one worker is told."""

    def __init__(self, rule: Rule, codec: RowCodec) -> None:
        self._read = reader(rule)
        self._codec = codec

    def held(
        self, live: Sequence[int], span: int, ordinal: bytes, data: bytes, row: bytes | None = None
    ) -> Held:
        """Return a record with its place; spans are told by their numbers among the live ones."""
        bucket, record, filing = self._read(data)
        place = Place(live[span - 1], ordinal.decode())
        return Held(
            record, bucket, filing, place, None if row is None else self._codec.decoded(row)
        )
