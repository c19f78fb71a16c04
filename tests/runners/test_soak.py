"""The short form of scripts/soak, and what it must notice."""

from pathlib import Path

import pytest

from archive.dumps import differing_tables
from runners.soak import SoakPlan, soak
from runners.soak_samples import Sample, growing, namespace_keys
from runners.streaming import Stream
from server.served import NEWS, judge


def test_a_stream_of_many_windows_leaves_nothing_behind_and_an_archive_that_is_made_again(
    kafka, redis, tmp_path
):
    stream = Stream(kafka, redis, tmp_path)
    plan = SoakPlan(items=320, windows=8, samples=8, rule="terms", runner="aiokafka")
    result = soak(plan, stream)
    assert result.problems == [], result.samples
    assert result.produced > 300
    assert max(sample.records for sample in result.samples) < result.produced / 2
    front = f"{{{stream.name}}}:"
    before = namespace_keys(redis.url, stream.name)
    redis.ask("SADD", f"{front}0Labc", 1)
    redis.ask("HSET", f"{front}rows:0", "field", "value")
    redis.ask("SET", f"{front}0Fabc", 1, "EX", 600)
    left = namespace_keys(redis.url, stream.name)
    assert left.orphans == ("0Labc", "rows:0")
    assert left.leaving == before.leaving + 3


def test_a_stream_that_has_had_its_minutes_is_judged_as_far_as_it_came(kafka, redis, tmp_path):
    plan = SoakPlan(items=320, windows=8, samples=8, rule="terms", runner="aiokafka", minutes=0)
    result = soak(plan, Stream(kafka, redis, tmp_path))
    assert [sample.items for sample in result.samples] == [40]
    assert result.problems == []


def sample(*, memory: float = 100, keys: int = 900, records: int = 500) -> Sample:
    return Sample(0.0, 50_000, {"worker": memory, "redis": 50.0}, keys, 0, records)


def test_only_what_is_larger_than_in_the_second_quarter_has_grown():
    flat = [*[sample(memory=10, keys=5, records=5)] * 2, *[sample()] * 4]
    assert growing([*flat, *[sample(memory=131, keys=1_180, records=600)] * 2]) == []
    assert growing([*flat, *[sample(memory=133)] * 2]) == ["memory of worker"]
    assert growing([*flat, *[sample(records=700)] * 2]) == ["number of items in Redis"]
    assert growing([*flat, *[sample(keys=1_000)] * 2]) == ["number of keys for each item"]
    few = [one._replace(items=10_000) for one in [*flat, *[sample(memory=133)] * 2]]
    assert growing(few) == []  # their caches were still filling
    assert growing([sample()] * 3) == []


@pytest.mark.usefixtures("process")
def test_archives_that_differ_say_in_what(tmp_path: Path):
    one, other = (tmp_path / name for name in ("one", "other"))
    for folder, items in ((one, NEWS), (other, NEWS[:-1])):
        folder.mkdir()
        judge(folder, items)
    whole, shorter = one / "news.archive", other / "news.archive"
    assert differing_tables(whole, whole) == []
    assert {"items", "stories", "words"} <= set(differing_tables(whole, shorter))
