"""What goes on alongside a worker ends with it, also where a client loses a cancellation."""

import asyncio
import random
import subprocess
import sys
from contextlib import closing, suppress

import pytest
from aiokafka.client import AIOKafkaClient

from laws.redis_shared import Shared
from newsdedup.adapters.kafka import client
from newsdedup.adapters.redis.calls import Calls
from newsdedup.cli.serve_job import _run_until, _Task
from newsdedup.ports.errors import Unavailable
from newsdedup.runners import tasks
from newsdedup.runners.tasks import cancel_all
from newsdedup.runners.worker.service import Deadlines, _background_tasks
from runners.streaming import PATIENCE_SECONDS
from runners.test_lag import Scripted

STOPS = 20
"""Of ten cancellations amid calls of Redis about one is lost."""


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(tasks, "CANCEL_AGAIN_SECONDS", 0.05)


async def asking(calls: Calls) -> None:
    while True:
        await calls.command("TIME")


async def all_stopped(shared: Shared) -> int:
    calls, chance = Calls(shared.client, home="{stopping}:meta"), random.Random(1)  # noqa: S311
    await calls.command("PING")
    ended = 0
    for _ in range(STOPS):
        task = asyncio.ensure_future(asking(calls))
        for _ in range(chance.randrange(3, 40)):
            await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE_SECONDS):
            await cancel_all({task})
        ended += task.cancelled()
    return ended


def test_a_task_that_asks_redis_again_and_again_ends_when_it_is_stopped(redis):
    with closing(Shared(redis.url)) as shared:
        assert shared.run(all_stopped(shared)) == STOPS


class Idle(Scripted):
    """A runner and a worker that have nothing to do."""

    async def adopt(self, *, older_than_ms: int) -> int:
        del older_than_ms
        return 0


def test_a_worker_ends_although_another_did_not_notice_that_it_was_to_stop():
    lost = []

    async def work() -> None:
        begun, never = asyncio.Event(), asyncio.Event()

        async def companion() -> None:
            begun.set()
            with suppress(asyncio.CancelledError):
                await never.wait()
            lost.append("a cancellation")
            await never.wait()

        idle, deadlines = Idle(0), Deadlines(drain=1, stall=60, orphans=60)
        async with asyncio.timeout(PATIENCE_SECONDS):
            async with _background_tasks(idle, idle, deadlines, [companion]):
                await begun.wait()

    asyncio.run(work())
    assert lost == ["a cancellation"]


async def deaf(begun: asyncio.Event) -> None:
    """Drop the first cancellation, and wait for ever."""
    never = asyncio.Event()
    begun.set()
    with suppress(asyncio.CancelledError):
        await never.wait()
    await never.wait()


def test_a_server_ends_although_a_task_did_not_notice_that_it_was_to_stop():
    async def work() -> None:
        stopped, begun = asyncio.Event(), asyncio.Event()
        running = asyncio.ensure_future(_run_until(stopped, [_Task(lambda: deaf(begun))]))
        await begun.wait()
        stopped.set()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await running

    asyncio.run(work())


def test_a_probe_of_kafka_closes_although_a_task_of_its_client_runs_on(kafka, monkeypatch):
    monkeypatch.setattr(client, "_CLOSE_SECONDS", 0.05)

    async def work() -> None:
        probe = client.KafkaProbe(client.KafkaAccess(kafka.address), topic="__consumer_offsets")
        with suppress(Unavailable):
            await probe.ping()
        reached = AIOKafkaClient(bootstrap_servers=kafka.address)
        await reached.bootstrap()
        begun = asyncio.Event()
        synchronizer, reached._sync_task = reached._sync_task, asyncio.ensure_future(deaf(begun))
        synchronizer.cancel()
        await begun.wait()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await client.ends_in_time(reached.close())
            await probe.close()

    asyncio.run(work())


STOPPED_TWICE = """
import asyncio, os, signal
from newsdedup.runners.tasks import call_at_signals

async def until_stopped():
    stopped = asyncio.Event()
    call_at_signals(stopped.set)
    os.kill(os.getpid(), signal.SIGTERM)
    await stopped.wait()

asyncio.run(until_stopped())
os.kill(os.getpid(), signal.SIGTERM)
"""


@pytest.mark.usefixtures("process")
def test_a_second_signal_behind_the_end_of_the_work_does_not_kill():
    assert subprocess.run([sys.executable, "-c", STOPPED_TWICE], check=False).returncode == 0
