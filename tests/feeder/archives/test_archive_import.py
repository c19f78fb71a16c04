"""An import of archives: what is written, what is buried, and where a second start goes on."""

import asyncio
import json
from collections import Counter

import pytest

from newsdedup.adapters.files.outputs import AppendedFile
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.feeder.archives.archive_entry import ArchiveOptions, item_record
from newsdedup.feeder.archives.archive_files import archive_files, read_archive
from newsdedup.feeder.archives.archive_kind import ArchiveKind
from newsdedup.feeder.archives.import_state import ImportState
from newsdedup.ports.errors import SettingsInvalid, SinkUnusable, SourceUnusable, StateBusy
from newsdedup.runners.intake.imports import ArchiveImport


class MemoryOutput:
    """Takes records of less than a size; fails at the call that is named."""

    def __init__(self, largest=10_000, fails_at=0):
        self.records = []
        self._largest = largest
        self._calls_left = fails_at

    async def write(self, records):
        self._calls_left -= 1
        if self._calls_left == 0:
            raise SinkUnusable("the disk is full")
        self.records += [one for one in records if len(one) < self._largest]
        return [index for index, one in enumerate(records) if len(one) >= self._largest]

    async def close(self):
        """Nothing is open."""


class Importing:
    """Imports into a folder of its own, again and again."""

    def __init__(self, folder, kind="table"):
        self.folder = folder
        self.kind = ArchiveKind(kind)
        self.output = MemoryOutput()
        self.reports = []

    def write(self, name, *lines):
        (self.folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def __call__(self, *names, fail=lambda _: None, batch=2):
        files = archive_files(self.kind, [str(self.folder / name) for name in names])
        with ImportState(self.folder / "positions", "the one") as state:
            job = ArchiveImport(
                files=files,
                read=lambda file, start: read_archive(self.kind, ArchiveOptions(), file, start),
                make_record=lambda file, fields: item_record(
                    fields, source="", file=file, limits=LIMITS
                ),
                grows=self.kind.grows,
                output=self.output,
                state=state,
                dead=AppendedFile(self.folder / "dlq"),
                report=self.reports.append,
                batch=batch,
                fail=fail,
            )
            return asyncio.run(self._counts(job))

    async def _counts(self, job):
        total = Counter()
        async for counts in job.run():
            total.update(counts)
        return +total

    @property
    def titles(self):
        return [json.loads(record)["title"] for record in self.output.records]

    @property
    def dead_letters(self):
        path = self.folder / "dlq"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def importing(tmp_path):
    return Importing(tmp_path)


def titled(*titles):
    return [json.dumps({"title": title}) for title in titles]


def test_the_records_of_all_files_are_written_in_their_order(importing):
    importing.write("b.jsonl", *titled("3", "4", "5"))
    importing.write("a.jsonl", *titled("1", "2"))
    assert importing(".") == Counter(read=5, items=5, files=2)
    assert importing.titles == ["1", "2", "3", "4", "5"]
    assert json.loads(importing.output.records[0])["source"] == "a"


def test_a_second_start_reads_only_what_is_new(importing):
    importing.write("a.jsonl", *titled("1", "2", "3"))
    importing("a.jsonl")
    importing.write("a.jsonl", *titled("1", "2", "3", "4"))
    assert importing("a.jsonl") == Counter(resumed=3, read=1, items=1, files=1)
    assert importing.titles == ["1", "2", "3", "4"]


def test_a_file_that_was_replaced_is_read_anew(importing):
    importing.write("a.jsonl", *titled("1", "2"))
    importing("a.jsonl")
    importing.write("a.jsonl", *titled("7", "8", "9"))
    importing("a.jsonl")
    importing.write("a.jsonl", *titled("7"))
    importing("a.jsonl")
    assert importing.titles == ["1", "2", "7", "8", "9", "7"]


def test_records_that_are_no_items_go_to_the_dead_letters_with_their_position(importing):
    nameless = json.dumps({"title": "b", "id": 1.5})
    importing.write("a.jsonl", *titled("a"), nameless, "{broken", *titled("c"))
    counts = importing("a.jsonl")
    assert counts == Counter(read=4, items=2, files=1, dead=2, dead_bad_field=1, dead_not_json=1)
    assert importing.titles == ["a", "c"]
    refused, broken = importing.dead_letters
    assert (refused["line"], refused["offset"], refused["code"]) == (2, 15, "bad_field")
    assert json.loads(refused["text"]) == {"title": "b", "id": 1.5}
    assert (broken["line"], broken["text"], broken["size"]) == (3, "{broken", 7)
    assert broken["input"].endswith("a.jsonl")


def test_a_record_that_the_output_does_not_take_is_a_dead_letter(importing):
    importing.output = MemoryOutput(largest=100)
    importing.write("a.jsonl", *titled("a", "b" * 200, "c"))
    assert importing("a.jsonl")["dead_too_long"] == 1
    assert importing.titles == ["a", "c"]
    assert json.loads(importing.dead_letters[0]["text"])["title"] == "b" * 200


@pytest.mark.parametrize("point", ["after_output", "after_commit", "after_dead_letters"])
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_an_import_that_died_anywhere_is_completed_by_the_next(importing, point, nth):
    importing.write("a.jsonl", *titled("1"), "{x", "{y", *titled("4", "5"))
    importing.write("b.jsonl", *titled("6"), "{z")
    passed = Counter()

    def die(name):
        passed[name] += 1
        if name == point and passed[name] == nth:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        importing(".", fail=die)
    importing(".")
    assert list(dict.fromkeys(importing.titles)) == ["1", "4", "5", "6"]
    assert [one["text"] for one in importing.dead_letters] == ["{x", "{y", "{z"]


def test_what_an_output_did_not_take_is_read_again(importing):
    importing.write("a.jsonl", *titled("1", "2", "3", "4"))
    importing.output = MemoryOutput(fails_at=2)
    with pytest.raises(SinkUnusable):
        importing("a.jsonl")
    importing("a.jsonl")
    assert importing.titles == ["1", "2", "3", "4"]


def test_a_damaged_file_is_read_as_far_as_possible_and_on_when_it_is_whole(importing):
    importing.write("a.jsonl", *titled("1"))
    with (importing.folder / "a.jsonl").open("a") as file:
        file.write('{"title": "2')
    importing.write("b.jsonl", *titled("3"))
    assert importing(".") == Counter(read=2, items=2, files=1, damaged=1)
    assert importing.titles == ["1", "3"]
    assert "cut off in line 2" in importing.reports[0]
    importing.write("a.jsonl", *titled("1", "2"))
    assert importing(".") == Counter(read=1, items=1, files=2, resumed=2)
    assert importing.titles == ["1", "3", "2"]
    assert importing.dead_letters == []


def test_a_longer_export_of_telegram_is_read_anew_since_posts_are_edited(tmp_path):
    importing = Importing(tmp_path, "telegram")

    def export(*texts):
        messages = [
            {"id": number, "type": "message", "date_unixtime": "1772445600", "text": text}
            for number, text in enumerate(texts)
        ]
        chat = {"name": "Visti", "type": "public_channel", "id": 5, "messages": messages}
        (tmp_path / "result.json").write_text(json.dumps(chat))

    export("One", "Two")
    importing("result.json")
    importing("result.json")
    assert len(importing.output.records) == 2
    export("One, edited", "Two", "Three")
    importing("result.json")
    texts = [json.loads(record)["text"] for record in importing.output.records]
    assert texts == ["One", "Two", "One, edited", "Two", "Three"]


def test_two_imports_cannot_use_one_file_of_positions_at_once(tmp_path):
    with ImportState(tmp_path / "p", "a"), pytest.raises(StateBusy):
        ImportState(tmp_path / "p", "b")


def test_imports_of_different_names_have_positions_of_their_own(importing):
    importing.write("a.jsonl", *titled("1"))
    importing("a.jsonl")
    with ImportState(importing.folder / "positions", "another") as other:
        assert other.begin(str(importing.folder / "a.jsonl"), grows=True).position.number == 0
        other.forget()
    assert importing("a.jsonl")["resumed"] == 1


def test_a_folder_without_files_of_the_kind_is_refused(importing):
    importing.write("notes.txt", "a")
    with pytest.raises(SourceUnusable, match="no files in it end in"):
        importing(".")
    with pytest.raises(SourceUnusable, match="no such file"):
        importing("none.jsonl")
    importing.write("a.jsonl")
    with pytest.raises(SettingsInvalid, match="named twice"):
        importing("a.jsonl", "a.jsonl")
