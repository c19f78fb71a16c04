"""Hits are sent at least once, with the same id, whatever fails or is killed."""

import asyncio
import json
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from archive.event_stream import archived, search_words, story_events
from newsdedup.archive.reader import ArchiveReader
from newsdedup.bootstrap.watching import open_watcher
from newsdedup.config import build_settings
from newsdedup.ports.errors import Unavailable
from newsdedup.server.reader_pool import ReaderPool
from newsdedup.watches.watch import Watch
from newsdedup.watches.watch_states import WatchState
from newsdedup.watches.watch_store import WatchPosition, WatchStore
from newsdedup.watches.watcher import Watcher
from runners.processes import run, started
from watches.receiver import HELD, receiving

SECRET = "a secret of the tests alone"  # noqa: S105 - of the tests alone
AGENCY = Watch(name="agency", q="пожежа")


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 4, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def watching(
    folder: Path,
    watch: Watch,
    work: Callable[[Watcher, Clock], object],
    *,
    attempts: int = 3,
    archive: str = "news.archive",
) -> None:
    """Do the work with a watcher of the archive of a folder, which reads it from its beginning."""

    async def job() -> None:
        settings = build_settings(
            {
                "watches.state": str(folder / "watches"),
                "watches.secret": SECRET,
                "watches.attempts": attempts,
                "watches.keep": timedelta(days=3650),
            }
        )
        async with AsyncExitStack() as stack:
            opening = partial(ArchiveReader, folder / archive, search_words())
            pool = ReaderPool(opening, threads=1)
            stack.push_async_callback(pool.close)
            watcher = await stack.enter_async_context(
                open_watcher(
                    settings, pool.run, watches=[watch], allow_private=True, from_beginning=True
                )
            )
            clock = Clock()
            watcher._clock = clock
            await work(watcher, clock)  # type: ignore[misc]

    asyncio.run(job())


async def find_all(watcher: Watcher) -> None:
    while await watcher.find():
        pass


async def state_of(watcher: Watcher, clock: Clock) -> WatchState:
    (state,) = await watcher.store.run(partial(WatchStore.states, now=clock.now))
    return state


def test_a_failing_webhook_is_tried_again_later_and_then_gets_the_same_body(
    tmp_path: Path,
) -> None:
    archived(tmp_path / "news.archive", story_events())
    with receiving(500, 0) as receiver:
        watch = Watch(name="one", source="вести", webhook=receiver.address)

        async def work(watcher: Watcher, clock: Clock) -> None:
            await find_all(watcher)
            assert await watcher.deliver()
            assert not await watcher.deliver(), "it waits"
            state = await state_of(watcher, clock)
            assert (state.waiting, state.dead, state.problem) == (1, 0, "status 500")
            assert state.failing_since == clock.now
            clock.now += timedelta(seconds=40)
            assert await watcher.deliver()
            clock.now += timedelta(seconds=80)
            assert await watcher.deliver()
            state = await state_of(watcher, clock)
            assert (state.hits, state.waiting, state.failing_since) == (1, 0, None)
            assert watcher.counts == {"failed": 2, "sent": 1}

        watching(tmp_path, watch, work)
        first, second, third = receiver.received
    assert first.id == second.id == third.id
    assert first.body == second.body == third.body
    assert first.json()["item"]["id"] == "5"


def test_a_hit_is_sent_at_once_after_the_clock_was_set_back(tmp_path: Path) -> None:
    archived(tmp_path / "news.archive", story_events())
    with receiving(500) as receiver:
        watch = Watch(name="one", source="вести", webhook=receiver.address)

        async def work(watcher: Watcher, clock: Clock) -> None:
            await find_all(watcher)
            assert await watcher.deliver()
            clock.now -= timedelta(days=30)
            assert await watcher.deliver()
            assert watcher.counts == {"failed": 1, "sent": 1}

        watching(tmp_path, watch, work)


def test_a_dead_letter_is_shown_and_can_be_sent_again(tmp_path: Path) -> None:
    archived(tmp_path / "news.archive", story_events())
    with receiving(500, 500) as receiver:
        watch = Watch(name="one", source="вести", webhook=receiver.address)

        async def work(watcher: Watcher, clock: Clock) -> None:
            await find_all(watcher)
            for _ in range(2):
                await watcher.deliver()
                clock.now += timedelta(hours=1)
            state = await state_of(watcher, clock)
            assert (state.waiting, state.dead, watcher.counts["dead"]) == (0, 1, 1)
            (letter,) = await watcher.store.run(partial(WatchStore.dead_letters, watch="one"))
            assert (letter.attempts, letter.problem) == (2, "status 500")
            assert not await watcher.deliver()
            again = partial(WatchStore.send_again, watch="one", now=clock.now)
            assert await watcher.store.run(again) == 1
            assert await watcher.deliver()
            state = await state_of(watcher, clock)
            assert (state.dead, state.failing_since) == (0, None)

        watching(tmp_path, watch, work, attempts=2)
        assert len({one.id for one in receiver.received}) == 1


def test_a_webhook_that_fails_holds_up_no_other(tmp_path: Path) -> None:
    archived(tmp_path / "news.archive", story_events())
    with receiving(*[500] * 50) as failing, receiving() as working:

        async def work(watcher: Watcher, clock: Clock) -> None:
            other = Watch(name="other", q="пожежа", webhook=working.address)
            await watcher.store.run(partial(WatchStore.add, watch=other, now=clock.now))
            await find_all(watcher)
            assert await watcher.deliver()
            assert working.received

        watching(
            tmp_path,
            Watch(name="all", least_sources=1, q="-x мости пожежа", webhook=failing.address),
            work,
        )


