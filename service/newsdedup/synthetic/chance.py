"""Draws that need nothing but `Random.random`, whose values every Python keeps."""

from collections.abc import Sequence
from math import log
from random import Random
from typing import TypeVar

_Option = TypeVar("_Option")


def pick(rng: Random, options: Sequence[_Option]) -> _Option:
    """Return one of the options at random, each as likely."""
    return options[int(rng.random() * len(options))]


def sample(rng: Random, options: Sequence[_Option], count: int) -> list[_Option]:
    """Return `count` distinct options in random order, all of them if there are no more."""
    if not count or not options:
        return []
    if count == 1:
        return [pick(rng, options)]
    left = list(options)
    taken = []
    for _ in range(min(count, len(left))):
        index = int(rng.random() * len(left))
        taken.append(left[index])
        left[index] = left[-1]
        left.pop()
    return taken


def zipf(rng: Random, size: int, shift: int = 8) -> int:
    """Return a random rank k from 0 to size - 1 with a chance near 1 / (k + shift) (Mandelbrot)."""
    return int(shift * (1 + size / shift) ** rng.random()) - shift


def log_uniform(rng: Random, low: int, high: int) -> int:
    """Return a random integer from `low` to below `high`, all magnitudes as likely (Benford)."""
    return int(low * (high / low) ** rng.random())


def exponential(rng: Random, mean: float) -> float:
    """Return a random waiting time of a memoryless process with this mean."""
    return -mean * log(1.0 - rng.random())
