"""`newsdedup feed --once` where a host asks for a pause: its other feeds wait, and did not fail."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from cli.in_process import run
from feeder.feed_site import feed_site, rss
from newsdedup.cli.errors import ExitCode

HERALD = rss("h1: Bridge over the Velna reopens: The bridge was opened on Monday.")


@pytest.fixture
def busy():
    """Yield a site with three feeds, of which the first is answered by 429."""
    with feed_site(a=HERALD, b=HERALD, c=HERALD) as site:
        site.busy = {"/a"}
        yield site


def feed(folder, site, paths, *arguments):
    (folder / "feeds.txt").write_text("\n".join(map(site.at, paths)), "utf-8")
    command = ("feed", "feeds.txt", "--once", "--allow-private", "--to", "items.jsonl", *arguments)
    return run(*command, cwd=folder, NEWSDEDUP_FEEDER__HOST_VISITS="1")


def test_feeds_of_a_host_that_asked_for_a_pause_wait_and_did_not_fail(busy, tmp_path):
    done = feed(tmp_path, busy, ("/a", "/b", "/c"))
    assert busy.statuses == [("/a", 429)]
    assert done.returncode == ExitCode.FAILED
    visited, failed, cause, waiting = done.stderr.decode().splitlines()[-4:]
    assert visited.startswith("1 feed visited in ")
    assert (failed, cause) == (
        "1 of 1 feed failed:",
        f"  {busy.at('/a')}: 429 Too Many Requests",
    )
    assert re.fullmatch(
        r"2 feeds wait until \d\d:\d\d UTC: 127\.0\.0\.1 asked for a pause", waiting
    )


def test_json_tells_feeds_that_wait_from_those_that_were_visited(busy, tmp_path):
    stats = json.loads(feed(tmp_path, busy, ("/a", "/b", "/c"), "--json").stdout)
    assert (stats["visited"], stats["failed"], stats["outcomes"]) == (1, 1, {"failed": 1})
    assert list(stats["waiting"]) == [busy.at("/b"), busy.at("/c")]
    pause = timedelta(minutes=9)
    assert all(
        datetime.fromisoformat(at) > datetime.now(UTC) + pause for at in stats["waiting"].values()
    )


def test_a_feed_that_was_read_before_the_pause_counts_as_visited(busy, tmp_path):
    done = feed(tmp_path, busy, ("/b", "/a", "/c"))
    assert done.returncode == ExitCode.FAILED
    assert b"2 feeds visited" in done.stderr
    assert b"1 of 2 feeds failed:" in done.stderr
    assert b"1 feed waits until " in done.stderr


def test_a_single_feed_that_asks_for_a_pause_failed_and_none_waits(busy, tmp_path):
    done = feed(tmp_path, busy, ("/a",))
    assert done.returncode == ExitCode.UNAVAILABLE
    assert b"asked for a pause" not in done.stderr
