"""A namespace of Redis as commands, which any version of Redis takes: DUMP is bound to its version.

They are written in the protocol of Redis, as `redis-cli --pipe` takes them. Keys expire as long
after they are loaded as they would have after they were recorded.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

from redis import Redis

PLACEHOLDER: Final = b"NAME"
"""Stands for the name of the stream: of the namespace, and at the beginning of its topics."""
_LAST_ID: Final = "last-generated-id"


def dump_namespace(url: str, name: str) -> bytes:
    """Return the commands that make the namespace of this name."""
    with Redis.from_url(url) as redis:
        keys = sorted(redis.scan_iter(match=f"{{{name}}}:*", count=10_000))
        commands = [command for key in keys for command in _commands(redis, key)]
    return b"".join(
        _encode([_bytes(part).replace(name.encode(), PLACEHOLDER) for part in one])
        for one in commands
    )


def load_namespace(url: str, name: str, commands: bytes) -> None:
    """Run commands that `dump_namespace` has written, for a stream of another name."""
    with Redis.from_url(url) as redis:
        for command in _decode(commands):
            redis.execute_command(*(part.replace(PLACEHOLDER, name.encode()) for part in command))


def _commands(redis: Any, key: bytes) -> Iterator[list[Any]]:
    """Yield what makes one key; raise ValueError for a type that newsdedup does not use."""
    match kind := redis.type(key):
        case b"hash":
            fields = sorted(redis.hgetall(key).items())
            yield ["HSET", key, *(part for field in fields for part in field)]
        case b"set":
            yield ["SADD", key, *sorted(redis.smembers(key))]
        case b"list":
            yield ["RPUSH", key, *redis.lrange(key, 0, -1)]
        case b"string":
            yield ["SET", key, redis.get(key)]
        case b"stream":
            yield from _stream_commands(redis, key)
        case _:
            raise ValueError(f"{key!r} is a {kind!r}")
    if (left := redis.pttl(key)) > 0:
        yield ["PEXPIRE", key, left]


def _stream_commands(redis: Any, key: bytes) -> Iterator[list[Any]]:
    """Yield what makes a stream with its entries, also one whose entries are all deleted."""
    last = redis.xinfo_stream(key)[_LAST_ID]
    for number, fields in redis.xrange(key):
        yield ["XADD", key, number, *(part for field in fields.items() for part in field)]
    if not redis.xlen(key):
        yield ["XADD", key, last, "gone", ""]
        yield ["XDEL", key, last]
    else:
        yield ["XSETID", key, last]


def _encode(parts: list[bytes]) -> bytes:
    """Return a command in the protocol of Redis."""
    body = b"".join(b"$%d\r\n%b\r\n" % (len(part), part) for part in parts)
    return b"*%d\r\n%b" % (len(parts), body)


def _decode(commands: bytes) -> Iterator[list[bytes]]:
    """Yield the parts of each command."""
    file = BytesIO(commands)
    while count := file.readline()[1:]:
        parts = []
        for _ in range(int(count)):
            parts.append(file.read(int(file.readline()[1:])))
            file.readline()
        yield parts


def _bytes(part: Any) -> bytes:
    return part if isinstance(part, bytes) else str(part).encode()
