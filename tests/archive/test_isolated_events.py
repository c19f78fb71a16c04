"""An event for which the archive raises a bug is left out, and the archive goes on."""

import json
from pathlib import Path

import pytest

from archive.dumps import dump
from archive.event_stream import archived, search_words, stream_events
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.ports.isolation import TooManyInternalErrors
from runners.planted_bugs import TRIGGER, planted

EVERY = 30


def marked(event: bytes) -> bytes:
    """Return an event about another item, whose id has the trigger."""
    said = json.loads(event)
    said["dedup"]["item"]["id"] += TRIGGER
    return json.dumps(said, ensure_ascii=False).encode()


def judged(event: bytes) -> bool:
    return json.loads(event)["dedup"]["event"] == "item.judged"


@pytest.mark.parametrize("batch", [1, 500])
def test_an_event_that_raises_is_left_out_and_the_archive_is_that_of_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, batch: int
) -> None:
    sound = stream_events()
    mixed: list[bytes] = []
    for index, event in enumerate(sound):
        mixed += [marked(event), event] if index % EVERY == 0 and judged(event) else [event]
    left_out = len(mixed) - len(sound)
    assert left_out > 2
    with planted("archive"):
        path = archived(tmp_path / "mixed", mixed, batch=batch)
    assert dump(path) == dump(archived(tmp_path / "sound", sound, batch=batch))
    assert caplog.text.count("event_left_out") == left_out
    # The next release is given the events once more.
    with ArchiveWriter(path, search_words()) as archive:
        assert archive.apply(mixed)["judged"] == left_out
        assert archive.check() == []


def test_an_archive_for_which_each_event_raises_keeps_its_position(tmp_path: Path) -> None:
    events = [marked(event) for event in stream_events() if judged(event)][:50]
    with ArchiveWriter(tmp_path / "archive", search_words()) as archive:
        with planted("archive"), pytest.raises(TooManyInternalErrors):
            archive.apply(events, [("input", "50")])
        assert archive.position("input") is None
        assert archive.apply(events, [("input", "50")])["judged"] == len(events)
        assert archive.position("input") == "50"
