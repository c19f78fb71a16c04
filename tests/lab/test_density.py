"""The benchmark of a window that fills, over invented news."""

from datetime import timedelta

import msgspec
import pytest

from newsdedup.adapters.formats import item_json
from newsdedup.config import RuleSettings, Settings
from newsdedup.ports.errors import SourceUnusable
from newsdedup.synthetic.stream import generate_stream
from newsdedup_lab.bench.dense import measure_density
from newsdedup_lab.bench.peers import PeerChoice, choose_peers
from newsdedup_lab.collections.items import Collection

pytestmark = pytest.mark.usefixtures("long")

NO_PEERS = PeerChoice((), ())


@pytest.fixture(scope="module")
def collection() -> Collection:
    received = [msgspec.json.encode(planted.item) for planted in generate_stream(240)]
    return Collection([item_json.decode_item(line) for line in received], tuple(received), 0)


@pytest.mark.parametrize("rule", ["verified", "terms"])
def test_each_step_of_a_filling_window_is_counted(collection, rule):
    settings = Settings(rule=RuleSettings(name=rule))
    lines: list[str] = []
    measurements = measure_density(
        collection,
        settings,
        span=timedelta(hours=72),
        peers=choose_peers(["datasketch"]),
        say=lines.append,
    )
    dated = sum(item.published_at is not None for item in collection.items)
    size = dated // 8
    assert [step["items"] for step in measurements["steps"]] == [size * n for n in range(1, 9)]
    assert len(lines) == 8
    assert measurements["last_against_second"] > 0
    for step in measurements["steps"]:
        assert step["comparisons"]["p99"] >= step["comparisons"]["p50"]
        assert step["rate"] > 0 < step["peers"]["datasketch"]
        ratio = step["rate"] / step["peers"]["datasketch"]
        assert step["ratios"]["datasketch"] == pytest.approx(ratio, abs=0.001)
    assert measurements["steps"][-1]["candidates"]["mean"] > 0


def test_a_longer_span_thins_the_window(collection):
    def candidates(span: timedelta) -> float:
        measurements = measure_density(
            collection, Settings(), span=span, peers=NO_PEERS, say=lambda _: None
        )
        return measurements["steps"][-1]["candidates"]["mean"]

    assert candidates(timedelta(days=300)) < candidates(timedelta(hours=72))


def test_repeats_of_a_window_count_the_same_and_vary_in_rate(collection):
    def measurements(repeats: int) -> dict:
        return measure_density(
            collection,
            Settings(),
            span=timedelta(hours=72),
            peers=NO_PEERS,
            repeats=repeats,
            say=lambda _: None,
        )

    once, twice = measurements(1), measurements(2)
    counts = [[step["candidates"] for step in one["steps"]] for one in (once, twice)]
    assert counts[0] == counts[1]
    assert twice["repeats"] == 2
    assert set(twice["spread"]["steps"][0]) == {"rate"}


def test_items_without_times_have_no_window():
    received = (b'{"id": "1", "source": "s", "title": "A bridge is open"}',)
    undated = Collection((item_json.decode_item(received[0]),), received, 0)
    with pytest.raises(SourceUnusable, match="no item has a time of publication"):
        measure_density(
            undated, Settings(), span=timedelta(hours=72), peers=NO_PEERS, say=lambda _: None
        )
