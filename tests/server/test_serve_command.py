"""The command `newsdedup serve` as a process."""

import json
import os
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli import in_process
from cli.small_stream import TRAM, report
from feeder.feed_site import feed_site, rss
from runners.processes import run, started
from server.pages.invented_feeds import FEEDS, feeds_file
from server.served import NEWS, TOKEN, Served, item_path, judge
from servers.ports import free_ports

pytestmark = pytest.mark.usefixtures("process")
SECONDS = 60.0


@contextmanager
def command(
    folder: Path, *arguments: str, **environ: str
) -> Iterator[tuple[Served, subprocess.Popen]]:
    """Run the command over an archive of the folder until the block ends."""
    log = folder / "serve.log"
    with log.open("wb") as output:
        process = started(
            "serve",
            "--archive",
            "news.archive",
            "--port",
            "0",
            *arguments,
            cwd=folder,
            environ=environ,
            output=output,
        )
        try:
            yield Served(address_in(log, process), folder), process
        finally:
            process.kill()
            process.communicate(timeout=30)


def address_in(log: Path, process: subprocess.Popen) -> str:
    """Return the address that the command prints when it is ready."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        text = log.read_text("utf-8")
        if "newsdedup: serving news.archive at " in text:
            return text.rpartition(" at ")[2].split()[0]
        time.sleep(0.02)
    raise AssertionError(log.read_text("utf-8"))


def wait_until(served: Served, path: str, count: int, key: str = "items") -> dict:
    """Return what a path answers as soon as it lists so many."""
    end = time.monotonic() + SECONDS
    while len((answer := served.ask(path).json()).get(key, ())) < count:
        assert time.monotonic() < end, answer
        time.sleep(0.05)
    return answer


def test_the_command_serves_an_archive_until_it_is_stopped(tmp_path: Path) -> None:
    judge(tmp_path)
    with command(tmp_path) as (served, process):
        assert served.address.startswith("http://127.0.0.1:")
        assert served.ask("/readyz").body == b"ready\n"
        assert served.ask("/v1/stats").json()["items"] == len(NEWS)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert "Traceback" not in (tmp_path / "serve.log").read_text("utf-8")


def test_what_was_kept_before_a_kill_is_there_after_it(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n", "utf-8")
    environ = {"NEWSDEDUP_SERVER__TOKEN_FILE": "token"}
    item = report("kept.example", "1", TRAM, "13:00:00")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with command(tmp_path, "--events", "events.jsonl", **environ) as (served, process):
        assert served.ask("/v1/items", item, headers=headers).status == 200
        process.kill()
        process.wait(30)
    with command(tmp_path, "--events", "events.jsonl", **environ) as (served, _):
        (result,) = served.ask("/v1/check", item).json()["results"]
        assert result["known"]
        assert served.ask("/v1/stats").json()["items"] == 1
    assert len((tmp_path / "events.jsonl").read_text("utf-8").splitlines()) == 1


def test_a_server_whose_disk_is_full_ends_and_keeps_all_that_it_has_acknowledged(
    tmp_path: Path,
) -> None:
    environ = {"NEWSDEDUP_SERVER__TOKEN": TOKEN}
    headers = {"Authorization": f"Bearer {TOKEN}"}
    items = [report("kept.example", str(number), TRAM, "13:00:00") for number in range(3)]
    with command(tmp_path, "--events", "events.jsonl", **environ) as (served, process):
        assert served.ask("/v1/items", items[0], headers=headers).status == 200
        room = (tmp_path / "events.jsonl").stat().st_size + 100
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (room, room))
        assert served.ask("/v1/items", items[1], headers=headers).status == 503
        assert process.wait(30) == 74
    assert "cannot be written" in (tmp_path / "serve.log").read_text("utf-8")
    with command(tmp_path, "--events", "events.jsonl", **environ) as (served, _):
        assert served.ask("/v1/items", items[2], headers=headers).status == 200
        assert served.ask("/v1/stats").json()["items"] == 2
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_bytes().splitlines()]
    assert [one["dedup"]["item"]["id"] for one in events] == ["0", "2"]


def test_feedback_is_there_after_a_kill_and_is_applied_once_more(tmp_path: Path) -> None:
    judge(tmp_path)
    environ = {
        "NEWSDEDUP_SERVER__TOKEN": TOKEN,
        "NEWSDEDUP_SERVER__FEEDBACK": "feedback.jsonl",
    }
    headers = {"Authorization": f"Bearer {TOKEN}"}
    body = {
        "kind": "not_duplicate",
        "item": {"source": "copy.example", "id": "r2"},
        "other": {"source": "tula.example", "id": "r1"},
    }
    path = item_path("copy.example", "r2")
    with command(tmp_path, "--events", "events.jsonl", **environ) as (served, process):
        answer = served.ask("/v1/feedback", body, headers=headers)
        assert answer.json()["outcome"] == "acted", answer.body
        process.kill()
        process.wait(30)
    with command(tmp_path, "--events", "events.jsonl", **environ) as (served, _):
        assert served.ask(path).json()["summary"]["decided_by"] == "editor"
        again = served.ask("/v1/feedback", body, headers=headers)
        assert again.json()["outcome"] == "acted", again.body
    assert len((tmp_path / "feedback.jsonl").read_bytes().splitlines()) == 2


@pytest.mark.parametrize("name", ["news.archive", "events.jsonl", "events.jsonl.state"])
def test_feedback_is_never_appended_to_another_file_of_the_server(
    name: str, tmp_path: Path
) -> None:
    judge(tmp_path)
    before = (tmp_path / name).read_bytes()
    done = run(
        "serve",
        "--archive",
        "news.archive",
        "--events",
        "events.jsonl",
        cwd=tmp_path,
        NEWSDEDUP_SERVER__FEEDBACK=name,
    )
    assert done.returncode != 0
    assert "name another server.feedback" in done.stderr.decode()
    assert (tmp_path / name).read_bytes() == before


def test_feeds_become_stories_in_one_process(tmp_path: Path) -> None:
    news = ("1: Ferry stops: The ferry of Kallavesi stopped on Monday, said the port.",)
    with feed_site(
        rss=rss(*news), copy=rss(*news, title="Copy", site="https://copy.example/")
    ) as site:
        (tmp_path / "feeds.txt").write_text(f"{site.at('/rss')}\n{site.at('/copy')}\n", "utf-8")
        arguments = ("--events", "events.jsonl", "--feeds", "feeds.txt", "--allow-private")
        with command(tmp_path, *arguments) as (served, process):
            wait_until(served, "/v1/items", 2)
            (story,) = served.ask("/v1/stories").json()["stories"]
            assert (story["items"], story["sources"]) == (2, 2)
            feeds = served.ask("/feeds.json").json()
            assert (feeds["conditions"], len(feeds["feeds"])) == ({"fine": 2}, 2)
            assert {one["stats"]["items"] for one in feeds["feeds"]} == {1}
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        for kept in ("events.jsonl", "events.jsonl.state", "news.archive"):
            (tmp_path / kept).unlink()
        with command(tmp_path, *arguments) as (served, _):
            wait_until(served, "/v1/items", 2)


def test_the_feeds_of_a_feeder_alongside_are_shown(tmp_path: Path) -> None:
    judge(tmp_path)
    path = feeds_file(tmp_path)
    with command(tmp_path, "--feeds-file", path.name) as (served, _):
        assert len(served.ask("/feeds.json").json()["feeds"]) == len(FEEDS)
    with command(tmp_path, NEWSDEDUP_FEEDER__STATE=path.name) as (served, _):
        assert len(served.ask("/feeds.json").json()["feeds"]) == len(FEEDS)


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("--archive", "none.archive"), 66, "there is no such file"),
        (("--archive", "items.jsonl"), 78, "is no database"),
        (("--archive", "news.archive", "--port", "99999"), 2, "port"),
        (("--archive", "news.archive", "--feeds", "feeds.txt"), 2, "--events"),
        (
            ("--archive", "news.archive", "--events", "e.jsonl", "--kafka", "k:9092"),
            2,
            "one writer",
        ),
        (("--archive", "news.archive", "--host", "192.0.2.1"), 2, "192.0.2.1"),
    ],
)
def test_what_cannot_be_served_is_said_at_the_start(
    archive_folder: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, reason: str
) -> None:
    os.link(archive_folder / "news.archive", tmp_path / "news.archive")
    (tmp_path / "items.jsonl").write_text(json.dumps(NEWS[0]), "utf-8")
    done = run("serve", *arguments, cwd=tmp_path)
    assert (done.returncode, reason in done.stderr.decode()) == (code, True), done.stderr


@pytest.mark.parametrize("other", ["--state", "--events"])
def test_redis_with_another_state_to_check_is_refused(tmp_path: Path, other: str) -> None:
    arguments = ("--archive", "none.archive", "--redis", "redis://127.0.0.1:1/0", other, "file")
    done = in_process.run("serve", *arguments, cwd=tmp_path)
    shown = done.stderr.decode()
    assert (done.returncode, other in shown, "--redis" in shown) == (2, True, True), shown


def test_a_port_that_is_taken_is_named_before_a_feed_is_visited(tmp_path: Path) -> None:
    (tmp_path / "feeds.txt").write_text("https://herald.example/rss\n", "utf-8")
    (port,) = free_ports(1)
    arguments = ("--events", "events.jsonl", "--feeds", "feeds.txt", "--archive", "news.archive")
    with socket.socket() as one:
        one.bind(("127.0.0.1", port))
        one.listen()
        done = run("serve", *arguments, "--port", str(port), cwd=tmp_path)
    assert done.returncode == 2
    assert f"server.port {port}" in done.stderr.decode()
    assert "never awaited" not in done.stderr.decode()
