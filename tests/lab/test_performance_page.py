"""docs/performance.md says what its measurements say."""

import json
import re
import shutil

import pytest

from docs.pages import FOLDER, page
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.bench.suite import SUITE_PARTS
from newsdedup_lab.performance.performance_blocks import performance_blocks
from newsdedup_lab.performance.performance_page import (
    MEASURED_PARTS,
    PERFORMANCE_PAGE,
    performance_plots,
    write_performance,
)

MEASUREMENTS = FOLDER / PERFORMANCE_PAGE.measurements
RESULTS = json.loads(MEASUREMENTS.read_bytes())
BLOCKS = performance_blocks(RESULTS)
IMAGES = re.findall(
    rf"!\[[^\]]+\]\(({PERFORMANCE_PAGE.plots}/[^)]+)\)", page(PERFORMANCE_PAGE.page)
)


@pytest.mark.parametrize("name", BLOCKS)
def test_what_is_generated_is_what_the_measurements_say(name):
    assert PERFORMANCE_PAGE.generated_blocks(page(PERFORMANCE_PAGE.page))[name] == BLOCKS[name]


def test_the_page_has_all_blocks_and_no_other():
    shown = PERFORMANCE_PAGE.generated_blocks(page(PERFORMANCE_PAGE.page))
    assert shown.keys() == BLOCKS.keys()


def test_the_measurements_have_all_parts_of_the_suite():
    assert tuple(RESULTS) == MEASURED_PARTS == tuple(SUITE_PARTS)


@pytest.mark.parametrize("image", IMAGES)
def test_a_plot_was_drawn_from_these_measurements(image):
    drawn = (FOLDER / image).read_text("utf-8")
    assert drawn.startswith("<svg ")
    assert drawn.endswith(f"{PERFORMANCE_PAGE.digest_comment(MEASUREMENTS.read_bytes())}\n")


def test_every_plot_is_on_the_page_and_the_window_leads_it():
    drawn = {f"{PERFORMANCE_PAGE.plots}/{name}" for name in performance_plots(RESULTS)}
    assert set(IMAGES) == drawn
    assert IMAGES[0] == "performance/density.svg"


def test_the_measurements_name_no_item_and_no_folder_of_the_machine():
    text = MEASUREMENTS.read_text("utf-8")
    assert not any(prefix in text for prefix in ("nk-", "tg19-", "tg-", "http", "redis:"))
    for part in RESULTS.values():
        assert not any(word.startswith(("/", "..")) for word in part["made"]["command"].split())


def test_a_part_measured_anew_replaces_its_old_measurements_alone(tmp_path):
    (tmp_path / MEASUREMENTS.parent.name).mkdir()
    shutil.copy(MEASUREMENTS, tmp_path / PERFORMANCE_PAGE.measurements)
    shutil.copy(FOLDER / PERFORMANCE_PAGE.page, tmp_path)
    latency = json.loads(json.dumps(RESULTS["latency"]))
    latency["made"]["date"] = "2030-01-02T03:04:05+00:00"
    new = tmp_path / "latency.json"
    new.write_text(json.dumps({"latency": latency}))
    write_performance(new, tmp_path)
    written = json.loads((tmp_path / PERFORMANCE_PAGE.measurements).read_bytes())
    assert list(written) == list(MEASURED_PARTS)
    assert written["latency"]["made"]["date"] == "2030-01-02T03:04:05+00:00"
    assert {name: written[name] for name in MEASURED_PARTS[:-1]} == {
        name: RESULTS[name] for name in MEASURED_PARTS[:-1]
    }
    assert "| latency | 2030-01-02 |" in (tmp_path / PERFORMANCE_PAGE.page).read_text("utf-8")


def test_without_all_parts_nothing_is_written(tmp_path):
    shutil.copy(FOLDER / PERFORMANCE_PAGE.page, tmp_path)
    new = tmp_path / "some.json"
    new.write_text(json.dumps({"dense": RESULTS["dense"]}))
    with pytest.raises(SourceUnusable, match="no measurements of stages, redis, kafka, latency"):
        write_performance(new, tmp_path)
    new.write_text("{}")
    with pytest.raises(SourceUnusable, match="no measurements of the suite"):
        write_performance(new, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"some.json", PERFORMANCE_PAGE.page}
