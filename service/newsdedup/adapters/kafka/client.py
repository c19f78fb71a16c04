"""How Kafka is reached: the options that all its clients share."""

import asyncio
import ssl
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError

from newsdedup.ports.errors import Unavailable


@dataclass(frozen=True, slots=True)
class KafkaAccess:
    """An address and what opens it; the password is in no message of ours."""

    servers: str
    security: str = "PLAINTEXT"
    mechanism: str = "SCRAM-SHA-512"
    username: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""

    def options(self) -> dict[str, Any]:
        """Return the options of any client of aiokafka."""
        options: dict[str, Any] = {
            "bootstrap_servers": [part.strip() for part in self.servers.split(",")],
            "security_protocol": self.security,
        }
        if "SSL" in self.security.split("_"):
            options["ssl_context"] = self.ssl_context()
        if self.security.startswith("SASL"):
            options |= {
                "sasl_mechanism": self.mechanism,
                "sasl_plain_username": self.username,
                "sasl_plain_password": self.password,
            }
        return options

    def ssl_context(self) -> ssl.SSLContext:
        """Return what checks the broker's certificate and name."""
        return ssl.create_default_context(cafile=self.ca_file or None)


def kafka_unavailable(error: Exception) -> Unavailable:
    """Return our word for a broker that does not answer."""
    return Unavailable(f"kafka: {type(error).__name__}: {error}")


_CLOSE_SECONDS: Final = 5.0


class Stoppable(Protocol):
    """A consumer or a producer."""

    async def stop(self) -> None:
        """Let go of the broker."""
        ...


async def stop_client(client: Stoppable, *, seconds: float = _CLOSE_SECONDS) -> bool:
    """Return whether a client could be stopped in time; if not, it is left as it is.

    aiokafka waits for its own tasks after it has cancelled them, and now and then one of them
    does not notice: whoever pressed Ctrl-C would wait for ever.
    """
    try:
        async with asyncio.timeout(seconds):
            await client.stop()
    except TimeoutError:
        return False
    return True


_T = TypeVar("_T")
_ANSWER_SECONDS: Final = 5.0


async def await_broker(asked: Awaitable[_T], *, seconds: float = _ANSWER_SECONDS) -> _T:
    """Return what the broker answers; raise Unavailable if it does not, or not in time."""
    try:
        async with asyncio.timeout(seconds):
            return await asked
    except (CommitFailedError, IllegalStateError):
        raise  # told by a broker that answers: the partitions are somebody else's
    except TimeoutError as error:
        raise Unavailable("kafka: the broker does not answer") from error
    except KafkaError as error:
        raise kafka_unavailable(error) from error


_PROBE_SECONDS: Final = 3.0


class KafkaProbe:
    """Asks any broker for news of one topic."""

    def __init__(self, access: KafkaAccess, *, topic: str) -> None:
        self._access = access
        self._topic = topic
        self._client: AIOKafkaClient | None = None

    async def ping(self) -> None:
        """Return if a broker answers; raise Unavailable otherwise."""
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                client = await self._begun()
                updated = await client.force_metadata_update()
        except (KafkaError, OSError, TimeoutError) as error:
            await self.close()
            raise kafka_unavailable(error) from error
        if not updated:
            # The brokers that it knows may be gone for good, and others have come.
            await self.close()
            raise Unavailable("kafka: no broker answers")

    async def close(self) -> None:
        """Let go of the connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _begun(self) -> AIOKafkaClient:
        if self._client is None:
            self._client = AIOKafkaClient(**self._access.options())
            await self._client.bootstrap()
            await self._client.set_topics([self._topic])
        return self._client
