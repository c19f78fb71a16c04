"""Dead letters as records: the bytes untouched, where they came from and why in the headers.

The headers are those of Kafka Connect (text) and of Spring for Apache Kafka (numbers in big-endian
binary), so that the tools of both understand them, and a few of our own. The sender's come first.

The key is that of the item, so that a topic that is compacted forgets the letters of an item when
its withdrawal is written: a record of that key without a value. Whatever names no item has a key
that no other letter has. The sender's key is in a header.
"""

import struct
from typing import Final

from newsdedup.adapters.kafka.items import about
from newsdedup.adapters.kafka.keys import letter_key, record_key
from newsdedup.adapters.kafka.records import Headers, Outgoing, Received
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import Rejection

EXCEPTION: Final = "newsdedup.InvalidItem"
CODE: Final = "newsdedup_code"
OWN: Final = "newsdedup_own_headers"
"""How many of the first headers are the sender's."""
SIZE: Final = "newsdedup_size"
"""How many bytes the record had; only where not all of it is in the letter."""
KEY: Final = "newsdedup_key"
"""The sender's key."""
NO_KEY: Final = "newsdedup_no_key"
"""The record had none, or it is not in the letter."""
NO_VALUE: Final = "newsdedup_no_value"
"""The record had none; a letter without a value would erase itself."""
ERASED: Final = "newsdedup_erased"
"""The only header of a record that erases the letters before it."""
WRITTEN: Final = "newsdedup_written_ms"


def letter_record(
    record: Received, rejection: Rejection, *, topic: str, most: int | None = None
) -> Outgoing:
    """Return the letter about a record that could not become an item, of at most so many bytes.

    Of a record that is too large for that the value is cut, then the sender's headers are left
    out, then the key; only the reason is never cut.
    """
    key = filed_under(record)
    letter = _letter(record, rejection, topic, key)
    if most is None or letter.size <= most:
        return letter
    for kept in (record, record._replace(headers=()), record._replace(headers=(), key=None)):
        bare = _letter(kept._replace(value=b""), rejection, topic, key, size=record.size)
        if bare.size <= most:
            break
    rest = (record.value or b"")[: max(0, most - bare.size)]
    return bare._replace(value=rest)


def filed_under(record: Received) -> bytes:
    """Return the key of the letter about a record: that of the item that it names, else its own."""
    item = about(record)
    return record_key(record) if item is None else letter_key(item)


def erasure(item: ItemKey, *, topic: str) -> Outgoing:
    """Return the record that erases the letters about an item written before it."""
    return Outgoing(topic, letter_key(item), None, ((ERASED, b"true"),))


def is_erasure(record: Received) -> bool:
    """Return whether a record erases letters and is none itself."""
    return record.value is None and record.header(ERASED) is not None


def _letter(
    record: Received, rejection: Rejection, topic: str, key: bytes, *, size: int | None = None
) -> Outgoing:
    told = [*record.headers, *connect(record, rejection), *spring(record, rejection)]
    own = {CODE: rejection.code, OWN: len(record.headers), WRITTEN: record.written_ms}
    told += [(name, str(value).encode()) for name, value in own.items()]
    told.append((NO_KEY, b"true") if record.key is None else (KEY, record.key))
    if size is not None:
        told.append((SIZE, str(size).encode()))
    if record.value is None:
        told.append((NO_VALUE, b"true"))
    return Outgoing(topic, key, record.value or b"", tuple(told))


def connect(record: Received, rejection: Rejection) -> Headers:
    """Return what Kafka Connect tells of a record that failed."""
    told = {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "stage": "VALUE_CONVERTER",
        "exception.class.name": EXCEPTION,
        "exception.message": rejection.reason,
    }
    return tuple((f"__connect.errors.{name}", str(value).encode()) for name, value in told.items())


def spring(record: Received, rejection: Rejection) -> Headers:
    """Return what Spring's DeadLetterPublishingRecoverer tells of a record that failed."""
    told = {
        "original-topic": record.topic.encode(),
        "original-partition": struct.pack(">i", record.partition),
        "original-offset": struct.pack(">q", record.offset),
        "original-timestamp": struct.pack(">q", record.at_ms),
        "original-timestamp-type": b"CreateTime",
        "exception-fqcn": EXCEPTION.encode(),
        "exception-message": rejection.reason.encode(),
    }
    return tuple((f"kafka_dlt-{name}", value) for name, value in told.items())
