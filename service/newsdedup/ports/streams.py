"""What goes in and out: records, the items in them, events, and the servers' topics."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from newsdedup.core.events import Event
from newsdedup.core.model import NewsItem
from newsdedup.core.stories.commands import Command

R_contra = TypeVar("R_contra", contravariant=True)

Headers = tuple[tuple[str, bytes], ...]


class Decoded(NamedTuple):
    """What one record holds."""

    content: NewsItem | Command | None
    """None for a record that holds nothing, such as an empty line."""
    data: bytes = b""
    """The bytes of the item or command: what is published again with the verdict."""
    traces: Headers = ()
    """The headers that tie what is published to what was received (W3C Trace Context)."""


class Decoder(Protocol[R_contra]):
    """Reads items and commands from the records of one kind of source.

    Laws, checked for LineDecoder and LetterDecoder (adapters/files/line_decoder.py) and
    RecordDecoder (adapters/kafka/items.py) by tests/laws/test_sources_and_sinks.py: the data is the
    item's bytes, unchanged; any bytes are decoded or raise InvalidItem.
    """

    def decode(self, record: R_contra) -> Decoded:
        """Return what a record holds; raise InvalidItem, and nothing else, if it is broken."""
        ...


class Encoder(Protocol):
    """Writes events in the format of one kind of sink."""

    def encode(self, event: Event) -> bytes:
        """Return the event as one record of the sink."""
        ...


class Sink(Protocol):
    """A place for records; what is synced survives the process.

    Laws, checked for every kind in `SINKS` (bootstrap/runs.py) by
    tests/laws/test_sources_and_sinks.py: after a sync all that was written can be read, in order;
    a sink that is opened again at a synced length holds nothing behind it. What has no length, as
    a pipe, may receive records again after a crash.
    """

    def write(self, data: bytes) -> None:
        """Add whole records; raise SinkUnusable if that fails."""
        ...

    def sync(self) -> int:
        """Make all that was written durable; return the length of the output in bytes, or 0."""
        ...

    def close(self) -> None:
        """Release the file or connection."""
        ...


Out_contra = TypeVar("Out_contra", contravariant=True)


class Publisher(Protocol[Out_contra]):
    """Writes records to topics. Implementation: KafkaPublisher (adapters/kafka/publisher.py)."""

    async def publish(self, records: Sequence[Out_contra]) -> list[int]:
        """Write records; return the indexes of those that the broker refused as too large.

        The broker has acknowledged all others. Raise Unavailable if it has not: some may be
        written. Try again with the same list object: a write may still be under way for it.
        """
        ...

    async def close(self) -> None:
        """Release the connection; what was acknowledged stays."""
        ...
