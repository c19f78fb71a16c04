"""The part of docs/performance.md about speed and quality says what its measurements say."""

import json
import re
import shutil

import pytest

from docs.pages import FOLDER, page
from newsdedup.config.settings import RULE_NAMES
from newsdedup_lab.bench.frontier import SpeedAndQuality, frontier
from newsdedup_lab.bench.peers import PEERS
from newsdedup_lab.performance.frontier_page import (
    FRONTIER_PAGE,
    PLOT_FILE,
    frontier_blocks,
    frontier_plot,
    frontier_sentences,
)
from newsdedup_lab.performance.performance_page import write_performance

MEASUREMENTS = FOLDER / FRONTIER_PAGE.measurements
PART = json.loads(MEASUREMENTS.read_bytes())
BLOCKS = frontier_blocks(PART)
METHODS = PART["measurements"]["methods"]
PLOT = FOLDER / FRONTIER_PAGE.plots / PLOT_FILE
DRAWN = PLOT.read_text("utf-8")
README = (FOLDER.parent / "README.md").read_text("utf-8")
MOST_BYTES = 30_000


def test_the_page_has_what_the_measurements_say() -> None:
    assert FRONTIER_PAGE.generated_blocks(page(FRONTIER_PAGE.page)) == BLOCKS


def test_all_that_was_measured_is_a_rule_or_a_library() -> None:
    libraries = {f"{name} (library)" for name in PEERS}
    assert libraries <= {one["title"] for one in METHODS} <= {*RULE_NAMES, *libraries}


def test_the_frontier_is_that_of_the_rows() -> None:
    points = {one["title"]: SpeedAndQuality(one["rate"], one["plain"]["f1"]) for one in METHODS}
    assert PART["measurements"]["frontier"] == frontier(points)


def test_the_plot_was_drawn_from_these_measurements_and_is_small() -> None:
    assert DRAWN.startswith("<svg ")
    assert DRAWN.endswith(f"{FRONTIER_PAGE.digest_comment(MEASUREMENTS.read_bytes())}\n")
    assert PLOT.stat().st_size <= MOST_BYTES


@pytest.mark.parametrize(
    ("text", "path"),
    [(page(FRONTIER_PAGE.page), "frontier/"), (README, "docs/frontier/")],
    ids=["performance.md", "README.md"],
)
def test_the_plot_is_on_the_page(text: str, path: str) -> None:
    assert re.search(rf"!\[[^\]]+\]\({path}{PLOT_FILE}\)", text)


def test_the_measurements_name_no_item_and_no_folder_of_the_machine() -> None:
    text = MEASUREMENTS.read_text("utf-8")
    assert not any(prefix in text for prefix in ("nk-", "tg19-", "tg-", "http"))
    assert not any(word.startswith(("/", "..")) for word in PART["made"]["command"].split())


def test_the_plot_has_the_rules_libraries_and_methods_by_name_and_the_frontier_as_steps() -> None:
    rules, libraries, methods, line = frontier_plot(PART["measurements"]).series
    assert set(rules.labels) == {"verified", "terms"}
    assert set(libraries.labels) == set(PEERS)
    assert {*rules.labels, *libraries.labels, *methods.labels} == {one["name"] for one in METHODS}
    assert line.kind == "steps"
    assert len(line.points) == len(PART["measurements"]["frontier"])


def test_all_rules_libraries_and_what_is_on_the_frontier_can_be_read_in_the_plot() -> None:
    names = {one["name"] for one in METHODS if one["title"] in PART["measurements"]["frontier"]}
    assert {"verified", "terms", *PEERS, *names} <= set(re.findall(r">([^<>]+)</text>", DRAWN))


def test_what_a_library_surpasses_is_said_even_where_a_rule_of_ours_surpasses_it_more() -> None:
    def row(title: str, kind: str, rate: float, f1: float) -> dict:
        return {"title": title, "kind": kind, "rate": rate, "plain": {"f1": f1}}

    rows = [
        row("verified", "newsdedup", 50, 0.9),
        row("terms", "newsdedup", 300, 0.7),
        row("md5", "newsdedup", 200, 0.3),
        row("rensa (library)", "library", 900, 0.6),
        row("gaoya (library)", "library", 800, 0.5),
    ]
    lines = frontier_sentences({"frontier": ["rensa (library)"], "methods": rows})
    assert lines == [
        "On the frontier, the fastest first: rensa (library).",
        "Ours that rensa (library) surpasses in speed and quality: md5.",
    ]


def test_measured_anew_only_this_part_of_the_page_is_replaced(tmp_path) -> None:
    shutil.copy(FOLDER / FRONTIER_PAGE.page, tmp_path)
    measured = {"frontier": {**PART, "made": {**PART["made"], "date": "2030-01-02T03:04:05"}}}
    (tmp_path / "new.json").write_text(json.dumps(measured))
    before = page(FRONTIER_PAGE.page)
    written = write_performance(tmp_path / "new.json", tmp_path)
    assert {path.name for path in written} == {"performance.md", "frontier.json", PLOT_FILE}
    after = (tmp_path / FRONTIER_PAGE.page).read_text("utf-8")
    assert "2030-01-02" in after
    assert FRONTIER_PAGE.generated_blocks(after).keys() == BLOCKS.keys()
    assert (
        after.partition("<!-- lab performance of pairs")[0]
        == before.partition("<!-- lab performance of pairs")[0]
    )
