"""datasketch's index over Redis, for comparison with the index in Redis."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from newsdedup import NewsItem
from newsdedup_lab.bench.peers import PEER_PERMUTATIONS, PEER_THRESHOLD, sketch_words


def sketch_items(items: Sequence[NewsItem]) -> list[Any]:
    """Return datasketch's MinHash of the distinct lower-case words of each item."""
    return [sketch_words(item) for item in items]


class RedisPeer:
    """datasketch's MinHashLSH over Redis; the caller deletes its keys, which begin with `name`."""

    def __init__(self, host: str, port: int, *, name: str) -> None:
        """Raise ModuleNotFoundError if datasketch is not installed."""
        self._index = import_module("datasketch").MinHashLSH(
            threshold=PEER_THRESHOLD,
            num_perm=PEER_PERMUTATIONS,
            storage_config={
                "type": "redis",
                "basename": name.encode(),
                "redis": {"host": host, "port": port},
            },
        )

    def one_by_one(self, sketches: Sequence[Any]) -> int:
        """Query and then insert each sketch; return for how many the query found a candidate."""
        found = 0
        for number, sketch in enumerate(sketches):
            found += bool(self._index.query(sketch))
            self._index.insert(number, sketch)
        return found

    def buffered(self, sketches: Sequence[Any]) -> int:
        """Query each sketch and insert it through one session; return how many found a candidate.

        datasketch documents sessions for many insertions. A query does not find what its session
        still buffers, so this is faster than `one_by_one`, but not the job of a stream.
        """
        found = 0
        with self._index.insertion_session() as session:
            for number, sketch in enumerate(sketches):
                found += bool(self._index.query(sketch))
                session.insert(number, sketch)
        return found

    def close(self) -> None:
        """Close the Redis connections of all hash tables."""
        for table in (*self._index.hashtables, self._index.keys):
            table._redis.close()  # noqa: SLF001 - it offers no other way
