import json
import re
from pathlib import Path

import pytest

from docs.pages import FOLDER, cells, page, quoted
from newsdedup.adapters.words.package_data import shipped_model
from newsdedup_lab.quality.quality_blocks import quality_blocks
from newsdedup_lab.quality.quality_page import QUALITY_PAGE, write_quality

RESULTS = json.loads((FOLDER / QUALITY_PAGE.measurements).read_bytes())
BLOCKS = quality_blocks(RESULTS)
IMAGES = re.findall(rf"!\[[^\]]+\]\(({QUALITY_PAGE.plots}/[^)]+)\)", page(QUALITY_PAGE.page))
ERRORS = 20


@pytest.mark.parametrize("name", BLOCKS)
def test_what_is_generated_is_what_the_measurements_say(name):
    assert QUALITY_PAGE.generated_blocks(page(QUALITY_PAGE.page))[name] == BLOCKS[name]


def test_the_page_has_all_blocks_and_no_other():
    assert QUALITY_PAGE.generated_blocks(page(QUALITY_PAGE.page)).keys() == BLOCKS.keys()


@pytest.mark.parametrize("image", IMAGES)
def test_a_plot_was_drawn_from_these_measurements(image):
    drawn = (FOLDER / image).read_text("utf-8")
    assert drawn.startswith("<svg ")
    assert drawn.endswith(
        f"{QUALITY_PAGE.digest_comment((FOLDER / QUALITY_PAGE.measurements).read_bytes())}\n"
    )


def test_every_plot_is_on_the_page():
    assert sorted(IMAGES) == sorted(
        f"{QUALITY_PAGE.plots}/{path.name}" for path in (FOLDER / QUALITY_PAGE.plots).iterdir()
    )


def test_the_measurements_are_those_of_the_shipped_rule():
    ours = {RESULTS[name]["measurements"]["rule"] for name in ("dev", "own", "hard")}
    shipped = shipped_model()
    assert ours == {f"verified-3/{shipped.version}/{shipped.threshold:g}"}
    assert all(rule in page(QUALITY_PAGE.page) for rule in ours)


def test_the_measurements_name_no_item_and_no_folder_of_the_machine():
    content = (FOLDER / QUALITY_PAGE.measurements).read_text("utf-8")
    assert not any(prefix in content for prefix in ("nk-", "tg19-", "tg-", '"lk-', "http"))
    for one in RESULTS.values():
        assert not any(word.startswith(("/", "..")) for word in one["made"]["command"].split())


def test_twenty_errors_are_listed_by_two_ids_each():
    rows = cells(QUALITY_PAGE.page, first="items")
    assert len(rows) == ERRORS
    for items, label, said, why in rows:
        assert len(set(items.split(", "))) == 2
        assert all(item.startswith(("nk-", "tg19-", "tg-", "lk-")) for item in items.split(", "))
        assert label
        assert said
        assert why
        assert not quoted(why)


def test_the_same_measurements_write_the_same_page(tmp_path):
    (tmp_path / QUALITY_PAGE.page).write_text(page(QUALITY_PAGE.page), "utf-8")
    written = write_quality(RESULTS, tmp_path)
    assert {path.relative_to(tmp_path) for path in written} >= {
        QUALITY_PAGE.measurements,
        Path(QUALITY_PAGE.page),
    }
    for path in (QUALITY_PAGE.measurements, Path(QUALITY_PAGE.page)):
        assert (tmp_path / path).read_bytes() == (FOLDER / path).read_bytes()
    for image in IMAGES:
        assert (tmp_path / image).read_text("utf-8").startswith("<svg ")
