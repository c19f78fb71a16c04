"""Speed and quality of rules and libraries: the frontier, thresholds, and `bench --pairs`."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import Result
from typer.testing import CliRunner

from newsdedup.adapters.formats import item_json
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.config.settings import RULE_NAMES, RuleSettings
from newsdedup.synthetic.stream import generate_stream
from newsdedup_lab.bench.competitors import PeerInStream
from newsdedup_lab.bench.frontier import (
    SpeedAndQuality,
    best_dominator,
    frontier,
    judge_rows,
)
from newsdedup_lab.bench.peers import StreamPeer
from newsdedup_lab.bench.speed_and_quality import measured_rules, order_by_arrival

POINTS = {
    "slow and good": SpeedAndQuality(100, 0.9),
    "slower": SpeedAndQuality(90, 0.9),
    "fast and bad": SpeedAndQuality(1_000, 0.3),
    "between": SpeedAndQuality(500, 0.5),
    "worse than both": SpeedAndQuality(400, 0.2),
}


def test_the_frontier_is_what_no_other_surpasses_the_fastest_first() -> None:
    assert frontier(POINTS) == ["fast and bad", "between", "slow and good"]


def test_equal_points_are_on_the_frontier_together() -> None:
    twice = {"a": SpeedAndQuality(10, 0.5), "b": SpeedAndQuality(10, 0.5)}
    assert frontier(twice) == ["a", "b"]


def test_one_point_and_none_have_a_frontier() -> None:
    assert frontier({"alone": SpeedAndQuality(1, 0)}) == ["alone"]
    assert frontier({}) == []


def test_of_those_that_surpass_a_point_the_best_is_named() -> None:
    assert best_dominator("worse than both", POINTS) == "between"
    assert best_dominator("slower", POINTS) == "slow and good"
    assert best_dominator("between", POINTS) is None


def row(name: str, kind: str, threshold: float, rate: float, f1: float) -> dict:
    shares = {"precision": f1, "recall": f1, "f1": f1}
    return {
        "label": f"{name} {threshold}",
        "name": name,
        "kind": kind,
        "threshold": threshold,
        "rate": rate,
        "plain": shares,
        "weighted": shares,
    }


def test_of_a_library_the_best_of_the_tried_thresholds_remains() -> None:
    judged = judge_rows(
        [
            row("simhash", "newsdedup", 0.9, 100, 0.4),
            row("simhash", "library", 3, 300, 0.2),
            row("simhash", "library", 5, 200, 0.6),
        ]
    )
    best, ours = judged["methods"]
    assert judged["frontier"] == ["simhash (library)"]
    assert (best["title"], best["threshold"], best["behind"]) == ("simhash (library)", 5, None)
    assert [one["threshold"] for one in best["tried"]] == [3, 5]
    assert (ours["title"], ours["behind"]) == ("simhash", "simhash (library)")


def test_all_rules_are_measured_unless_one_is_named() -> None:
    assert measured_rules("terms") == ["terms"]
    assert sorted(measured_rules(None)) == sorted(RULE_NAMES)
    assert measured_rules(None)[0] == "verified"


def news(name: str, text: str, hour: int | None = None):
    record = {"id": name, "source": f"{name}.example", "text": text}
    if hour is not None:
        record["published_at"] = f"2026-03-02T{hour:02}:00:00Z"
    return item_json.decode_item(msgspec.json.encode(record))


def test_items_come_in_the_order_of_their_times_and_undated_ones_where_they_stood() -> None:
    items = [news("late", "a", 12), news("undated", "b"), news("early", "c", 8)]
    ordered = order_by_arrival(items)
    assert [item.key.id for item in ordered] == ["early", "late", "undated"]
    assert all(item.published_at is not None for item in ordered)


class Finding(StreamPeer):
    """A library that finds what it is told to."""

    def __init__(self, found: list[tuple[int, ...]]) -> None:
        self._neighbours = iter(found)

    def find_and_add(self, item):
        del item
        return next(self._neighbours)


def test_a_library_finds_a_pair_by_look_up_or_by_group() -> None:
    items = [news(str(number), "a", number) for number in range(5)]
    keys = [item.key for item in items]
    peer = PeerInStream(Finding([(), (0,), (1,), (), (3, 2)]), set(keys))
    peer.judge(items)
    assert peer.finds(keys[0], keys[1])
    assert peer.finds(keys[0], keys[2])  # by the group of 1
    assert peer.finds(keys[3], keys[4])  # by the look-up: 4 joins the earliest that it finds
    assert not peer.finds(keys[2], keys[3])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    planted = list(generate_stream(60))
    lines, stories = [], {}
    for number, one in enumerate(planted):
        record = {**one.item, "id": str(number)}
        if "text" in record or "title" in record:
            lines.append(msgspec.json.encode(record))
            stories[str(number)] = one.truth.story
    (tmp_path / "items.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    names = list(stories)
    rows = [
        f"{one}\t{other}\t{int(stories[one] == stories[other])}\t1"
        for at, one in enumerate(names)
        for other in names[at + 1 : at + 9]
    ]
    (tmp_path / "pairs.tsv").write_text("\n".join(["id1\tid2\tdup\tweight", *rows]) + "\n")
    return tmp_path


def benched(folder: Path, *options: str, pairs: str = "pairs.tsv") -> Result:
    named = [str(folder / "items.jsonl"), "--pairs", str(folder / pairs)]
    return CliRunner().invoke(app, ["bench", *named, "--quiet", *options])


@pytest.mark.usefixtures("long")
def test_every_rule_and_library_gets_a_row_and_none_is_better_than_the_frontier(folder) -> None:
    pytest.importorskip("datasketch")
    measured = benched(folder, "--peers", "datasketch", "--json")
    assert measured.exit_code == ExitCode.OK, measured.output
    part = json.loads(measured.stdout)["frontier"]
    result = part["measurements"]
    titles = {one["title"] for one in result["methods"]}
    assert titles == {*RULE_NAMES, "datasketch (library)"}
    assert result["duplicates"] > 0
    assert all(one["rate"] > 0 <= one["plain"]["f1"] <= 1 for one in result["methods"])
    assert {one["title"] for one in result["methods"] if one["behind"] is None} == set(
        result["frontier"]
    )
    assert part["made"]["versions"].keys() == {"newsdedup", "datasketch"}
    best = {one["title"]: one["plain"]["f1"] for one in result["methods"]}
    assert best["verified"] > best["md5"]
    for one in result["methods"]:
        assert one["plain"]["f1"] == max(tried["f1"] for tried in one["tried"])


@pytest.mark.usefixtures("long")
def test_a_table_is_printed_and_a_page_with_its_plot_is_written(folder) -> None:
    pytest.importorskip("datasketch")
    out = folder / "reports"
    options = ("--rule", "terms", "--peers", "datasketch", "--out", str(out))
    measured = benched(folder, *options)
    assert measured.exit_code == ExitCode.OK, measured.output
    for word in ("terms", "datasketch (library)", "surpassed by", "on the frontier"):
        assert word in measured.stdout
    assert {path.name for path in out.iterdir()} == {
        "frontier.html",
        "frontier.json",
        "frontier.svg",
    }
    assert "<svg" in (out / "frontier.html").read_text("utf-8")
    assert (out / "frontier.svg").read_text("utf-8").startswith("<svg ")


@pytest.mark.usefixtures("long")
def test_a_rule_is_tried_at_its_own_threshold_and_at_the_best_of_direct_comparisons(folder) -> None:
    pytest.importorskip("datasketch")
    measured = benched(folder, "--rule", "terms", "--peers", "datasketch", "--json")
    assert measured.exit_code == ExitCode.OK, measured.output
    rows = json.loads(measured.stdout)["frontier"]["measurements"]["methods"]
    [terms] = [one for one in rows if one["title"] == "terms"]
    assert 1 <= len(terms["tried"]) <= 2
    assert terms["tried"][-1]["threshold"] == RuleSettings().duplicate


@pytest.mark.usefixtures("long")
def test_repeats_give_the_same_quality_and_a_range_of_rates(folder) -> None:
    pytest.importorskip("datasketch")
    options = ("--rule", "terms", "--peers", "datasketch", "--json")
    once, twice = (
        json.loads(benched(folder, *options, *more).stdout)["frontier"]["measurements"]
        for more in ((), ("--repeat", "2"))
    )
    assert {one["title"]: one["plain"] for one in once["methods"]} == {
        one["title"]: one["plain"] for one in twice["methods"]
    }
    assert twice["repeats"] == 2


def test_labels_that_do_not_exist_are_refused(folder) -> None:
    refused = benched(folder, "--rule", "terms", pairs="nowhere.tsv")
    assert refused.exit_code == ExitCode.INPUT_MISSING
    assert "nowhere.tsv" in refused.stderr


def test_labels_of_other_items_are_refused_before_anything_is_measured(folder) -> None:
    (folder / "other.tsv").write_text("id1\tid2\tdup\nx\ty\t1\n")
    refused = benched(folder, "--rule", "terms", pairs="other.tsv")
    assert refused.exit_code == ExitCode.INPUT_MISSING
    assert "no pair of it is among the items" in " ".join(refused.stderr.split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["items.jsonl", "--out", "reports"], "--out: only with --pairs"),
        (["items.jsonl", "--pairs", "p.tsv", "--suite"], "no other measurement at the same time"),
        (["items.jsonl", "--pairs", "p.tsv", "--kafka"], "no other measurement at the same time"),
        (["--pairs", "p.tsv"], "--pairs: name the ITEMS of the pairs"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_contradict_the_pairs_are_refused(options, message) -> None:
    refused = CliRunner().invoke(app, ["bench", *options])
    assert refused.exit_code == ExitCode.USAGE
    assert message in " ".join(refused.stderr.replace("│", " ").split())
