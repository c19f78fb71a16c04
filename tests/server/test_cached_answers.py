import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from newsdedup.server.cached_answers import CachedAnswer, CachedAnswers, Freshness

LIST = Freshness(0.5)


class CountingPool:
    """A pool of one archive: counts what is read of it."""

    def __init__(self) -> None:
        self.last = 1
        self.made = 0

    async def run(self, query: Callable[[Any], Any]) -> Any:
        await asyncio.sleep(0)
        return query(self)

    def stamp(self) -> str:
        return str(self.last)

    def make(self, _: object) -> bytes:
        self.made += 1
        return f"page {self.made}".encode()


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def made() -> None:
    """Let what is being made come to its end: nothing here waits for anything else."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_readers_of_one_page_at_one_time_wait_for_one_query() -> None:
    pool = CountingPool()

    async def read() -> list[CachedAnswer]:
        pages = CachedAnswers(pool, clock=Clock())
        return await asyncio.gather(*[pages.answer("a", pool.make, LIST) for _ in range(5)])

    assert asyncio.run(read()) == [CachedAnswer("1", b"page 1")] * 5


def test_a_page_is_cached_until_the_archive_changes_and_its_time_is_over() -> None:
    pool, clock = CountingPool(), Clock()

    async def read() -> list[CachedAnswer]:
        pages, seen = CachedAnswers(pool, clock=clock), []
        for last, now in ((1, 0.0), (1, 5.0), (2, 5.1), (2, 12.0), (2, 30.0), (3, 31.0)):
            pool.last, clock.now = last, now
            seen.append(await pages.answer("a", pool.make, Freshness(10)))
        return seen

    first, second, third = (CachedAnswer(str(at), f"page {at}".encode()) for at in (1, 2, 3))
    assert asyncio.run(read()) == [first, first, first, second, second, third]


def test_whether_the_archive_has_changed_is_asked_where_no_query_is_waited_for() -> None:
    busy, looking, clock = CountingPool(), CountingPool(), Clock()

    async def read() -> list[bytes]:
        answers = CachedAnswers(busy, looking=looking, clock=clock)
        first = await answers.answer("a", busy.make, LIST)
        clock.now, busy.run = 5.0, None
        return [first.body, (await answers.answer("a", busy.make, LIST)).body]

    assert asyncio.run(read()) == [b"page 1", b"page 1"]


def test_a_page_whose_making_fails_is_made_anew() -> None:
    pool = CountingPool()

    def fail(_: object) -> bytes:
        raise LookupError("nothing there")

    async def read() -> CachedAnswer:
        pages = CachedAnswers(pool, clock=Clock())
        with pytest.raises(LookupError):
            await pages.answer("a", fail, LIST)
        return await pages.answer("a", pool.make, LIST)

    assert asyncio.run(read()) == CachedAnswer("1", b"page 1")


def test_a_cancelled_request_does_not_cancel_the_page_of_others() -> None:
    pool = CountingPool()

    async def read() -> CachedAnswer:
        pages = CachedAnswers(pool, clock=Clock())
        first = asyncio.create_task(pages.answer("a", pool.make, LIST))
        second = asyncio.create_task(pages.answer("a", pool.make, LIST))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(read()) == CachedAnswer("1", b"page 1")


def test_a_flood_of_addresses_is_forgotten_again() -> None:
    pool = CountingPool()

    async def read() -> int:
        pages = CachedAnswers(pool, clock=Clock())
        for number in range(3_000):
            await pages.answer(str(number), pool.make, LIST)
        return len(pages._answers)

    assert asyncio.run(read()) == 1_000


def test_a_page_that_is_very_long_is_not_cached() -> None:
    pool = CountingPool()

    async def read() -> int:
        pages = CachedAnswers(pool, clock=Clock())
        for _ in range(2):
            await pages.answer("long", lambda one: pool.make(one) * 300_000, LIST)
        return pool.made

    assert asyncio.run(read()) == 2


def test_a_stale_answer_is_sent_while_a_newer_one_is_made() -> None:
    pool, clock = CountingPool(), Clock()

    async def read() -> list[CachedAnswer]:
        answers, seen = CachedAnswers(pool, clock=clock), []
        for last, now in ((1, 0.0), (2, 11.0), (2, 11.1), (3, 131.2), (3, 131.3)):
            pool.last, clock.now = last, now
            seen.append(await answers.answer("sums", pool.make, Freshness(10, 120)))
            await made()
        return seen

    first, second, third = (CachedAnswer(str(at), f"page {at}".encode()) for at in (1, 2, 3))
    assert asyncio.run(read()) == [first, first, second, third, third]


def test_a_stale_answer_outlives_a_failure() -> None:
    pool, clock = CountingPool(), Clock()

    def fail(_: object) -> bytes:
        raise LookupError("nothing there")

    async def read() -> list[CachedAnswer]:
        answers, seen = CachedAnswers(pool, clock=clock), []
        for last, now, make in ((1, 0.0, pool.make), (2, 11.0, fail), (2, 12.0, pool.make)):
            pool.last, clock.now = last, now
            seen.append(await answers.answer("sums", make, Freshness(10, 120)))
            await made()
        return [*seen, await answers.answer("sums", fail, Freshness(10, 120))]

    first, second = (CachedAnswer(str(at), f"page {at}".encode()) for at in (1, 2))
    assert asyncio.run(read()) == [first, first, first, second]
