"""The runner on Faust: reads batches of a consumer group, commits them when finished.

While one batch is judged and published, the records that come are analyzed for the next one. Faust
cannot seek safely while it works: after lost state or dropped records its app is stopped, and a new
one starts at the stored offsets. What was not committed comes again.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from faust.types import TP, Message

from newsdedup.adapters.kafka.client import kafka_unavailable
from newsdedup.adapters.kafka.records import (
    ReceivedRecord,
    end_offsets,
    position_name,
    sort_records,
)
from newsdedup.ports.errors import StateMoved, Unavailable
from newsdedup.runners.worker.acknowledger import CommitGivenUp
from newsdedup.runners.worker.consumer import (
    BatchProcessor,
    ConsumerFailures,
    GroupMember,
    find_starts,
    run_unless_stopped,
)
from newsdedup.runners.worker.faust_app import (
    SeekingApp,
    create_app,
    from_faust,
    quieten_faust,
    run_app,
)
from newsdedup.runners.worker.in_flight import BatchesInFlight

LOG: Final = logging.getLogger("newsdedup.faust")
_STOP_SECONDS: Final = 10.0
_COMMIT_SECONDS: Final = 10.0


class FaustLoop:
    """One member of a consumer group, which runs Faust apps one after another; laws: see `Loop`."""

    def __init__(self, worker: BatchProcessor, member: GroupMember) -> None:
        self._worker = worker
        self._member = member
        self._stopping = asyncio.Event()
        self._failures = ConsumerFailures(worker)
        self._app: SeekingApp | None = None
        self._in_flight: BatchesInFlight | None = None
        """The batches of the app. Its failure ends the app; Faust alone would log it and go on."""

    def stop(self) -> None:
        """Let `run` return after the batch in hand."""
        self._stopping.set()

    async def run(self) -> None:
        """Process batches until `stop` is called; uncommitted records are delivered again."""
        quieten_faust()
        while not self._stopping.is_set():
            await run_unless_stopped(
                self._stopping, self._worker.waited("kafka", self._check_broker)
            )
            if self._stopping.is_set():
                return
            try:
                await self._run_one_app()
            except StateMoved as reason:
                LOG.warning("begun_again reason=%s", reason)
            except Unavailable as reason:
                LOG.warning("begun_again reason=%s", reason)
                await run_unless_stopped(self._stopping, self._failures.wait(reason))

    async def lag(self) -> dict[str, int]:
        """Return the lag of each assigned partition in records; empty while no app runs."""
        return {} if self._app is None else await self._app.lag()

    async def _check_broker(self) -> None:
        """Connect to a broker once and close; raise Unavailable if none answers.

        Without this check a Faust app would fail to start.
        """
        client = AIOKafkaAdminClient(**self._member.access.options())
        try:
            await client.start()
        except (KafkaError, OSError) as error:
            raise kafka_unavailable(error) from error
        finally:
            await client.close()

    async def _run_one_app(self) -> None:
        """Run an app until the worker is stopped; raise the error if one ends the app before."""
        await run_unless_stopped(
            self._stopping, self._worker.waited("redis", self._member.positions.begin)
        )
        in_flight = self._in_flight = BatchesInFlight(
            self._worker,
            self._commit,
            batch=self._member.batch,
            linger_seconds=self._member.linger_seconds,
            stopping=self._stopping,
        )
        app = create_app(
            self._member.access,
            group=self._member.group,
            session_seconds=self._member.session_seconds,
            find_start=self._find_start,
        )
        topic = app.topic(self._member.topic, key_type=bytes, value_type=bytes, acks=False)
        app.agent(topic, name="newsdedup")(self._read_stream)
        self._app = app
        running = asyncio.ensure_future(run_app(app))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            waiting: list[asyncio.Future[Any]] = [in_flight.failure, running, stopping]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for one in (in_flight.failure, running):
                if one.done():
                    one.result()
            if self._stopping.is_set():
                await in_flight.drain()
        finally:
            running.cancel()
            stopping.cancel()
            await asyncio.gather(running, stopping, return_exceptions=True)
            await self._stop_app(app)

    async def _stop_app(self, app: SeekingApp) -> None:
        """Stop an app within 10 seconds and cancel its batch, whose records Kafka delivers again.

        An app that does not stop in time is left to the end of the process.
        """
        self._app = None
        if self._in_flight is not None:
            await self._in_flight.cancel()
        app.cancel_consumer_after(_STOP_SECONDS / 2)
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await app.stop()
        except TimeoutError:
            LOG.warning("not_stopped: Faust goes with the process")

    async def _find_start(self, committed: Mapping[TP, int | None]) -> Mapping[TP, int]:
        """Return the start offsets of newly assigned partitions, from Redis or the committed ones.

        Any error also ends the app, as Faust would log it and continue.
        """
        try:
            names = {tp: position_name(tp.topic, tp.partition) for tp in committed}
            ends = {names[tp]: offset for tp, offset in committed.items()}
            found = await self._worker.waited(
                "redis", partial(find_starts, self._member.positions, ends)
            )
        except Exception as error:
            self._fail(error)
            raise
        self._worker.telemetry.assigned()
        starts = {tp: found[name] for tp, name in names.items()}
        return {tp: at for tp, at in starts.items() if at is not None}

    async def _read_stream(self, stream: Any) -> None:
        """Process the records of the stream; never return, or Faust would restart this agent."""
        try:
            messages: list[Message] = []
            # Faust's types lack the queue of a channel.
            is_empty = stream.channel.queue.empty
            async for event in stream.noack().events():
                if self._accept(event.message):
                    messages.append(event.message)
                if messages and (is_empty() or len(messages) >= self._room()):
                    await self._take(messages)
                    messages.clear()
        except Exception as error:  # noqa: BLE001 - `run` raises it
            self._fail(error)
        await asyncio.Event().wait()

    async def _take(self, messages: Sequence[Message]) -> None:
        """Analyze records for the next batch; if that is full, wait until it is taken."""
        self._failures.note_success()
        records = sort_records(from_faust(message) for message in messages)
        prepared = await self._worker.prepare(records)
        if self._in_flight is not None:
            await self._in_flight.add(prepared)

    def _accept(self, message: Message) -> bool:
        """Return whether a record was read after the last rebalance; Kafka delivers others again.

        An accepted record is noted as passed, so call this in the order of delivery; none is
        accepted while no app runs. Raise OffsetGap if Faust has dropped a record before this one.
        """
        if self._app is None or message.generation_id != self._app.consumer_generation_id:
            return False
        self._app.gaps.check(message.tp, message.offset)
        return True

    def _room(self) -> int:
        return 1 if self._in_flight is None else self._in_flight.room

    async def _commit(self, batch: Sequence[ReceivedRecord]) -> None:
        """Commit the end offsets of a batch; try again when the broker is silent.

        Raise CommitGivenUp if the broker is silent while the worker stops.
        """
        ends = end_offsets(batch)
        while self._app is not None:
            self._app.lag_tracker.note_done(ends)
            try:
                async with asyncio.timeout(_COMMIT_SECONDS):
                    await self._app.commit_ends({TP(*place): end for place, end in ends.items()})
            except TimeoutError as error:
                if self._stopping.is_set():
                    raise CommitGivenUp("kafka: the broker does not answer") from error
                LOG.warning("not_committed_yet")
            else:
                return

    def _fail(self, error: Exception) -> None:
        """Make `_run_one_app` raise this error; later errors of the same app are ignored."""
        if self._in_flight is not None:
            self._in_flight.fail(error)
