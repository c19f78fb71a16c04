"""Dead letters of a topic, read again: ours, and those that Kafka Connect or Spring wrote."""

import struct
from collections.abc import Mapping
from typing import NamedTuple

from newsdedup.adapters.kafka.letters import CODE, KEY, NO_KEY, NO_VALUE, OWN, SIZE, WRITTEN
from newsdedup.adapters.kafka.records import SEEN_MS, Headers, Outgoing, Received

UNKNOWN = "unknown"


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


def letter(record: Received) -> TopicLetter:
    """Return the letter that a record of a topic of dead letters is."""
    told = dict(record.headers)
    own, ours = _parted(record.headers, told)
    topic = _text(told, "__connect.errors.topic", "kafka_dlt-original-topic") or UNKNOWN
    partition = _number(told, "__connect.errors.partition", "kafka_dlt-original-partition")
    reason = _text(told, "__connect.errors.exception.message", "kafka_dlt-exception-message")
    sent = record._replace(key=_key(record, ours), value=None if NO_VALUE in ours else record.value)
    size = ours.get(SIZE)
    return TopicLetter(
        partition=record.partition,
        offset=record.offset,
        input=f"{topic}/{partition}",
        at=_number(told, "__connect.errors.offset", "kafka_dlt-original-offset"),
        code=_text(ours, CODE) or UNKNOWN,
        reason=reason,
        size=sent.size if size is None else _whole(size),
        cut=size is not None,
        key=sent.key,
        value=sent.value,
        headers=own,
        written_ms=_whole(ours.get(WRITTEN, b"")) if WRITTEN in ours else record.at_ms,
    )


def fed_again(found: TopicLetter, topic: str) -> Outgoing:
    """Return the record of a letter as it was, and when it was written first."""
    headers = tuple(pair for pair in found.headers if pair[0] != SEEN_MS)
    seen = (SEEN_MS, str(found.written_ms).encode())
    return Outgoing(topic, found.key, found.value, (*headers, seen))


def _key(record: Received, ours: Mapping[str, bytes]) -> bytes | None:
    """Return the sender's key; of letters that others wrote it is the key of the record."""
    return None if NO_KEY in ours else ours.get(KEY, record.key)


def _parted(headers: Headers, told: Mapping[str, bytes]) -> tuple[Headers, dict[str, bytes]]:
    """Return the headers of the sender, and those of whoever buried the record."""
    if OWN in told:
        own = _whole(told[OWN])
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
