import json
from datetime import UTC, datetime, timedelta

import pytest

from feeder.parsing.feed_bodies import atom, parsed, rss
from newsdedup.feeder.parsing.parsed_feed import DeletedEntry, Enclosure, FeedUnusable


def test_an_item_of_rss_has_all_its_fields():
    item = """<title>Міст відкрили</title><link>https://visti.example/1?utm_source=rss</link>
    <guid isPermaLink="false">v1</guid><pubDate>Mon, 02 Mar 2026 10:00:00 +0200</pubDate>
    <dc:creator>Олена Гай</dc:creator><category>місто</category><category>місто</category>
    <enclosure url="/1.jpg" type="image/jpeg" length="9000"/>
    <description>Коротко про міст.</description>
    <content:encoded><![CDATA[<p>Міст відкрили
    <a href="/2#top">після</a> ремонту.</p>]]></content:encoded>
    """
    feed = parsed(rss(item, channel="<language>uk</language>"))
    entry = feed.entries[0]
    assert (feed.format, feed.title, feed.site, feed.lang, feed.problems) == (
        *("rss", "Вісті Вельни", "https://www.visti.example/", "uk"),
        (),
    )
    assert (entry.guid, entry.url, entry.title) == (
        "v1",
        "https://visti.example/1",
        "Міст відкрили",
    )
    assert entry.text.startswith("<p>Міст відкрили")
    assert entry.published == datetime(2026, 3, 2, 8, tzinfo=UTC)
    assert (entry.lang, entry.authors, entry.categories) == ("uk", ("Олена Гай",), ("місто",))
    assert entry.enclosures == (Enclosure("https://visti.example/1.jpg", "image/jpeg", 9000),)
    assert entry.links == ("https://visti.example/2",)


def test_rdf_has_its_items_alongside_the_channel():
    body = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel rdf:about="https://old.example/"><title>Old</title>
    <link>https://old.example/</link></channel>
    <item rdf:about="https://old.example/1"><title>One</title><link>https://old.example/1</link>
    <dc:date>2026-03-01T09:00:00Z</dc:date></item></rdf:RDF>"""
    feed = parsed(body)
    assert (feed.format, feed.title) == ("rdf", "Old")
    assert [(one.guid, one.published) for one in feed.entries] == [
        ("https://old.example/1", datetime(2026, 3, 1, 9, tzinfo=UTC))
    ]


def test_atom_resolves_addresses_by_xml_base_and_serialises_xhtml():
    entry = """<id>tag:velna.example,2026:1</id><title type="html">Bridge &amp;amp; road</title>
    <link href="1.html"/><link rel="enclosure" href="1.mp3" type="audio/mpeg"/>
    <published>2026-03-01T10:00:00Z</published><updated>2026-03-02T10:00:00Z</updated>
    <author><name>Ann</name></author><category term="roads" label="Roads"/>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">It <b>opened</b>.</div>
    </content>"""
    feed = parsed(atom(entry, attributes='xml:base="https://velna.example/news/" xml:lang="en"'))
    one = feed.entries[0]
    assert (one.url, one.title, one.lang) == (
        "https://velna.example/news/1.html",
        "Bridge & road",
        "en",
    )
    assert one.text == "<div>It <b>opened</b>.</div>"
    assert one.enclosures == (Enclosure("https://velna.example/news/1.mp3", "audio/mpeg"),)
    assert one.updated == datetime(2026, 3, 2, 10, tzinfo=UTC)
    assert (one.authors, one.categories) == (("Ann",), ("Roads",))


def test_atom_without_its_namespace_is_read():
    body = "<feed><title>T</title><entry><id>1</id><title>One</title></entry></feed>"
    assert [one.guid for one in parsed(body).entries] == ["1"]


def test_plain_text_of_atom_is_escaped_where_html_would_read_it_otherwise():
    entry = "<id>1</id><title>a</title><summary>5 &lt; 6 &amp; so on</summary>"
    assert parsed(atom(entry)).entries[0].text == "5 &lt; 6 &amp; so on"


def test_json_feed_is_read_with_its_hubs_and_attachments():
    body = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Велна",
        "home_page_url": "https://velna.example/",
        "feed_url": "https://velna.example/feed.json",
        "language": "ru",
        "hubs": [{"type": "WebSub", "url": "https://hub.example/"}],
        "items": [
            {
                "id": 7,
                "url": "/7",
                "title": "Семь",
                "content_text": "1 < 2",
                "date_published": "2026-03-01T10:00:00+03:00",
                "authors": [{"name": "Ия"}],
                "tags": ["мост"],
                "external_url": "https://other.example/1",
                "attachments": [{"url": "/7.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 5}],
            },
            "no item",
        ],
    }
    feed = parsed(json.dumps(body))
    entry = feed.entries[0]
    assert (feed.format, feed.self_link, feed.hubs) == (
        *("json", "https://velna.example/feed.json"),
        ("https://hub.example/",),
    )
    assert (entry.guid, entry.url, entry.text) == ("7", "https://visti.example/7", "1 &lt; 2")
    assert entry.enclosures == (Enclosure("https://visti.example/7.mp3", "audio/mpeg", 5),)
    assert entry.links == ("https://other.example/1",)


def test_a_news_sitemap_has_titles_and_a_plain_one_only_addresses():
    body = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
    xmlns:n="http://www.google.com/schemas/sitemap-news/0.9">
    <url><loc>https://visti.example/1</loc><n:news><n:publication><n:name>Вісті</n:name>
    <n:language>uk</n:language></n:publication><n:publication_date>2026-03-01</n:publication_date>
    <n:title>Міст</n:title><n:keywords>міст, ремонт</n:keywords></n:news></url>
    <url><loc>https://visti.example/2</loc><lastmod>2026-02-01</lastmod></url></urlset>"""
    feed = parsed(body)
    first, second = feed.entries
    assert (feed.format, feed.title) == ("sitemap", "Вісті")
    assert (first.title, first.lang, first.categories) == ("Міст", "uk", ("міст", "ремонт"))
    assert (second.title, second.url) == ("", "https://visti.example/2")


