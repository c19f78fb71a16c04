from dataclasses import replace

import pytest

from newsdedup_lab.report.study_stages import NoProgress, Stages


class Work:
    """Counts how often it is done."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> object:
        self.times += 1
        return {"pairs": [(1, 2, 0.5)], "at": {3: None}}


@pytest.fixture
def stages(tmp_path) -> Stages:
    return Stages(tmp_path, "digest of the inputs", NoProgress())


def test_a_stage_is_done_once_and_tells_the_same_again(stages):
    work = Work()
    results = [stages.run("pairs", {"least": 0.2}, work) for _ in range(2)]
    assert work.times == 1
    assert results[0] == results[1] == {"pairs": [[1, 2, 0.5]], "at": {"3": None}}


@pytest.mark.parametrize(
    "other",
    [
        lambda stages, work: stages.run("pairs", {"least": 0.3}, work),
        lambda stages, work: replace(stages, inputs="others").run("pairs", {"least": 0.2}, work),
        lambda stages, work: replace(stages, fresh=True).run("pairs", {"least": 0.2}, work),
    ],
    ids=["other parameters", "other inputs", "fresh"],
)
def test_what_was_made_of_other_things_is_done_again(stages, other):
    work = Work()
    stages.run("pairs", {"least": 0.2}, work)
    other(stages, work)
    assert work.times == 2


@pytest.mark.parametrize("damaged", [b"", b'{"made_of"', b"[]", b'{"made_of": {}}', b"\xff"])
def test_a_damaged_stage_is_done_again(stages, damaged):
    work = Work()
    stages.run("pairs", {}, work)
    (stages.folder / "pairs.stage.json").write_bytes(damaged)
    assert stages.run("pairs", {}, work)["at"] == {"3": None}
    assert work.times == 2


def test_parameters_are_compared_as_they_are_kept(stages):
    work = Work()
    for _ in range(2):
        stages.run("scores", {"thresholds": (0.2, 0.3), "pairs": None}, work)
    assert work.times == 1
