import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

TITLES = ["Школу відкрили", "Школи зачинили, її не видно", "School closed", "The school is open"]


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "news.jsonl"
    path.write_text("".join(json.dumps({"title": title}) + "\n" for title in TITLES) + "{}\n")
    return path


def background(*args: object) -> Result:
    return CliRunner().invoke(app, ["background", *map(str, args)])


def test_a_table_is_built_and_can_be_shown(items: Path, tmp_path: Path) -> None:
    table = tmp_path / "own.zst"
    built = background("build", items, "--to", table, "--least", 1, "--json")
    output = json.loads(built.stdout)
    assert built.exit_code == ExitCode.OK
    assert output["documents"]["en"] == 2
    assert output["most_frequent"]["en"]["school"] == 2
    assert output["left_out"] == {"no_text": 1}
    assert output["bytes"] == table.stat().st_size
    shown = json.loads(background("show", table, "--json").stdout)
    assert {**shown, "left_out": {"no_text": 1}} == {**output, "origin": str(table)}


def test_a_person_reads_how_to_use_the_table(items: Path, tmp_path: Path) -> None:
    table = tmp_path / "own.zst"
    built = background("build", items, "--to", table, "--least", 1)
    assert built.stdout == ""
    assert f'[words]\nbackground = "{table}"' in built.stderr
    assert "no item: 1 record (1 no_text)" in built.stderr
    assert "4 items make a poor table" in built.stderr
    shown = background("show", table).stdout
    assert "en         2 documents" in shown
    assert "en: school 2" in shown


def test_counts_can_be_added_to_those_of_the_package(items: Path, tmp_path: Path) -> None:
    table = tmp_path / "sum.zst"
    package = json.loads(background("show", "--json").stdout)
    built = background("build", items, "--to", table, "--least", 1, "--add", "--json")
    output = json.loads(built.stdout)
    assert output["documents"]["en"] == package["documents"]["en"] + 2
    assert output["words"]["en"] > package["words"]["en"]
    assert output["pivots"] == package["pivots"]
    assert output["version"] != package["version"]


def test_the_table_of_the_package_is_shown_without_a_file() -> None:
    shown = background("show")
    assert shown.exit_code == ExitCode.OK
    assert shown.stdout.startswith("the table of the package\nversion ")


def test_the_table_that_the_settings_name_is_shown_without_a_file(
    items: Path, tmp_path: Path
) -> None:
    table = tmp_path / "own.zst"
    background("build", items, "--to", table, "--least", 1)
    config = tmp_path / "newsdedup.toml"
    config.write_text(f'[words]\nbackground = "{table}"\n')
    assert background("show", "--config", config).stdout.startswith(str(table))


def test_the_same_items_in_any_order_make_the_same_file(items: Path, tmp_path: Path) -> None:
    turned = tmp_path / "turned.jsonl"
    turned.write_text("".join(reversed(items.read_text().splitlines(keepends=True))))
    for name in ("items", "turned"):
        source = items if name == "items" else turned
        background("build", source, "--to", tmp_path / name, "--least", 1)
    assert (tmp_path / "items").read_bytes() == (tmp_path / "turned").read_bytes()


def test_lemmas_of_too_few_items_make_no_table(items: Path, tmp_path: Path) -> None:
    built = background("build", items, "--to", tmp_path / "own.zst", "--least", 3)
    assert built.exit_code == ExitCode.INPUT_UNUSABLE
    assert "no lemma occurs in 3 items" in built.stderr
    assert not (tmp_path / "own.zst").exists()


def test_a_run_uses_the_table_and_refuses_a_state_of_another(items: Path, tmp_path: Path) -> None:
    table, to = tmp_path / "own.zst", tmp_path / "events.jsonl"
    config = tmp_path / "newsdedup.toml"
    config.write_text(f'[words]\nbackground = "{table}"\n')
    background("build", items, "--to", table, "--least", 1)
    run = ["run", str(items), "--to", str(to)]
    assert CliRunner().invoke(app, run).exit_code == ExitCode.OK
    refused = CliRunner().invoke(app, [*run, "--config", str(config)])
    assert refused.exit_code == ExitCode.STATE_UNUSABLE
    assert "background" in refused.stderr
    fresh = CliRunner().invoke(app, [*run, "--config", str(config), "--fresh"])
    assert fresh.exit_code == ExitCode.OK


def test_a_table_is_not_written_to_standard_output(items: Path) -> None:
    assert background("build", items, "--to", "-").exit_code == ExitCode.USAGE


def test_a_file_that_is_no_table_is_refused(items: Path) -> None:
    shown = background("show", items)
    assert shown.exit_code == ExitCode.INPUT_MISSING
    assert "no background table" in shown.stderr
