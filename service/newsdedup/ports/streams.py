"""What goes in and out: records, the items in them, events, and the servers' topics."""

from typing import NamedTuple, Protocol, TypeVar

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

    Laws, checked for LineDecoder and DeadLetterDecoder (adapters/files/line_decoder.py) and
    RecordDecoder (adapters/kafka/records.py) by tests/laws/test_sources_and_sinks.py: the data is
    the item's bytes, unchanged; any bytes are decoded or raise InvalidItem.
    """

    def decode(self, record: R_contra) -> Decoded:
        """Return what a record holds; raise InvalidItem, and nothing else, if it is broken."""
        ...


class Sink(Protocol):
    """What takes records; what is synced survives the process.

    Laws, checked for every kind in `SINKS` (bootstrap/runs.py) by
    tests/laws/test_sources_and_sinks.py: after a sync all that was written can be read, in order;
    a sink that is opened again at a synced length holds nothing behind it. What has no length, as
    a pipe, may receive records again after a crash.
    """

    def write(self, data: bytes) -> None:
        """Add whole records; raise SinkUnusable if that fails."""
        ...

    def sync(self) -> int:
        """Make all that was written durable; return the length of the output in bytes.

        Return 0 for an output without a length, such as a pipe; raise SinkUnusable if it fails.
        """
        ...

    def close(self) -> None:
        """Release the file or connection."""
        ...
