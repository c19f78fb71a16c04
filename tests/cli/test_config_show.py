import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.config import Settings, read_settings, settings_by_key


def show(*args: str, **environ: str) -> Result:
    return CliRunner().invoke(app, ["config", "show", *args], env=environ)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_shown_is_a_settings_file_with_the_same_settings(folder: Path) -> None:
    path = 'a "b" \\ ё \t \x7f.state'
    first = show("--window", "90m", "--state", path, "--origin")
    assert first.exit_code == ExitCode.OK
    (folder / "saved.toml").write_text(first.stdout, "utf-8")
    saved = read_settings({}, {}, folder / "saved.toml").settings
    assert saved == read_settings({"rule.window": "90m", "run.state": path}, {}, None).settings
    assert show("--config", "saved.toml").stdout == show("--window", "90m", "--state", path).stdout


def test_a_secret_that_is_set_is_a_comment_and_never_a_value(folder: Path) -> None:
    secrets = [setting.variable for setting in settings_by_key().values() if setting.secret]
    proxy = {"NEWSDEDUP_FEEDER__PROXY": "http://reader:hush@proxy.example:3128"}
    first = show("--origin", **dict.fromkeys(secrets, "hush") | proxy)
    shown = re.findall(r"\n# (\w+) is set, not shown +# environment NEWSDEDUP_", first.stdout)
    assert sorted(shown) == ["password", "password", "proxy", "secret", "token"]
    assert len(secrets) == len(shown)
    assert "hush" not in first.stdout
    (folder / "saved.toml").write_text(first.stdout, "utf-8")
    assert read_settings({}, {}, folder / "saved.toml").settings == Settings()


def test_no_example_writes_the_file_that_is_read() -> None:
    """The shell empties it first: all that was set would be gone."""
    assert "> newsdedup.toml" not in show("--help").stdout


def test_every_setting_is_shown() -> None:
    shown = json.loads(show("--json").stdout)
    assert {f"{section}.{name}" for section in shown for name in shown[section]} == set(
        settings_by_key()
    )
    assert shown["rule"]["window"] == "72h"
    assert shown["run"]["batch"] == Settings().run.batch


def test_each_value_says_where_it_came_from(folder: Path) -> None:
    (folder / "newsdedup.toml").write_text("[rule]\nsimilar = 4\n", "utf-8")
    result = show("--window", "24h", "--origin", "--json", NEWSDEDUP_RUN__BATCH="64")
    shown = json.loads(result.stdout)
    assert shown["rule"]["window"] == {"value": "24h", "origin": "flag --window"}
    assert shown["rule"]["similar"] == {"value": 4, "origin": "newsdedup.toml"}
    assert shown["rule"]["terms"] == {"value": 12, "origin": "default"}
    assert shown["run"]["batch"] == {
        "value": 64,
        "origin": "environment NEWSDEDUP_RUN__BATCH",
    }
    lines = show("--window", "24h", "--origin").stdout.splitlines()
    assert 'window = "24h"                  # flag --window' in lines
    assert "similar = 4                     # newsdedup.toml" in lines


def test_wrong_settings_are_a_usage_error_that_lists_all() -> None:
    result = show("--window", "24", "--rule", "trems", NEWSDEDUP_RUN__BACTH="1")
    assert result.exit_code == ExitCode.USAGE
    assert result.stdout == ""
    first, *rest = result.stderr.splitlines()
    assert first == "newsdedup: 3 settings are wrong:"
    assert rest[0].endswith("did you mean NEWSDEDUP_RUN__BATCH?")
    assert rest[1].startswith("  rule.name = 'trems' (flag --rule)") or "rule.window" in rest[1]
    assert len(rest) == 3


def test_a_settings_file_that_is_asked_for_must_be_there() -> None:
    assert show("--config", "no.toml").exit_code == ExitCode.USAGE
    assert show(NEWSDEDUP_CONFIG="no.toml").exit_code == ExitCode.USAGE
