"""A backlog over several partitions: workers find what `newsdedup run` finds on the sorted file."""

import json
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from runners.backlog import compare, run_in_order
from runners.streaming import PATIENCE_SECONDS, Stream, ended, verdicts
from servers.process import wait_until

START = datetime(2025, 1, 1, 6, 7, tzinfo=UTC)
WORDS = ["".join(parts) for parts in product("bdfgklmnprst", "aeiou", "bdgklmnprst", "aeiou")]
STORIES = 60


class Case(NamedTuple):
    """A backlog, and what happens while it is worked through."""

    partitions: int
    workers: int
    runner: str
    gap: timedelta = timedelta(days=3)
    """From one story to the next."""
    reach: timedelta = timedelta()
    """How far items are moved in the order of writing, each way."""
    leaves_empty: bool = False
    """Whether nothing is written to the last partition."""
    kills: bool = False
    joins: bool = False


THIN, DENSE, REACH = timedelta(days=3), timedelta(minutes=50), timedelta(hours=3)
MEDIUM = timedelta(hours=6)
"""Dense enough that the batches in hand, which come again where workers join, are not late."""
CASES = {
    "one partition, three workers": Case(1, 3, "aiokafka", MEDIUM),
    "four partitions, one worker on Faust": Case(4, 1, "faust"),
    "four partitions, three workers": Case(4, 3, "aiokafka", MEDIUM),
    "twelve partitions, three workers on Faust": Case(12, 3, "faust", MEDIUM),
    "twelve partitions, one worker, shuffled": Case(12, 1, "aiokafka", THIN, REACH),
    "three workers on Faust, shuffled, one partition empty": Case(
        4, 3, "faust", MEDIUM, REACH, leaves_empty=True
    ),
    "one of two workers is killed": Case(4, 2, "aiokafka", DENSE, kills=True),
    "a worker joins": Case(4, 1, "aiokafka", DENSE, joins=True),
}


def backlog(gap: timedelta) -> list[dict[str, str]]:
    """Return stories, each copied by another source five hours later, in the order of time."""
    chance = Random(29)  # noqa: S311 - the same items each time
    found = []
    for number in range(STORIES):
        text = " ".join(chance.sample(WORDS, 24))
        for source, hours in (("first.example", 0), ("copies.example", 5)):
            at = START + number * gap + timedelta(hours=hours)
            found.append(
                {
                    "source": source,
                    "id": str(number),
                    "text": text,
                    "published_at": at.isoformat(),
                }
            )
    return sorted(found, key=lambda one: one["published_at"])


def write(stream: Stream, items: list[dict[str, str]], case: Case) -> None:
    """Write items in turns to the partitions, in their order or a disturbed one."""
    chance = Random(30)  # noqa: S311 - the same order each time
    partitions = case.partitions - case.leaves_empty
    moved = {
        (one["source"], one["id"]): datetime.fromisoformat(one["published_at"])
        + case.reach * chance.uniform(-1, 1)
        for one in items
    }
    order = sorted(items, key=lambda one: moved[one["source"], one["id"]])
    for number in range(partitions):
        stream.produce(order[number::partitions], partition=number)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_duplicates_are_those_of_a_run_over_the_sorted_file(kafka, redis, tmp_path, case):
    items = backlog(case.gap)
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in items))
    truth = run_in_order(file, tmp_path, "terms")
    stream = Stream(kafka, redis, tmp_path, partitions=case.partitions)
    write(stream, items, case)
    settings = {"worker__batch": "2" if case.workers == 3 else "8"}
    with ExitStack() as alive:
        workers = [
            alive.enter_context(stream.worker(runner=case.runner, **settings))
            for _ in range(case.workers)
        ]
        if case.kills or case.joins:
            wait_until(lambda: stream.length() > 0, what="work has begun", within=PATIENCE_SECONDS)
        if case.kills:
            workers.pop(0).kill()
        if case.joins:
            workers.append(alive.enter_context(stream.worker(runner=case.runner, **settings)))
        wait_until(stream.all_committed, what="the backlog is judged", within=PATIENCE_SECONDS)
        stream.adopted()
        for one in workers:
            ended(one)
    said = verdicts(stream.read(stream.output))
    result = compare(truth, said, items=len(items), seconds=1)
    assert (result.wanted, result.found) == (STORIES, STORIES), stream.logs()
    assert (result.missing, result.added, result.moved) == (0, 0, 0)
