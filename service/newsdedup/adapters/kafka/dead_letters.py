"""Dead letters as records: the bytes untouched, where they came from and why in the headers.

The headers are those of Kafka Connect (text) and of Spring for Apache Kafka (numbers in big-endian
binary), so that the tools of both understand them, and a few of our own. The sender's come first.

The key is that of the item, so that a topic that is compacted forgets the letters of an item when
its withdrawal is written: a record of that key without a value. Whatever names no item has a key
that no other letter has. The sender's key is in a header.
"""

import struct
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.items import find_item_key
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.adapters.kafka.records import (
    SEEN_MS_HEADER,
    Headers,
    OutgoingRecord,
    ReceivedRecord,
    letter_key,
    record_key,
)
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import InvalidItem

_EXCEPTION: Final = "newsdedup.InvalidItem"
_CODE: Final = "newsdedup_code"
_OWN: Final = "newsdedup_own_headers"
"""How many of the first headers are the sender's."""
_SIZE: Final = "newsdedup_size"
"""How many bytes the record had; only where not all of it is in the letter."""
_KEY: Final = "newsdedup_key"
"""The sender's key."""
_NO_KEY: Final = "newsdedup_no_key"
"""The record had none, or it is not in the letter."""
_NO_VALUE: Final = "newsdedup_no_value"
"""The record had none; a letter without a value would erase itself."""
_ERASED: Final = "newsdedup_erased"
"""The only header of a record that erases the letters before it."""
_WRITTEN: Final = "newsdedup_written_ms"


def letter_record(
    record: ReceivedRecord, error: InvalidItem, *, topic: str, most: int | None = None
) -> OutgoingRecord:
    """Return the letter about a record that could not become an item, of at most so many bytes.

    Of a record that is too large for that the value is cut, then the sender's headers are left
    out, then the key; only the reason is never cut.
    """
    key = letter_key_of(record)
    letter = _letter(record, error, topic, key)
    if most is None or letter.size <= most:
        return letter
    for kept in (record, record._replace(headers=()), record._replace(headers=(), key=None)):
        bare = _letter(kept._replace(value=b""), error, topic, key, size=record.size)
        if bare.size <= most:
            break
    rest = (record.value or b"")[: max(0, most - bare.size)]
    return bare._replace(value=rest)


def letter_key_of(record: ReceivedRecord) -> bytes:
    """Return the key of the letter about a record: that of the item that it names, else its own."""
    item = find_item_key(record)
    return record_key(record) if item is None else letter_key(item)


def tombstone(item: ItemKey, *, topic: str) -> OutgoingRecord:
    """Return the record that erases the letters about an item written before it."""
    return OutgoingRecord(topic, letter_key(item), None, ((_ERASED, b"true"),))


def is_tombstone(record: ReceivedRecord) -> bool:
    """Return whether a record erases letters and is none itself."""
    return record.value is None and record.header(_ERASED) is not None


def _letter(
    record: ReceivedRecord, error: InvalidItem, topic: str, key: bytes, *, size: int | None = None
) -> OutgoingRecord:
    told = [*record.headers, *connect_headers(record, error), *spring_headers(record, error)]
    own = {_CODE: error.code, _OWN: len(record.headers), _WRITTEN: record.written_ms}
    told += [(name, str(value).encode()) for name, value in own.items()]
    told.append((_NO_KEY, b"true") if record.key is None else (_KEY, record.key))
    if size is not None:
        told.append((_SIZE, str(size).encode()))
    if record.value is None:
        told.append((_NO_VALUE, b"true"))
    return OutgoingRecord(topic, key, record.value or b"", tuple(told))


def connect_headers(record: ReceivedRecord, error: InvalidItem) -> Headers:
    """Return what Kafka Connect tells of a record that failed."""
    told = {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "stage": "VALUE_CONVERTER",
        "exception.class.name": _EXCEPTION,
        "exception.message": str(error),
    }
    return tuple((f"__connect.errors.{name}", str(value).encode()) for name, value in told.items())


def spring_headers(record: ReceivedRecord, error: InvalidItem) -> Headers:
    """Return what Spring's DeadLetterPublishingRecoverer tells of a record that failed."""
    told = {
        "original-topic": record.topic.encode(),
        "original-partition": struct.pack(">i", record.partition),
        "original-offset": struct.pack(">q", record.offset),
        "original-timestamp": struct.pack(">q", record.at_ms),
        "original-timestamp-type": b"CreateTime",
        "exception-fqcn": _EXCEPTION.encode(),
        "exception-message": str(error).encode(),
    }
    return tuple((f"kafka_dlt-{name}", value) for name, value in told.items())


