"""What is wrong with settings, in words: unknown names, and values that contradict each other."""

from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta
from itertools import combinations
from typing import Any

from newsdedup.config.addresses import may_be_clustered

_LONGEST_SHOWN = 60
"""Characters of a wrong value or name that are shown."""
_LEAST_LIKENESS = 0.5
"""How alike a name must be to be suggested for a mistyped one (difflib's ratio)."""
_RISING = (
    ("rule.similar", "rule.duplicate"),
    ("rule.duplicate", "rule.terms"),
    ("feeder.shortest", "feeder.longest"),
)
"""Pairs of settings of which the first must not be above the second."""
_REDIS_ATTEMPTS = 6
"""How often a call of Redis is tried, each time for `redis.timeout`, before it counts as away."""
_PAUSES = timedelta(seconds=10)
"""What a worker pauses at most between and after these attempts."""
_HANGS = "a worker that only waits would count as hanging"
_TOPICS = ("kafka.input", "kafka.output", "kafka.dead")
"""A worker that reads what it writes would never come to an end."""


def unknown_setting(name: str, known: Collection[str], *, origin: str) -> str:
    """Return the message that a name is no setting, with the most similar one in `known`.

    `origin` says where the name stands, as "flag" or the path of the settings file.
    """
    near = nearest_name(name, known)
    advice = "`newsdedup config show` lists all" if near is None else f"did you mean {near}?"
    return f"{shorten_value(name)} ({origin}): no such setting; {advice}"


def nearest_name(name: str, known: Collection[str]) -> str | None:
    """Return the known name most like this one, with or without section; None if none is close."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - needed after a mistake only

    def likeness(candidate: str) -> float:
        here, there = _bare(name[:_LONGEST_SHOWN]), _bare(candidate)
        last_here, last_there = here.rpartition(".")[2], there.rpartition(".")[2]
        pairs = ((here, there), (here, last_there), (last_here, last_there))
        return max(SequenceMatcher(None, *pair).ratio() for pair in pairs)

    best = max(known, key=likeness, default=None)
    return best if best is not None and likeness(best) >= _LEAST_LIKENESS else None


def shorten_value(text: str, most: int = _LONGEST_SHOWN) -> str:
    """Return a text of at most `most` characters; a longer one is cut and ends in "…"."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _bare(name: str) -> str:
    """Return a key of a setting, or an environment variable, in the form section.name."""
    return name.lower().removeprefix("newsdedup_").replace("__", ".")


def find_contradictions(values: Mapping[str, Any], origins: Mapping[str, str]) -> Iterator[str]:
    """Yield a message for each pair of valid values, by key, that contradict each other.

    Settings that are missing in `values` are not checked.
    """

    def both(one: str, other: str, expected: str) -> str:
        shown = (f"{key} = {values[key]} ({origins[key]})" for key in (one, other))
        return f"{' and '.join(shown)}: expected {expected}"

    for low, high in _RISING:
        if low in values and high in values and values[low] > values[high]:
            yield both(low, high, f"{low} <= {high}")
    for one, other in combinations(_TOPICS, 2):
        if one in values and values[one] == values.get(other):
            yield both(one, other, "two topics")
    stall, timeout = values.get("worker.stall"), values.get("redis.timeout")
    linger = values.get("worker.linger")
    if stall and timeout is not None and _REDIS_ATTEMPTS * timeout + _PAUSES >= stall:
        least = f"{_REDIS_ATTEMPTS} times redis.timeout and {_PAUSES.seconds}s"
        yield both("redis.timeout", "worker.stall", f"{least} < worker.stall: {_HANGS}")
    if stall and linger is not None and linger >= stall:
        yield both("worker.linger", "worker.stall", f"worker.linger < worker.stall: {_HANGS}")
    rule, shadow = values.get("rule.name"), values.get("worker.shadow")
    if rule is not None and rule == shadow:
        what = f"worker.shadow = {shadow} ({origins['worker.shadow']})"
        yield f"{what}: expected another rule than rule.name"
    url = values.get("redis.url")
    if values.get("redis.cluster") and url is not None and not may_be_clustered(url):
        flag = f"redis.cluster = true ({origins['redis.cluster']})"
        what = f"{flag} and redis.url = {url} ({origins['redis.url']})"
        yield f"{what}: expected a host and database 0: a cluster has no other"
