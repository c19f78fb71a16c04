"""Waiting for several servers at once, and for all of them even where one fails."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

T = TypeVar("T")
S = TypeVar("S")


async def together(work: Iterable[Awaitable[T]]) -> list[T]:
    """Return what all of them return; raise the first error after the last has ended."""
    return [returned(one) for one in await asyncio.gather(*work, return_exceptions=True)]


async def both(first: Awaitable[T], second: Awaitable[S]) -> tuple[T, S]:
    """Return what two of different kinds return; raise an error after both have ended."""
    one, other = await asyncio.gather(first, second, return_exceptions=True)
    return returned(one), returned(other)


def returned(outcome: T | BaseException) -> T:
    """Return an outcome that is no error."""
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
