"""Slips of the pen about servers end at once, before any server is asked."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.in_process import run
from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup.config import settings_by_key

SECRETIVE = "redis://:s3cret@127.0.0.1:6379/0"


def command(*args: str, **environ: str) -> Result:
    return CliRunner().invoke(app, args, env=environ)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("flag", "key", "value"),
    [
        ("--redis", "redis.url", "localhost:6379"),
        ("--redis", "redis.url", "redis://localhost:63x79/0"),
        ("--namespace", "redis.namespace", "a{b"),
        ("--namespace", "redis.namespace", ""),
        ("--kafka", "kafka.servers", "127.0.0.1:port"),
        ("--kafka", "kafka.servers", ""),
    ],
)
@pytest.mark.parametrize("name", ["worker", "rebuild"])
def test_a_wrong_flag_names_key_value_and_what_is_expected(
    name: str, flag: str, key: str, value: str
) -> None:
    result = command(name, flag, value)
    assert result.exit_code == ExitCode.USAGE, result.stderr
    assert result.stderr.splitlines() == [
        "newsdedup: 1 setting is wrong:",
        f"  {key} = {value!r} (flag {flag}): expected {settings_by_key()[key].kind.expected}",
    ]


@pytest.mark.parametrize("name", ["INPUT", "OUTPUT", "DEAD"])
def test_a_wrong_topic_is_refused_before_kafka_is_asked(name: str) -> None:
    result = command("topics", "create", **{f"NEWSDEDUP_KAFKA__{name}": "news raw"})
    assert result.exit_code == ExitCode.USAGE
    assert f"kafka.{name.lower()} = 'news raw'" in result.stderr


def test_records_too_small_for_a_dead_letter_are_refused_before_kafka_refuses_the_dead_letter() -> (
    None
):
    result = command("worker", NEWSDEDUP_KAFKA__MESSAGE_BYTES="2000B")
    assert result.exit_code == ExitCode.USAGE
    assert "kafka.message_bytes = '2000B'" in result.stderr
    assert "from 8KiB up to 1TiB" in result.stderr


@pytest.mark.parametrize(
    ("args", "environ"),
    [
        (["config", "show"], {"NEWSDEDUP_REDIS__URL": SECRETIVE}),
        (["worker"], {"NEWSDEDUP_REDIS__URL": SECRETIVE}),
        (["worker", "--redis", SECRETIVE], {}),
        (["rebuild", "--redis", SECRETIVE], {"NEWSDEDUP_DEBUG": "1"}),
    ],
)
def test_a_password_in_the_url_is_refused_and_printed_nowhere(
    args: list[str], environ: dict[str, str]
) -> None:
    result = command(*args, **environ)
    assert result.exit_code == ExitCode.USAGE
    assert "redis.url = ******** (" in result.stderr
    assert "redis.username, redis.password and redis.password_file" in result.stderr
    assert "s3cret" not in result.output


NOBODY = "127.0.0.1:1"
READERS = {
    "kafka": ["tail", "--kafka", NOBODY],
    "redis": ["sources", "show", "daily.example", "--redis", f"rediss://{NOBODY}/0"],
}


@pytest.mark.parametrize("server", READERS)
@pytest.mark.parametrize("content", [None, "no certificate\n"], ids=["missing", "something else"])
def test_a_file_that_holds_no_certificates_is_a_wrong_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: str, content: str | None
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content, "utf-8")
    monkeypatch.setenv("NEWSDEDUP_KAFKA__SECURITY", "SSL")
    monkeypatch.setenv(f"NEWSDEDUP_{server.upper()}__CA_FILE", str(file))
    result = CliRunner().invoke(app, READERS[server])
    assert result.exit_code == ExitCode.USAGE, result.output
    assert f"{server}.ca_file {file}: cannot be read as certificates: " in result.stderr


def test_a_worker_does_not_wait_for_redis_without_certificates(tmp_path: Path) -> None:
    settings = {
        "NEWSDEDUP_REDIS__URL": f"rediss://{NOBODY}/0",
        "NEWSDEDUP_REDIS__CA_FILE": str(tmp_path / "nowhere"),
    }
    done = run("worker", "--port", "0", "--rule", "terms", cwd=tmp_path, **settings)
    assert done.returncode == ExitCode.USAGE
    assert f"redis.ca_file {tmp_path / 'nowhere'}" in done.stderr.decode()
