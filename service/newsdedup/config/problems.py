"""What is wrong with settings, in words: unknown names, and values that contradict each other."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Any

from newsdedup.config.addresses import may_be_clustered

if TYPE_CHECKING:
    from newsdedup.ports.errors import SettingsInvalid

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
_HANGS = "a worker that only waits would take itself for hanging"
_TOPICS = ("kafka.input", "kafka.output", "kafka.dead")
"""A worker that reads what it writes would never come to an end."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one thing, and what would be right."""

    what: str
    expected: str

    def __str__(self) -> str:
        return f"{self.what}: {self.expected}"


def settings_error(problems: Collection[Problem]) -> "SettingsInvalid":
    """Return the one error that lists all problems."""
    # Imported here because the ports know the events, and help must not wait for those.
    from newsdedup.ports.errors import SettingsInvalid  # noqa: PLC0415

    count = "1 setting is" if len(problems) == 1 else f"{len(problems)} settings are"
    return SettingsInvalid("\n".join([f"{count} wrong:", *(f"  {it}" for it in problems)]))


def unknown_setting(name: str, known: Collection[str], *, origin: str) -> Problem:
    """Return the problem of a name that is no setting, with the most similar one."""
    near = nearest_name(name, known)
    advice = "`newsdedup config show` lists all" if near is None else f"did you mean {near}?"
    return Problem(f"{shorten_value(name)} ({origin})", f"no such setting; {advice}")


def nearest_name(name: str, known: Collection[str]) -> str | None:
    """Return the known name that is most like this one, or None if none is like it."""
    likeness = {candidate: _likeness(name, candidate) for candidate in known}
    best = max(likeness, key=likeness.__getitem__, default=None)
    return best if best is not None and likeness[best] >= _LEAST_LIKENESS else None


def _likeness(name: str, candidate: str) -> float:
    """Return how alike two names are, from 0 to 1, with their sections or without.

    That is the highest of difflib's ratios.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 - needed after a mistake only

    here, there = _bare(name[:_LONGEST_SHOWN]), _bare(candidate)
    pairs = ((here, there), (here, _last(there)), (_last(here), _last(there)))
    return max(SequenceMatcher(None, *pair).ratio() for pair in pairs)


def shorten_value(text: str) -> str:
    """Return a text of at most 60 characters for a message; a longer one ends in "…"."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _bare(name: str) -> str:
    """Return the setting's key that a key or an environment variable spells."""
    return name.lower().removeprefix("newsdedup_").replace("__", ".")


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def find_contradictions(values: Mapping[str, Any], origins: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem for each pair of settings that contradict each other.

    `values` are valid each for itself; `origins` says where each came from.
    """
    for low, high in _RISING:
        if low in values and high in values and values[low] > values[high]:
            yield Problem(_both(low, high, values, origins), f"expected {low} <= {high}")
    for one, other in combinations(_TOPICS, 2):
        if one in values and values[one] == values.get(other):
            yield Problem(_both(one, other, values, origins), "expected two topics")
    yield from _find_stalls(values, origins)
    rule, shadow = values.get("rule.name"), values.get("worker.shadow")
    if rule is not None and rule == shadow:
        what = f"worker.shadow = {shadow} ({origins['worker.shadow']})"
        yield Problem(what, "expected another rule than rule.name")
    url = values.get("redis.url")
    if values.get("redis.cluster") and url is not None and not may_be_clustered(url):
        flag = f"redis.cluster = true ({origins['redis.cluster']})"
        what = f"{flag} and redis.url = {url} ({origins['redis.url']})"
        yield Problem(what, "expected a host and database 0: a cluster has no other")


def _find_stalls(values: Mapping[str, Any], origins: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem for each setting by which a worker that waits would be taken for hanging."""
    stall = values.get("worker.stall")
    if stall is None:
        return
    timeout, linger = values.get("redis.timeout"), values.get("worker.linger")
    if timeout is not None and _REDIS_ATTEMPTS * timeout + _PAUSES >= stall:
        what = _both("redis.timeout", "worker.stall", values, origins)
        least = f"{_REDIS_ATTEMPTS} times redis.timeout and {_PAUSES.seconds}s"
        yield Problem(what, f"expected {least} < worker.stall: {_HANGS}")
    if linger is not None and linger >= stall:
        what = _both("worker.linger", "worker.stall", values, origins)
        yield Problem(what, f"expected worker.linger < worker.stall: {_HANGS}")


def _both(one: str, other: str, values: Mapping[str, Any], origins: Mapping[str, str]) -> str:
    """Return two settings with their values and origins, for a message."""
    return " and ".join(f"{key} = {values[key]} ({origins[key]})" for key in (one, other))
