"""The runner on Faust: reads batches of a consumer group, commits them when finished.

While one batch is judged and published, the records that come are analyzed for the next one. Faust
cannot seek safely while it works: after lost state or dropped records its app is stopped, and a new
one starts at the stored offsets. What was not committed comes again.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError
from faust.types import TP, EventT, Message

from newsdedup.adapters.kafka.client import kafka_unavailable
from newsdedup.adapters.kafka.records import (
    ReceivedRecord,
    end_offsets,
    position_name,
    sort_records,
)
from newsdedup.ports.errors import StateMoved, Unavailable
from newsdedup.runners.worker.consumer import (
    BatchProcessor,
    GroupMember,
    join_prepared,
    run_unless_stopped,
    start_offset,
)
from newsdedup.runners.worker.faust_app import (
    SeekingApp,
    create_app,
    from_faust,
    quieten_faust,
    run_app,
)
from newsdedup.runners.worker.worker import Prepared

LOG: Final = logging.getLogger("newsdedup.faust")
_MIN_LINGER_SECONDS: Final = 0.001
"""Faust takes 0 for no limit."""
_STOP_SECONDS: Final = 10.0
_COMMIT_SECONDS: Final = 10.0


class FaustLoop:
    """One member of a consumer group, which runs Faust apps one after another; laws: see `Loop`."""

    def __init__(self, worker: BatchProcessor, member: GroupMember) -> None:
        self._worker = worker
        self._member = member
        self._linger = max(member.linger_seconds, _MIN_LINGER_SECONDS)
        self._stopping = asyncio.Event()
        self._app: SeekingApp | None = None
        self._failure: asyncio.Future[None] = asyncio.Future()
        """Receives the error that must end the app; Faust alone would log it and continue."""
        self._in_hand: asyncio.Future[None] | None = None
        """The batch that is being judged, published and committed."""
        self._waiting: list[Prepared] = []

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
            except (StateMoved, Unavailable) as reason:
                LOG.warning("begun_again reason=%s", reason)

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
        self._failure = asyncio.get_running_loop().create_future()
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
            waiting: list[asyncio.Future[Any]] = [self._failure, running, stopping]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if self._stopping.is_set():
                await self._wait_in_hand()
            for one in (self._failure, running):
                if one.done():
                    one.result()
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
        self._waiting.clear()
        if self._in_hand is not None:
            self._in_hand.cancel()
            await asyncio.gather(self._in_hand, return_exceptions=True)
            self._in_hand = None
        self._failure.cancel()
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
            stored = await self._worker.waited("redis", self._member.stored)
            starts = {
                tp: start_offset(
                    position_name(tp.topic, tp.partition), stored=stored, committed=offset
                )
                for tp, offset in committed.items()
            }
        except Exception as error:
            self._fail(error)
            raise
        self._worker.telemetry.assigned()
        return {tp: at for tp, at in starts.items() if at is not None}

    async def _read_stream(self, stream: Any) -> None:
        """Process the records of the stream; never return, or Faust would restart this agent."""
        try:
            # Faust's type of a stream lacks noack_take.
            async for events in stream.noack_take(self._member.batch, within=self._linger):
                await self._take(events)
        except Exception as error:  # noqa: BLE001 - `run` raises it
            self._fail(error)
        await asyncio.Event().wait()

    async def _take(self, events: Sequence[EventT[bytes]]) -> None:
        """Analyze records for the next batch; if it is full, wait until the running one ends."""
        messages = [event.message for event in events if self._accept(event.message)]
        if not messages:
            return
        records = sort_records(from_faust(message) for message in messages)
        prepared = await self._worker.prepare(records)
        # Not before the wait: meanwhile the end of a batch may begin a new list.
        self._waiting.append(prepared)
        self._finish_next()
        while self._is_busy() and self._waiting_records() >= self._member.batch:
            await self._wait_in_hand()

    def _accept(self, message: Message) -> bool:
        """Return whether a record was read after the last rebalance; Kafka delivers others again.

        An accepted record is noted as passed, so call this in the order of delivery; none is
        accepted while no app runs. Raise OffsetGap if Faust has dropped a record before this one.
        """
        if self._app is None or message.generation_id != self._app.consumer_generation_id:
            return False
        self._app.gaps.check(message.tp, message.offset)
        return True

    def _is_busy(self) -> bool:
        return self._in_hand is not None and not self._failure.done()

    def _waiting_records(self) -> int:
        return sum(len(prepared.batch) for prepared in self._waiting)

    def _finish_next(self) -> None:
        """Start one task to finish all prepared records, unless one runs or the worker stops."""
        if self._in_hand is None and self._waiting and not self._stopping.is_set():
            ready, self._waiting = join_prepared(self._waiting), []
            self._in_hand = asyncio.ensure_future(self._finish(ready))

    async def _wait_in_hand(self) -> None:
        """Wait for the running batch, if any, without cancelling it if the caller is cancelled."""
        if self._in_hand is not None:
            await asyncio.shield(self._in_hand)

    async def _finish(self, prepared: Prepared) -> None:
        """Judge, publish and commit a batch, then start the next; an error ends the app."""
        try:
            await self._worker.finish(prepared)
            self._worker.fail("before_commit")
            await self._commit(prepared.batch)
        except Exception as error:  # noqa: BLE001 - `run` raises it
            self._fail(error)
            return
        self._in_hand = None
        self._finish_next()

    async def _commit(self, batch: Sequence[ReceivedRecord]) -> None:
        """Commit the end offsets of a batch; log a timeout, as the next commit covers them."""
        ends = end_offsets(batch)
        if self._app is None:
            return
        self._app.lag_tracker.note_done(ends)
        try:
            async with asyncio.timeout(_COMMIT_SECONDS):
                await self._app.commit_ends({TP(*place): end for place, end in ends.items()})
        except TimeoutError:
            LOG.warning("not_committed_yet")

    def _fail(self, error: Exception) -> None:
        """Make `_run_one_app` raise this error; later errors of the same app are ignored."""
        if not self._failure.done():
            self._failure.set_exception(error)
