"""datasketch doing the job of the index, for comparison."""

import re
from collections.abc import Sequence
from typing import Any

from newsdedup.core.model import NewsItem
from newsdedup.ports.errors import SettingsInvalid

_WORD = re.compile(r"\w+")
_THRESHOLD = 0.5


class MemoryPeer:
    """datasketch's MinHashLSH in memory."""

    def __init__(self, *, permutations: int) -> None:
        """Raise SettingsInvalid if datasketch is not installed."""
        self._index = _library().MinHashLSH(threshold=_THRESHOLD, num_perm=permutations)
        self._permutations = permutations
        self._inserted = 0

    def one_by_one(self, items: Sequence[NewsItem]) -> int:
        """Query and then insert each item; return for how many the query found a candidate.

        Each is hashed by its single words (`update_batch`): the best way for a stream that
        datasketch documents.
        """
        found = 0
        for item in items:
            sketch = _sketch(item, self._permutations)
            found += bool(self._index.query(sketch))
            self._index.insert(self._inserted, sketch)
            self._inserted += 1
        return found


def sketch_items(items: Sequence[NewsItem], *, permutations: int) -> list[Any]:
    """Return a MinHash sketch of the distinct lower-case words of each item."""
    return [_sketch(item, permutations) for item in items]


class RedisPeer:
    """datasketch's MinHashLSH over Redis; the caller deletes its keys, which begin with `name`."""

    def __init__(self, host: str, port: int, *, name: str, permutations: int) -> None:
        self._index = _library().MinHashLSH(
            threshold=_THRESHOLD,
            num_perm=permutations,
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


def _sketch(item: NewsItem, permutations: int) -> Any:
    """Return a MinHash sketch of the distinct lower-case words of title and text."""
    words = {word.encode() for word in _WORD.findall(f"{item.title}\n{item.text}".lower())}
    sketch = _library().MinHash(num_perm=permutations)
    sketch.update_batch(sorted(words))
    return sketch


def _library() -> Any:
    """Return the module datasketch; raise SettingsInvalid if it is not installed."""
    try:
        import datasketch as library  # noqa: PLC0415 - only the bench extra has it
    except ImportError as error:
        raise SettingsInvalid(
            "the peer datasketch is not installed: scripts/install lab, or --no-peers"
        ) from error
    return library
