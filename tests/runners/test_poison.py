"""What can never become an item goes to the dead letters untouched, and the stream goes on."""

import json

import pytest

from runners.streaming import Stream, ended, verdicts

DEEP = b'{"id": "deep", "text": ' + b"[" * 200 + b"]" * 200 + b"}"
HUGE = b'{"id": "huge", "title": "' + b"x" * 900_000 + b'"}'
POISON = {
    "bad_json": b'{"id": "1", "text": ',
    "bad_utf8": b'{"id": "1", "text": "\xff\xfe"}',
    "deep": DEEP,
    "huge": HUGE,
    "no_object": b"[1, 2]",
    "empty": b"",
}


TITLES = {1: "bridge over the river opened", 2: "storm closes harbour", 3: "school strike ends"}


def item(number: int) -> dict[str, str]:
    return {"source": "a", "id": str(number), "title": TITLES[number]}


@pytest.mark.parametrize("runner", ["faust", "aiokafka"])
def test_poison_becomes_dead_letters_and_copies_their_first_event_and_null_a_retraction(
    kafka, redis, tmp_path, runner
):
    stream = Stream(kafka, redis, tmp_path)
    name = json.dumps(["a", "2"]).encode()
    records = [item(1), item(2), *POISON.values(), item(1)]
    stream.produce(records, partition=0)
    stream.produce([None], partition=0, key=lambda _: b"no key of an item")
    stream.produce([None], partition=0, key=lambda _: name)
    stream.produce([item(3)], partition=0)
    with stream.worker(runner=runner, worker__batch="4") as process:
        stream.until(lambda events: ("a", "3") in verdicts(events))
        assert ended(process) == 0, stream.logs()
    events = stream.read(stream.output)
    # A slow worker may be taken for dead, and its events be published once more.
    first, again, *more = (one for one in events if one.dedup["item"]["id"] == "1")
    assert all(one == first for one in (again, *more))
    retracted = [one for one in events if one.dedup["event"] == "item.retracted"]
    assert {one.key for one in retracted} == {b'["a","2"]'}
    assert set(dead_letters(stream)) == {*POISON.values(), b""}


def dead_letters(stream: Stream) -> list[bytes]:
    """Return what the dead letters hold, in their order."""
    records = stream.read(stream.dead)
    return [value_of(one.value) for one in records]


def value_of(value: object) -> bytes:
    """Return the bytes of a record that the reader took for JSON if it could."""
    if isinstance(value, dict) and set(value) == {"bytes"}:
        return value["bytes"] or b""
    return json.dumps(value).encode()
