import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.feeder.pages.discovery import find_feeds

SITE = "https://visti.example/"


def linked(html, address=SITE):
    found = find_feeds(html.encode(), content_type="text/html", address=address)
    return [(link.address, link.title) for link in found if not link.guessed]


@pytest.mark.parametrize(
    "tag",
    [
        '<link rel="alternate" type="application/rss+xml" title="Я &amp; ми" href="/rss.xml">',
        "<LINK HREF='/rss.xml' TITLE='Я &amp; ми' TYPE='application/atom+xml' REL='ALTERNATE'>",
        '<link rel="alternate home" type="application/feed+json;x" href=/rss.xml title="Я & ми">',
        '<link rel="feed" href="//visti.example/rss.xml" title="Я &#38; ми">',
    ],
)
def test_a_link_for_feed_readers_is_a_feed_with_its_title(tag):
    assert linked(f"<html><head>{tag}</head>") == [(SITE + "rss.xml", "Я & ми")]


@pytest.mark.parametrize(
    "tag",
    [
        '<link rel="stylesheet" type="text/css" href="/feed.css">',
        '<link rel="alternate" hreflang="en" href="/en">',
        '<link rel="alternate" type="application/json" href="/wp-json/wp/v2/pages/2">',
        '<link rel="alternate" type="application/rss+xml">',
        '<link rel="alternate" type="application/rss+xml" href="javascript:feed()">',
        '<!-- <link rel="alternate" type="application/rss+xml" href="/old.xml"> -->',
    ],
)
def test_other_links_are_no_feeds(tag):
    assert linked(f"<html><head>{tag}</head>") == []


def test_feeds_of_comments_come_last_and_no_address_comes_twice():
    tag = '<link rel="alternate" type="application/rss+xml" href="{}">'
    html = "".join(map(tag.format, ("/comments/feed/", "/feed/", "/feed")))
    assert [address for address, _ in linked(html)] == [SITE + "feed/", SITE + "comments/feed/"]


def test_visible_links_that_look_like_feeds_count_on_the_same_host_only():
    html = '<a href="/rss">RSS</a> <a href="export.rss">x</a> <a href="/feedback">Write</a>'
    html += ' <a href="https://other.example/rss">Other</a>'
    assert [address for address, _ in linked(html)] == [SITE + "rss", SITE + "export.rss"]


def test_relative_links_refer_to_the_base():
    html = '<base href="/ua/"><link rel=alternate type=application/rss+xml href=rss.xml>'
    assert linked(html) == [(SITE + "ua/rss.xml", "")]


def test_guesses_are_marked_and_begin_below_the_page():
    found = find_feeds(b"", content_type=None, address=SITE + "sport/")
    assert all(link.guessed for link in found)
    addresses = [link.address for link in found]
    assert addresses[0] == SITE + "sport/feed"
    assert {SITE + name for name in ("feed", "rss.xml", "atom.xml", "index.xml", "feed.json")} <= {
        *addresses
    }
    assert len(addresses) == len(set(addresses))


def test_a_body_that_is_no_text_has_guesses_alone():
    found = find_feeds(b"\x89PNG\0\0\0\0", content_type="image/png", address=SITE)
    assert found
    assert all(link.guessed for link in found)


PIECES = st.sampled_from(
    [
        *(
            "<link ",
            "rel=alternate ",
            "type='application/rss+xml' ",
            'href="',
            "'",
            '"',
            ">",
            "<!--",
        ),
        *(
            "-->",
            "http://[::1",
            "<base href=",
            "//[x",
            "<a href=/rss>",
            "&#xD800;",
            "title=",
            "\ud800",
        ),
    ]
)


@given(html=st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join))
def test_any_page_gives_addresses_of_the_web(html):
    body = html.encode("utf-8", "surrogatepass")
    for link in find_feeds(body, content_type=None, address=SITE):
        assert link.address.startswith(("http://", "https://"))


@pytest.mark.usefixtures("long")
def test_a_hostile_page_is_read_within_its_bounds():
    for piece in ("<link ", '<link "', "<!--", "<a href='", '<link a="b" '):
        find_feeds(piece.encode() * 400_000, content_type=None, address=SITE)
