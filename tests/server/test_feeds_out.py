"""Feeds of an archive, read by a parser of others."""

import json
from datetime import datetime, timedelta

import feedparser

from archive.event_stream import archived, search_words, story_events
from newsdedup.archive.reader import ArchiveReader
from newsdedup.server.api_queries import StoryFeedQuery
from newsdedup.server.feeds_out import read_story_feed
from server.served import NEWS, Served, judge, serving


def test_the_feed_of_originals_holds_originals_alone(served: Served) -> None:
    answer = served.ask("/feeds/originals.atom")
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = feedparser.parse(answer.body)
    assert not feed.bozo
    stats = served.ask("/v1/stats").json()
    assert len(feed.entries) == stats["originals"]
    titles = [entry.title for entry in feed.entries]
    assert titles[0] == NEWS[-1]["title"].removeprefix("<script>alert(1)</script> ")
    assert feed.entries[-1].author == "tula.example"
    assert "Пожарные потушили" in feed.entries[-1].content[0].value


def test_a_feed_is_narrowed_by_language_source_and_words(served: Served) -> None:
    def authors(query: str) -> list[str]:
        return [one.author for one in feedparser.parse(served.ask(query).body).entries]

    assert authors("/feeds/originals.atom?lang=uk") == ["tula.example"]
    assert authors("/feeds/originals.atom?source=west.example") == ["west.example"]
    assert authors("/feeds/originals.atom?q=трамвай") == []
    assert authors("/feeds/originals.atom?q=suburb") == ["west.example"]


def test_a_json_feed_holds_the_same_items(served: Served) -> None:
    answer = served.ask("/feeds/originals.json?lang=ru")
    assert answer.headers["content-type"] == "application/feed+json; charset=utf-8"
    feed = answer.json()
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["feed_url"].startswith(served.address)
    atom = feedparser.parse(served.ask("/feeds/originals.atom?lang=ru").body)
    assert [item["id"] for item in feed["items"]] == [entry.id for entry in atom.entries]


def test_a_feed_has_plain_texts_and_the_addresses_that_its_reader_uses(tmp_path) -> None:
    markup = "<p>The ferry &amp; the tram stop.</p><script>x()</script><ul><li>At nine</li></ul>"
    marked = {
        "source": "a.example",
        "id": "1",
        "title": "<b>Ferry</b> &amp; **tram**",
        "text": markup,
    }
    untold = {"source": "b.example", "id": "2", "title": "Lighthouse of Sundholm sold to its choir"}
    judge(tmp_path, [marked, untold])
    proxied = {"Host": "news.example", "X-Forwarded-Proto": "https"}
    with serving(tmp_path, proxies=1, aliases="news.example") as served:
        atom = served.ask("/feeds/originals.atom", headers=proxied).body
        items = served.ask("/feeds/originals.json", headers=proxied).json()
    feed = feedparser.parse(atom)
    assert b"&lt;" not in atom
    assert [one.title for one in feed.entries] == [untold["title"], "Ferry & tram"]
    # RFC 4287 requires a content of an entry without a link.
    texts = [one.content[0].value for one in feed.entries]
    assert texts == [untold["title"], "The ferry & the tram stop.\nAt nine"]
    assert [one["content_text"] for one in items["items"]] == texts
    assert items["feed_url"] == "https://news.example/feeds/originals.json"
    assert feed.feed.link == "https://news.example/"


def test_the_feed_of_a_story_holds_its_copies_the_newest_first(served: Served) -> None:
    story = served.ask("/v1/search?q=пожар").json()["items"][0]["story"]
    feed = feedparser.parse(served.ask(f"/feeds/story/{story}.atom").body)
    assert [one.author for one in feed.entries] == [
        "retold.example",
        "copy.example",
        "tula.example",
    ]
    assert len(served.ask(f"/feeds/story/{story}.json").json()["items"]) == 3


def test_the_feed_of_a_story_of_many_items_shows_the_newest_hundred(tmp_path) -> None:
    original, copy = (json.loads(line) for line in story_events()[:2])
    since = datetime.fromisoformat(original["dedup"]["effective_at"])
    events = [json.dumps(original).encode()]
    for number in range(1, 1_100):
        copy["dedup"]["item"]["id"] = copy["id"] = str(number)
        copy["dedup"]["effective_at"] = (since + timedelta(seconds=number)).isoformat()
        events.append(json.dumps(copy).encode())
    path = archived(tmp_path / "news.archive", events, batch=len(events))
    with ArchiveReader(path, search_words()) as reader:
        content = read_story_feed(reader, StoryFeedQuery(story=original["dedup"]["story"]["id"]))
    assert [one.id.rpartition(":")[2] for one in content.entries] == [
        str(n) for n in range(1_099, 999, -1)
    ]


def test_a_reader_that_has_the_newest_feed_gets_304(served: Served) -> None:
    tag = served.ask("/feeds/originals.atom").headers["etag"]
    assert served.ask("/feeds/originals.atom", headers={"If-None-Match": tag}).status == 304
