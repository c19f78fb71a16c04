from random import Random


def seeded(seed: int) -> Random:
    """Return a generator that repeats itself: nothing here needs to be unguessable."""
    return Random(seed)  # noqa: S311  # tests repeat
