"""`stories show` tells what a story updates and what updates it, in order, with what moved."""

import json
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.small_stream import report, state_of
from newsdedup.cli.app import app

PLANT = (
    "Пожар на мебельной фабрике в Кедровске: {}",
    (
        "На мебельной фабрике в Кедровске горит цех сушки древесины. Пострадали {}, сообщил "
        "начальник гарнизона Павел Лозовой. Площадь пожара {} квадратных метров. К тушению "
        "привлекли {}, рабочих вывели."
    ),
)
STATES = (
    ("r1", "08:00:00", "3 человека", "800", "пожарный поезд"),
    ("r2", "08:40:00", "5 человек", "800", "пожарный поезд"),
    ("r3", "09:30:00", "7 человек, один человек погиб", "1200", "дрезины с брандспойтами"),
    ("r4", "10:20:00", "12 человек, один человек погиб", "1900", "дрезины с брандспойтами"),
)
FERRY = (
    "Ferry aground off Marlow: {} people taken ashore",
    (
        "Lifeboats have taken {} people ashore from the ferry Juniper, which ran aground off "
        "Marlow in thick fog, coastguard spokesman Adam Sorley said. Tugs are on their way from "
        "the harbour, and divers will look at the hull."
    ),
)
HEADLINES = [PLANT[0].format(harm) for _, _, harm, *_ in STATES]
REPORTS = [
    report("kedr.example", name, (title, PLANT[1].format(harm, area, sent)), at)
    for title, (name, at, harm, area, sent) in zip(HEADLINES, STATES, strict=True)
]
COPY = {**REPORTS[1], "source": "copy.example", "id": "k2", "published_at": "2026-11-02T08:59:00Z"}
FERRIES = [
    report("marlow.example", name, (FERRY[0].format(taken), FERRY[1].format(taken)), at)
    for name, at, taken in (("e1", "08:10:00", "30"), ("e2", "09:10:00", "64"))
]


def shown(state: Path, name: str, *args: str) -> str:
    result = CliRunner().invoke(app, ["stories", "show", name, "--state", str(state), *args])
    assert result.exit_code == 0
    return result.stdout


def steps(state: Path, name: str) -> list[dict[str, Any]]:
    development = json.loads(shown(state, name, "--json"))["development"]
    assert development["left_out"] == 0
    return development["steps"]


def ids(state: Path, name: str) -> list[str]:
    return [step["id"] for step in steps(state, name)]


def judged(folder: Path, items: Iterable[dict[str, str]]) -> Path:
    folder.mkdir(exist_ok=True)
    return state_of(folder, items)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return judged(tmp_path_factory.mktemp("chain"), [*REPORTS, COPY, *FERRIES])


@pytest.mark.parametrize("name", ["r1", "r2", "r3", "r4", "copy.example/k2"])
def test_a_chain_of_updates_reads_in_order_from_any_item_of_it(state, name):
    rows = steps(state, name)
    assert [step["id"] for step in rows] == ["r1", "r2", "r3", "r4"]
    assert [step["title"] for step in rows] == HEADLINES
    assert rows[0]["updates"] is None
    assert [step["updates"]["id"] for step in rows[1:]] == ["r1", "r2", "r3"]
    [own] = [step["id"] for step in rows if step["shown"]]
    assert own == name.replace("copy.example/k", "r")


def test_a_story_may_be_named_by_its_id(state):
    story = steps(state, "r2")[2]["story"]
    assert [step["id"] for step in steps(state, story) if step["shown"]] == ["r3"]


def test_each_step_names_what_moved_and_which_words_are_new(state):
    first, second, third, _ = steps(state, "r1")
    assert (first["moved"], first["new_terms"]) == ([], [])
    assert second["moved"] == [{"what": "injured", "here": "5", "there": "3"}]
    assert {"what": "square metre", "here": "1200", "there": "800"} in third["moved"]
    assert "брандспойт" in [term["term"] for term in third["new_terms"]]


def test_the_table_highlights_the_shown_story_and_says_what_moved(state):
    table = shown(state, "e2").partition("Development of 2 stories")[2]
    assert "30 -> 64" in table
    assert [line.split()[2] for line in table.splitlines() if line.startswith(">")] == ["09:10"]
    table = shown(state, "r2").partition("Development of 4 stories")[2]
    assert "injured 3 -> 5" in table
    assert "injured 5 -> 7; square metre 800 -> 1200; new: " in table
    for step in steps(state, "r2"):
        assert step["story"] in table
        assert f"kedr.example/{step['id']}" in table


@pytest.mark.parametrize("order", [[0, 2, 1, 3], [0, 3, 2, 1], [0, 1, 3, 2]])
def test_updates_that_arrive_out_of_order_read_in_order_of_time(tmp_path, order):
    late = judged(tmp_path, [REPORTS[at] for at in order])
    for name in ("r1", "r2", "r3", "r4"):
        assert ids(late, name) == ["r1", "r2", "r3", "r4"]


def test_an_update_that_arrived_before_the_row_above_it_names_what_it_updates(tmp_path):
    late = judged(tmp_path, [REPORTS[at] for at in (0, 2, 1)])
    assert [step["updates"]["id"] for step in steps(late, "r1")[1:]] == ["r1", "r1"]
    table = shown(late, "r1")
    assert "injured 3 -> 5\n" in re.sub(" +\n", "\n", table)
    assert "updates kedr.example/r1: injured 3 -> 7; square metre 800 -> 1200" in table


def test_what_arrives_before_the_item_that_it_updates_has_no_link_to_it(tmp_path):
    assert steps(judged(tmp_path, [REPORTS[1], REPORTS[0]]), "r2") == []


def test_a_step_that_is_withdrawn_is_left_out_and_the_next_one_updates_the_one_before(tmp_path):
    withdrawn = {"newsdedup": "retract", "source": "kedr.example", "id": "r2"}
    rows = steps(judged(tmp_path, [*REPORTS[:3], withdrawn]), "r3")
    assert [step["id"] for step in rows] == ["r1", "r3"]
    assert rows[1]["updates"] == {"source": "kedr.example", "id": "r1"}
    assert {"what": "injured", "here": "7", "there": "3"} in rows[1]["moved"]


def test_an_updated_story_that_has_left_the_window_is_named_as_such(tmp_path):
    state = judged(tmp_path, REPORTS[:2])
    with closing(sqlite3.connect(state)) as connection, connection:
        connection.execute("DELETE FROM records WHERE id = 'r1'")
    connection.close()
    gone, update = steps(state, "r2")
    assert (gone["id"], gone["story"], gone["effective_at"]) == ("r1", None, None)
    assert update["moved"] == [{"what": "injured", "here": "5", "there": "3"}]
    table = shown(state, "r2")
    assert "kedr.example/r1 has left the window or was withdrawn" in table
    assert "injured 3 -> 5" in table


def test_a_story_that_neither_updates_nor_is_updated_has_no_development(tmp_path):
    state = judged(tmp_path, [REPORTS[0], FERRIES[0]])
    assert steps(state, "e1") == []
    assert "Development" not in shown(state, "e1")
