"""The page of feeds, from the file that a feeder keeps."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newsdedup.feeder.state.feed_state import FeedState, Subscription
from newsdedup.server.pages.feeds import without_query
from server.pages.invented_feeds import FEEDS, NOW, feeds_file
from server.pages.test_pages_over_http import ask
from server.served import judge, serving


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("feeds")
    judge(folder)
    with serving(folder, feeds=feeds_file(folder)) as server:
        yield server.address


def test_feeds_in_trouble_come_first_with_what_is_wrong(site: str) -> None:
    view = ask(site, "/feeds.json").json()
    assert [one["condition"] for one in view["feeds"]] == [
        "dead",
        "failing",
        "silent",
        "new",
        "fine",
    ]
    assert view["conditions"] == dict.fromkeys(("dead", "failing", "silent", "new", "fine"), 1)
    assert view["feeds"][0]["problem"] == "no such host"
    assert view["waiting_seconds"] > 7_000


def test_a_feed_has_the_stats_of_its_source_in_the_archive(site: str) -> None:
    (feed,) = ask(site, "/feeds.json?condition=fine").json()["feeds"]
    assert (feed["title"], feed["stats"]["items"], feed["entries"]) == ("Tula today", 2, 1_234)
    assert feed["stats"]["originality"] == 1.0


def test_no_key_in_an_address_is_shown(site: str) -> None:
    for path in ("/feeds", "/feeds.json"):
        assert "secret" not in ask(site, path).body
    (feed,) = ask(site, "/feeds.json?condition=fine").json()["feeds"]
    assert feed["address"] == "https://tula.example/rss?…"


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "2 h ago|dead"), ("uk", "мертва|невдач"), ("ru", "мертва|неудач")],
)
def test_the_page_stands_in_each_language(lang: str, words: str, site: str) -> None:
    page = ask(site, "/feeds", Cookie=f"lang={lang}").body
    wanted = words.replace("2 h ago", "The feeder is behind").split("|")
    assert [one for one in wanted if one not in page] == []
    assert "<script>alert" not in page
    assert 'href="/feeds"' in page


def test_a_server_without_a_feeder_names_no_feeds(archive_folder: Path) -> None:
    with serving(archive_folder) as server:
        assert 'href="/feeds"' not in ask(server.address, "/").body
        page = ask(server.address, "/feeds")
        assert (page.status, "--feeds-file" in page.body) == (200, True)
        assert ask(server.address, "/feeds.json").json()["feeds"] == []


def test_a_file_that_is_gone_is_said(archive_folder: Path, tmp_path: Path) -> None:
    with serving(archive_folder, feeds=tmp_path / "none.feeds") as server:
        page = ask(server.address, "/feeds")
        assert (page.status, "no such file of feeds" in page.body) == (503, True)
        assert not (tmp_path / "none.feeds").exists()


def test_what_the_feeder_writes_is_shown_soon(archive_folder: Path, tmp_path: Path) -> None:
    path = feeds_file(tmp_path)
    with serving(archive_folder, feeds=path) as server:
        assert len(ask(server.address, "/feeds.json").json()["feeds"]) == len(FEEDS)
        with closing(FeedState(path, locked=False)) as state:
            state.subscribe([Subscription("https://later.example/feed")], at=NOW)
        deadline = datetime.now(UTC) + timedelta(seconds=60)
        while len(ask(server.address, "/feeds.json").json()["feeds"]) == len(FEEDS):
            assert datetime.now(UTC) < deadline


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://a.example/rss", "https://a.example/rss"),
        ("https://a.example/rss?key=1#x", "https://a.example/rss?…"),
        ("https://me:word@a.example:8080/x", "https://a.example:8080/x"),
        ("https://[broken", ""),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(address: str, shown: str) -> None:
    assert without_query(address) == shown