_UNKNOWN = "unknown"


class TopicLetter(NamedTuple):
    """One letter: where it lies, what it is about, and the record in it."""

    partition: int
    offset: int
    input: str
    """Topic and partition that the record came from."""
    at: int
    """Its offset there; -1 for what was never read."""
    code: str
    reason: str
    size: int
    cut: bool
    key: bytes | None
    value: bytes | None
    headers: Headers
    """The sender's."""
    written_ms: int

    @property
    def number(self) -> str:
        """Return its name in the topic."""
        return f"{self.partition}/{self.offset}"


def decode_letter(record: ReceivedRecord) -> TopicLetter:
    """Return the letter that a record of a topic of dead letters is."""
    told = dict(record.headers)
    own, ours = _parted(record.headers, told)
    topic = _text(told, "__connect.errors.topic", "kafka_dlt-original-topic") or _UNKNOWN
    partition = _number(told, "__connect.errors.partition", "kafka_dlt-original-partition")
    reason = _text(told, "__connect.errors.exception.message", "kafka_dlt-exception-message")
    sent = record._replace(
        key=_key(record, ours), value=None if _NO_VALUE in ours else record.value
    )
    size = ours.get(_SIZE)
    return TopicLetter(
        partition=record.partition,
        offset=record.offset,
        input=f"{topic}/{partition}",
        at=_number(told, "__connect.errors.offset", "kafka_dlt-original-offset"),
        code=_text(ours, _CODE) or _UNKNOWN,
        reason=reason,
        size=sent.size if size is None else _whole(size),
        cut=size is not None,
        key=sent.key,
        value=sent.value,
        headers=own,
        written_ms=_whole(ours.get(_WRITTEN, b"")) if _WRITTEN in ours else record.at_ms,
    )


def replay_record(found: TopicLetter, topic: str) -> OutgoingRecord:
    """Return the record of a letter as it was, and when it was written first."""
    headers = tuple(pair for pair in found.headers if pair[0] != SEEN_MS_HEADER)
    seen = (SEEN_MS_HEADER, str(found.written_ms).encode())
    return OutgoingRecord(topic, found.key, found.value, (*headers, seen))


def _key(record: ReceivedRecord, ours: Mapping[str, bytes]) -> bytes | None:
    """Return the sender's key; of letters that others wrote it is the key of the record."""
    return None if _NO_KEY in ours else ours.get(_KEY, record.key)


def _parted(headers: Headers, told: Mapping[str, bytes]) -> tuple[Headers, dict[str, bytes]]:
    """Return the headers of the sender, and those of whoever buried the record."""
    if _OWN in told:
        own = _whole(told[_OWN])
        return headers[:own], dict(headers[own:])
    foreign = ("__connect.errors.", "kafka_dlt-")
    return tuple(pair for pair in headers if not pair[0].startswith(foreign)), {}


def _text(told: Mapping[str, bytes], *names: str) -> str:
    return next((told[name].decode("utf-8", "replace") for name in names if name in told), "")


def _number(told: Mapping[str, bytes], text: str, binary: str) -> int:
    """Return a number that Connect wrote in digits, or Spring in big-endian bytes; else -1."""
    if text in told:
        return _whole(told[text])
    width = {4: ">i", 8: ">q"}.get(len(told.get(binary, b"")))
    return -1 if width is None else int(struct.unpack(width, told[binary])[0])


def _whole(said: bytes) -> int:
    try:
        return int(said)
    except ValueError:
        return -1


_READ_RECORDS: Final = 500


class Tombstones:
    """The withdrawals of a topic: of each key the latest place in each partition."""

    def __init__(self) -> None:
        self._latest: dict[tuple[int, bytes | None], int] = {}

    def add(self, records: Iterable[ReceivedRecord]) -> None:
        """Remember the withdrawals among some records."""
        for record in records:
            if is_tombstone(record):
                place = (record.partition, record.key)
                self._latest[place] = max(record.offset, self._latest.get(place, 0))

    def remaining(self, records: Iterable[ReceivedRecord]) -> list[ReceivedRecord]:
        """Return the letters among some records that no withdrawal erases."""
        return [
            record
            for record in records
            if not is_tombstone(record)
            and record.offset >= self._latest.get((record.partition, record.key), 0)
        ]


async def read_tombstones(access: KafkaAccess, name: str) -> Tombstones:
    """Return the withdrawals that a topic holds now; it is read to its end for them."""
    found = Tombstones()
    async with open_topic(access, name) as opened:
        async for batch in opened.records(at_once=_READ_RECORDS):
            found.add(batch)
    return found
