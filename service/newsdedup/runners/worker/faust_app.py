"""A Faust app configured to lose nothing, with a consumer that starts at the stored offsets.

Faust's own commits are off: it acknowledges records that it drops when partitions move, and would
commit them as processed. The app has no web server, no tables and no folder of its own.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import faust
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import IllegalStateError
from faust.exceptions import ConsumerNotStarted
from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread, Consumer, Transport
from faust.types import TP
from faust.types.auth import CredentialsT
from yarl import URL

from newsdedup.adapters.kafka.client import COMMITTED, METADATA_AGE_MS, KafkaAccess, await_broker
from newsdedup.adapters.kafka.records import Partition, ReceivedRecord, ends_to_commit
from newsdedup.adapters.kafka.tolerant_records import read_any_records
from newsdedup.ports.errors import NewsdedupError, Unavailable
from newsdedup.ports.telemetry import Telemetry
from newsdedup.runners.worker.partitions import GapDetector, LagTracker

FindStart = Callable[[Mapping[TP, int | None]], Awaitable[Mapping[TP, int | None]]]
"""Returns the start offsets of partitions, None for the first, given the committed ones."""

_FAUST_LOGGERS: Final = ("faust", "mode")
_CRASH_LOGGERS: Final = (*_FAUST_LOGGERS, "asyncio")
_DAY_SECONDS: Final = 24 * 3600.0
_BUFFERED_RECORDS: Final = 4_096
_FETCH_BYTES: Final = 4 << 20
_REQUEST_SECONDS: Final = 90.0
_WAIT_SECONDS: Final = 0.02
"""How often is looked again while no partition is read."""


class SeekingApp(faust.App):
    """A Faust app whose consumer calls `find_start` whenever partitions are assigned."""

    find_start: FindStart
    gaps: GapDetector
    lag_tracker: LagTracker
    unread: set[TP]
    """Partitions that are not read now: enough of their records wait for slower partitions."""
    drop: Callable[[], None]
    """Called when partitions are assigned or sought anew: buffered records will come again."""

    async def on_first_start(self) -> None:
        """Override Faust's creation of folders for tables."""

    @property
    def seeking_consumer(self) -> "SeekingConsumer":
        """The consumer of this app with its type; raise TypeError if it is another kind."""
        consumer = self.consumer
        if not isinstance(consumer, SeekingConsumer):
            raise TypeError(f"the consumer of {self!r} is a {type(consumer).__name__}")
        return consumer

    async def lag(self) -> dict[str, int]:
        """Return by "TOPIC/PARTITION" how many records are not done, of assigned partitions."""
        consumer = self.seeking_consumer
        try:
            ends: dict[Partition, int] = {
                tp: consumer.highwater(tp) for tp in consumer.assignment()
            }
        except ConsumerNotStarted:
            return {}
        await self.lag_tracker.note_deleted(consumer.first_offset)
        return await self.lag_tracker.lag(ends, consumer.fetch_position)


class CommittedReader(AIOKafkaConsumerThread):
    """Faust's thread of aiokafka's consumer, which reads no records of aborted transactions.

    Faust has no setting for that but its own transactions, which would include its producer.
    """

    def _create_worker_consumer(self, transport: Any) -> AIOKafkaConsumer:
        """Return Faust's consumer, not started, with another isolation level."""
        consumer = super()._create_worker_consumer(transport)
        consumer._isolation_level = COMMITTED  # noqa: SLF001 - aiokafka reads it when it starts
        return consumer

    async def call_thread(self, fun: Callable[..., Awaitable[Any]], *args: Any, **more: Any) -> Any:
        """Return the result of a function called in the thread.

        Raise ConsumerNotStarted if the thread has ended, as it may while lag or offsets are asked.
        """
        try:
            return await super().call_thread(fun, *args, **more)
        except RuntimeError as error:
            if not self.thread_loop.is_closed():
                raise
            raise ConsumerNotStarted("the consumer has ended") from error

    def highwater(self, tp: TP) -> int:
        """Return the end of what can be read of a partition, 0 if unknown.

        Records of an open transaction cannot be read yet, so they do not wait for this worker.
        """
        return self._ensure_consumer().last_stable_offset(tp) or 0

    async def seek_assigned(self, starts: Mapping[TP, int | None]) -> None:
        """Set partitions to offsets (None: the first), but those that were revoked meanwhile.

        The first has to be sought, too: Faust drops what it fetches while partitions move. Call it
        in this thread. From another one it may take away the records that aiokafka is about to
        return: a KeyError there, or a position behind them.
        """
        consumer = self._ensure_consumer()
        assigned = {tp: at for tp, at in starts.items() if tp in consumer.assignment()}
        for tp, at in assigned.items():
            if at is not None:
                consumer.seek(tp, at)
        first = [TopicPartition(*tp) for tp, at in assigned.items() if at is None]
        if first:
            await consumer.seek_to_beginning(*first)

    def _stopped_set(self) -> None:
        """Let the thread end, unless it has: a crash of the app ends it before it is stopped.

        Its event loop, in which mode would set the event, is closed then.
        """
        try:
            super()._stopped_set()
        except RuntimeError:  # the event loop is closed
            self._stopped.set()


