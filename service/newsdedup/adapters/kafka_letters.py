"""Dead letters as records: the bytes untouched, where they came from and why in the headers."""

from typing import Final

from newsdedup.adapters.kafka_records import Headers, Outgoing, Received
from newsdedup.ports import InvalidItem

EXCEPTION: Final = "newsdedup.InvalidItem"


def letter_record(record: Received, error: InvalidItem, *, topic: str) -> Outgoing:
    """Return the letter about a record that could not become an item."""
    place = {"topic": record.topic, "partition": record.partition, "offset": record.offset}
    told: dict[str, object] = {
        **{f"__connect.errors.{name}": value for name, value in place.items()},
        "__connect.errors.exception.class.name": EXCEPTION,
        "__connect.errors.exception.message": str(error),
        "newsdedup_code": error.code,
    }
    headers: Headers = tuple((name, str(value).encode()) for name, value in told.items())
    return Outgoing(topic, record.key, record.value or b"", (*record.headers, *headers))
