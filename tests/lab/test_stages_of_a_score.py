"""The stages of `lab score`, as they are reported to anyone who watches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from typer.testing import CliRunner

from newsdedup import ItemKey, NewsItem
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.config import RuleSettings, Settings
from newsdedup_lab.collections.pairs import LabelledPair, PairFile
from newsdedup_lab.score.replay import replay_collection
from newsdedup_lab.score.score_measurements import score_measurements


class Heard:
    """Remembers the stages, and how far each came."""

    def __init__(self) -> None:
        self.stages: dict[str, int] = {}

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        self.stages[name] = 0

        def advance(parts: int) -> None:
            self.stages[name] += parts

        yield advance
        assert total is None or self.stages[name] == total

    def say(self, text: str) -> None:
        raise AssertionError(text)


def test_judging_intervals_and_slices_are_reported() -> None:
    settings = Settings(rule=RuleSettings(name="terms"))
    analyzer = item_analyzer(settings)
    items = [NewsItem(ItemKey("s", name), "The bridge", "It reopened.") for name in "ab"]
    heard = Heard()
    rule = make_rule(settings)
    replay = replay_collection([analyzer.analyze(item) for item in items], rule, watch=heard)
    pairs = PairFile((LabelledPair("a", "b", duplicate=True),), {})
    measurements = score_measurements(pairs, replay, lines_left_out=0, watch=heard)
    assert measurements["found"] == 1
    assert heard.stages == {
        "judging": 2,
        "intervals": 2,
        "slices": 3,
    }


def test_it_may_be_quiet(tmp_path: Path) -> None:
    made = str(tmp_path / "made.jsonl")
    run = CliRunner().invoke
    assert run(app, ["lab", "generate", "--items", "60", "--out", made]).exit_code == ExitCode.OK
    words = ["lab", "score", "--items", made, "--truth", f"{made}.truth.tsv", "--json"]
    loud, quiet = run(app, words), run(app, [*words, "-q"])
    assert (loud.exit_code, quiet.exit_code) == (ExitCode.OK, ExitCode.OK)
    assert (loud.stdout, "") == (quiet.stdout, quiet.stderr)
