"""What a broker answers, in bounded time: the client itself would wait without end."""

import asyncio
from collections.abc import Awaitable
from typing import Final, TypeVar

from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError

from newsdedup.adapters.kafka.producer import unavailable
from newsdedup.ports.errors import Unavailable

T = TypeVar("T")
ANSWER_SECONDS: Final = 5.0


async def answered(asked: Awaitable[T], *, seconds: float = ANSWER_SECONDS) -> T:
    """Return what the broker answers; raise Unavailable if it does not, or not in time."""
    try:
        async with asyncio.timeout(seconds):
            return await asked
    except (CommitFailedError, IllegalStateError):
        raise  # told by a broker that answers: the partitions are somebody else's
    except TimeoutError as error:
        raise Unavailable("kafka: the broker does not answer") from error
    except KafkaError as error:
        raise unavailable(error) from error
