"""Dead letters: records that failed, in a topic of their own, with origin and reason in headers.

The headers are those of Kafka Connect (text) and of Spring for Apache Kafka (big-endian binary), so
that tools for either can read them, and a few of our own. The sender's headers come first.

A dead letter has the key of its item. Withdrawing the item writes a tombstone with that key, and
compaction then deletes the dead letters. A dead letter about no item has a key of its own. The
sender's key is kept in a header.
"""

import struct
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import msgspec
import xxhash

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.adapters.kafka.reader import open_topic
from newsdedup.adapters.kafka.records import (
    SEEN_MS_HEADER,
    OutgoingRecord,
    ReceivedRecord,
    find_item_key,
    item_key,
)
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import Rejection
from newsdedup.ports.streams import Headers

MAX_KEY_BYTES: Final = 200
"""Longer keys of items are hashed: dead letters must stay small."""
_EXCEPTION: Final = "newsdedup.InvalidItem"
_CONNECT: Final = "__connect.errors."
_SPRING: Final = "kafka_dlt-"
_CODE: Final = "newsdedup_code"
_OWN: Final = "newsdedup_own_headers"
"""How many of the first headers are the sender's."""
_SIZE: Final = "newsdedup_size"
"""The size of a record that was cut to fit into its dead letter."""
_KEY: Final = "newsdedup_key"
"""The sender's key."""
_NO_KEY: Final = "newsdedup_no_key"
"""The record had no key, or it was cut."""
_NO_VALUE: Final = "newsdedup_no_value"
"""The record had no value; the dead letter has an empty one, or it would be a tombstone."""
_ERASED: Final = "newsdedup_erased"
"""The only header of a tombstone."""
_WRITTEN: Final = "newsdedup_written_ms"
_UNKNOWN: Final = "unknown"
_READ_RECORDS: Final = 500

_encode_json = msgspec.json.Encoder().encode


def dead_letter_record(
    record: ReceivedRecord, rejection: Rejection, *, topic: str, most: int | None = None
) -> OutgoingRecord:
    """Return the dead letter of a record, of at most `most` bytes (None: whole).

    To fit, the value is cut, then the sender's headers are dropped, then the key; the reason stays.
    """
    key = dead_letter_key(record)
    dead_letter = _dead_letter(record, rejection, topic, key)
    if most is None or dead_letter.size <= most:
        return dead_letter
    for smaller in (record, record._replace(headers=()), record._replace(headers=(), key=None)):
        bare = _dead_letter(smaller._replace(value=b""), rejection, topic, key, size=record.size)
        if bare.size <= most:
            break
    return bare._replace(value=(record.value or b"")[: max(0, most - bare.size)])


def dead_letter_key(record: ReceivedRecord) -> bytes:
    """Return the key of a record's dead letter: by the item it names, else by its offset."""
    item = find_item_key(record)
    if item is None:
        return _encode_json({"record": f"{record.topic}/{record.partition}@{record.offset}"})
    return _item_dead_letter_key(item)


def tombstone(item: ItemKey, *, topic: str) -> OutgoingRecord:
    """Return the record that erases the dead letters about an item written before it."""
    return OutgoingRecord(topic, _item_dead_letter_key(item), None, ((_ERASED, b"true"),))


def is_tombstone(record: ReceivedRecord) -> bool:
    """Return whether a record of the dead letters is a tombstone that newsdedup wrote."""
    return record.value is None and record.header(_ERASED) is not None


def _item_dead_letter_key(item: ItemKey) -> bytes:
    """Return the key of all dead letters about an item: its record key, a hash of a long one."""
    key = item_key(item)
    if len(key) <= MAX_KEY_BYTES:
        return key
    return _encode_json({"item": xxhash.xxh3_128_hexdigest(key)})


def _dead_letter(
    record: ReceivedRecord, rejection: Rejection, topic: str, key: bytes, *, size: int | None = None
) -> OutgoingRecord:
    """Return the dead letter of a record under a key; `size` says how large it was if it is cut."""
    values: dict[str, object] = {
        # As Kafka Connect has them.
        f"{_CONNECT}topic": record.topic,
        f"{_CONNECT}partition": record.partition,
        f"{_CONNECT}offset": record.offset,
        f"{_CONNECT}stage": "VALUE_CONVERTER",
        f"{_CONNECT}exception.class.name": _EXCEPTION,
        f"{_CONNECT}exception.message": rejection.reason,
        # As Spring's DeadLetterPublishingRecoverer has them.
        f"{_SPRING}original-topic": record.topic,
        f"{_SPRING}original-partition": struct.pack(">i", record.partition),
        f"{_SPRING}original-offset": struct.pack(">q", record.offset),
        f"{_SPRING}original-timestamp": struct.pack(">q", record.at_ms),
        f"{_SPRING}original-timestamp-type": "CreateTime",
        f"{_SPRING}exception-fqcn": _EXCEPTION,
        f"{_SPRING}exception-message": rejection.reason,
        _CODE: rejection.code,
        _OWN: len(record.headers),
        _WRITTEN: record.written_ms,
        **({_NO_KEY: "true"} if record.key is None else {_KEY: record.key}),
        **({} if size is None else {_SIZE: size}),
        **({_NO_VALUE: "true"} if record.value is None else {}),
    }
    headers = tuple(
        (name, value if isinstance(value, bytes) else str(value).encode())
        for name, value in values.items()
    )
    return OutgoingRecord(topic, key, record.value or b"", (*record.headers, *headers))