class SeekingConsumer(Consumer):
    """Faust's consumer, which asks a SeekingApp where partitions start."""

    app: SeekingApp
    _thread: CommittedReader
    _starts: Mapping[TP, int] = {}
    """Where the assigned partitions begin; another mapping after each assignment."""
    _assignments: int = 0
    """How many assignments there have been."""

    def _new_consumer_thread(self) -> CommittedReader:
        """Return the thread that reads for this consumer; Faust calls this."""
        return CommittedReader(self, loop=self.loop, beacon=self.beacon)

    @property
    def group_error(self) -> Exception | None:
        """Why the consumer cannot be a member of its group, None if it can.

        aiokafka waits until a call of the consumer has raised this error; Faust makes none of those
        calls, so that it would wait for ever.
        """
        consumer = self._thread._consumer  # noqa: SLF001 - Faust's own, as `_thread` is
        coordinator = None if consumer is None else consumer._coordinator  # noqa: SLF001
        return getattr(coordinator, "_pending_exception", None)

    async def seek_to_committed(self) -> Mapping[TP, int]:
        """Seek assigned partitions to the offsets of `find_start`; return where each begins.

        Faust calls this before it fetches, and when records come while partitions move. The gap
        detector and the lag begin there, too. Return an empty mapping if the partitions were
        revoked or others were assigned meanwhile: this is called again for them.
        """
        assignment = self._assignments
        try:
            found: Mapping[TP, int | None] = await self._thread.seek_to_committed()
        except AssertionError:
            return {}
        committed = {TP(tp.topic, tp.partition): offset for tp, offset in found.items()}
        app = self.app
        sought = await app.find_start(committed)
        if assignment != self._assignments:
            return {}
        starts = {tp: at or 0 for tp, at in sought.items()}
        # Before the seek: a fetch that is under way may answer with records from there at once, and
        # these must not be dropped, as the position is then behind them.
        app.drop()
        for tp, at in starts.items():
            app.gaps.expect(tp, at)
            app.lag_tracker.begin(tp, sought[tp])
        await self._thread.call_thread(self._thread.seek_assigned, sought)
        if assignment != self._assignments:
            return {}
        self._starts = starts
        return starts

    async def on_partitions_assigned(self, assigned: set[TP], generation_id: int = 0) -> None:
        """Call `find_start` also where no partition is assigned: the worker is then ready."""
        self._assignments += 1
        self._starts = {}
        self.app.drop()
        await super().on_partitions_assigned(assigned, generation_id)
        if not assigned:
            await self.app.find_start({})

    def verify_event_path(self, now: float, tp: TP) -> None:
        """Override Faust's warnings of partitions that stand still: `worker.stall` watches those.

        They end the app by an AssertionError if a partition is sought back just then.
        """

    def highwater(self, tp: TP) -> int:
        """Return the end offset of a partition, 0 if unknown or no longer assigned.

        Faust asks from another thread than the one in which partitions move, where aiokafka
        asserts that the partition is assigned.
        """
        try:
            end: int = super().highwater(tp)
        except (AssertionError, AttributeError, IllegalStateError):
            return 0
        return end

    @property
    def started_partitions(self) -> list[Partition]:
        """The assigned partitions that were set to where they begin."""
        try:
            assigned = self.assignment() if self._starts else set()
        except (AssertionError, AttributeError, ConsumerNotStarted):  # stopped
            return []
        return [tp for tp in self._starts if tp in assigned]

    def is_read(self, partition: Partition) -> bool:
        """Return whether the broker had nothing more of a partition when it answered last."""
        consumer: Any = self._thread._consumer  # noqa: SLF001 - Faust's own, as `_thread` is
        try:
            state = consumer._subscription.subscription.assignment.state_value(TP(*partition))  # noqa: SLF001
        except AttributeError:  # stopped, or nothing is assigned just now
            return False
        if state is None or state.lso is None or not state.has_valid_position:
            return False
        return bool(state.position >= state.lso)

    def partitions_of(self, topic: str) -> list[int]:
        """Return the numbers of a topic's partitions, as far as the client knows them."""
        consumer = self._thread._consumer  # noqa: SLF001 - Faust's own, as `_thread` is
        return [] if consumer is None else sorted(consumer.partitions_for_topic(topic) or ())

    async def first_offset(self, partition: Partition) -> int | None:
        """Return the first offset that Kafka still has; None if the broker is silent."""
        tp = TP(*partition)
        try:
            first: Mapping[TP, int] = await await_broker(self.earliest_offsets(tp))
        except (Unavailable, ConsumerNotStarted):
            return None
        return first[tp]

    async def fetch_position(self, partition: Partition) -> int | None:
        """Return the offset that is fetched next; None if unassigned or if the broker is silent."""
        try:
            at: int | None = await await_broker(self._thread.position(TP(*partition)))
        except (Unavailable, IllegalStateError, ConsumerNotStarted):
            return None
        return at

    def cancel_tasks_after(self, seconds: float) -> None:
        """Cancel the tasks of the consumer's thread after some seconds, if it has not ended.

        Stopping the app blocks the event loop until that thread has ended, and it may wait for a
        broker that is away; so the timer runs in another thread.
        """
        loop = self._thread.thread_loop

        def cancel_all() -> None:
            for task in asyncio.all_tasks(loop):
                task.cancel()

        def cancel_in_thread() -> None:
            with suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(cancel_all)

        timer = threading.Timer(seconds, cancel_in_thread)
        timer.daemon = True
        timer.start()

    async def commit_assigned(self, ends: Mapping[TP, int]) -> bool:
        """Commit end offsets of partitions that are still assigned; return whether any was."""
        try:
            assigned = ends_to_commit(ends, assigned=self.assignment(), starts=self._starts)
            return await self._commit(assigned) if assigned else False
        except ConsumerNotStarted:  # ended, and others have its partitions
            return False

    async def _getmany(self, active_partitions: set[TP] | None, timeout: float) -> Any:  # noqa: ASYNC109 - Faust's
        """Return the records that Faust's consumer fetches, noting them for gaps and the lag."""
        # Faust drops records of partitions that are paused by its own means.
        unread = self.app.unread
        if unread and active_partitions is not None:
            active_partitions = active_partitions - unread
            if not active_partitions:
                await asyncio.sleep(_WAIT_SECONDS)
                return {}
        fetched = await super()._getmany(active_partitions, timeout)
        for tp, records in fetched.items():
            for record in records:
                self.app.gaps.note_fetched(tp, record.offset)
                self.app.lag_tracker.note_fetched(tp, record.offset)
        return fetched


