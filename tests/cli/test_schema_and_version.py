import json
import platform
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

import newsdedup
from newsdedup.cli.app import app
from newsdedup.cli.checks.installation import DEPENDENCIES
from newsdedup.cli.errors import ExitCode

COMMITTED = sorted((Path(newsdedup.__file__).parent / "schemas").glob("*.json"))


def test_all_committed_schemas_are_listed() -> None:
    result = CliRunner().invoke(app, ["schema"])
    assert result.stdout.split() == [path.stem for path in COMMITTED]
    assert "item.judged" in result.stdout


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_a_schema_is_printed_as_it_was_committed(path: Path) -> None:
    result = CliRunner().invoke(app, ["schema", path.stem])
    assert json.loads(result.stdout) == json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("item.jugded", "did you mean item.judged?"),
        ("ъъъъ", "there are: asyncapi, input, item.judged"),
    ],
)
def test_an_unknown_schema_is_a_usage_error_with_advice(name: str, advice: str) -> None:
    result = CliRunner().invoke(app, ["schema", name])
    assert result.exit_code == ExitCode.USAGE
    assert advice in " ".join(result.stderr.split())


@pytest.mark.parametrize("args", [["version"], ["--version"]])
def test_the_version_is_one_line(args: list[str]) -> None:
    result = CliRunner().invoke(app, args)
    assert (result.exit_code, result.stdout) == (0, f"newsdedup {newsdedup.__version__}\n")


def test_the_version_as_json_holds_what_a_report_needs() -> None:
    output = json.loads(CliRunner().invoke(app, ["version", "--json"]).stdout)
    assert output["newsdedup"] == newsdedup.__version__
    assert platform.python_version() in output["python"]
    assert set(output["dependencies"]) == set(DEPENDENCIES)
    assert all(output["dependencies"].values())


def test_the_checked_libraries_are_those_that_the_package_needs() -> None:
    required = [Requirement(line) for line in metadata.requires("newsdedup") or []]
    direct = {canonicalize_name(each.name) for each in required if "extra" not in str(each.marker)}
    assert set(DEPENDENCIES) == direct
