"""Calls of a Redis, one server or a cluster, that may be away: retried, then Unavailable.

`Calls` runs the functions of our Lua library and loads them where the server lacks them, as after a
restart without persistence. Any call may be sent twice; calls that write carry a token against it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

import hiredis
import xxhash
from redis import exceptions
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.typing import EncodableT

from newsdedup.ports.errors import StateUnusable, Unavailable

Client = Redis | RedisCluster

_LONG_COMMANDS: Final = frozenset({"FCALL", "UNLINK", "XDEL"})
"""Commands with hundreds of arguments."""
_HEALTH_CHECK_SECONDS: Final = 30
"""A connection idle for so long is checked before it is used."""
CommandPart = str | bytes | int
_LIBRARY_FILES: Final = ("look.lua", "commits.lua", "shards.lua")
"""One library in this order: a file uses what those before it define."""
_SOURCE: Final = "".join(
    files("newsdedup.adapters.redis").joinpath(part).read_text("utf-8") for part in _LIBRARY_FILES
)
LIBRARY_VERSION: Final = xxhash.xxh3_64_hexdigest(_SOURCE.encode())
"""Part of the function names: workers of two releases on one server keep their own functions."""
LIBRARY: Final = _SOURCE.replace("newsdedup_VERSION", f"newsdedup_{LIBRARY_VERSION}")
_FIRST_PAUSE_SECONDS: Final = 0.02
_LAST_PAUSE_SECONDS: Final = 1.0
_TRANSIENT_ERRORS: Final[dict[type[Exception], str]] = {
    exceptions.BusyLoadingError: "it is still loading its data",
    exceptions.ReadOnlyError: "it is a replica, which takes no writes",
    exceptions.OutOfMemoryError: "its memory is full (maxmemory); nothing of the step was written",
    exceptions.ClusterDownError: "the cluster is down",
    exceptions.MasterDownError: "the replica has lost its master",
    exceptions.TryAgainError: "the slot is moving to another node",
    exceptions.AskError: "the slot has moved to another node",
    exceptions.SlotNotCoveredError: "no node serves the slot",
    exceptions.TimeoutError: "it did not answer in time",
    exceptions.ConnectionError: "it cannot be reached",
}
_DENIED: Final = (
    exceptions.AuthenticationError,
    exceptions.AuthorizationError,
    exceptions.NoPermissionError,
)
_ADVICE: Final[dict[type[Exception], str]] = {
    exceptions.AuthenticationError: "; see redis.username, and redis.password or its file",
    exceptions.NoPermissionError: "; docs/deploying.md, Redis: the commands and keys it needs",
    exceptions.AskError: "; redis.url leads to a node of a cluster: set redis.cluster",
    exceptions.MovedError: "; redis.url leads to a node of a cluster: set redis.cluster",
}
_NO_CLUSTER: Final = "cluster support disabled"
"""Part of what a server that is no node of a cluster answers to the client of one."""
_TRANSIENT_PREFIXES: Final = ("NOREPLICAS", "MISCONF", "BUSY", "LOADING", "OOM", "READONLY")
"""Transient error replies for which redis-py has no class of its own."""


class _Packing(AbstractConnection):
    def pack_command(self, *args: EncodableT) -> list[bytes]:
        """Return the bytes of a command; commands that may be long are packed in C."""
        if args[0] not in _LONG_COMMANDS:
            return super().pack_command(*args)
        # hiredis declares a single argument, wrongly.
        pack: Callable[..., bytes] = hiredis.pack_command
        return [pack(args)]


@cache
def packed_connection(kind: Any) -> Any:
    """Return the class of connection `kind` in the form that packs long commands in C."""
    return kind if issubclass(kind, _Packing) else type("Packed", (_Packing, kind), {})


def create_client(
    url: str,
    *,
    cluster: bool = False,
    username: str | None = None,
    password: str | None = None,
    ca_file: str | None = None,
    timeout_seconds: float = 5.0,
    pings: bool = True,
) -> Client:
    """Return a client of a server or cluster; it connects when it is first used.

    `ca_file` counts for a rediss: address, which speaks TLS. With `pings` a connection is checked
    before it is used, which a server whose disk is full refuses.
    """
    options: dict[str, Any] = {
        "username": username,
        "password": password,
        "socket_timeout": timeout_seconds,
        "socket_connect_timeout": timeout_seconds,
        "health_check_interval": _HEALTH_CHECK_SECONDS if pings else 0,
        "retry": Retry(NoBackoff(), 0),
    }
    if url.startswith("rediss:"):
        options["ssl_ca_certs"] = ca_file
    if cluster:
        return RedisCluster.from_url(url, **options)
    alone = Redis.from_url(url, **options)
    pool: Any = alone.connection_pool
    pool.connection_class = packed_connection(pool.connection_class)
    return alone


class FunctionStatus(IntEnum):
    """First element of every answer of our functions."""

    STALE = 0
    """The caller does not know of spans that were added or dropped; the new ones follow."""
    DONE = 1
    DISTURBED = 2
    """What a commit was based on has changed."""
    READS_NEEDED = 3
    """Others have committed meanwhile: send the commit again with all that it has read."""
    ASLEEP = 4
    """The server has been restarted or promoted; a new era must begin."""
    FOREIGN = 5
    """A shard follows another era than the caller."""
    GAP = 6
    """A shard lacks the commit before this one."""
    UNKNOWN = 7
    """Home does not know the latest commit of a shard."""
    LOST = 8
    """A shard needs a commit that home no longer remembers, or an undo entry is missing."""


class Calls:
    """Sends commands to the node that holds one hash slot, with retries."""

    def __init__(self, client: Client, *, home: str, attempts: int = 6) -> None:
        """Take a key of the namespace (`home`); in a cluster its slot determines the node."""
        self._client = client
        self._home = home
        self._attempts = attempts

    def at(self, home: str) -> "Calls":
        """Return calls to the cluster node that has the slot of the key `home`."""
        return type(self)(self._client, home=home, attempts=self._attempts)

    async def function(self, name: str, keys: Sequence[str], args: Sequence[CommandPart]) -> Any:
        """Call a function of our library; return its answer, or raise as `command` does."""
        return await self.command(
            "FCALL", f"newsdedup_{LIBRARY_VERSION}_{name}", len(keys), *keys, *args
        )

    async def command(self, *parts: CommandPart) -> Any:
        """Send a command, again after transient errors, and return the answer.

        Raise Unavailable if no attempt succeeds, StateUnusable at once if the server refuses the
        command for good.
        """
        pause = _FIRST_PAUSE_SECONDS
        for attempt in range(1, self._attempts + 1):
            try:
                return await self._send(*parts)
            except (exceptions.RedisError, exceptions.RedisClusterException) as raised:
                error = _find_refusal(raised) or raised
                reason = _transient_reason(error)
                if reason is None or self._is_misled(error):
                    said = f"{reason} ({error})" if reason else str(error)
                    refusal = f"redis: {_operation(parts)}: {said}{_advice(error)}"
                    raise StateUnusable(refusal) from raised
                if attempt == self._attempts:
                    raise Unavailable(f"redis: {_operation(parts)}: {reason} ({error})") from raised
                await self._recover(error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LAST_PAUSE_SECONDS)
        raise AssertionError("the last attempt has returned or raised")

    async def load(self) -> None:
        """Load our functions if the server lacks them; loading them again would need a new era."""
        try:
            await self.command("FUNCTION", "LOAD", LIBRARY)
        except StateUnusable as error:
            if "already exists" not in str(error):
                raise

    async def _send(self, *parts: CommandPart) -> Any:
        """Send a command once, to the server or the home slot's node; raise redis-py's error."""
        if isinstance(self._client, RedisCluster):
            await self._client.initialize()
            node: Any = self._client.get_node_from_key(self._home)
            if node is None:
                raise exceptions.SlotNotCoveredError("no node is known for the slot")
            node.connection_class = packed_connection(node.connection_class)
            return await node.execute_command(*parts)
        execute: Callable[..., Awaitable[Any]] = self._client.execute_command
        return await execute(*parts)

    def _is_misled(self, error: Exception) -> bool:
        """Return whether a client of a single server has reached a node of a cluster."""
        return isinstance(error, exceptions.AskError) and not isinstance(self._client, RedisCluster)

    async def _recover(self, error: Exception) -> None:
        """Load missing functions, or refresh the map of the cluster, before the next attempt."""
        if _lacks_functions(error):
            await self.load()
        elif isinstance(self._client, RedisCluster):
            # Closing the client instead would break calls under way to other nodes.
            with suppress(exceptions.RedisError, exceptions.RedisClusterException):
                await self._client.nodes_manager.initialize()


def _operation(parts: Sequence[CommandPart]) -> str:
    """Return a command's name, and the function that it calls, for messages: no keys or values."""
    shown = parts[:2] if parts[0] in ("FCALL", "FUNCTION") else parts[:1]
    return " ".join(str(part) for part in shown)


