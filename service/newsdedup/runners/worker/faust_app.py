"""A Faust app that loses nothing: its options, and a consumer that begins where the state ends.

Faust's own acknowledging is off. It acknowledges what it drops when partitions move, and commits
that as if it had been worked on; here only finished batches are committed. There is no web server,
no table, no folder and no topic of its own.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import faust
from aiokafka.errors import IllegalStateError, KafkaError
from faust.exceptions import ConsumerNotStarted
from faust.transport.drivers.aiokafka import Consumer, Transport
from faust.types import TP
from faust.types.auth import CredentialsT
from yarl import URL

from newsdedup.adapters.kafka.client import KafkaAccess, await_broker, kafka_unavailable
from newsdedup.adapters.kafka.records import Partition, ReceivedRecord
from newsdedup.ports.errors import Unavailable
from newsdedup.runners.worker.partitions import GapDetector, LagTracker

FindStart = Callable[[Mapping[TP, int | None]], Awaitable[Mapping[TP, int]]]
"""Returns where to begin each partition that is not begun where Kafka says, or at its start."""

_DAY_SECONDS: Final = 24 * 3600.0
_BUFFERED_RECORDS: Final = 4_096
"""Records that wait in the app."""
_FETCH_BYTES: Final = 4 << 20
_START_SECONDS: Final = 60.0


class SeekingApp(faust.App):
    """An app whose consumer asks where to begin whenever it got partitions."""

    find_start: FindStart
    gaps: GapDetector
    lag_tracker: LagTracker

    async def on_first_start(self) -> None:
        """Make no folders: they are for tables."""

    def commit_ends(self, ends: Mapping[TP, int]) -> Awaitable[bool]:
        """Commit the ends of what is done, as far as the partitions are still ours."""
        return SeekingConsumer.consumer_of(self).commit_assigned(ends)

    def cancel_consumer_after(self, seconds: float) -> None:
        """Break off what the consumer's thread is at by then, if it has not ended.

        It would wait for a broker that is away, and who stops the app waits for it with the whole
        event loop: so another thread keeps the time.
        """
        clock = threading.Timer(seconds, SeekingConsumer.consumer_of(self).cancel_tasks)
        clock.daemon = True
        clock.start()

    async def lag(self) -> dict[str, int]:
        """Return how many records of each partition wait, as far as is known."""
        consumer = SeekingConsumer.consumer_of(self)
        try:
            ends = {
                (tp.topic, tp.partition): consumer.highwater(tp) for tp in consumer.assignment()
            }
        except ConsumerNotStarted:
            return {}
        return await self.lag_tracker.lag(ends, consumer.fetch_position)


class SeekingConsumer(Consumer):
    """Faust's consumer, which lets the app say where a partition begins."""

    @staticmethod
    def consumer_of(app: faust.App) -> "SeekingConsumer":
        """Return the consumer of an app."""
        consumer = app.consumer
        if not isinstance(consumer, SeekingConsumer):
            raise TypeError(f"the consumer of {app!r} is a {type(consumer).__name__}")
        return consumer

    @property
    def seeking_app(self) -> SeekingApp:
        """Return the app as what it is."""
        if not isinstance(self.app, SeekingApp):
            raise TypeError(f"{self.app!r} is not an app that seeks")
        return self.app

    async def seek_to_committed(self) -> Mapping[TP, int]:
        """Begin each partition where the app says; called by Faust before it fetches."""
        try:
            committed: Mapping[TP, int | None] = await self._thread.seek_to_committed()
        except AssertionError:
            # The client asserts that something is assigned. It was until just now; the partitions
            # that come next are sought in their turn.
            return {}
        told = {TP(tp.topic, tp.partition): offset for tp, offset in committed.items()}
        sought = await self.seeking_app.find_start(told)
        for tp, at in sought.items():
            self._thread.seek(tp, at)
        begun = {tp: sought.get(tp, offset or 0) for tp, offset in told.items()}
        for tp, at in begun.items():
            self.seeking_app.gaps.expect(tp, at)
            self.seeking_app.lag_tracker.begin(tp, sought.get(tp, told[tp]))
        return begun

    async def on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        """Tell the app also of no partitions: others have them all, and this worker stands by."""
        await super().on_partitions_assigned(assigned, generation_id)
        if not assigned:
            await self.seeking_app.find_start({})

    def highwater(self, tp: TP) -> int:
        """Return the end of a partition, as far as is known; 0 for one that is not ours any more.

        Faust asks from another thread than the one in which partitions move, where the client
        asserts that it is asked about its own.
        """
        try:
            end: int | None = super().highwater(tp)
        except (AssertionError, AttributeError, IllegalStateError):
            return 0
        return end or 0

    async def fetch_position(self, partition: Partition) -> int | None:
        """Return from where on a partition is read next; None if nobody says so in time."""
        try:
            at: int | None = await await_broker(self._thread.position(TP(*partition)))
        except (Unavailable, IllegalStateError, ConsumerNotStarted):
            return None
        return at

    def cancel_tasks(self) -> None:
        """Break off all that goes on in the consumer's thread; it may have ended."""
        loop = self._thread.thread_loop

        def broken_off() -> None:
            for task in asyncio.all_tasks(loop):
                task.cancel()

        with suppress(RuntimeError):  # the loop of a thread that has ended is closed
            loop.call_soon_threadsafe(broken_off)

    async def commit_assigned(self, ends: Mapping[TP, int]) -> bool:
        """Tell Kafka what is done, as far as the partitions are ours."""
        mine = {tp: end for tp, end in ends.items() if tp in self.assignment()}
        return await self._commit(mine) if mine else False

    async def _getmany(self, active_partitions: set[TP] | None, timeout: float) -> Any:  # noqa: ASYNC109 - Faust's
        records = await super()._getmany(active_partitions, timeout)
        for tp, found in records.items():
            for record in found:
                self.seeking_app.gaps.note_fetched(tp, record.offset)
                self.seeking_app.lag_tracker.note_fetched(tp, record.offset)
        return records


