"""The example of docs/consuming.md reads what a worker wrote to a real Kafka."""

import json

from docs.pages import blocks, cells, quoted
from newsdedup.adapters.kafka.delivery import CLOUDEVENT_TYPES
from runners.streaming import Stream, ended

PAGE = "consuming.md"
AGAIN = {("agency.example", "a-9"), ("goals.example", "31")}
"""What comes once more after the window."""


def test_the_example_shows_each_story_once_by_its_original(
    kafka, redis, tmp_path, capsys, monkeypatch
):
    [items], [code], [shown] = (blocks(PAGE, kind) for kind in ("jsonl", "python", "text"))
    stream = Stream(kafka, redis, tmp_path, partitions=2)
    for line in items.text.splitlines():
        stream.produce([json.loads(line)], partition=0)
    with stream.worker(rule__name="verified") as process:
        stream.until(lambda events: judged_anew(events) == AGAIN)
        assert ended(process) == 0, stream.logs()
    monkeypatch.setenv("SERVERS", kafka.address)
    monkeypatch.setenv("TOPIC", stream.output)
    exec(compile(code.text, PAGE, "exec"), {})  # noqa: S102  # the code of the page
    assert capsys.readouterr().out == shown.text


def judged_anew(events):
    """Return the items that were judged in more than one epoch."""
    judged = [one.dedup for one in events if one.dedup["event"] == "item.judged"]
    epochs = {}
    for said in judged:
        key = (said["item"]["source"], said["item"]["id"])
        epochs.setdefault(key, set()).add(said["revision"]["epoch"])
    return {key for key, listed in epochs.items() if len(listed) > 1}


def test_the_types_on_the_page_are_those_of_the_headers():
    listed = {quoted(row[0])[0]: quoted(row[1])[0] for row in cells(PAGE, first="event")}
    assert listed == CLOUDEVENT_TYPES