def _transient_reason(error: Exception) -> str | None:
    """Return in words why a later attempt may succeed, None if it cannot."""
    if _lacks_functions(error):
        return "it has lost our functions"
    if isinstance(error, _DENIED):
        return None
    for kind, reason in _TRANSIENT_ERRORS.items():
        if isinstance(error, kind):
            return reason
    if isinstance(error, exceptions.RedisClusterException):
        return "the cluster is not whole"
    if isinstance(error, exceptions.ResponseError) and str(error).startswith(_TRANSIENT_PREFIXES):
        return "it refuses for now"
    return None


def _find_refusal(error: Exception) -> Exception | None:
    """Return the refusal behind an error of the cluster client, if there is one.

    It refuses the user or the password, or it is no node of a cluster. redis-py says the latter of
    both.
    """
    cause: BaseException | None = error
    while isinstance(cause, exceptions.RedisClusterException):
        cause = cause.__cause__ or cause.__context__
    if isinstance(cause, exceptions.ResponseError) and _NO_CLUSTER in str(cause):
        return cause
    return cause if isinstance(cause, _DENIED) else None


def _advice(error: Exception) -> str:
    """Return what to do about a refusal, "" if that is not known."""
    if _NO_CLUSTER in str(error):
        return "; redis.url leads to no cluster: unset redis.cluster"
    return _ADVICE.get(type(error), "")


def _lacks_functions(error: Exception) -> bool:
    """Return whether an error says that our functions are not loaded."""
    return isinstance(error, exceptions.ResponseError) and "Function not found" in str(error)
