"""A worker that is overtaken while it decides: the stories are those of the definition."""

import random

import pytest

from laws.redis_news import originals, worker
from laws.streams import by_definition, entry
from laws.test_lateness import HOUR, RULE, arrival
from laws.test_redis_workers import Looking

TERMS = range(1, 11)
"""So few that most items concern each other, and so many that not all do."""
ITEMS = 6
STREAMS = 150
"""About one in 75 tells whether a member filed meanwhile is noticed."""


@pytest.mark.parametrize("seed", range(2))
def test_an_item_overtaken_by_all_later_ones_ends_in_the_stories_of_the_definition(laid_out, seed):
    rng = random.Random(seed)  # noqa: S311 - a stream, no secret
    for _ in range(STREAMS):
        entries = [
            entry(f"i{n}", rng.sample(TERMS, rng.randint(4, 8)), at=n * HOUR) for n in range(ITEMS)
        ]
        expected = {key.id: leader.id for key, leader in by_definition(entries, RULE).items()}
        assert originals(overtaken(laid_out, entries, rng.randint(1, ITEMS - 2))) == expected


def overtaken(shared, entries, nth):
    """Return the events of items of which one is decided when another worker commits the rest."""
    keys, events = shared.keys(1024), []
    first, second = (worker(shared, keys, name=name) for name in ("first", "second"))
    judge = first.process

    async def recording(batch):
        judged = await judge(batch)
        events.extend(judged.events)
        return judged

    first.process = recording
    before, one, after = entries[:nth], entries[nth], entries[nth + 1 :]
    shared.run(first.process([arrival(known) for known in before]))
    slow = Looking(second, other=first, arrivals=[arrival(known) for known in after])
    judged = shared.run(slow.process([arrival(one)]))
    return [*events, *judged.events]
