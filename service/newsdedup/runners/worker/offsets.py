"""Where a worker begins to read a partition: where the state ends, if Kafka is further."""

from collections.abc import Mapping

from newsdedup.ports.errors import StateUnusable


def begin_at(name: str, *, stored: Mapping[str, int], committed: int | None) -> int | None:
    """Return the offset to begin at, None for the beginning of what Kafka still has.

    Positions are stored with the state in one step, before Kafka is told. Where they are behind,
    the server has lost its last writes, and what it lost is read again. Where they are ahead, a
    worker died before it told Kafka; its records come again and get their stored verdicts.
    """
    if committed is None:
        return None
    if not stored:
        raise StateUnusable(
            f"the state in Redis is empty, but {committed} records of {name} were worked on: run "
            "`newsdedup rebuild` to restore it from the output topic, or choose another group"
        )
    return min(committed, stored.get(name, 0))
