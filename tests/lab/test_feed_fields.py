"""What differs between our reading of a feed and that of feedparser is found, with the reason."""

import pytest

from newsdedup_lab.bench.feed_fields import compare_feed

ITEM = "<title>Bridge</title><link>https://a.example/1</link><description>Open.</description>"
LATER = "<pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>"


def feed(*items: str, declaration: str = "") -> str:
    inner = "".join(f"<item>{item}</item>" for item in items)
    return f'{declaration}<rss version="2.0"><channel><title>A</title>{inner}</channel></rss>'


def differences(text: str, encoding: str = "utf-8") -> set[tuple[str, str]]:
    compared = compare_feed(text.encode(encoding))
    return {(one.field, one.reason) for one in compared.differences}


def test_a_sound_feed_is_read_alike():
    body = feed(ITEM + LATER + "<guid>https://a.example/1</guid><category>Roads</category>")
    compared = compare_feed(body.encode())
    assert compared.entries == 1
    assert compared.differences == ()


@pytest.mark.parametrize(
    ("item", "field", "reason"),
    [
        ('<guid isPermaLink="false">1</guid>', None, None),
        ("<guid>1</guid>", "guid", "ids are not resolved"),
        ("<pubDate>Thu, 13 Dec 2035 10:00:00 GMT</pubDate>", "published", "a date that is to come"),
        ("<pubDate>2003-06-31T10:00:00Z</pubDate>", "published", "no such day or time"),
        ("<author>jane@a.org (Jane)</author>", None, None),
        ("<fulltext>Open, at last.</fulltext>", "text", "a longer text is read here"),
    ],
)
def test_a_difference_has_the_field_and_the_reason(item, field, reason):
    assert differences(feed(ITEM + item)) == ({(field, reason)} if field else set())


def test_an_encoding_that_feedparser_does_not_find_is_the_reason():
    russian = ITEM.replace("Bridge", "Старый мост через реку открыли сегодня утром")
    assert differences(feed(russian), "cp1251") == {("title", "the encoding")}
    twice = feed(ITEM.replace("Bridge", "€ 5")).encode().decode("cp1252", "ignore")
    assert differences(twice) == {("title", "UTF-8 that was encoded twice")}


@pytest.mark.parametrize("body", ["https://a.example/feed.xml", "", "/etc/hostname"])
def test_what_names_a_file_or_an_address_is_not_opened(body):
    assert differences(body) == set()


def test_feeds_with_other_numbers_of_entries_are_not_compared_further():
    conflict = f"<a:sync><item>{ITEM}</item></a:sync>"
    assert differences(feed(ITEM + conflict)) == {("entries", "")}