class SeekingTransport(Transport):
    """Faust's Kafka transport with a SeekingConsumer."""

    Consumer = SeekingConsumer


def create_app(
    access: KafkaAccess,
    *,
    group: str,
    session_seconds: float,
    find_start: FindStart,
    telemetry: Telemetry,
) -> SeekingApp:
    """Return a Faust app for one group member, not started; once stopped it cannot start again."""
    read_any_records()
    app = SeekingApp(
        group,
        broker=[URL(f"kafka://{one.strip()}") for one in access.servers.split(",")],
        broker_credentials=_credentials(access),
        broker_session_timeout=session_seconds,
        broker_heartbeat_interval=session_seconds / 5,
        # Faust accepts no longer session than this.
        broker_request_timeout=max(_REQUEST_SECONDS, session_seconds),
        # As with aiokafka: one that hangs while the group rebalances delays it no longer than one
        # that hangs at work. By default it would be a minute.
        broker_rebalance_timeout=session_seconds,
        # A worker that waits for Redis must stay in the group; the watchdog ends a hung one.
        broker_max_poll_interval=_DAY_SECONDS,
        consumer_auto_offset_reset="earliest",
        consumer_max_fetch_size=_FETCH_BYTES,
        consumer_metadata_max_age_ms=METADATA_AGE_MS,
        key_serializer="raw",
        value_serializer="raw",
        stream_wait_empty=False,
        stream_buffer_maxsize=_BUFFERED_RECORDS,
        # With standby replicas Faust assigns partitions its own way, and no aiokafka may join.
        table_standby_replicas=0,
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_enabled=False,
    )
    app.find_start = find_start
    app.gaps = GapDetector()
    app.lag_tracker = LagTracker(telemetry)
    app.unread = set()
    app.drop = lambda: None
    app.transport = SeekingTransport(app.conf.broker_consumer, app)
    return app


def _credentials(access: KafkaAccess) -> CredentialsT | None:
    """Return TLS and SASL settings in Faust's form, None for a plain connection."""
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
    """Let Faust log warnings and errors only, and no traceback of an error that we raise."""
    for name in (*_FAUST_LOGGERS, __name__):
        logging.getLogger(name).setLevel(logging.WARNING)
    for handler in logging.getLogger().handlers:
        handler.addFilter(_is_no_crash_of_ours)


def _is_no_crash_of_ours(record: logging.LogRecord) -> bool:
    """Return False for what Faust logs of a NewsdedupError: `run` raises it to the command.

    It filters the handlers, as Faust logs by the name of each of its modules; asyncio logs the
    error of a task of Faust's that nobody waits for.
    """
    if record.name.partition(".")[0] not in _CRASH_LOGGERS or record.exc_info is None:
        return True
    return not isinstance(record.exc_info[1], NewsdedupError)


def from_faust(message: Any) -> ReceivedRecord:
    """Return a Faust message as a record, its timestamp in ms; that is 0 without one."""
    return ReceivedRecord(
        message.topic,
        message.partition,
        message.offset,
        message.key,
        message.value,
        tuple(message.headers or ()),
        round(message.timestamp * 1000) if message.timestamp else 0,
    )