class TopicDeadLetter(NamedTuple):
    """A dead letter read from a topic: where it is, the reason, and the record that failed."""

    partition: int
    offset: int
    input: str
    """Topic and partition of the failed record."""
    at: int
    """Offset of the failed record; -1 if unknown."""
    code: str
    reason: str
    size: int
    cut: bool
    key: bytes | None
    value: bytes | None
    headers: Headers
    """The sender's headers."""
    written_ms: int

    @property
    def number(self) -> str:
        """Return the dead letter's partition and offset, by which commands name it."""
        return f"{self.partition}/{self.offset}"


def decode_topic_dead_letter(record: ReceivedRecord) -> TopicDeadLetter:
    """Return the dead letter in a record of dead letters, also of one by Kafka Connect or Spring.

    What its headers do not say is "unknown" or -1.
    """
    headers = dict(record.headers)
    if _OWN in headers:
        own = _integer(headers[_OWN])
        sender, ours = record.headers[:own], dict(record.headers[own:])
    else:  # of another tool
        names = (_CONNECT, _SPRING)
        sender = tuple(pair for pair in record.headers if not pair[0].startswith(names))
        ours = {}
    topic = _text(headers, f"{_CONNECT}topic", f"{_SPRING}original-topic") or _UNKNOWN
    partition = _number(headers, f"{_CONNECT}partition", f"{_SPRING}original-partition")
    reason = _text(headers, f"{_CONNECT}exception.message", f"{_SPRING}exception-message")
    # A dead letter of another tool keeps the sender's key as its own.
    key = None if _NO_KEY in ours else ours.get(_KEY, record.key)
    failed = record._replace(key=key, value=None if _NO_VALUE in ours else record.value)
    size = ours.get(_SIZE)
    return TopicDeadLetter(
        partition=record.partition,
        offset=record.offset,
        input=f"{topic}/{partition}",
        at=_number(headers, f"{_CONNECT}offset", f"{_SPRING}original-offset"),
        code=_text(ours, _CODE) or _UNKNOWN,
        reason=reason,
        size=failed.size if size is None else _integer(size),
        cut=size is not None,
        key=failed.key,
        value=failed.value,
        headers=sender,
        written_ms=_integer(ours.get(_WRITTEN, b"")) if _WRITTEN in ours else record.at_ms,
    )


def replay_record(dead_letter: TopicDeadLetter, topic: str) -> OutgoingRecord:
    """Return the failed record as it was, with a header that says when it was first written."""
    headers = tuple(pair for pair in dead_letter.headers if pair[0] != SEEN_MS_HEADER)
    first = (SEEN_MS_HEADER, str(dead_letter.written_ms).encode())
    return OutgoingRecord(topic, dead_letter.key, dead_letter.value, (*headers, first))


def _text(headers: Mapping[str, bytes], *names: str) -> str:
    """Return the first of these headers that exists, as text; "" if there is none."""
    return next((headers[name].decode("utf-8", "replace") for name in names if name in headers), "")


def _number(headers: Mapping[str, bytes], connect: str, spring: str) -> int:
    """Return a number from the digits of Kafka Connect or Spring's big-endian bytes, else -1."""
    if connect in headers:
        return _integer(headers[connect])
    width = {4: ">i", 8: ">q"}.get(len(headers.get(spring, b"")))
    return -1 if width is None else int(struct.unpack(width, headers[spring])[0])


def _integer(digits: bytes) -> int:
    """Return the integer that bytes write in digits, -1 if they write none."""
    try:
        return int(digits)
    except ValueError:
        return -1


class Tombstones:
    """The tombstones of a topic: by partition and key the offset of the latest one.

    Kafka deletes the dead letters before a tombstone only when it compacts; until then they must be
    neither shown nor replayed.
    """

    def __init__(self) -> None:
        self._latest: dict[tuple[int, bytes | None], int] = {}

    def add(self, records: Iterable[ReceivedRecord]) -> None:
        """Remember the tombstones among some records."""
        for record in records:
            if is_tombstone(record):
                where = (record.partition, record.key)
                self._latest[where] = max(record.offset, self._latest.get(where, 0))

    def remaining(self, records: Iterable[ReceivedRecord]) -> list[ReceivedRecord]:
        """Return the dead letters among some records that no tombstone erases."""
        return [
            record
            for record in records
            if not is_tombstone(record)
            and record.offset >= self._latest.get((record.partition, record.key), 0)
        ]


async def read_tombstones(access: KafkaAccess, name: str) -> Tombstones:
    """Return the tombstones of a whole topic; raise SourceUnusable without it, or Unavailable."""
    tombstones = Tombstones()
    async with open_topic(access, name) as opened:
        async for batch in opened.records(at_once=_READ_RECORDS):
            tombstones.add(batch)
    return tombstones
