import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli.small_stream import REPORTS, report, state_of, written
from newsdedup import ItemKey
from newsdedup.adapters.formats.item_json import headline
from newsdedup.adapters.sqlite.state import StateReader
from newsdedup.adapters.sqlite.state_file import lock_state
from newsdedup.bootstrap.rules import decode_rule, make_rule
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import Settings
from newsdedup.ports.errors import SourceUnusable, StateUnusable


@pytest.fixture(scope="module")
def state(tmp_path_factory) -> Path:
    return state_of(tmp_path_factory.mktemp("state"))


def test_the_items_come_in_the_order_in_which_they_came(state):
    with StateReader(state) as reader:
        keys = [record.key for record in reader.records()]
    assert keys == [ItemKey(item["source"], item["id"]) for item in REPORTS]


def test_an_item_is_found_by_its_id_and_by_its_source(state):
    with StateReader(state) as reader:
        assert [placed.arrived for placed in reader.find_items("r2")] == [3]
        assert [placed.arrived for placed in reader.find_items("copy.example/r2")] == [3]
        assert reader.find_items("tula.example/r2") == []
        assert [placed.record.key.source for placed in reader.find_items("7")] == [
            "poltava.example",
            "tula.example",
        ]


def test_the_full_name_of_an_item_wins_over_an_id_with_a_slash(tmp_path):
    items = [
        report("a", "b/c", ("One", "x"), "01:00:00"),
        report("s", "a/b/c", ("Two", "y"), "02:00:00"),
    ]
    with StateReader(state_of(tmp_path, items)) as reader:
        assert [placed.record.key.source for placed in reader.find_items("a/b/c")] == ["a"]
        assert [placed.record.key.source for placed in reader.find_items("s/a/b/c")] == ["s"]


@pytest.mark.parametrize("name", ["", "/", "nothing", "\ud800", "r1' OR '1'='1", "%"])
def test_a_name_that_means_nothing_finds_nothing(state, name):
    with StateReader(state) as reader:
        assert reader.find_items(name) == []


def test_what_was_received_and_said_is_reported(state):
    with StateReader(state) as reader:
        [placed] = reader.find_items("r2")
        received, said = reader.read_version(placed.record.key, placed.record.newest)
    assert json.loads(received) == REPORTS[3]
    assert (said.verdict, said.relation) == ("duplicate", "reprint")
    assert headline(received) == REPORTS[3]["title"]


def test_the_rule_is_that_of_the_run_and_not_of_the_settings(state):
    with StateReader(state) as reader:
        assert decode_rule(reader.settings).version == make_rule(Settings()).version
        assert reader.watermark.now > 0


def test_a_state_is_read_while_a_run_holds_and_changes_it(tmp_path):
    state = state_of(tmp_path, REPORTS[:3])
    more = written(tmp_path / "more.jsonl", REPORTS[3:])
    paths = RunPaths(
        to=str(tmp_path / "events.jsonl"), state=state, dead=tmp_path / "events.jsonl.dlq"
    )
    with StateReader(state) as before:
        job = open_run(Settings(), paths)
        try:
            list(job.over([str(more)]))
            with StateReader(state) as during:
                assert len(list(during.records())) == len(REPORTS)
            # A reader sees one commit, from its beginning to its end.
            assert len(list(before.records())) == 3
        finally:
            job.close()


def test_reading_neither_takes_the_lock_nor_changes_a_byte(state):
    before = state.read_bytes()
    with StateReader(state) as reader:
        list(reader.records())
        # Would be refused if reading took it.
        os.close(lock_state(state))
    assert state.read_bytes() == before


def test_what_is_no_state_is_refused(tmp_path):
    text = tmp_path / "text"
    text.write_text("no database at all, but long enough for a header of one" * 40)
    other = tmp_path / "other"
    with closing(sqlite3.connect(other)) as run, run:
        run.execute("CREATE TABLE t (a)")
    run.close()
    for path in (text, other):
        with pytest.raises(StateUnusable, match=str(path)):
            StateReader(path)
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(SourceUnusable, match=str(path)):
            StateReader(path)


def test_a_damaged_state_is_refused_with_its_name(state, tmp_path):
    damaged = Path(shutil.copy(state, tmp_path / "damaged"))
    with closing(sqlite3.connect(damaged)) as run, run:
        run.execute("DELETE FROM versions")
        run.execute("UPDATE records SET record = x'c1' WHERE ordinal = 2")
    run.close()
    with StateReader(damaged) as reader:
        [placed] = reader.find_items("r1")
        with pytest.raises(StateUnusable, match="damaged"):
            reader.read_version(placed.record.key, placed.record.newest)
        with pytest.raises(StateUnusable, match="damaged"):
            list(reader.records())
