"""Where a worker begins to read, by what Kafka has committed and Redis has stored."""

import asyncio

import pytest

from newsdedup.ports.errors import StateLost
from newsdedup.runners.worker.consumer import find_starts


class Positions:
    """Stored offsets in a dictionary."""

    def __init__(self, **stored: int) -> None:
        self.stored = stored

    async def begin(self) -> None:
        pass

    async def read(self) -> dict[str, int]:
        return dict(self.stored)

    async def reset(self, names: list[str]) -> None:
        self.stored |= dict.fromkeys(names, 0)


def starts(positions: Positions, **committed: int | None) -> dict[str, int | None]:
    return asyncio.run(find_starts(positions, committed))


def test_what_redis_has_lost_is_read_again():
    positions = Positions(a=40, b=7)
    assert starts(positions, a=50, b=7, c=3) == {"a": 40, "b": 7, "c": 0}
    assert positions.stored == {"a": 40, "b": 7}


def test_what_was_judged_and_not_committed_is_read_again():
    positions = Positions(a=50)
    assert starts(positions, a=40) == {"a": 40}
    assert positions.stored == {"a": 50}


def test_a_topic_that_was_made_anew_is_read_from_its_beginning_and_what_it_was_is_forgotten(caplog):
    positions = Positions(a=50, b=9)
    assert starts(positions, a=None, c=None) == {"a": None, "c": None}
    assert positions.stored == {"a": 0, "b": 9}
    (warning,) = caplog.messages
    assert warning.startswith("read_from_beginning partition=a stored=50:")
    # Once is enough.
    assert starts(positions, a=None) == {"a": None}
    assert caplog.messages == [warning]


def test_an_empty_state_with_committed_offsets_is_refused():
    with pytest.raises(StateLost, match="rebuild"):
        starts(Positions(), a=1)
    assert starts(Positions(), a=None) == {"a": None}
