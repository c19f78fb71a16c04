"""The benchmark of a window that fills, over invented news."""

from datetime import timedelta

import msgspec
import pytest

from newsdedup.adapters.formats import item_json
from newsdedup.config import RuleSettings, Settings
from newsdedup.lab.bench.dense import measure_density
from newsdedup.lab.collections.items import Collection
from newsdedup.synthetic.stream import generate_stream


@pytest.fixture(scope="module")
def collection() -> Collection:
    received = [msgspec.json.encode(planted.item) for planted in generate_stream(240)]
    return Collection([item_json.decode_item(line) for line in received], tuple(received), 0)


@pytest.mark.parametrize("rule", ["verified", "terms"])
def test_each_step_of_a_filling_window_is_counted(collection, rule):
    settings = Settings(rule=RuleSettings(name=rule))
    told: list[str] = []
    figures = measure_density(
        collection, settings, span=timedelta(hours=72), permutations=16, say=told.append
    )
    dated = sum(item.published_at is not None for item in collection.items)
    size = dated // 8
    assert [step["items"] for step in figures["steps"]] == [size * n for n in range(1, 9)]
    assert len(told) == 8
    assert figures["last_against_second"] > 0
    for step in figures["steps"]:
        assert step["comparisons"]["p99"] >= step["comparisons"]["p50"]
        assert step["rate"] > 0 < step["datasketch"]
    assert figures["steps"][-1]["candidates"]["mean"] > 0


def test_a_longer_span_thins_the_window(collection):
    def candidates(span: timedelta) -> float:
        figures = measure_density(
            collection, Settings(), span=span, permutations=16, say=lambda _: None
        )
        return figures["steps"][-1]["candidates"]["mean"]

    assert candidates(timedelta(days=300)) < candidates(timedelta(hours=72))
