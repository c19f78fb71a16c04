"""The thread of Faust's consumer ends by itself when the app crashes, before it is stopped."""

import asyncio
import logging
from contextlib import suppress

import pytest
from aiokafka.errors import KafkaConnectionError
from faust.exceptions import ConsumerNotStarted
from faust.types import TP

from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.ports.errors import StateLost
from newsdedup.ports.telemetry import Telemetry
from newsdedup.runners.worker.faust_app import create_app, quieten_faust

NOBODY = "127.0.0.1:1"


async def find_no_start(_committed):
    return {}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_consumer_whose_thread_has_crashed_stops_without_an_error(caplog):
    async def crash_and_stop():
        app = create_app(
            KafkaAccess(NOBODY),
            group="g",
            session_seconds=10,
            find_start=find_no_start,
            telemetry=Telemetry(),
        )
        consumer = app.seeking_consumer
        with suppress(KafkaConnectionError):  # Faust raises it if the thread has not ended by then
            await consumer.start()
        thread = consumer._thread
        await asyncio.to_thread(thread._thread.stop)
        assert isinstance(thread.crash_reason, KafkaConnectionError)
        assert thread.thread_loop.is_closed()
        caplog.clear()
        with pytest.raises(ConsumerNotStarted):  # as when lag is asked just then
            await thread.call_thread(find_no_start, {})
        assert await consumer.fetch_position(("t", 0)) is None
        assert not await consumer.commit_assigned({TP("t", 0): 1})
        await consumer.stop()
        assert thread.should_stop

    with caplog.at_level(logging.ERROR):
        asyncio.run(crash_and_stop())
    assert [one.getMessage() for one in caplog.records] == []


def test_an_error_of_ours_in_a_task_that_nobody_waits_for_is_not_logged(caplog):
    quieten_faust()
    for error in (StateLost("redis has lost the state"), ValueError("a bug")):
        logging.getLogger("asyncio").error("never retrieved", exc_info=error)
    assert [one.exc_info[0] for one in caplog.records] == [ValueError]
