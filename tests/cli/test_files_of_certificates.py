"""A file of certificates that is none is told at once: no server is waited for."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from runners.processes import run

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
