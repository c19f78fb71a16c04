import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from newsdedup.server.pages.made_pages import MadePage, MadePages


class CountingPool:
    """A pool of one archive: counts what is read of it."""

    def __init__(self) -> None:
        self.last = 1
        self.made = 0

    async def run(self, query: Callable[[Any], Any]) -> Any:
        await asyncio.sleep(0)
        return query(self)

    def last_change(self) -> int:
        return self.last

    def make(self, _: object) -> bytes:
        self.made += 1
        return f"page {self.made}".encode()


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_readers_of_one_page_at_one_time_wait_for_one_query() -> None:
    pool = CountingPool()

    async def read() -> list[MadePage]:
        pages = MadePages(pool, clock=Clock())
        return await asyncio.gather(
            *[pages.page("a", pool.make, hold_seconds=0.5) for _ in range(5)]
        )

    assert asyncio.run(read()) == [MadePage(1, b"page 1")] * 5


def test_a_page_is_held_until_the_archive_changes_and_its_time_is_over() -> None:
    pool, clock = CountingPool(), Clock()

    async def read() -> list[MadePage]:
        pages, seen = MadePages(pool, clock=clock), []
        for last, now in ((1, 0.0), (1, 5.0), (2, 5.1), (2, 12.0), (2, 30.0), (3, 31.0)):
            pool.last, clock.now = last, now
            seen.append(await pages.page("a", pool.make, hold_seconds=10))
        return seen

    first, second, third = (MadePage(at, f"page {at}".encode()) for at in (1, 2, 3))
    assert asyncio.run(read()) == [first, first, first, second, second, third]


def test_a_page_whose_making_fails_is_made_anew() -> None:
    pool = CountingPool()

    def fail(_: object) -> bytes:
        raise LookupError("nothing there")

    async def read() -> MadePage:
        pages = MadePages(pool, clock=Clock())
        with pytest.raises(LookupError):
            await pages.page("a", fail, hold_seconds=0.5)
        return await pages.page("a", pool.make, hold_seconds=0.5)

    assert asyncio.run(read()) == MadePage(1, b"page 1")


def test_who_goes_away_takes_the_page_from_nobody() -> None:
    pool = CountingPool()

    async def read() -> MadePage:
        pages = MadePages(pool, clock=Clock())
        first = asyncio.create_task(pages.page("a", pool.make, hold_seconds=0.5))
        second = asyncio.create_task(pages.page("a", pool.make, hold_seconds=0.5))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(read()) == MadePage(1, b"page 1")


def test_a_flood_of_addresses_is_forgotten_again() -> None:
    pool = CountingPool()

    async def read() -> int:
        pages = MadePages(pool, clock=Clock())
        for number in range(1_000):
            await pages.page(str(number), pool.make, hold_seconds=0.5)
        return len(pages._pages)

    assert asyncio.run(read()) == 200


def test_a_page_that_is_very_long_is_not_held() -> None:
    pool = CountingPool()

    async def read() -> int:
        pages = MadePages(pool, clock=Clock())
        for _ in range(2):
            await pages.page("long", lambda one: pool.make(one) * 30_000, hold_seconds=9)
        return pool.made

    assert asyncio.run(read()) == 2