def test_a_webhook_that_does_not_answer_holds_up_no_other(tmp_path: Path) -> None:
    archived(tmp_path / "news.archive", story_events())
    with receiving(*[HELD] * 50) as silent, receiving() as working:

        async def work(watcher: Watcher, clock: Clock) -> None:
            other = Watch(name="other", q="пожежа", webhook=working.address)
            await watcher.store.run(partial(WatchStore.add, watch=other, now=clock.now))
            await find_all(watcher)
            sending = asyncio.create_task(watcher.deliver())
            await asyncio.to_thread(working.wait_for, 3)
            assert not watcher.counts["failed"], "the silent one had its time"
            assert len(silent.received) <= 2
            sending.cancel()

        watching(tmp_path, Watch(name="all", q="пожежа", webhook=silent.address), work)


def test_webhooks_that_fail_get_half_of_what_is_under_way(tmp_path: Path) -> None:
    archived(tmp_path / "news.archive", story_events())
    with receiving(*[500] * 8, *[HELD] * 50) as failing, receiving(500) as working:

        async def work(watcher: Watcher, clock: Clock) -> None:
            for name in "bcdefgh":
                more = Watch(name=name, source="вести", webhook=failing.address)
                await watcher.store.run(partial(WatchStore.add, watch=more, now=clock.now))
            await find_all(watcher)
            await watcher.deliver()
            failed = len(failing.received)
            other = Watch(name="other", q="пожежа", webhook=working.address)
            await watcher.store.run(partial(WatchStore.add, watch=other, now=clock.now))
            begin = WatchPosition((await watcher.position()).archive, 0, 0)
            await watcher.store.run(partial(WatchStore.begin, position=begin))
            await find_all(watcher)
            clock.now += timedelta(minutes=1)
            sending = asyncio.create_task(watcher.deliver())
            await asyncio.to_thread(working.wait_for, 3)
            await asyncio.to_thread(failing.wait_for, failed + 1)
            assert len(failing.received) <= failed + 4
            sending.cancel()

        watching(tmp_path, Watch(name="a", source="вести", webhook=failing.address), work)


def test_an_archive_that_is_damaged_for_a_while_ends_no_search(tmp_path: Path) -> None:
    whole = archived(tmp_path / "news.archive", story_events()).read_bytes()
    # Kept, so that the file that takes its place is not known by the same number.
    (tmp_path / "kept").hardlink_to(tmp_path / "news.archive")

    async def work(watcher: Watcher, clock: Clock) -> None:
        replacement = tmp_path / "replacement"
        replacement.write_bytes(b"no archive at all")
        replacement.rename(tmp_path / "news.archive")
        with pytest.raises(Unavailable, match="damaged"):
            await watcher.find()
        replacement.write_bytes(whole)
        replacement.rename(tmp_path / "news.archive")
        await find_all(watcher)
        assert (await state_of(watcher, clock)).hits == 3

    watching(tmp_path, AGENCY, work)


def test_an_archive_made_anew_repeats_no_hit(tmp_path: Path) -> None:
    archived(tmp_path / "news.archive", story_events())
    archived(tmp_path / "again.archive", story_events(), batch=3)

    async def first(watcher: Watcher, clock: Clock) -> None:
        await find_all(watcher)
        assert (await state_of(watcher, clock)).hits == 3

    async def second(watcher: Watcher, clock: Clock) -> None:
        shown: list[object] = []
        watcher._show = shown.append
        await find_all(watcher)
        assert not shown
        assert (await state_of(watcher, clock)).hits == 3

    watching(tmp_path, AGENCY, first)
    watching(tmp_path, AGENCY, second)
    watching(tmp_path, AGENCY, second, archive="again.archive")


@pytest.mark.usefixtures("process")
def test_kills_lose_no_hit_and_change_no_id(tmp_path: Path) -> None:
    archived(tmp_path / "news.archive", story_events())
    arguments = (
        *("watch", "news.archive", "--least-sources", "1", "--words", "пожежа", "--all", "--json"),
        *("--state", "fire.watch", "--allow-private", "--webhook"),
    )
    secret = {"NEWSDEDUP_WATCHES__SECRET": SECRET}
    printed = ""
    with receiving(HELD, HELD, HELD, HELD) as receiver:
        for requests in (2, 4):
            output = tmp_path / f"output{requests}"
            with output.open("wb") as file:
                process = started(
                    *arguments, receiver.address, cwd=tmp_path, environ=secret, output=file
                )
                receiver.wait_for(requests)
                process.send_signal(signal.SIGKILL)
                process.communicate(timeout=30)
            printed += output.read_text("utf-8")
        done = run(*arguments, receiver.address, "--once", cwd=tmp_path, **secret)
        assert not done.returncode, done.stderr
        received = receiver.received
    printed += done.stdout.decode()
    assert SECRET not in printed
    assert "private" not in printed, "a key in the address"
    lines = [json.loads(one) for one in printed.splitlines() if one.startswith("{")]
    ids = {one["id"] for one in lines}
    assert len(ids) == 3
    assert {one.id for one in received} == ids
    for one in ids:
        assert len({each.body for each in received if each.id == one}) == 1
