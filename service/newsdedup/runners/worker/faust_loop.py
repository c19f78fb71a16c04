"""The runner around Faust: batches of a stream to a worker, committed after they are done.

While one batch is judged and published, the next one is taken and analyzed, little by little as it
comes. Faust cannot seek safely while it works: where the state has moved or records were dropped,
its app is stopped and another one begins where the stored positions say. What was not committed
then comes again.
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
    sort_by_time,
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
from newsdedup.runners.worker.partitions import OffsetGap
from newsdedup.runners.worker.worker import Prepared

LOG: Final = logging.getLogger("newsdedup.faust")
_MIN_LINGER_SECONDS: Final = 0.001
"""Faust takes no time at all for any time."""
_STOP_SECONDS: Final = 10.0
_COMMIT_SECONDS: Final = 10.0


class FaustLoop:
    """One member of a consumer group, as one Faust app after another."""

    def __init__(self, worker: BatchProcessor, member: GroupMember) -> None:
        self._worker = worker
        self._member = member
        self._linger = max(member.linger_seconds, _MIN_LINGER_SECONDS)
        self._stopping = asyncio.Event()
        self._app: SeekingApp | None = None
        self._ended: asyncio.Future[None] = asyncio.Future()
        """What ended the work of an app, told to `run`; Faust would log it and go on."""
        self._at_hand: asyncio.Future[None] | None = None
        self._waiting: list[Prepared] = []

    def stop(self) -> None:
        """Finish the batch at hand and end."""
        self._stopping.set()

    async def run(self) -> None:
        """Work until told to stop; what is not committed then is delivered again."""
        quieten_faust()
        while not self._stopping.is_set():
            await run_unless_stopped(self._stopping, self._worker.waited("kafka", self._reached))
            if self._stopping.is_set():
                return
            try:
                await self._live()
            except (StateMoved, OffsetGap, Unavailable) as reason:
                LOG.warning("begun_again reason=%s", reason)

    async def lag(self) -> dict[str, int]:
        """Return how many records of each assigned partition wait, as far as is known."""
        return {} if self._app is None else await self._app.lag()

    async def _reached(self) -> None:
        """Raise Unavailable while no broker answers: an app that cannot start is not to be had."""
        client = AIOKafkaAdminClient(**self._member.access.options())
        try:
            await client.start()
        except (KafkaError, OSError) as error:
            raise kafka_unavailable(error) from error
        finally:
            await client.close()

    async def _live(self) -> None:
        """Let an app work until it is told to stop; raise what ended it otherwise."""
        self._ended = asyncio.get_running_loop().create_future()
        made = create_app(
            self._member.access,
            group=self._member.group,
            session_seconds=self._member.session_seconds,
            begin=self._begin,
        )
        topic = made.topic(self._member.topic, key_type=bytes, value_type=bytes, acks=False)
        made.agent(topic, name="newsdedup")(self._work)
        self._app = made
        living = asyncio.ensure_future(run_app(made))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            waiting: list[asyncio.Future[Any]] = [self._ended, living, stopping]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if self._stopping.is_set():
                await self._finished()
            for one in (self._ended, living):
                if one.done():
                    one.result()
        finally:
            living.cancel()
            stopping.cancel()
            await asyncio.gather(living, stopping, return_exceptions=True)
            await self._over(made)

    async def _over(self, made: SeekingApp) -> None:
        """Stop an app; a batch that is still at hand is left to whoever comes next."""
        self._app = None
        self._waiting.clear()
        if self._at_hand is not None:
            self._at_hand.cancel()
            await asyncio.gather(self._at_hand, return_exceptions=True)
            self._at_hand = None
        self._ended.cancel()
        made.cancel_consumer_after(_STOP_SECONDS / 2)
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await made.stop()
        except TimeoutError:
            LOG.warning("not_stopped: Faust goes with the process")

    async def _begin(self, committed: Mapping[TP, int | None]) -> Mapping[TP, int]:
        """Return where partitions that were just assigned begin: where the state ends."""
        try:
            stored = await self._worker.waited("redis", self._member.stored)
            names = {tp: position_name(tp.topic, tp.partition) for tp in committed}
            sought = {
                tp: start_offset(names[tp], stored=stored, committed=offset)
                for tp, offset in committed.items()
            }
        except Exception as error:
            self._end(error)
            raise
        found = {tp: at for tp, at in sought.items() if at is not None}
        for tp, at in found.items():
            if at < (committed[tp] or 0):
                LOG.warning("sought_back partition=%s from=%s to=%d", names[tp], committed[tp], at)
        self._worker.telemetry.assigned()
        return found

    async def _work(self, stream: Any) -> None:
        """Pass batches to the worker, the next one prepared meanwhile; never come to an end.

        Faust's type of a stream does not know `noack_take`.
        """
        try:
            async for events in stream.noack_take(self._member.batch, within=self._linger):
                await self._take(events)
        except Exception as error:  # noqa: BLE001 - told by `run`; Faust would go on
            self._end(error)
        await asyncio.Event().wait()

    async def _take(self, events: Sequence[EventT[bytes]]) -> None:
        """Prepare what came; what comes while a batch is being finished waits for the next one."""
        messages = [event.message for event in events if self._is_current(event.message)]
        if not messages:
            return
        records = sort_by_time(from_faust(message) for message in messages)
        prepared = await self._worker.prepare(records)
        self._waiting.append(prepared)
        self._go_on()
        while self._is_busy() and self._records_waiting() >= self._member.batch:
            await self._finished()

    def _is_busy(self) -> bool:
        return self._at_hand is not None and not self._ended.done()

    def _records_waiting(self) -> int:
        return sum(len(prepared.batch) for prepared in self._waiting)

    def _go_on(self) -> None:
        """Begin to finish what waits, unless a batch is at hand or no more is wanted."""
        if self._at_hand is None and self._waiting and not self._stopping.is_set():
            ready, self._waiting = join_prepared(self._waiting), []
            self._at_hand = asyncio.ensure_future(self._finish(ready))

    def _is_current(self, message: Message) -> bool:
        """Return whether a record came after partitions moved last; others come again."""
        if self._app is None or message.generation_id != self._app.consumer_generation_id:
            return False
        self._app.gaps.check(message.tp, message.offset)
        return True

    async def _finished(self) -> None:
        """Wait until the batch at hand is done."""
        if self._at_hand is not None:
            await asyncio.shield(self._at_hand)

    async def _finish(self, prepared: Prepared) -> None:
        try:
            await self._worker.finish(prepared)
            self._worker.fail("before_commit")
            await self._commit(prepared.batch)
        except Exception as error:  # noqa: BLE001 - told by `run`; nobody waits for this task
            self._end(error)
            return
        self._at_hand = None
        self._go_on()

    async def _commit(self, batch: Sequence[ReceivedRecord]) -> None:
        """Tell Kafka what is done; where it does not listen the next batch tells it as well."""
        done = end_offsets(batch)
        if self._app is None:
            return
        self._app.lag_tracker.note_done(done)
        try:
            async with asyncio.timeout(_COMMIT_SECONDS):
                await self._app.commit_ends({TP(*place): end for place, end in done.items()})
        except TimeoutError:
            LOG.warning("not_committed_yet")

    def _end(self, error: Exception) -> None:
        if not self._ended.done():
            self._ended.set_exception(error)
