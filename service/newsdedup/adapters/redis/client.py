"""A redis-py client, for one server or a cluster, that never retries by itself: `Calls` does."""

from collections.abc import Callable
from typing import Any, Final

import hiredis
from redis.asyncio import Connection, Redis, RedisCluster, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.typing import EncodableT

Client = Redis | RedisCluster

_LONG_COMMANDS: Final = frozenset({"FCALL", "UNLINK", "XDEL"})
"""Commands with hundreds of arguments."""
_HEALTH_CHECK_SECONDS: Final = 30
"""A connection idle for so long is checked before it is used."""


class _Packing(AbstractConnection):
    def pack_command(self, *args: EncodableT) -> list[bytes]:
        """Return the bytes of a command; commands that may be long are packed in C."""
        if args[0] not in _LONG_COMMANDS:
            return super().pack_command(*args)
        # hiredis declares a single argument, wrongly.
        pack: Callable[..., bytes] = hiredis.pack_command
        return [pack(args)]


class PackedConnection(_Packing, Connection):
    """A connection that packs long commands in C."""


class PackedTlsConnection(_Packing, SSLConnection):
    """The same over TLS."""


class PackedSocketConnection(_Packing, UnixDomainSocketConnection):
    """The same over a Unix socket."""


def packed_connection(kind: type[AbstractConnection]) -> type[Connection]:
    """Return our class of connection for one of redis-py, with TLS if that has it."""
    return PackedTlsConnection if issubclass(kind, SSLConnection) else PackedConnection


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
    pool = alone.connection_pool
    pool.connection_class = (
        PackedSocketConnection
        if url.startswith("unix:")
        else packed_connection(pool.connection_class)
    )
    return alone