def test_a_sitemap_index_is_a_list_of_addresses():
    body = """<sitemapindex><sitemap><loc>https://visti.example/a.xml</loc>
    <lastmod>2026-03-01</lastmod></sitemap><sitemap><loc>b.xml</loc></sitemap></sitemapindex>"""
    assert [one.url for one in parsed(body).sitemaps] == [
        "https://visti.example/a.xml",
        "https://visti.example/b.xml",
    ]


def test_tombstones_are_read_in_atom_and_in_rss():
    stone = '<at:deleted-entry ref="tag:1" when="2026-03-01T10:00:00Z"/><at:deleted-entry/>'
    for body in (atom(feed=stone), rss(channel=stone)):
        feed = parsed(body)
        assert feed.deleted == (DeletedEntry("tag:1", datetime(2026, 3, 1, 10, tzinfo=UTC)),)
        assert "A deleted entry does not say which." in feed.problems


def test_hub_and_self_links_are_read():
    links = '<atom:link rel="hub" href="https://hub.example/"/><atom:link rel="self" href="/rss"/>'
    feed = parsed(rss(channel=links))
    assert (feed.hubs, feed.self_link) == (("https://hub.example/",), "https://visti.example/rss")


def test_the_longest_of_the_stated_intervals_counts():
    feed = parsed(
        rss(
            channel="<ttl>30</ttl><sy:updatePeriod>hourly</sy:updatePeriod>"
            "<sy:updateFrequency>1</sy:updateFrequency>"
        )
    )
    assert feed.schedule.interval == timedelta(hours=1)


def test_hours_and_days_to_skip_are_read():
    feed = parsed(
        rss(
            channel="<skipHours><hour>12</hour><hour>13</hour></skipHours>"
            "<skipDays><day>Tuesday</day></skipDays>"
        )
    )
    assert feed.schedule.skip_hours == {12, 13}
    assert feed.schedule.skip_days == {1}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("  ", "empty"),
        ("<!DOCTYPE html><html><body>Hello</body></html>", "web page"),
        ("just words", "neither XML nor JSON"),
        ("<opml/>", "no feed"),
        ('{"a": 1}', "no list of items"),
        ('{"items": [', "broken JSON"),
        ("[" * 100_000, "broken JSON"),
        ("\0\1\2\3", "binary"),
    ],
)
def test_what_holds_no_feed_is_refused_with_the_reason(body, reason):
    with pytest.raises(FeedUnusable, match=reason):
        parsed(body)
