"""Commands give the same bytes with any number of helper processes, whenever these come."""

from functools import partial
from pathlib import Path

import msgspec
import pytest

from cli.in_process import run
from newsdedup import Result
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.tables.rows import TableRow, decode_row
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import RunSettings, Settings
from newsdedup.engine.arrivals import BatchAnalysis
from newsdedup.engine.helper_processes import HelperProcesses
from newsdedup.runners.files.finished import judge_collection
from newsdedup.synthetic.stream import demo_stream

pytestmark = pytest.mark.usefixtures("process")

ALONE = Settings(run=RunSettings(helpers=0, batch=40))
"""Settings without helpers, and with batches so small that helpers come between two of them."""
EARLY = 80
"""Items after which helpers are started here; the commands wait for more."""


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Return the file of the demo stream, 300 items."""
    path = tmp_path / "items.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(one.item) + b"\n" for one in demo_stream()))
    return path


def with_early_helpers() -> BatchAnalysis:
    helpers = HelperProcesses(2, partial(item_analyzer, ALONE))
    return BatchAnalysis(item_analyzer(ALONE), helpers, start_after=EARLY)


@pytest.mark.parametrize("command", ["run", "dedup"])
def test_a_command_writes_the_same_bytes_with_none_one_and_auto(items: Path, command: str) -> None:
    outputs = []
    for helpers in ("0", "1", "auto"):
        to = items.parent / f"{helpers}.jsonl"
        done = run(command, "items.jsonl", "--to", to, "--helpers", helpers, cwd=items.parent)
        assert done.returncode == 0, done.stderr
        outputs.append(to.read_bytes())
    assert outputs[0]
    assert outputs == [outputs[0]] * 3


def test_helpers_that_come_in_the_middle_change_no_event_of_a_run(items: Path) -> None:
    def events(name: str, analysis: BatchAnalysis | None) -> bytes:
        to, state = items.parent / name, items.parent / f"{name}.state"
        job = open_run(ALONE, RunPaths(str(to), state, Path(f"{to}.dlq")))
        job.analysis = analysis or job.analysis
        for number, _ in enumerate(job.over([str(items)])):
            if number == EARLY // ALONE.run.batch:
                job.analysis.wait_for_helpers()
        job.close()
        return to.read_bytes()

    assert events("helped", with_early_helpers()) == events("alone", None)


def test_helpers_that_come_in_the_middle_change_no_verdict_of_a_collection() -> None:
    rows = [TableRow("", number, one.item) for number, one in enumerate(demo_stream())][
        :200
    ] * 3  # for two batches

    def verdicts(analysis: BatchAnalysis) -> Result:
        result = judge_collection(
            rows,
            read=lambda row: decode_row(row, limits=LIMITS),
            analysis=analysis,
            rule=make_rule(ALONE),
        )
        analysis.close()
        return result

    helped = with_early_helpers()
    assert verdicts(helped) == verdicts(BatchAnalysis(item_analyzer(ALONE)))


@pytest.mark.parametrize("helpers", ["many", "-1", "65", "1.5"])
def test_a_number_that_cannot_be_is_refused(items: Path, helpers: str) -> None:
    done = run("run", "items.jsonl", "--helpers", helpers, cwd=items.parent)
    assert done.returncode == 2
    assert b"expected auto, or a whole number from 0 to 64" in done.stderr
