from collections.abc import Iterator, Mapping
from typing import Any

from newsdedup.config.problems import Problem

RISING = (("rule.similar", "rule.duplicate"), ("rule.duplicate", "rule.terms"))
"""Pairs of settings of which the first must not be above the second."""


def contradictions(values: Mapping[str, Any], origins: Mapping[str, str]) -> Iterator[Problem]:
    """Yield which values, each sound by itself, cannot hold together."""
    for low, high in RISING:
        if low in values and high in values and values[low] > values[high]:
            what = " and ".join(f"{key} = {values[key]} ({origins[key]})" for key in (low, high))
            yield Problem(what, f"expected {low} <= {high}")
    rule, shadow = values.get("rule.name"), values.get("worker.shadow")
    if rule is not None and rule == shadow:
        what = f"worker.shadow = {shadow} ({origins['worker.shadow']})"
        yield Problem(what, "expected another rule than rule.name")
