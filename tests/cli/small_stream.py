"""A handful of reports in three languages, and a state that a run made of them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import Settings

FIRE = (
    "Пожар на складе в Туле потушен",
    (
        "Пожарные потушили крупный пожар на складе бытовой химии в Туле, сообщили спасатели. "
        "Площадь возгорания достигла 2000 квадратных метров. Пострадавших нет, рядом эвакуировали "
        "жителей двух домов. Причину устанавливают дознаватели."
    ),
)
FIRE_RETOLD = (
    "В Туле горел склад химии",
    (
        "Крупный пожар на складе бытовой химии ликвидировали в Туле спасатели. Площадь возгорания "
        "составила 2000 квадратных метров, жителей двух домов эвакуировали. Дознаватели "
        "устанавливают причину."
    ),
)
TRAM = (
    "Council approves the new tram line",
    (
        "The city council approved a tram line between the harbour and the airport on Monday, "
        "promising cheaper tickets, quieter streets and shorter commutes for residents of the "
        "western suburbs. Construction begins in March."
    ),
)
BRIDGE = (
    "У Полтаві відкрили міст після ремонту",
    (
        "У Полтаві після тривалого ремонту відкрили пішохідний міст через Ворсклу. Роботи тривали "
        "18 місяців і коштували 45 мільйонів гривень, повідомили у міській раді. Рух тролейбусів "
        "відновлять у четвер."
    ),
)
HOSTILE = ("\x1b[31mred\x1b[0m \u202egnol\tevil\x07\x9b31m", "Ransom notes printed backwards.")


def report(source: str, item_id: str, said: tuple[str, str], at: str) -> dict[str, str]:
    """Return an item as a feeder would write it."""
    return {
        "source": source,
        "id": item_id,
        "published_at": f"2026-11-02T{at}Z",
        "title": said[0],
        "text": said[1],
    }


REPORTS = (
    report("tula.example", "r1", FIRE, "06:00:00"),
    report("west.example", "e1", TRAM, "06:30:00"),
    report("tula.example", "7", BRIDGE, "07:00:00"),
    report("copy.example", "r2", FIRE, "08:00:00"),
    report("poltava.example", "7", BRIDGE, "09:30:00"),
    report("retold.example", "r3", FIRE_RETOLD, "10:00:00"),
    report("evil.example/\x1b]0;owned\x07", "x\u202e1", HOSTILE, "11:00:00"),
)


def written(path: Path, items: Iterable[Mapping[str, str]] = REPORTS) -> Path:
    """Return a file of these items."""
    lines = (json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    path.write_text("".join(lines), "utf-8")
    return path


def state_of(folder: Path, items: Iterable[Mapping[str, str]] = REPORTS) -> Path:
    """Return the state of a run over these items, alongside its output `events.jsonl`."""
    state = folder / "events.jsonl.state"
    paths = RunPaths(to=str(folder / "events.jsonl"), state=state, dead=folder / "events.jsonl.dlq")
    job = open_run(Settings(), paths)
    try:
        list(job.over([str(written(folder / "items.jsonl", items))]))
    finally:
        job.close()
    return state
