import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import Result
from pyarrow import parquet
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

BRIDGE = "The mayor opened the bridge over the river after a repair that cost four million"
STORM = "A storm damaged a school and a hospital near the airport in the night"
ROWS = [
    {"id": "1", "title": BRIDGE, "date": "2025-01-06T12:00:00Z"},
    {"id": "2", "title": STORM, "date": "2025-01-06T11:00:00Z"},
    {"id": "3", "title": BRIDGE, "date": "2025-01-06T10:00:00Z"},
    {"id": "4", "title": STORM, "date": "2025-01-16T10:00:00Z"},
    {"id": "5", "title": "", "date": ""},
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "news.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ROWS[0])
        writer.writeheader()
        writer.writerows(ROWS)
    return path


def dedup(*args: object) -> Result:
    return CliRunner().invoke(app, ["dedup", *map(str, args)])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_folder_gets_four_tables(table: Path, tmp_path: Path) -> None:
    to = tmp_path / "result"
    result = dedup(table, "--to", to)
    assert result.exit_code == ExitCode.OK
    assert sorted(path.name for path in to.iterdir()) == [
        "items.jsonl",
        "pairs.jsonl",
        "rejected.jsonl",
        "stories.jsonl",
    ]
    items = lines(to / "items.jsonl")
    assert [row["verdict"] for row in items] == ["duplicate", "original", "original", "original"]
    assert [row["row"] for row in items] == [0, 1, 2, 3]
    assert [(row["row"], row["original_row"]) for row in lines(to / "pairs.jsonl")] == [(0, 2)]
    assert [row["size"] for row in lines(to / "stories.jsonl")] == [2, 1, 1]
    assert [(row["row"], row["code"]) for row in lines(to / "rejected.jsonl")] == [(4, "no_text")]


def test_a_person_reads_what_was_found_and_where_it_is(table: Path, tmp_path: Path) -> None:
    result = dedup(table, "--to", tmp_path / "result")
    assert result.stdout == ""
    assert "5 rows: 3 originals, 1 duplicate (25.0%) in 1 story;" in result.stderr
    assert "No item: 1 row (1 no_text): see" in result.stderr
    assert str(tmp_path / "result" / "pairs.jsonl") in result.stderr


def test_a_program_gets_the_same_as_json(table: Path, tmp_path: Path) -> None:
    output = json.loads(dedup(table, "--to", tmp_path / "result", "--json").stdout)
    assert (output["rows"], output["originals"], output["duplicates"], output["stories"]) == (
        5,
        3,
        1,
        3,
    )
    assert output["rejected_by_reason"] == {"no_text": 1}
    assert output["by_relation"] == {"none": 3, "reprint": 1}
    assert Path(output["files"]["items"]).exists()


def test_quiet_says_nothing(table: Path, tmp_path: Path) -> None:
    result = dedup(table, "--to", tmp_path / "result", "--quiet")
    assert result.output == ""


def test_without_a_window_any_two_rows_are_compared(table: Path, tmp_path: Path) -> None:
    dedup(table, "--to", tmp_path / "result", "--window", "none")
    pairs = lines(tmp_path / "result" / "pairs.jsonl")
    assert [(row["row"], row["original_row"]) for row in pairs] == [(0, 2), (3, 1)]


@pytest.mark.parametrize("window", ["5", "never", ""])
def test_a_window_without_a_unit_is_refused(table: Path, tmp_path: Path, window: str) -> None:
    result = dedup(table, "--to", tmp_path / "result", "--window", window)
    assert result.exit_code == ExitCode.USAGE
    assert "rule.window" in result.stderr


def test_a_file_gets_the_items_and_the_other_tables_lie_next_to_it(
    table: Path, tmp_path: Path
) -> None:
    result = dedup(table, "--to", tmp_path / "deep" / "result.parquet")
    assert result.exit_code == ExitCode.OK
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == [
        "result.pairs.parquet",
        "result.parquet",
        "result.rejected.parquet",
        "result.stories.parquet",
    ]
    items = parquet.read_table(tmp_path / "deep" / "result.parquet").to_pylist()
    assert [row["verdict"] for row in items] == ["duplicate", "original", "original", "original"]


def test_standard_output_gets_the_items_and_nothing_else(table: Path) -> None:
    result = dedup(table, "--to", "-", "--format", "csv")
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["verdict"] for row in rows] == ["duplicate", "original", "original", "original"]
    assert "with --to FOLDER they are listed" in result.stderr


