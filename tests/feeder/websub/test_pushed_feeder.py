"""`newsdedup feed --websub`, as a user runs it, with a hub of the test."""

import asyncio
import json
from datetime import datetime, timedelta

import pytest

from cli.in_process import run
from feeder.feed_site import rss
from feeder.scraped_feeder import running_feeder, total
from feeder.test_polling import in_loop
from feeder.websub.hub_site import CHALLENGE, Push, hub_site
from newsdedup.cli.errors import ExitCode
from servers.ports import HOST, free_ports

PATIENCE_SECONDS = 60


def feed_with_hub(site):
    """Return a feed that names its hub in itself, as most do."""
    links = (
        f'<atom:link rel="hub" href="{site.at("/hub", HOST)}"/>'
        f'<atom:link rel="self" href="{site.at("/feed", HOST)}"/>'
    )
    feed = rss("h1: Bridge over the Velna reopens: The bridge is open.")
    atom = "<rss xmlns:atom='http://www.w3.org/2005/Atom'"
    return feed.replace("<rss", atom).replace("<channel>", f"<channel>{links}")


@pytest.mark.usefixtures("process")
@in_loop
async def test_a_feeder_subscribes_verifies_and_is_pushed_to(tmp_path):
    (port,) = free_ports(1)
    base = f"http://{HOST}:{port}/hubs"
    async with hub_site() as site:
        site.feeds["/feed"] = feed_with_hub(site)
        (tmp_path / "feeds.txt").write_text(site.at("/feed", HOST), "utf-8")
        with running_feeder(
            *(tmp_path, "--to", "items.jsonl", "--websub", base),
            NEWSDEDUP_FEEDER__WEBSUB_PORT=str(port),
        ) as feeder:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await site.verified.wait()
            assert site.answers == [(200, "text/plain", CHALLENGE)]
            form = site.requests[0]
            assert form["hub.topic"] == site.at("/feed", HOST)
            assert await site.push(Push(secret="x" * 64)) == 202
            assert await site.push() == 202
            scrape = await asyncio.to_thread(feeder.probe.ask, "/metrics")
            for result in ("accepted", "bad_signature"):
                assert total(scrape.text, "newsdedup_feeder_pushes_total", result=result) == 1
            shown = run("feeds", "status", "--json", cwd=tmp_path).stdout.decode()
    (stats,) = json.loads(shown)["feeds"]
    assert stats["hub"]["condition"] == "active"
    assert stats["hub"]["address"] == site.at("/hub", HOST)
    # A minute after the first visit, five after one for a push in vain; else half an hour.
    waits = datetime.fromisoformat(stats["next_visit"]) - datetime.fromisoformat(
        stats["last_success"]
    )
    assert waits <= timedelta(minutes=5)
    token = form["hub.callback"].rpartition("/")[2]
    everything = shown + feeder.logs() + run("feeds", "export", cwd=tmp_path).stdout.decode()
    assert token not in everything
    assert form["hub.secret"] not in everything


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (("--websub", "https://me.example/hubs", "--once"), ExitCode.USAGE, b"not with --once"),
        (("--websub", "me.example"), ExitCode.USAGE, b"https://host/path"),
        (("--websub", "https://me:pw9@me.example/"), ExitCode.USAGE, b"https://host/path"),
        (("--websub", "https://me.example/hubs?a=b"), ExitCode.USAGE, b"https://host/path"),
    ],
)
def test_a_wrong_public_address_is_refused(tmp_path, arguments, code, part):
    (tmp_path / "feeds.txt").write_text("https://herald.example/feed", "utf-8")
    done = run("feed", "feeds.txt", "--to", "items.jsonl", *arguments, cwd=tmp_path)
    assert done.returncode == code
    # The message is wrapped to the width of the terminal.
    assert part in b" ".join(done.stderr.replace("│".encode(), b"").split())
    assert b"pw9" not in done.stderr