class SeekingTransport(Transport):
    """Faust's way to Kafka, with our consumer."""

    Consumer = SeekingConsumer


def create_app(
    access: KafkaAccess, *, group: str, session_seconds: float, begin: FindStart
) -> SeekingApp:
    """Return an app that is not started; it works until it is stopped, and then is of no use."""
    made = SeekingApp(
        group,
        broker=[URL(f"kafka://{one.strip()}") for one in access.servers.split(",")],
        broker_credentials=credentials(access),
        broker_session_timeout=session_seconds,
        broker_heartbeat_interval=session_seconds / 5,
        # A worker that waits for Redis is alive; the watchdog sees to one that is not.
        broker_max_poll_interval=_DAY_SECONDS,
        consumer_auto_offset_reset="earliest",
        consumer_max_fetch_size=_FETCH_BYTES,
        key_serializer="raw",
        value_serializer="raw",
        stream_wait_empty=False,
        stream_buffer_maxsize=_BUFFERED_RECORDS,
        # Without it Faust divides partitions in a way of its own, and no other runner may join.
        table_standby_replicas=0,
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_enabled=False,
    )
    made.find_start = begin
    made.gaps = GapDetector()
    made.lag_tracker = LagTracker()
    made.transport = SeekingTransport(made.conf.broker_consumer, made)
    return made


def credentials(access: KafkaAccess) -> CredentialsT | None:
    """Return what opens Kafka, as Faust wants it."""
    tls = access.ssl_context() if "SSL" in access.security.split("_") else None
    if access.security.startswith("SASL"):
        return faust.SASLCredentials(
            username=access.username,
            password=access.password,
            ssl_context=tls,
            mechanism=access.mechanism,
        )
    return None if tls is None else faust.SSLCredentials(tls)


def quieten_faust() -> None:
    """Let Faust tell what went wrong, and not each step of its parts."""
    for name in ("faust", "mode", __name__):
        logging.getLogger(name).setLevel(logging.WARNING)


async def run_app(made: SeekingApp) -> None:
    """Start an app and return when it has stopped; raise what it crashed of.

    Raise Unavailable if that was Kafka: another app may have more luck.
    """
    try:
        async with asyncio.timeout(_START_SECONDS):
            await made.start()
        await made.wait_until_stopped()
        if made.crash_reason is not None:
            raise made.crash_reason
    except (KafkaError, OSError) as error:
        raise kafka_unavailable(error) from error


def from_faust(message: Any) -> ReceivedRecord:
    """Return a message of Faust as ours."""
    return ReceivedRecord(
        message.topic,
        message.partition,
        message.offset,
        message.key,
        message.value,
        tuple(message.headers or ()),
        round(message.timestamp * 1000) if message.timestamp else 0,
    )
