"""Queries of an archive in threads, and what goes before them."""

import asyncio
import threading
from typing import Any

from newsdedup.server import reader_pool
from newsdedup.server.reader_pool import Precedence, ReaderPool


class Reader:
    """As much of a reader as the pool itself uses."""

    def is_replaced(self) -> bool:
        return False

    def close(self) -> None:
        return


def pool(precedence: Precedence) -> ReaderPool:
    opened: Any = Reader
    return ReaderPool(opened, threads=2, precedence=precedence)


def test_a_query_begins_when_nothing_goes_first_any_more(monkeypatch) -> None:
    monkeypatch.setattr(reader_pool, "_GIVES_WAY_SECONDS", 60.0)

    async def order() -> list[str]:
        done: list[str] = []
        precedence = Precedence()
        queries = pool(precedence)
        with precedence.first():
            with precedence.first():
                query = asyncio.create_task(queries.run(lambda _: done.append("query")))
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            done.append("first")
        await query
        await queries.close()
        return done

    assert asyncio.run(order()) == ["first", "query"]


def test_a_query_that_has_begun_gives_way_between_its_steps(monkeypatch) -> None:
    monkeypatch.setattr(reader_pool, "_GIVES_WAY_SECONDS", 60.0)
    monkeypatch.setattr(reader_pool, "_GIVES_WAY_IN_ALL_SECONDS", 60.0)

    async def order() -> list[str]:
        done: list[str] = []
        begun, goes_on = asyncio.Event(), threading.Event()
        loop, precedence = asyncio.get_running_loop(), Precedence()
        queries = pool(precedence)

        def steps(reader: Any) -> None:
            loop.call_soon_threadsafe(begun.set)
            goes_on.wait(60.0)
            reader.give_way()
            done.append("second step")

        query = asyncio.create_task(queries.run(steps))
        await begun.wait()
        with precedence.first():
            goes_on.set()
            await asyncio.sleep(0)
            done.append("first")
        await query
        await queries.close()
        return done

    assert asyncio.run(order()) == ["first", "second step"]


def test_what_goes_first_for_long_holds_up_no_query() -> None:
    async def answer() -> str:
        precedence = Precedence()
        queries = pool(precedence)
        with precedence.first():
            found = await queries.run(lambda _: "answer")
        await queries.close()
        return found

    assert asyncio.run(answer()) == "answer"


def test_at_the_end_all_threads_together_get_two_seconds(monkeypatch) -> None:
    now, waits = [0.0], list[float]()

    class BusyThread(threading.Thread):
        def join(self, timeout: float | None = None) -> None:
            waits.append(timeout or 0.0)
            now[0] += waits[-1]

    monkeypatch.setattr(reader_pool, "Thread", BusyThread)
    monkeypatch.setattr(reader_pool, "monotonic", lambda: now[0])
    asyncio.run(pool(Precedence()).close())
    assert waits == [2.0, 0.0]
