"""An update names what it updates and what moved, in the event and in the explanation."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.small_stream import report, state_of
from newsdedup.cli.app import app

FIRE = (
    "Пожар на складе в Заозерске: пострадали {} человек",
    (
        "На складе лакокрасочного завода в Заозерске загорелась кровля. Пострадали {} человек, "
        "сообщил начальник гарнизона Олег Рябинин. Площадь пожара составила 1,2 тысячи квадратных "
        "метров. Причиной возгорания стала неисправная проводка, завод остановил два цеха."
    ),
)
STORM = (
    "Через негоду на Полтавщині {} поранених",
    (
        "Через негоду на Полтавщині {} поранених, повідомила речниця лікарні Олена Гайдук. "
        "Вітер пошкодив лінії електропередачі та дахи будинків. Аварійні бригади працюють з ночі, "
        "відновити живлення обіцяють до вечора."
    ),
)
CRASH = (
    "Bus crash near Halden: {} people injured",
    (
        "{} people were injured when a bus left the road near Halden on Monday, police spokesman "
        "Peter Oland said. The bus of Halden Rail was on its way to Osterby. The driver was "
        "questioned, and the road will stay closed until the evening."
    ),
)
MATCH = (
    "Заря - Металлург: {1}, идет {0}-я минута",
    (
        "На стадионе в Луганске идет {0}-я минута матча команд Заря и Металлург, счет {1}. "
        "Игру судит Виктор Швецов, на трибунах собрались болельщики обеих команд."
    ),
)
RACE = (
    "Заплыв через озеро Светлое перенесли на {} сентября",
    (
        "Заплыв через озеро Светлое в Заозерске пройдёт {} сентября, сообщила федерация плавания. "
        "Старт дадут на городском пляже, зарегистрировались любители из соседних областей."
    ),
)
TRAIN = (
    "The express to Osterby leaves Halden at {}",
    (
        "The new express to Osterby leaves Halden at {} on working days, railway spokeswoman Ida "
        "Berg said. Tickets are sold at the station and cost as much as before."
    ),
)
UPDATES = {
    "ru": ((FIRE, ("5",), ("7",)), [("injured", "5", "7")]),
    "uk": ((STORM, ("п'ятеро",), ("7",)), [("injured", "5", "7")]),
    "en": ((CRASH, ("Five",), ("Seven",)), [("injured", "5", "7")]),
    "match": (
        (MATCH, ("10", "1:0"), ("40", "2:1")),
        [("score", "1:0", "2:1"), ("minute", "10th", "40th")],
    ),
    "day": ((RACE, ("14",), ("21",)), [("date", "2026-09-14", "2026-09-21")]),
    "hour": ((TRAIN, ("6:40 a.m.",), ("7:15 a.m.",)), [("time of day", "06:40", "07:15")]),
}


def reports() -> list[dict[str, str]]:
    """Return each report at six, and with other numbers half an hour later."""
    return [
        report(f"{source}.example", name, (text[0].format(*said), text[1].format(*said)), at)
        for name, ((text, was, now), _) in UPDATES.items()
        for source, said, at in (("first", was, "06:00:00"), ("later", now, "06:30:00"))
    ]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return state_of(tmp_path_factory.mktemp("updates"), reports())


@pytest.fixture(scope="module")
def judged(state: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the first verdict on each item."""
    lines = state.with_name("events.jsonl").read_text("utf-8").splitlines()
    said = [json.loads(line)["dedup"] for line in lines]
    return {(one["item"]["source"], one["item"]["id"]): one for one in said}


@pytest.mark.parametrize("name", UPDATES)
def test_an_update_links_to_what_it_updates_and_tells_what_moved(judged, name):
    update = judged["later.example", name]
    assert (update["verdict"], update["relation"]) == ("original", "update")
    assert (update["matched"]["source"], update["matched"]["id"]) == ("first.example", name)
    assert update["matched"]["evidence"]["moved"] == [
        {"what": what, "here": now, "there": was} for what, was, now in UPDATES[name][1]
    ]


@pytest.mark.parametrize("name", UPDATES)
def test_what_moved_is_explained(state, name):
    command = ["explain", f"first.example/{name}", f"later.example/{name}", "--state", str(state)]
    shown = CliRunner().invoke(app, command).stdout
    assert "No duplicates: B is an update of A, score 0." in shown
    moved = "; ".join(f"{what}: {was} in A, {now} in B" for what, was, now in UPDATES[name][1])
    assert f"moved        {moved}\n" in shown


def test_the_order_of_the_two_does_not_matter_to_who_updates_whom(state):
    command = ["explain", "later.example/ru", "first.example/ru", "--state", str(state)]
    shown = CliRunner().invoke(app, command).stdout
    assert "No duplicates: A is an update of B" in shown
    assert "moved        injured: 7 in A, 5 in B\n" in shown


def test_a_copy_has_no_such_field(tmp_path):
    copies = [reports()[0], reports()[0] | {"source": "copy.example", "published_at": None}]
    state_of(tmp_path, copies)
    copy = json.loads((tmp_path / "events.jsonl").read_text("utf-8").splitlines()[1])["dedup"]
    assert copy["verdict"] == "duplicate"
    assert "moved" not in copy["matched"]["evidence"]
