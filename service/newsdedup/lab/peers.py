"""Other people's libraries doing the same job, for comparison."""

import re
from collections.abc import Sequence

from newsdedup.core.model import NewsItem
from newsdedup.ports import SettingsInvalid

WORD = re.compile(r"\w+")


def datasketch(items: Sequence[NewsItem], *, permutations: int) -> int:
    """Return how many items datasketch finds a candidate for: MinHashLSH over single words.

    Hashing included, `update_batch`, in memory, each item queried and then inserted: its best
    documented way for a stream.
    """
    try:
        from datasketch import MinHash, MinHashLSH  # noqa: PLC0415 - only the bench extra has it
    except ImportError as error:
        raise SettingsInvalid(
            "the peer datasketch is not installed: scripts/install lab, or --no-peers"
        ) from error
    index = MinHashLSH(threshold=0.5, num_perm=permutations)
    found = 0
    for number, item in enumerate(items):
        words = {word.encode() for word in WORD.findall(f"{item.title}\n{item.text}".lower())}
        sketch = MinHash(num_perm=permutations)
        sketch.update_batch(sorted(words))
        found += bool(index.query(sketch))
        index.insert(number, sketch)
    return found
