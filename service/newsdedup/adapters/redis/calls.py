"""Calls of a Redis that may be away: retried a little, then told as Unavailable.

`Calls` runs the functions of our library; it loads them where the server does not have them, as
after a restart that kept nothing. Every call may be sent twice: what writes says so by a token.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any, Final

import xxhash
from redis.asyncio import RedisCluster
from redis.exceptions import (
    AskError,
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ClusterDownError,
    MasterDownError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    SlotNotCoveredError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as NotConnected
from redis.exceptions import TimeoutError as TimedOut

from newsdedup.adapters.redis.client import Client, packed_connection
from newsdedup.ports.errors import StateUnusable, Unavailable

CommandPart = str | bytes | int

_LIBRARY_FILES: Final = ("library.lua", "shards.lua")
"""One library in their order: what the first defines, the second uses."""
_SOURCE: Final = "".join(
    files("newsdedup.adapters.redis").joinpath(part).read_text("utf-8") for part in _LIBRARY_FILES
)
LIBRARY_VERSION: Final = xxhash.xxh3_64_hexdigest(_SOURCE.encode())
"""Part of the names of our functions: workers of two releases on one server keep their own."""
LIBRARY: Final = _SOURCE.replace("newsdedup_VERSION", f"newsdedup_{LIBRARY_VERSION}")
_FIRST_PAUSE_SECONDS: Final = 0.02
_LAST_PAUSE_SECONDS: Final = 1.0
_TRANSIENT_ERRORS: Final[dict[type[Exception], str]] = {
    BusyLoadingError: "it is still loading its data",
    ReadOnlyError: "it is a replica, which takes no writes",
    OutOfMemoryError: "its memory is full (maxmemory); nothing of the step was written",
    ClusterDownError: "the cluster is down",
    MasterDownError: "the replica has lost its master",
    TryAgainError: "the slot is moving to another node",
    AskError: "the slot has moved to another node",
    SlotNotCoveredError: "nobody serves the slot",
    TimedOut: "it did not answer in time",
    NotConnected: "it cannot be reached",
}
_DENIED: Final = (AuthenticationError, AuthorizationError, NoPermissionError)
_TRANSIENT_PREFIXES: Final = ("NOREPLICAS", "MISCONF", "BUSY", "LOADING", "OOM", "READONLY")
"""What a server says that may be well again soon, where redis-py has no error of its own."""


class Calls:
    """One client, and how often it tries again."""

    def __init__(self, client: Client, *, home: str, attempts: int = 6) -> None:
        self._client = client
        self._home = home
        """A key of the namespace: its slot tells the node in a cluster."""
        self._attempts = attempts

    def at(self, home: str) -> "Calls":
        """Return the same for another slot."""
        return type(self)(self._client, home=home, attempts=self._attempts)

    async def function(self, name: str, keys: Sequence[str], args: Sequence[CommandPart]) -> Any:
        """Return what a function of the library answers."""
        return await self.command(
            "FCALL", f"newsdedup_{LIBRARY_VERSION}_{name}", len(keys), *keys, *args
        )

    async def command(self, *parts: CommandPart) -> Any:
        """Return the answer to a command; raise Unavailable if there is none in all attempts."""
        pause = _FIRST_PAUSE_SECONDS
        for attempt in range(1, self._attempts + 1):
            try:
                return await self._once(*parts)
            except (RedisError, RedisClusterException) as raised:
                error = _find_denial(raised) or raised
                reason = _transient_reason(error)
                if reason is None:
                    raise _refused(error, parts) from raised
                if attempt == self._attempts:
                    raise Unavailable(f"redis: {_operation(parts)}: {reason} ({error})") from raised
                await self._recover(error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LAST_PAUSE_SECONDS)
        raise AssertionError("the last attempt has returned or raised")

    async def load(self) -> None:
        """Give the server our functions, unless it has them: a second load would forget `awake`."""
        try:
            await self.command("FUNCTION", "LOAD", LIBRARY)
        except StateUnusable as error:
            if "already exists" not in str(error):
                raise

    async def _once(self, *parts: CommandPart) -> Any:
        if isinstance(self._client, RedisCluster):
            await self._client.initialize()
            node = self._client.get_node_from_key(self._home)
            if node is None:
                raise SlotNotCoveredError("no node is known for the slot")
            node.connection_class = packed_connection(node.connection_class)
            return await node.execute_command(*parts)
        execute: Callable[..., Awaitable[Any]] = self._client.execute_command
        return await execute(*parts)

    async def _recover(self, error: Exception) -> None:
        """Do what makes another attempt more likely to succeed."""
        if _lacks_functions(error):
            await self.load()
        elif isinstance(self._client, RedisCluster):
            # Closing the client would break the calls that are under way to other nodes.
            with suppress(RedisError, RedisClusterException):
                await self._client.nodes_manager.initialize()


def _operation(parts: Sequence[CommandPart]) -> str:
    """Return what a command was about, without keys and values."""
    shown = parts[:2] if parts[0] in ("FCALL", "FUNCTION") else parts[:1]
    return " ".join(str(part) for part in shown)


def _transient_reason(error: Exception) -> str | None:
    """Return in words what may be over soon, None for what will not."""
    if _lacks_functions(error):
        return "it has lost our functions"
    if isinstance(error, _DENIED):
        return None
    for kind, reason in _TRANSIENT_ERRORS.items():
        if isinstance(error, kind):
            return reason
    if isinstance(error, RedisClusterException):
        return "the cluster is not whole"
    if isinstance(error, ResponseError) and str(error).startswith(_TRANSIENT_PREFIXES):
        return "it refuses for now"
    return None


def _find_denial(error: Exception) -> Exception | None:
    """Return the refusal for which a cluster could not be reached, if it was one."""
    cause: BaseException | None = error
    while isinstance(cause, RedisClusterException):
        # The client calls it a node without a cluster, raised while it handled the refusal.
        cause = cause.__cause__ or cause.__context__
    return cause if isinstance(cause, _DENIED) else None


def _lacks_functions(error: Exception) -> bool:
    """Return whether the server does not know our functions."""
    return isinstance(error, ResponseError) and "Function not found" in str(error)


def _refused(error: Exception, parts: Sequence[CommandPart]) -> StateUnusable:
    """Return the error about what will not be better when it is tried again."""
    return StateUnusable(f"redis: {_operation(parts)}: {error}")
