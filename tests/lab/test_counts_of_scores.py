"""What `lab score` counts alongside its scores, and what of a score cannot be computed."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

TEXTS = {
    "bridge": "The bridge over the river Velna in Marstad reopened on Monday after a repair that "
    "took 14 months and cost 32 million crowns, mayor Ida Holm said.",
    "storm": "A storm tore the roofs off eleven houses in Halden during the night; the fire "
    "brigade counted forty fallen trees and nobody was hurt.",
}
SHARES = ("precision", "recall", "f1")


def line(name: str, text: str, at: str | None = None) -> str:
    fields = {"id": name, "source": f"{name}.example", "title": "News", "text": TEXTS[text]}
    return json.dumps(fields | ({} if at is None else {"published_at": f"2026-03-{at}:00Z"}))


def asked(folder: Path, lines: list[str], pairs: str, *arguments: str) -> Result:
    (folder / "items.jsonl").write_text("\n".join(lines), "utf-8")
    (folder / "pairs.tsv").write_text(f"id1\tid2\tlabel\n{pairs}", "utf-8")
    where = ["--items", str(folder / "items.jsonl"), "--pairs", str(folder / "pairs.tsv")]
    return CliRunner().invoke(app, ["lab", "score", *where, "--rule", "terms", *arguments])


def scored(folder: Path, lines: list[str], pairs: str, *arguments: str) -> dict:
    result = asked(folder, lines, pairs, "--json", *arguments)
    assert result.exit_code == ExitCode.OK, result.output
    return json.loads(result.stdout)


def test_what_has_no_part_in_the_scores_is_counted(tmp_path: Path) -> None:
    lines = [line("a", "bridge"), "{broken", line("b", "bridge", "02T10:00"), "[]"]
    pairs = "a\tb\tR\nb\ta\tR\na\tb\tOK\na\tgone\tN\n"
    scores = scored(tmp_path, lines, pairs)
    assert {name: scores[name] for name in ("items", "items_undated", "lines_left_out")} == {
        "items": 2,
        "items_undated": 1,
        "lines_left_out": 2,
    }
    assert (scores["pairs"], scores["pairs_without_items"]) == (1, 1)
    assert scores["pairs_left_out"] == {"label OK": 1, "repeated": 1}
    shown = [row.strip() for row in asked(tmp_path, lines, pairs).stdout.splitlines()]
    assert shown[1:5] == [
        "pairs without items: 1",
        "pairs left out: 1 label OK, 1 repeated",
        "undated items: 1",
        "lines that are no items: 2",
    ]


def test_an_undated_item_came_right_behind_the_one_above_it(tmp_path: Path) -> None:
    lines = [line("a", "bridge", "02T10:00"), line("z", "bridge"), line("b", "storm", "20T10:00"),
             line("y", "bridge"), line("x", "storm")]  # fmt: skip
    scores = scored(tmp_path, lines, "a\tz\tR\nz\ty\tR\nb\tx\tR\n", "--window", "72h")
    # The bridge of y came 18 days after that of z: whenever it was published, a run says the same.
    assert scores["plain"]["recall"] == pytest.approx(2 / 3, abs=1e-4)
    assert scores["candidates"]["plain"] == pytest.approx(2 / 3, abs=1e-4)
    assert [name for name in scores["slices"] if name.startswith("hours")] == ["hours=unknown"]


def test_undated_items_are_judged_in_the_order_of_their_file(tmp_path: Path) -> None:
    lines = [line("z", "bridge"), line("a", "bridge")]
    asked(tmp_path, lines, "a\tz\tN\n", "--errors", str(tmp_path / "errors.jsonl"))
    [found] = [json.loads(one) for one in (tmp_path / "errors.jsonl").read_text().splitlines()]
    assert found["hours"] is None
    assert [(item["id"], item["matched"]) for item in found["items"]] == [
        ("z", None),
        ("a", "z.example/z"),
    ]


def test_what_cannot_be_computed_is_no_number(tmp_path: Path) -> None:
    lines = [line("a", "bridge"), line("b", "storm")]
    scores = scored(tmp_path, lines, "a\tb\tN\n")
    assert scores["found"] == scores["decision"]["found"] == 0
    nothing = dict.fromkeys(SHARES)
    assert scores["plain"] == scores["weighted"] == scores["intervals"]["plain"] == nothing
    assert scores["candidates"] == {"plain": None, "weighted": None}
    assert scores["slices"]["label=N"]["plain"] == nothing
    stream, low, *_ = asked(tmp_path, lines, "a\tb\tN\n").stdout.splitlines()[3:]
    assert stream.split() == ["stream", "1", "0", *"------"]
    assert low.split() == ["95", "%", "from", *"------"]


def test_missed_duplicates_have_no_precision(tmp_path: Path) -> None:
    scores = scored(tmp_path, [line("a", "bridge"), line("b", "storm")], "a\tb\tW\n")
    assert scores["plain"] == {"precision": None, "recall": 0.0, "f1": 0.0}


@pytest.mark.parametrize("index", ["none/errors.jsonl", "."])
def test_the_path_of_errors_is_tried_before_anything_is_read(tmp_path: Path, index: str) -> None:
    errors = tmp_path / index
    result = asked(tmp_path, ["{broken"], "nothing\n", "--errors", str(errors))
    assert result.exit_code == ExitCode.OUTPUT_UNUSABLE
    assert f"{errors}: cannot be written" in result.stderr
