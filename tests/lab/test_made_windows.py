"""Windows of any size, filled with made items: what an item costs in them, in counts.

A window of n and one of 4n items are loaded without judging. A change of complexity fails here on
any machine; one that makes everything slower by a constant does not.
"""

import json
from functools import cache

import pytest
from typer.testing import CliRunner

from lab.growing_window import LINEAR, SQUARE_ROOT, TIMES, most
from lab.invented_base import VERIFIED, invented_base, invented_collection
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup_lab.bench.windows import measure_window

pytestmark = pytest.mark.usefixtures("long")

SIZE, STEP = 700, 200
COUNTS = ("postings", "candidates", "compared")


@cache
def window(size: int) -> dict:
    return measure_window(invented_base(), VERIFIED, size=size, step=STEP, say=lambda _: None)


def test_work_per_item_grows_no_faster_than_the_window_allows():
    """Postings: linear, for the share of a stream that has a key is what it is.

    Rows of candidates and records compared: less than the square root at these sizes, for the keys
    that meet by chance in a larger window tell less there. In windows of up to a million items made
    of real ones candidates grow faster (docs/performance.md).
    """
    small, large = window(SIZE), window(TIMES * SIZE)
    growth = {count: large[count]["mean"] / small[count]["mean"] for count in COUNTS}
    assert 1 < growth["postings"] < most(LINEAR)
    assert growth["candidates"] < most(SQUARE_ROOT)
    assert growth["compared"] < most(SQUARE_ROOT)
    assert large["candidates"]["most"] < 0.02 * TIMES * SIZE


def test_the_same_window_causes_the_same_work():
    again = measure_window(invented_base(), VERIFIED, size=SIZE, step=STEP, say=lambda _: None)
    assert {name: again[name] for name in COUNTS} == {name: window(SIZE)[name] for name in COUNTS}


def test_made_items_meet_as_many_candidates_as_real_ones():
    room = len(invented_base().items) - STEP
    real = measure_window(
        invented_base(), VERIFIED, size=room, step=STEP, real=True, say=lambda _: None
    )
    made = window(room)
    assert real["worlds"] == made["worlds"] == 1
    for count in COUNTS:
        assert made[count]["mean"] == pytest.approx(real[count]["mean"], rel=0.3)


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    path = tmp_path_factory.mktemp("items") / "items.jsonl"
    path.write_bytes(b"\n".join(invented_collection(240).received))
    return path


def run(*args: object):
    return CliRunner().invoke(app, ["lab", "windows", *map(str, args)])


def test_the_command_measures_each_size_and_compares_made_items_with_real_ones(items):
    done = run(items, "--sizes", "400,200", "--step", 40, "--json")
    assert done.exit_code == ExitCode.OK, done.stderr
    measured = json.loads(done.stdout)
    assert [one["items"] for one in measured["windows"]] == [200, 400]
    assert measured["windows"][0]["ratio"] == 1
    room = measured["base_items"] - 40
    assert [measured["likeness"][name]["items"] for name in ("real", "made")] == [room, room]
    assert "fill a window with 400 made items" in done.stderr


def test_the_command_prints_three_tables(items):
    done = run(items, "--sizes", "150", "--step", 40, "--quiet")
    assert done.exit_code == ExitCode.OK, done.stderr
    for cell in ("against the smallest", "150", "real", "made", "4 or more", "worlds"):
        assert cell in done.stdout
    assert not done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sizes", "many"], "expected whole numbers"),
        (["--sizes", "0"], "expected whole numbers"),
        (["--step", "5000"], "too few for a step of 5,000"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_measured_is_refused(items, options, message):
    refused = run(items, *options)
    assert refused.exit_code in (ExitCode.USAGE, ExitCode.INPUT_MISSING)
    assert message in " ".join(refused.stderr.split())
