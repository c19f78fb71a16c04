"""Readers that ask a server for one thing after the other, and how long the answers took."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import cycle
from time import perf_counter
from typing import Final

import aiohttp

from newsdedup_lab.bench.quantiles import quantile
from newsdedup_lab.bench.server_requests import RequestKind, weighted_order

_TIMEOUT_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """How long the answers of one kind took, in ms, until their last byte."""

    name: str
    answers: int
    failed: int
    """Answers of another status than 200."""
    p50: float
    p95: float
    p99: float
    worst: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadPlan:
    """How many readers send requests, for how long, and with which pauses."""

    readers: int
    seconds: float
    pause: float = 0.0
    """Mean seconds that a reader waits after an answer."""


class _Times:
    """Seconds by kind of request."""

    def __init__(self) -> None:
        self.taken: defaultdict[str, list[float]] = defaultdict(list)
        self.failed: defaultdict[str, int] = defaultdict(int)


async def read_server(
    address: str,
    kinds: Sequence[RequestKind],
    plan: LoadPlan,
    *,
    progress: Callable[[int], object] = lambda _: None,
) -> list[AnswerTimes]:
    """Send requests as the plan says; return how long the answers took, all in the first row.

    A row for each kind follows. `progress` gets the number of answers once a second.
    """
    times = _Times()
    end = perf_counter() + plan.seconds
    async with aiohttp.ClientSession(
        address,
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=_TIMEOUT_SECONDS),
        headers={"Accept": "text/html,application/json"},
        auto_decompress=False,
    ) as session:
        readers = [
            asyncio.create_task(
                _read(session, kinds, times, pause=plan.pause, number=number, end=end)
            )
            for number in range(plan.readers)
        ]
        while not all(reader.done() for reader in readers):
            await asyncio.wait(readers, timeout=1.0)
            progress(sum(map(len, times.taken.values())))
        await asyncio.gather(*readers)
    every = [each for taken in times.taken.values() for each in taken]
    rows = [("all", every, sum(times.failed.values()))]
    rows += [(kind.name, times.taken[kind.name], times.failed[kind.name]) for kind in kinds]
    return [_row(name, taken, failed) for name, taken, failed in rows if taken]


async def _read(
    session: aiohttp.ClientSession,
    kinds: Sequence[RequestKind],
    times: _Times,
    *,
    pause: float,
    number: int,
    end: float,
) -> None:
    """Send requests as one reader until `end`; `number` chooses its order of kinds."""
    chosen = random.Random(number)  # noqa: S311 - the same requests each time
    for kind in cycle(weighted_order(kinds, seed=number)):
        began = perf_counter()
        if began >= end:
            return
        path = chosen.choice(kind.paths)
        body = chosen.choice(kind.bodies) if kind.bodies else None
        if not await _ask(session, path, body):
            times.failed[kind.name] += 1
        times.taken[kind.name].append(perf_counter() - began)
        if pause:
            await asyncio.sleep(chosen.expovariate(1 / pause))


async def _ask(session: aiohttp.ClientSession, path: str, body: bytes | None) -> bool:
    """Return whether the answer to a request had the status 200; with a body it is a POST."""
    if body is None:
        request = session.get(path)
    else:
        request = session.post(path, data=body, headers={"Content-Type": "application/json"})
    async with request as response:
        await response.read()
        return response.status == HTTPStatus.OK


def _row(name: str, taken: Sequence[float], failed: int) -> AnswerTimes:
    """Return the row of a kind from the seconds of its answers and the number of failed ones."""
    ordered = sorted(1_000 * one for one in taken)
    middle, most, nearly_all = (quantile(ordered, share, digits=1) for share in (0.5, 0.95, 0.99))
    return AnswerTimes(name, len(ordered), failed, middle, most, nearly_all, round(ordered[-1], 1))
