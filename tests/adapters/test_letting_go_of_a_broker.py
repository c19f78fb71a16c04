import asyncio
from contextlib import suppress

from newsdedup.adapters.kafka.client import ends_in_time


class Deaf:
    """A client one of whose tasks does not notice that it was cancelled for the first time."""

    async def stop(self) -> None:
        """Wait for that task as aiokafka does."""
        task = asyncio.ensure_future(self._work())
        await asyncio.sleep(0)
        task.cancel()
        await task

    async def _work(self) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()


class Obedient:
    """A client that stops."""

    async def stop(self) -> None:
        """Do nothing."""


def test_a_client_that_does_not_end_is_left():
    assert asyncio.run(ends_in_time(Deaf().stop(), seconds=0.05)) is False


def test_a_client_that_ends_has_ended():
    assert asyncio.run(ends_in_time(Obedient().stop())) is True


def test_a_worker_asked_to_stop_while_a_client_does_not_end_stops():
    async def following() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await ends_in_time(Deaf().stop(), seconds=0.05)

    async def interrupted() -> bool:
        task = asyncio.ensure_future(following())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled()

    assert asyncio.run(interrupted()) is True
