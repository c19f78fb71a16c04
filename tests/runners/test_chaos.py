"""The short form of scripts/chaos; docs/reliability.md tells the long one."""

import pytest

from newsdedup.synthetic.stream import generate_stream as synthetic
from runners.chaos import chaos, conflicting
from runners.streaming import Event, Stream

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

KILLS = 5


def test_workers_killed_at_random_lose_nothing_and_contradict_themselves_nowhere(
    kafka, redis, tmp_path
):
    items = [dict(planted.item) for planted in synthetic(60 * (KILLS + 1), seed=7)]
    found = chaos(Stream(kafka, redis, tmp_path), items, kills=KILLS, runner="faust", seed=7)
    assert found.sound, found
    assert found.verdicts == found.unique == found.produced


def test_a_revision_told_with_two_bodies_is_seen():
    said = {
        "event": "item.judged",
        "event_id": "1",
        "item": {"source": "a", "id": "1"},
        "version": "v",
        "revision": {"epoch": 1, "n": 0},
    }
    one = Event(b"", {"dedup": said, "title": "one"}, {})
    assert conflicting([one, one]) == 0
    assert conflicting([one, one._replace(value={"dedup": said, "title": "two"})]) == 2
