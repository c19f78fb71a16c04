"""The suite of all measurements, over invented news and without servers."""

from dataclasses import replace

import msgspec
import pytest

from newsdedup.adapters.formats import item_json
from newsdedup.config import read_settings
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.synthetic.stream import generate_stream
from newsdedup_lab.bench.peers import choose_peers
from newsdedup_lab.bench.suite import Suite, take_neighbours, thin_out
from newsdedup_lab.collections.items import Collection

pytestmark = pytest.mark.usefixtures("long")


def collect(count: int) -> Collection:
    received = [msgspec.json.encode(planted.item) for planted in generate_stream(count)]
    return Collection(tuple(map(item_json.decode_item, received)), tuple(received), 0)


@pytest.fixture(scope="module")
def collection() -> Collection:
    return collect(80)


@pytest.fixture
def suite(collection) -> Suite:
    return Suite(
        collection,
        read_settings({}, {}, None),
        rules=["verified", "terms"],
        peers=choose_peers(["datasketch"]),
        repeats=2,
        helpers=0,
        say=lambda _: None,
    )


def test_parts_have_their_measurements_and_how_they_were_made(suite):
    measured = suite.measure(["stages", "dense"], command="newsdedup bench /a/b/c.jsonl --suite")
    assert list(measured) == ["dense", "stages"]
    for part in measured.values():
        assert part["made"]["command"] == "newsdedup bench b/c.jsonl --suite"
        assert set(part["made"]["versions"]) == {"newsdedup", "datasketch"}
    stages = measured["stages"]["measurements"]
    assert list(stages) == ["verified", "terms"]
    assert stages["terms"]["repeats"] == 2
    assert stages["terms"]["spread"]["stages"]["index"]
    assert measured["dense"]["measurements"]["rule"] == "verified"


def test_an_unknown_part_is_refused_before_anything_is_measured(suite):
    with pytest.raises(SettingsInvalid, match="no part memory: there are dense, stages, redis"):
        suite.measure(["dense", "memory"], command="newsdedup bench")


def test_a_thinned_collection_is_spread_over_all_times(collection):
    thin = thin_out(collection, most=8)
    times = [item.published_at for item in thin.items if item.published_at]
    assert len(thin.items) == len(thin.received) == 8
    assert times == sorted(times)
    ordered = thin_out(collection, most=len(collection.items))
    assert thin.items[0] == ordered.items[0]
    assert thin.items[4] == ordered.items[len(ordered.items) // 2]


@pytest.mark.parametrize("most", [1, 7, 8, 1_000])
def test_neighbours_are_the_middle_of_the_order_of_time_without_a_gap(collection, most):
    ordered = thin_out(collection, most=len(collection.items))
    near = take_neighbours(collection, most=most)
    assert len(near.items) == len(near.received) == min(most, len(ordered.items))
    first = ordered.items.index(near.items[0])
    assert near.items == ordered.items[first : first + most]
    assert near.received == ordered.received[first : first + most]
    assert abs(first - (len(ordered.items) - first - len(near.items))) <= 1


def test_latency_is_measured_with_neighbours(suite, monkeypatch):
    many = collect(400)
    taken = []
    monkeypatch.setattr(Suite, "with_servers", lambda *given, **_: taken.append(given[2]) or {})
    replace(suite, collection=many).latency()
    assert taken == [take_neighbours(many, most=130)]
    assert len(taken[0].items) < len(many.items)
