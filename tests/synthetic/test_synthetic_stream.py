import hashlib
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from itertools import islice, pairwise

import pytest

from newsdedup.synthetic.planted import PlantedItem
from newsdedup.synthetic.stream import demo_stream, generate_stream

ITEMS = 3_000
FIELDS = {"id", "source", "url", "published_at", "title", "text", "lang", "category"}
BYTES_OF_A_STREAM = """
import hashlib, json
from newsdedup.synthetic.stream import generate_stream
fields = [[p.item, p.truth.kind, p.truth.story, p.truth.of] for p in generate_stream(600, seed=5)]
print(hashlib.sha256(json.dumps(fields, ensure_ascii=False).encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def planted() -> list[PlantedItem]:
    return list(generate_stream(ITEMS))


def as_bytes(items: list[PlantedItem]) -> bytes:
    fields = [[p.item, p.truth.kind, p.truth.story, p.truth.of] for p in items]
    return json.dumps(fields, ensure_ascii=False).encode()


def moment(item: dict[str, object], field: str) -> datetime:
    return datetime.fromisoformat(str(item[field]))


def test_the_same_arguments_give_the_same_bytes() -> None:
    assert as_bytes(list(generate_stream(600, seed=5))) == as_bytes(
        list(generate_stream(600, seed=5))
    )


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize("hash_seed", ["0", "42"])
def test_the_bytes_do_not_depend_on_the_hash_seed_of_the_process(hash_seed: str) -> None:
    output = subprocess.run(
        [sys.executable, "-c", BYTES_OF_A_STREAM],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        text=True,
    ).stdout.strip()
    assert output == hashlib.sha256(as_bytes(list(generate_stream(600, seed=5)))).hexdigest()


def test_another_seed_gives_another_stream() -> None:
    assert as_bytes(list(generate_stream(50, seed=1))) != as_bytes(
        list(generate_stream(50, seed=2))
    )


@pytest.mark.parametrize("items", [0, 1, 7, 250])
def test_a_stream_has_as_many_items_as_asked_for(items: int) -> None:
    assert len(list(generate_stream(items))) == items


def test_a_long_stream_is_made_as_it_is_read() -> None:
    assert len(list(islice(generate_stream(10**12), 40))) == 40


def test_an_item_has_the_fields_of_an_item_and_one_the_product_does_not_know(
    planted: list[PlantedItem],
) -> None:
    for one in planted:
        assert one.item.keys() >= FIELDS
        assert one.item.keys() <= FIELDS | {"updated_at", "links"}
        assert all(isinstance(one.item[field], str) and one.item[field] for field in FIELDS)


def test_some_items_list_links(planted: list[PlantedItem]) -> None:
    linked = [one.item["links"] for one in planted if "links" in one.item]
    assert 0.04 < len(linked) / ITEMS < 0.12


def test_an_address_leads_nowhere(planted: list[PlantedItem]) -> None:
    assert all(".example/" in str(one.item["url"]) for one in planted)


def test_times_carry_their_zone_and_zones_differ(planted: list[PlantedItem]) -> None:
    zones = {moment(one.item, "published_at").utcoffset() for one in planted}
    assert None not in zones
    assert len(zones) >= 4


def test_items_are_published_near_the_order_in_which_they_arrive(
    planted: list[PlantedItem],
) -> None:
    punctual = [one for one in planted if one.truth.kind in ("original", "short", "template")]
    times = [moment(one.item, "published_at") for one in punctual]
    late = [(before - after).total_seconds() for before, after in pairwise(times) if after < before]
    assert late
    assert max(late) < 1_800


def test_a_stream_starts_at_the_time_requested() -> None:
    start = datetime(2031, 5, 6, 12, tzinfo=UTC)
    (first,) = generate_stream(1, start=start)
    assert abs((moment(first.item, "published_at") - start).total_seconds()) < 1_800


def test_more_items_an_hour_take_less_time() -> None:
    def hours(per_hour: float) -> float:
        times = sorted(
            moment(p.item, "published_at") for p in generate_stream(400, per_hour=per_hour)
        )
        # What was delayed comes hours later at any rate, so the last items say nothing.
        return (times[300] - times[0]).total_seconds() / 3600

    assert hours(50.0) > 4 * hours(1_000.0)


@pytest.mark.parametrize("languages", [("ru",), ("uk",), ("en",), ("uk", "en")])
def test_a_stream_is_in_the_languages_asked_for(languages: tuple[str, ...]) -> None:
    assert {one.item["lang"] for one in generate_stream(200, languages=languages)} == set(languages)


@pytest.mark.parametrize("languages", [("de",), ("ru", "xx"), ()])
def test_a_language_there_is_no_book_for_is_refused(languages: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="ru, uk, en"):
        generate_stream(1, languages=languages)


def test_a_start_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        generate_stream(1, start=datetime(2026, 11, 2))  # noqa: DTZ001  # the case under test


def test_an_id_is_used_once_by_a_source_but_for_its_own_versions(
    planted: list[PlantedItem],
) -> None:
    again = ("edit", "moved_edit", "redelivery")
    keys = [(p.item["source"], p.item["id"]) for p in planted if p.truth.kind not in again]
    assert len(keys) == len(set(keys))


def test_ids_of_different_sources_collide(planted: list[PlantedItem]) -> None:
    ids = {one.item["id"] for one in planted}
    assert len(ids) < ITEMS / 3


def test_the_demo_takes_a_day_and_a_half() -> None:
    times = [moment(one.item, "published_at") for one in demo_stream()]
    assert len(times) == 300
    assert 30 < (max(times) - min(times)).total_seconds() / 3600 < 42
