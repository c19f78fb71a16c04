"""What processes and Redis hold while a long stream runs, and whether it grows."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Final, NamedTuple

from redis import Redis

from newsdedup.adapters.redis.keys import base36
from newsdedup.adapters.redis.spans import split_spans

_SET: Final = re.compile(r"(?P<span>-?[0-9a-z]+)[LMF][\w-]+")
"""The key of a set of postings, behind the name of its namespace."""
_HASH: Final = re.compile(r"(records|items|rows):(?P<span>-?\d+)")
GROWTH: Final = 1.10
"""So much larger than in its second quarter a value may be in the last one."""
_SLACK_MIB: Final = 32.0
"""What a process may grow by for other reasons: tables that are loaded late, fragments."""


_CACHED_ITEMS: Final = 40_000
"""After so many a worker and a server have filled their caches, of 32,768 records for example."""
_DENSER: Final = 1.25
_FEW_ITEMS: Final = 100
"""By day, and by chance in a small window, it holds so many more than at another time."""


class Sample(NamedTuple):
    """What was stored at one moment."""

    seconds: float
    items: int
    """Items that were written to the input by then."""
    memory: Mapping[str, float]
    """MiB by process, without pages of files; of Redis what it says that its data take."""
    keys: int
    """Keys of the namespace."""
    leaving: int
    """Keys of spans that have left the window, which are freed with the next commits."""
    records: int
    """Items of the namespace."""


class NamespaceKeys(NamedTuple):
    """The keys of a namespace, those of spans that are gone apart."""

    keys: int
    records: int
    leaving: int
    """Keys of spans that have left the window: freed with later commits, or by Redis in time."""
    orphans: tuple[str, ...]
    """Those of them that nothing frees, for they do not expire."""
    unmatched: int
    """Records without an entry in the directory of items, or the other way round."""


def own_memory(process: int) -> float:
    """Return the memory of a process in MiB, without pages of files."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return (
        sum(int(size) for size in re.findall(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE)) / 1_024
    )


def namespace_keys(url: str, name: str) -> NamespaceKeys:
    """Return the keys of a namespace in Redis, and those that no look-up reads any more."""
    with Redis.from_url(url, decode_responses=True) as redis:
        front = f"{{{name}}}:"
        live = split_spans(str(redis.hget(f"{front}meta", "live") or ""))
        names = [one.removeprefix(front) for one in redis.scan_iter(f"{front}*", count=10_000)]
        sizes = [
            (redis.hlen(f"{front}records:{span}"), redis.hlen(f"{front}items:{span}"))
            for span in live
        ]
        in_use = {None, *map(str, live), *map(base36, live)}
        gone = [one for one in names if _span_of(one) not in in_use]
        expiries = redis.pipeline()
        for one in gone:
            expiries.pttl(f"{front}{one}")
        lasting = [one for one, left in zip(gone, expiries.execute(), strict=True) if left == -1]
    return NamespaceKeys(
        keys=len(names),
        records=sum(records for records, _ in sizes),
        leaving=len(gone),
        orphans=tuple(sorted(lasting)),
        unmatched=sum(abs(records - items) for records, items in sizes),
    )


def _span_of(key: str) -> str | None:
    """Return the span in the name of a key, None for those that belong to none."""
    matched = _SET.fullmatch(key) or _HASH.fullmatch(key)
    return matched["span"] if matched else None


def growing(samples: Sequence[Sample]) -> list[str]:
    """Return what is larger in the last quarter than in the second, by more than it may."""
    quarter = len(samples) // 4
    if not quarter:
        return []
    second, last = samples[quarter : 2 * quarter], samples[-quarter:]
    larger = []
    if caches_are_full(samples):
        for name in samples[-1].memory:
            before, after = (mean(one.memory[name] for one in part) for part in (second, last))
            if after > max(before * GROWTH, before + _SLACK_MIB):
                larger.append(f"memory of {name}")
    records = [mean(one.records for one in part) for part in (second, last)]
    keys = [mean(one.keys for one in part) for part in (second, last)]
    if records[1] > max(records[0] * _DENSER, records[0] + _FEW_ITEMS):
        larger.append("number of items in Redis")
    if keys[1] > keys[0] * GROWTH * max(1.0, records[1] / max(1.0, records[0])):
        larger.append("number of keys for each item")
    return larger


def caches_are_full(samples: Sequence[Sample]) -> bool:
    """Return whether memory can be judged: processes grow until their caches are full."""
    return bool(samples) and samples[len(samples) // 4].items >= _CACHED_ITEMS


def sample_line(sample: Sample) -> str:
    """Return a sample as a line of text."""
    memory = " ".join(f"{name}={size:.0f}" for name, size in sample.memory.items())
    return (
        f"{sample.seconds:6.0f} s {sample.items:9,} items; MiB: {memory}; "
        f"keys={sample.keys:,} leaving={sample.leaving:,} records={sample.records:,}"
    )