@pytest.mark.usefixtures("table")
def test_all_forms_of_input_give_one_result(tmp_path: Path) -> None:
    (tmp_path / "news.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    parquet.write_table(pa.Table.from_pylist(ROWS), tmp_path / "news.parquet")
    found = []
    for name in ("news.csv", "news.jsonl", "news.parquet"):
        rows = dedup(tmp_path / name, "--to", "-").stdout.splitlines()
        found.append([{**json.loads(row), "input": ""} for row in rows])
    for rows in found:
        for row in rows:
            for name in ("original_input", "matched_input"):
                row[name] = row[name] and ""
    assert found[0] == found[1] == found[2]


def test_the_same_input_gives_the_same_bytes(table: Path, tmp_path: Path) -> None:
    for form in ("jsonl", "csv", "parquet"):
        one, other = tmp_path / f"one-{form}", tmp_path / f"other-{form}"
        for to in (one, other):
            dedup(table, "--to", to, "--format", form)
        for path in one.iterdir():
            assert path.read_bytes() == (other / path.name).read_bytes()


def test_columns_may_be_said(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text(f"kicker;story html\nBREAKING;{BRIDGE}\nBREAKING;{STORM}\n")
    to = tmp_path / "result"
    refused = dedup(tmp_path / "n.csv", "--to", to)
    assert refused.exit_code == ExitCode.INPUT_UNUSABLE
    assert "kicker, 'story html'" in refused.stderr
    assert dedup(tmp_path / "n.csv", "--to", to, "--map", "text=story html").exit_code == 0
    assert [row["verdict"] for row in lines(to / "items.jsonl")] == ["original", "original"]


def test_a_column_that_is_not_there_is_refused(table: Path, tmp_path: Path) -> None:
    result = dedup(table, "--to", tmp_path / "result", "--map", "text=bodi")
    assert result.exit_code == ExitCode.USAGE
    assert "id, title, date" in result.stderr


def test_a_folder_may_have_a_dot_if_it_ends_like_one(table: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert dedup(table, "--to", f"{tmp_path}/result.v2/").exit_code == ExitCode.OK
    assert (tmp_path / "result.v2" / "items.jsonl").is_file()


def test_a_repeated_run_replaces_the_tables(table: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert dedup(table, "--to", tmp_path / "result").exit_code == ExitCode.OK


def test_an_input_is_never_overwritten(table: Path) -> None:
    before = table.read_bytes()
    result = dedup(table, "--to", table)
    assert result.exit_code == ExitCode.OUTPUT_UNUSABLE
    assert "would be overwritten" in result.stderr
    assert table.read_bytes() == before


@pytest.mark.usefixtures("table")
def test_the_tables_of_a_folder_of_inputs_are_no_inputs_of_the_next_run(tmp_path: Path) -> None:
    dedup(tmp_path, "--to", tmp_path)
    assert dedup(tmp_path, "--to", tmp_path).exit_code == ExitCode.OUTPUT_UNUSABLE


def test_rows_of_which_none_is_an_item_are_an_error_that_says_why(tmp_path: Path) -> None:
    (tmp_path / "n.jsonl").write_text('{"kicker":"a"}\n{"kicker":"b"}\n')
    result = dedup(tmp_path / "n.jsonl", "--to", tmp_path / "result")
    assert result.exit_code == ExitCode.INPUT_UNUSABLE
    assert "none of 2 rows can be an item" in result.stderr
    assert "kicker" in result.stderr


def test_a_file_without_rows_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("title,text\n")
    result = dedup(tmp_path / "n.csv", "--to", tmp_path / "result")
    assert result.exit_code == ExitCode.INPUT_UNUSABLE
    assert "no rows" in result.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--to", "result.csv", "--format", "parquet"], "contradicts"),
        (["--to", "-", "--format", "parquet"], "not to standard output"),
        (["--to", "result.xlsx"], "a folder like this in /"),
        (["--to", "result.jsonl.gz"], "a file ends in .jsonl"),
        ([], "--to"),
    ],
)
def test_paths_that_make_no_sense_are_refused(table: Path, args: list[str], said: str) -> None:
    result = dedup(table, *args)
    assert result.exit_code == ExitCode.USAGE
    assert said in result.stderr


def test_a_path_that_cannot_be_a_folder_is_refused_before_anything_is_read(
    table: Path, tmp_path: Path
) -> None:
    (tmp_path / "result").write_text("a file")
    result = dedup(table, "--to", tmp_path / "result")
    assert result.exit_code == ExitCode.OUTPUT_UNUSABLE
    assert "cannot be created" in result.stderr


def test_what_the_window_kept_from_being_compared_is_said(table: Path, tmp_path: Path) -> None:
    said = "Not compared: rows more than 72 h apart (--window none compares all)"
    assert said in dedup(table, "--to", tmp_path / "a").stderr
    assert said not in dedup(table, "--to", tmp_path / "b", "--window", "none").stderr


def test_repeated_ids_and_missing_dates_are_reported(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text(f"id,title\n1,{BRIDGE}\n1,{STORM}\n")
    result = dedup(tmp_path / "n.csv", "--to", tmp_path / "result")
    assert "Id of a row above: 1 row;" in result.stderr
    assert "Without a date, ordered as in the file: 2 rows" in result.stderr
