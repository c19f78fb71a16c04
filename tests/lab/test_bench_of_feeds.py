import gc
import json

import pytest

from feeder.parsing.feed_bodies import RECEIVED
from feeder.parsing.feed_fuzzer import read
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import feed_items
from newsdedup_lab.bench.feed_bodies import FEED_FORMS, make_entries, make_feed
from newsdedup_lab.bench.feed_cycle import measure_feed_cycles
from newsdedup_lab.bench.feed_parsing import measure_feed_parsing, measure_hostile_feeds
from newsdedup_lab.bench.hostile_feeds import HOSTILE_FEEDS, hostile_feed

pytestmark = pytest.mark.usefixtures("long")


def quiet(_):
    pass


@pytest.mark.parametrize("form", FEED_FORMS)
def test_a_made_feed_has_the_items_of_which_it_is_made(form):
    entries = make_entries(12)
    body = make_feed(form, entries, site="https://site.example/")
    feed = parse_feed(
        body, content_type=None, address="https://site.example/feed", received_at=RECEIVED
    )
    items = feed_items(feed)
    assert len(items) == 12
    assert {item["url"] for item in items} == {entry["url"] for entry in entries}
    assert all(decode_item(json.dumps(item).encode()) for item in items)


@pytest.mark.parametrize("name", HOSTILE_FEEDS)
def test_a_hostile_feed_is_read_within_the_bounds_or_refused(name):
    body = hostile_feed(name, 100_000)
    assert 50_000 < len(body) <= 100_000
    read(body, content_type=None, address="https://site.example/feed")


def test_the_slowest_of_the_hostile_feeds_is_named():
    # Garbage is collected before each body: of this one alone, not of all that the tests hold.
    gc.freeze()
    try:
        measurements = measure_hostile_feeds(size=2_000, say=quiet)
    finally:
        gc.unfreeze()
    assert measurements["slowest"] in measurements["bodies"]
    assert measurements["bodies"].keys() == HOSTILE_FEEDS.keys()


def test_feeds_of_a_folder_are_parsed_and_compared_with_feedparser(tmp_path, monkeypatch):
    monkeypatch.setattr("newsdedup_lab.bench.feed_parsing._SIZES", (2,))
    monkeypatch.setattr("newsdedup_lab.bench.feed_parsing._LEAST_SECONDS", 0.0)
    (tmp_path / "rss.xml").write_bytes(make_feed("rss", make_entries(2), site="https://a.example/"))
    (tmp_path / "page.html").write_bytes(b"<html></html>")
    measurements = measure_feed_parsing(tmp_path, repeats=1, say=quiet)
    assert measurements["files"]["count"] == 1
    assert measurements["files"]["ratio"] > 0
    assert measurements["atom"][2].keys() == {"ms", "feedparser_ms", "ratio", "compared"}
    # feedparser reads no sitemaps.
    assert measurements["news sitemap"][2].keys() == {"ms"}


@pytest.mark.usefixtures("process")
def test_cycles_over_many_feeds_keep_to_the_limits_of_each_host():
    measurements = measure_feed_cycles(60, say=quiet)
    assert measurements["items"] == measurements["items_published"] == 60 * 20 + 2
    for cycle, statuses in (("first", {"200": 60}), ("second", {"200": 2, "304": 58})):
        server = measurements[cycle]["server"]
        assert server["statuses"] == statuses
        assert server["most_at_once"] <= 2
        # Five a second are six within a second where the first and the last are 1 s apart.
        assert server["most_in_a_second"] <= 6
        assert measurements[cycle]["peak_mib"] > 0
