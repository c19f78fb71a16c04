import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from servers import note
from servers.process import wait_until

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

SCRIPT = Path(__file__).parents[2] / "scripts" / "servers"
SECONDS = 120
PINGS = "import os, redis; redis.Redis.from_url(os.environ['NEWSDEDUP_REDIS__URL']).ping()"
SAYS_WHERE = "import os, sys; print(os.environ['NEWSDEDUP_REDIS__URL'], flush=True)"
WAITS = f"{SAYS_WHERE}; sys.stdin.read()"


def servers(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SCRIPT, *arguments],
        capture_output=True,
        check=False,
        text=True,
        timeout=SECONDS,
        env={**os.environ, **variables},
    )


@contextmanager
def waiting_command(temporary: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Give a running `scripts/servers run`, whose command waits, and the address of its Redis."""
    command = [str(SCRIPT), "run", "--redis", "--", sys.executable, "-c", WAITS]
    # Anyone who runs the tests under nohup gets a hang-up ignored, and so would all they start.
    command = ["env", "--default-signal=HUP", *command]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command,
        stdin=pipe,
        stdout=pipe,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(temporary)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()


def answers(url: str) -> bool:
    with Redis.from_url(url, retry=Retry(NoBackoff(), 0)) as client:
        try:
            return bool(client.ping())
        except RedisError:
            return False


def test_it_starts_servers_says_where_they_are_and_stops_them(tmp_path: Path) -> None:
    folder = tmp_path / "its servers"
    started = servers("start", "--json", "--dir", folder)
    assert started.returncode == 0, started.stderr
    output = json.loads(started.stdout)
    try:
        assert output["environment"] == {
            "NEWSDEDUP_KAFKA__SERVERS": output["kafka"]["servers"],
            "NEWSDEDUP_REDIS__URL": output["redis"]["url"],
        }
        assert answers(output["redis"]["url"])
        assert "not empty" in servers("start", "--redis", "--dir", folder).stderr
    finally:
        stopped = servers("stop", "--dir", folder)
    assert (stopped.returncode, stopped.stderr) == (0, "")
    assert not answers(output["redis"]["url"])
    assert list(folder.iterdir()) == []


def test_servers_that_do_not_start_leave_nothing_behind(tmp_path: Path) -> None:
    broken = tmp_path / "bin" / "java"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho no memory >&2\nexit 1\n", "utf-8")
    broken.chmod(0o755)
    folder = tmp_path / "servers"
    found = f"{broken.parent}{os.pathsep}{os.environ['PATH']}"
    failed = servers("start", "--dir", folder, PATH=found)
    assert (failed.returncode, "no memory" in failed.stderr) == (1, True), failed.stderr
    assert list(folder.iterdir()) == []
    assert servers("start", "--redis", "--dir", folder).returncode == 0
    assert servers("stop", "--dir", folder).returncode == 0


def test_servers_whose_folder_is_gone_can_be_stopped(tmp_path: Path) -> None:
    output = json.loads(servers("start", "--redis", "--json", "--dir", tmp_path).stdout)
    shutil.rmtree(tmp_path / "redis")
    assert servers("stop", "--dir", tmp_path).returncode == 0
    assert not answers(output["redis"]["url"])
    assert list(tmp_path.iterdir()) == []


def test_it_prints_lines_that_a_shell_can_take(tmp_path: Path) -> None:
    try:
        printed = servers("start", "--redis-cluster", "--dir", tmp_path).stdout
        assert re.fullmatch(r"export NEWSDEDUP_REDIS__URL=redis://127.0.0.1:\d+/0\n", printed)
    finally:
        assert servers("stop", "--dir", tmp_path).returncode == 0


def test_it_starts_nothing_over_what_is_left_of_others(tmp_path: Path) -> None:
    (tmp_path / "redis").mkdir()
    started = servers("start", "--redis", "--dir", tmp_path)
    assert (started.returncode, "not empty" in started.stderr) == (1, True)


def test_stopping_where_nothing_runs_is_said(tmp_path: Path) -> None:
    stopped = servers("stop", "--dir", tmp_path)
    assert stopped.returncode == 1
    assert "no servers were started" in stopped.stderr


def test_a_number_that_is_somebody_elses_now_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "redis"
    folder.mkdir()
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, start_new_session=True) as other:
        (tmp_path / note.NAME).write_text(json.dumps([[other.pid, str(folder)]]))
        note.stop(tmp_path)
        assert other.poll() is None
    assert not folder.exists()


@pytest.mark.parametrize(("end", "code"), [("", 0), ("; sys.exit(3)", 3)])
def test_a_command_runs_alongside_its_servers_and_its_exit_code_counts(end: str, code: int) -> None:
    ran = servers("run", "--redis", "--", sys.executable, "-c", f"{PINGS}; {SAYS_WHERE}{end}")
    assert ran.returncode == code, ran.stderr
    assert not answers(ran.stdout.strip())


def test_a_command_keeps_its_own_options() -> None:
    for separator in ([], ["--"]):
        ran = servers("run", "--redis", *separator, "/bin/echo", "--redis", "--", "--json")
        assert (ran.returncode, ran.stdout) == (0, "--redis -- --json\n")


def test_a_command_that_is_not_there_is_said() -> None:
    ran = servers("run", "--redis", "no-such-command")
    assert (ran.returncode, "cannot run no-such-command" in ran.stderr) == (1, True)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_servers_stop_with_their_command_on_a_signal(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    with waiting_command(tmp_path) as (process, url):
        assert answers(url)
        os.killpg(process.pid, number)
        assert process.wait(SECONDS) == code
    assert not answers(url)
    assert list(tmp_path.iterdir()) == []


def test_servers_die_with_who_started_them(tmp_path: Path) -> None:
    with waiting_command(tmp_path) as (process, url):
        assert answers(url)
        os.killpg(process.pid, signal.SIGKILL)
    wait_until(lambda: not answers(url), what="the servers die", within=SECONDS)
