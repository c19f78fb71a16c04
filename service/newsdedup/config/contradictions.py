from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from newsdedup.config.problems import Problem
from newsdedup.config.redis_urls import may_be_clustered

RISING = (("rule.similar", "rule.duplicate"), ("rule.duplicate", "rule.terms"))
"""Pairs of settings of which the first must not be above the second."""
TOPICS = ("kafka.input", "kafka.output", "kafka.dead")
"""A worker that reads what it writes would never come to an end."""


def contradictions(values: Mapping[str, Any], origins: Mapping[str, str]) -> Iterator[Problem]:
    """Yield which values, each sound by itself, cannot hold together."""
    for low, high in RISING:
        if low in values and high in values and values[low] > values[high]:
            yield Problem(_both(low, high, values, origins), f"expected {low} <= {high}")
    for one, other in combinations(TOPICS, 2):
        if one in values and values[one] == values.get(other):
            yield Problem(_both(one, other, values, origins), "expected two topics")
    rule, shadow = values.get("rule.name"), values.get("worker.shadow")
    if rule is not None and rule == shadow:
        what = f"worker.shadow = {shadow} ({origins['worker.shadow']})"
        yield Problem(what, "expected another rule than rule.name")
    url = values.get("redis.url")
    if values.get("redis.cluster") and url is not None and not may_be_clustered(url):
        flag = f"redis.cluster = true ({origins['redis.cluster']})"
        what = f"{flag} and redis.url = {url} ({origins['redis.url']})"
        yield Problem(what, "expected a host and database 0: a cluster has no other")


def _both(one: str, other: str, values: Mapping[str, Any], origins: Mapping[str, str]) -> str:
    """Return two settings with where they came from."""
    return " and ".join(f"{key} = {values[key]} ({origins[key]})" for key in (one, other))
