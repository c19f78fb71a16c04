"""What the runners on aiokafka and on Faust share: group membership, start offsets, failures."""

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from aiokafka.errors import InvalidSessionTimeoutError

from newsdedup.adapters.kafka.client import KafkaAccess, kafka_unavailable
from newsdedup.ports.errors import NewsdedupError, SettingsInvalid, StateLost, Unavailable
from newsdedup.runners.worker.merge import Alignment
from newsdedup.runners.worker.worker import BatchProcessor

LOG: Final = logging.getLogger("newsdedup.consumer")
_MOST_FAILURES: Final = 8
"""Failures in a row after which the wait grows no more: it is then a quarter of a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMember:
    """Settings of one member of a consumer group."""

    access: KafkaAccess
    topic: str
    group: str
    positions: "PositionStore"
    batch: int
    """Most records of a batch."""
    linger_seconds: float
    """How long to wait for a batch to fill."""
    session_seconds: float
    """How long the group waits for a member that sends no heartbeat."""
    alignment: Alignment | None = None
    """How its partitions are aligned with others; None: not at all."""


class PositionStore(Protocol):
    """The offsets that are stored with the state, by `position_name`; commits only raise them.

    Where the server lost its last writes, records must be read again from the stored offsets, and
    none that was read before may be processed. So a runner begins anew then.
    """

    async def begin(self) -> None:
        """Begin a run, while no record that was read is in hand; or raise Unavailable."""

    async def read(self) -> Mapping[str, int]:
        """Return the stored offsets.

        Raise Unavailable if the server does not answer, StateMoved if it may have lost writes since
        the run began.
        """

    async def reset(self, names: Collection[str]) -> None:
        """Set some of them to 0; raise Unavailable if the server does not answer."""


def consumer_error(error: Exception, *, session_seconds: float) -> NewsdedupError:
    """Return our error for one by which Kafka ended a consumer.

    That is Unavailable, as another consumer may succeed later, but SettingsInvalid for a session
    of a length that the broker never allows.
    """
    if isinstance(error, InvalidSessionTimeoutError):
        return SettingsInvalid(
            f"worker.session = {session_seconds:g}s: the broker allows only what lies between its "
            "group.min.session.timeout.ms and group.max.session.timeout.ms, 6s and 30m by default"
        )
    return kafka_unavailable(error)


class ConsumerFailures:
    """The failures in a row of a runner's consumers: the more there were, the longer it waits.

    Each consumer is replaced by a new one, which connects without an error even where the next read
    fails again: a right that was taken away, a record that cannot be decompressed.
    """

    def __init__(self, worker: BatchProcessor) -> None:
        self._worker = worker
        self._count = 0

    def note_success(self) -> None:
        """Note that records were read."""
        self._count = 0

    async def wait(self, error: Unavailable) -> None:
        """Count one more failure in a row, and wait for Kafka as long as after so many attempts."""
        self._count = min(self._count + 1, _MOST_FAILURES)
        left = [error] * self._count

        async def attempt() -> None:
            if left:
                raise left.pop()

        await self._worker.waited("kafka", attempt)


async def find_starts(
    positions: PositionStore, committed: Mapping[str, int | None]
) -> dict[str, int | None]:
    """Return the offsets to read partitions from, given those that the group has committed.

    None is the first record that Kafka still has. Where nothing is committed, topic or group were
    made anew: what is stored of earlier ones is set to 0, as Redis could else lose what comes next
    without showing it. Raise StateLost if nothing is stored (start_offset), Unavailable if
    Redis does not answer, StateMoved if it may have lost writes since the run began.
    """
    # They are read after the committed ones: a batch that ended in between would seem to be lost.
    stored = await positions.read()
    forgotten = [name for name in stored if committed.get(name, 0) is None]
    for name in forgotten:
        if stored[name]:
            LOG.warning(
                "read_from_beginning partition=%s stored=%d: the group has committed nothing; its "
                "offsets have expired, or topic, partition or group are new",
                name,
                stored[name],
            )
    await positions.reset(forgotten)
    return {
        name: start_offset(name, stored=stored, committed=offset)
        for name, offset in committed.items()
    }


def start_offset(name: str, *, stored: Mapping[str, int], committed: int | None) -> int | None:
    """Return the offset to read a partition from, None for the first that Kafka still has.

    The offsets of a batch are stored with the state in one step, before they are committed. A
    stored offset behind the committed one means that Redis has lost its last writes: the records
    are read again. One ahead of it means that a worker died before it committed: its records come
    again and get their stored verdicts. Raise StateLost if no offset is stored at all although the
    group has committed one.
    """
    if committed is None:
        return None
    if not stored:
        raise StateLost(
            f"the state in Redis is empty, but the group has committed {committed} records of "
            f"{name}: `newsdedup rebuild` restores it from the output topic"
        )
    offset = min(committed, stored.get(name, 0))
    if offset < committed:
        LOG.warning("sought_back partition=%s from=%d to=%d", name, committed, offset)
    return offset
