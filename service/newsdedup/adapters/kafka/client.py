"""How to reach Kafka: connection options, calls with a timeout, and a probe."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from aiokafka.client import AIOKafkaClient
from aiokafka.errors import (
    CommitFailedError,
    IllegalStateError,
    InconsistentGroupProtocolError,
    InvalidTimestampError,
    KafkaConnectionError,
    KafkaError,
)

from newsdedup.ports.errors import Unavailable

_T = TypeVar("_T")
METADATA_AGE_MS: Final = 10_000
"""How long a consumer goes on with what it knows of the partitions of its topic.

A broker that has just started may not know the topic yet: then the group assigns no partition to
anybody until the metadata are fetched again, by aiokafka's default after five minutes.
"""
COMMITTED: Final = "read_committed"
"""Isolation level of consumers: records of a transaction are read only once it is committed."""
_CLOSE_SECONDS: Final = 5.0
_ANSWER_SECONDS: Final = 5.0
_PROBE_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class KafkaAccess:
    """Broker addresses and credentials; the password never appears in a message or a repr."""

    servers: str
    security: str = "PLAINTEXT"
    mechanism: str = "SCRAM-SHA-512"
    username: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments that every aiokafka client needs to connect."""
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
        """Return a TLS context that verifies the broker; raise OSError for a bad `ca_file`."""
        return ssl.create_default_context(cafile=self.ca_file or None)


class _ConnectionFailures(logging.Filter):
    """Notes why aiokafka last failed to connect: it logs that, and raises addresses alone."""

    reason = ""

    def filter(self, record: logging.LogRecord) -> bool:
        """Note the last argument of 'Unable connect to "%s:%s": %s'; let all records pass."""
        if str(record.msg).startswith("Unable") and isinstance(record.args, tuple):
            self.reason = str(record.args[-1])
        return True


_failures = _ConnectionFailures()
logging.getLogger("aiokafka").addFilter(_failures)


def kafka_unavailable(error: Exception) -> Unavailable:
    """Return the Unavailable error that stands for a network or Kafka error."""
    if isinstance(error, KafkaConnectionError) and "bootstrap" in str(error) and _failures.reason:
        return Unavailable(f"kafka: {error}: {_failures.reason}")
    if isinstance(error, TimeoutError):
        return Unavailable("kafka: the broker does not answer")
    if isinstance(error, InvalidTimestampError):
        return Unavailable(
            "kafka: the clock of this machine is ahead of the broker's by more than the topic "
            "allows (message.timestamp.after.max.ms, an hour by default): set it right"
        )
    if isinstance(error, InconsistentGroupProtocolError):
        return Unavailable(
            "kafka: another program is a member of the group, and shares partitions otherwise: "
            "name a group in kafka.group that only these workers use"
        )
    return Unavailable(f"kafka: {type(error).__name__}: {error}")


def missing_topics(*names: str) -> str:
    """Return a message about topics that do not exist, as far as this user may know."""
    return (
        f"kafka: there is no topic {' nor '.join(names)} that this user may see; "
        "`newsdedup topics create` makes topics, `newsdedup doctor --worker` names permissions"
    )


async def await_broker(call: Awaitable[_T], *, seconds: float = _ANSWER_SECONDS) -> _T:
    """Return the result of a client call; raise Unavailable after an error or the timeout.

    CommitFailedError and IllegalStateError pass unchanged: the broker did answer, but the group has
    given the partitions to another member.
    """
    try:
        async with asyncio.timeout(seconds):
            return await call
    except (CommitFailedError, IllegalStateError):
        raise
    except (TimeoutError, KafkaError) as error:
        raise kafka_unavailable(error) from error


async def ends_in_time(ending: Awaitable[None], *, seconds: float = _CLOSE_SECONDS) -> bool:
    """Return whether a client ended before the timeout; it is abandoned if it did not.

    `ending` is the call that closes or stops it. aiokafka waits for its own tasks after it has
    cancelled them, and sometimes one of them misses the cancellation: without the timeout a worker
    would hang after Ctrl-C.
    """
    try:
        async with asyncio.timeout(seconds):
            await ending
    except TimeoutError:
        return False
    return True


class KafkaProbe:
    """Checks over its own connection whether a broker answers; a consumer gives no such sign."""

    def __init__(self, access: KafkaAccess, *, topic: str) -> None:
        self._access = access
        self._topic = topic
        self._client: AIOKafkaClient | None = None

    async def ping(self) -> None:
        """Ask any broker for the topic's metadata; raise Unavailable if none answers in 3 seconds.

        Also if there is no such topic, or this user may not see it. The connection stays open for
        the next ping; after a failure that one connects anew.
        """
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                if self._client is None:
                    self._client = AIOKafkaClient(**self._access.options())
                    await self._client.bootstrap()
                    await self._client.set_topics([self._topic])
                updated = await self._client.force_metadata_update()
        except (KafkaError, OSError) as error:  # also when it takes too long
            await self.close()
            raise kafka_unavailable(error) from error
        if not updated:
            # The known brokers may have been replaced: the next ping bootstraps again.
            await self.close()
            raise Unavailable("kafka: no broker answers")
        if self._client.cluster.partitions_for_topic(self._topic) is None:
            raise Unavailable(f"kafka: there is no topic {self._topic!r}")

    async def close(self) -> None:
        """Close the connection."""
        client, self._client = self._client, None
        if client is not None:
            await ends_in_time(client.close())
