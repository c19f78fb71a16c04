"""Events of invented news, as the engine publishes them, with corrections and retractions."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from newsdedup.adapters.sqlite.file_schema import MEMORY
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.bootstrap.runs import RunPaths, make_search_words, open_run
from newsdedup.config import build_settings
from newsdedup.runners.intake.record_output import record_lines
from newsdedup.synthetic.stream import generate_stream

DAY_OF_NEWS = "2026-03-02T"
BRIDGE = (
    "The bridge over the river Velna in Marstad reopened on Monday after a repair that took 14 "
    "months and cost 32 million crowns, mayor Ida Holm said."
)
STORY = [
    {"source": "north", "id": "1", "published_at": "10:00", "title": "Bridge reopens",
     "text": BRIDGE},
    {"source": "daily", "id": "77", "published_at": "11:30", "title": "Velna bridge open again",
     "text": f"{BRIDGE} Buses follow on Friday."},
    {"source": "agency", "id": "a-9", "published_at": "09:40", "title": "Bridge reopens",
     "text": f"MARSTAD, March 2 - {BRIDGE} The engineer Quillon Zarbeck checked it."},
    {"source": "daily", "id": "77", "published_at": "11:30", "updated_at": "12:00",
     "title": "Velna bridge open again", "text": f"{BRIDGE} Buses follow on Saturday."},
    {"source": "daily", "id": "77", "published_at": "11:30", "updated_at": "11:45",
     "title": "Velna bridge open again", "text": f"{BRIDGE} Buses follow soon."},
    {"newsdedup": "retract", "source": "agency", "id": "a-9"},
    {"newsdedup": "original", "item": {"source": "daily", "id": "77"}, "at": "13:00"},
    {"source": "agency", "id": "b-1", "published_at": "14:00", "title": "Пожежа у Вельні",
     "text": "У місті Вельна 2 березня сталася пожежа на складі меблів, рятувальники гасили її "
     "чотири години, постраждалих немає, повідомила міська влада."},
    {"source": "north", "id": "2", "published_at": "14:20", "title": "Пожежа у Вельні",
     "url": "https://north.example/2",
     "links": ["https://agency.example/", "https://north.example/1"],
     "text": "У місті Вельна 2 березня сталася пожежа на складі меблів, рятувальники гасили її "
     "чотири години, постраждалих немає, повідомила міська влада."},
    {"source": "вести", "id": "5", "published_at": "15:00", "title": "Потушен пожар на складе",
     "text": "В городе Лунинске 2 марта потушили пожар на складе бумаги площадью 800 квадратных "
     "метров, причину устанавливают дознаватели, сообщили спасатели."},
]  # fmt: skip
"""A late original that is withdrawn, edits in the wrong order, an editor, three languages."""


def dated(record: dict[str, object]) -> dict[str, object]:
    """Return a record with whole moments in place of times of day."""
    times = {name: record[name] for name in ("published_at", "updated_at", "at") if name in record}
    return {**record, **{name: f"{DAY_OF_NEWS}{time}:00Z" for name, time in times.items()}}


def events_of(records: list[bytes], *, rule: str = "terms") -> list[bytes]:
    """Return the events about these records, in the order of their publication."""
    settings = build_settings({"rule.name": rule, "run.helpers": 0, "run.batch": 64})
    with TemporaryDirectory() as folder:
        output = Path(folder, "events")
        run = open_run(settings, RunPaths(str(output), MEMORY, Path(folder, "dead")))
        run.begin()
        for _ in run.take(record_lines(records)):
            pass
        run.close()
        return output.read_bytes().splitlines()


@cache
def story_events() -> list[bytes]:
    """Return the events of STORY."""
    return events_of([json.dumps(dated(one)).encode() for one in STORY], rule="verified")


@cache
def stream_events(items: int = 160, *, seed: int = 5) -> list[bytes]:
    """Return the events of a made-up stream, every twentieth item of which is withdrawn."""
    chance = Random(seed)  # noqa: S311 - the same events each time
    records: list[bytes] = []
    for planted in generate_stream(items, seed=seed):
        records.append(json.dumps(planted.item).encode())
        if chance.random() < 1 / 20:
            key = {name: planted.item[name] for name in ("source", "id")}
            records.append(json.dumps({"newsdedup": "retract", **key}).encode())
    return events_of(records)


@cache
def search_words() -> SearchWords:
    """Return the words that all tests of archives share."""
    return make_search_words()


def archived(path: Path, events: list[bytes], *, batch: int = 50) -> Path:
    """Return a new archive of these events."""
    with ArchiveWriter(path, search_words()) as archive:
        for start in range(0, len(events), batch):
            archive.apply(events[start : start + batch])
        assert archive.check() == []
    return path


@contextmanager
def archive_of(path: Path, records: Sequence[Mapping[str, object]]) -> Iterator[ArchiveReader]:
    """Open a new archive of the events about these records."""
    events = events_of([json.dumps(one).encode() for one in records])
    with ArchiveReader(archived(path, events), search_words()) as opened:
        yield opened
