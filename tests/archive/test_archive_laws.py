import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from archive.dumps import dump
from archive.event_stream import (
    archived,
    events_of,
    search_words,
    story_events,
    stream_events,
)
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.ports.isolation import TooManyInternalErrors


@cache
def all_events() -> list[bytes]:
    """Return the events of every archive here, which are made when the first test needs them."""
    return [*story_events(), *stream_events()]


def key_of(event: bytes) -> object:
    verdict = json.loads(event)["dedup"]
    return (verdict["item"]["source"], verdict["item"]["id"]) if "item" in verdict else None


def in_order(order: list[int]) -> list[bytes]:
    """Return the events in another order, in which those of each item keep theirs."""
    by_item: dict[object, list[bytes]] = {}
    for event in all_events():
        by_item.setdefault(key_of(event), []).append(event)
    queues = {key: iter(events) for key, events in by_item.items()}
    return [next(queues[key_of(all_events()[index])]) for index in order]


@pytest.fixture(scope="module")
def expected(tmp_path_factory) -> list[list[tuple[object, ...]]]:
    return dump(archived(tmp_path_factory.mktemp("expected") / "a", all_events()))


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("seed", range(12))
def test_events_in_any_order_twice_and_in_any_batches_make_the_same_archive(
    expected, tmp_path, seed
) -> None:
    chance = Random(seed)  # noqa: S311 - the same order each time
    order = list(range(len(all_events())))
    # Some streams are only a little out of order, others have none.
    order.sort(key=lambda index: index + chance.random() * 10 ** (seed % 4))
    events = in_order(order)
    again = [event for event in events if chance.random() < seed / 12]
    path = archived(tmp_path / "a", [*events, *again], batch=chance.choice([1, 7, 40, 400]))
    assert dump(path) == expected


def test_the_whole_stream_delivered_twice_changes_nothing(tmp_path) -> None:
    path = archived(tmp_path / "a", all_events())
    before = dump(path)
    with ArchiveWriter(path, search_words()) as archive:
        counts = archive.apply(all_events())
    assert set(counts) <= {"repeated", "stories", "retracted"}
    assert dump(path) == before


def test_the_highest_revision_of_an_item_stands_in_whatever_order_its_events_come(tmp_path) -> None:
    backwards = dump(archived(tmp_path / "backwards", story_events()[::-1]))
    assert backwards == dump(archived(tmp_path / "forwards", story_events()))


def test_an_item_that_was_forgotten_and_comes_late_once_more_keeps_its_first_verdict(
    tmp_path: Path,
) -> None:
    first = json.loads(next(event for event in all_events() if b'"item.judged"' in event))
    again = json.loads(json.dumps(first))
    again["dedup"]["revision"]["epoch"] += 4
    again["dedup"]["late"] = True
    again["dedup"]["story"]["id"] = "0123456789abcdef"
    encoded = [json.dumps(one).encode() for one in (first, again)]
    assert dump(archived(tmp_path / "a", encoded)) == dump(archived(tmp_path / "b", encoded[:1]))
    rebuilt = json.loads(json.dumps(again))
    rebuilt["dedup"]["revision"]["epoch"] += 2**32
    with ArchiveWriter(tmp_path / "a", search_words()) as archive:
        assert archive.apply([json.dumps(rebuilt).encode()])["judged"] == 1


def test_an_item_that_was_withdrawn_stays_so_when_it_comes_again_after_it_was_forgotten(
    tmp_path: Path,
) -> None:
    gone = next(event for event in story_events() if b'"item.retracted"' in event)
    first = next(one for one in story_events() if key_of(one) == key_of(gone))
    again = json.loads(first)
    again["dedup"]["revision"]["epoch"] += 4
    again["dedup"]["late"] = True
    events = [first, gone, json.dumps(again).encode()]
    assert dump(archived(tmp_path / "a", events)) == dump(archived(tmp_path / "b", events[:2]))
    again["dedup"]["late"] = False  # published anew
    with ArchiveWriter(tmp_path / "a", search_words()) as archive:
        assert archive.apply([json.dumps(again).encode()])["judged"] == 1


@pytest.mark.parametrize("batch", [1, 70, 1_000])
def test_items_of_one_moment_push_none_of_the_next_moments_out(tmp_path: Path, batch: int) -> None:
    at = "2026-03-02T10:00:00.{:03}000Z"
    moments = [at.format(0)] * 200 + [at.format(2)] * 30 + [at.format(1)] * 20
    records = [
        {"source": "wire", "id": str(n), "title": f"Number {n}", "published_at": moment}
        for n, moment in enumerate(moments)
    ]
    events = events_of([json.dumps(one).encode() for one in records])
    path = archived(tmp_path / "a", events, batch=batch)
    items, *_ = dump(path)
    assert {(item[1], item[4]) for item in items} == {
        (str(n), 1_772_445_600_000_000 + int(moment[-5]) * 1_000)
        for n, moment in enumerate(moments)
    }


def test_what_is_no_event_is_counted_and_passed_over(tmp_path) -> None:
    lines = [b"", b"{", b"[]", b'{"dedup": 1}', b'{"dedup": {"event": "item.born"}}', b"\xff\xfe"]
    torn = json.loads(story_events()[0])
    for name, value in (("effective_at", "yesterday"), ("revision", {"epoch": 2**70, "n": 0})):
        changed = {**torn, "dedup": {**torn["dedup"], name: value}}
        lines.append(json.dumps(changed).encode())
    lines.append(b'{"a":' * 5_000 + b"1" + b"}" * 5_000)
    with ArchiveWriter(tmp_path / "a", search_words()) as archive:
        counts = archive.apply([*lines, *story_events()])
        assert counts["unreadable"] == len(lines)
        assert archive.items() == len({key_of(event) for event in story_events()} - {None}) - 1


def test_a_batch_that_fails_leaves_the_archive_as_it_was(tmp_path, monkeypatch) -> None:
    path = archived(tmp_path / "a", all_events()[:60])
    before = dump(path)
    with ArchiveWriter(path, search_words()) as archive:
        monkeypatch.setattr(archive._tables, "write", lambda _: 1 / 0)
        with pytest.raises(TooManyInternalErrors):
            archive.apply(all_events()[60:])
        monkeypatch.undo()
        assert dump(path) == before
        archive.apply(all_events()[60:])
    assert dump(path) == dump(archived(tmp_path / "whole", all_events()))
