"""The benchmark of the server: that it runs and what it counts, never how fast."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.served import judge

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "server-speed"

pytestmark = pytest.mark.usefixtures("process")


def speed(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def test_the_server_is_read_by_path_alongside_a_writer(tmp_path: Path) -> None:
    archive = judge(tmp_path)
    done = speed(
        archive,
        "--state",
        tmp_path / "events.jsonl.state",
        *("--readers", 3, "--seconds", 2, "--rate", 50, "--json"),
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    rows = {row["name"]: row for row in found["answers"]}
    assert rows["all"]["answers"] == sum(row["answers"] for row in found["answers"][1:])
    assert {"/", "/story", "/sources", "/v1/search uk", "/v1/copies", "POST /v1/check"} <= {*rows}
    assert not any(row["failed"] for row in found["answers"])
    assert found["written_per_second"] > 0
    assert found["memory_mib"]["resident"] > 0
    assert "asking for each once" in done.stderr


def test_pages_are_opened_in_a_browser(tmp_path: Path, chromium: str) -> None:
    shutil.copy(judge(tmp_path), tmp_path / "copy.archive")
    done = speed(tmp_path / "copy.archive", "--paint", "--chromium", chromium, "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    paints = {one["name"]: one for one in json.loads(done.stdout)}
    assert {"/", "/story", "/sources", "/check"} <= {*paints}
    assert all(one["first_paint_ms"] > 0 and one["bytes"] > 1_000 for one in paints.values())


def test_the_help_shows_examples() -> None:
    assert "scripts/server-speed --items 20000" in speed("--help").stdout
