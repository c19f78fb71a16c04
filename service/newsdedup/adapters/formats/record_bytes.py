"""Records in MessagePack: as the state in SQLite stores them, and as they are kept in memory."""

from typing import Final

import msgspec

from newsdedup.core.stories.records import Record

encode_record: Final = msgspec.msgpack.Encoder().encode
"""Returns the stored bytes of a record."""
decode_record: Final = msgspec.msgpack.Decoder(Record).decode
"""Returns the record of stored bytes; raises msgspec.MsgspecError if they hold none."""
