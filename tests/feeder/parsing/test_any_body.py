import json

from hypothesis import given
from hypothesis import strategies as st

from feeder.parsing.feed_bodies import DECLARATION, NAMESPACES, RECEIVED, atom, parsed, rss
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.feeder.parsing.feed_items import feed_items
from newsdedup.feeder.parsing.parsed_feed import BOUNDS, FeedUnusable

PIECES = st.sampled_from(
    [
        *("<rss", "<channel>", "<item>", "</item>", "</channel>", "</rss>", "<title>", "</title>"),
        *(
            "<link>",
            "</link>",
            "<link href='",
            "'>",
            "/>",
            ">",
            "<",
            "&",
            ";",
            "&nbsp;",
            "&#0;",
            "]]>",
        ),
        *(
            "<![CDATA[",
            "<!--",
            "-->",
            "<?",
            "?>",
            "<!DOCTYPE rss [",
            "<!ENTITY a 'b'>",
            "]>",
            "&#xD800;",
        ),
        *(
            "<feed xmlns='http://www.w3.org/2005/Atom'>",
            "<entry>",
            "</entry>",
            "<id>1</id>",
            "<br>",
        ),
        *(
            "<pubDate>",
            "</pubDate>",
            "31 лютого 2026",
            "99:99",
            "+99:99",
            "<guid>",
            "</guid>",
            "\0",
        ),
        *("<description>", "</description>", "&lt;a href='//[1'&gt;", "<urlset>", "<url><loc>"),
        *("http://[", "https://a.example/?utm_x", "xml:base='http://[::1'", NAMESPACES, "«міст»"),
        *('{"items":[', '{"id":1e999}', "]}", '"\\ud800"', "<at:deleted-entry ref='1' when='x'/>"),
        DECLARATION.format("koi8-u"),
    ]
)
MIXED = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)
ENCODINGS = st.sampled_from(["utf-8", "cp1251", "koi8-u", "utf-16", "utf-32"])
HEADERS = (
    st.none()
    | st.text(max_size=30)
    | st.sampled_from(["text/xml; charset=cp1251", "a;charset=zip"])
)


def check(body: bytes, content_type: str | None) -> None:
    """Assert that a body makes records that the codec takes, within the bounds, or is refused."""
    try:
        feed = parsed(body, content_type=content_type)
    except FeedUnusable:
        return
    assert len(feed.problems) < 100
    for entry in feed.entries:
        assert len(entry.title) <= BOUNDS.title_chars
        assert len(entry.links) <= BOUNDS.links
        for at in (entry.published, entry.updated):
            assert at is None or at <= RECEIVED
    for record in feed_items(feed):
        decode_item(json.dumps(record, ensure_ascii=False).encode())


@given(body=st.binary(max_size=300), content_type=HEADERS)
def test_any_bytes_are_a_feed_or_refused(body, content_type):
    check(body, content_type)


@given(text=MIXED, encoding=ENCODINGS, content_type=HEADERS)
def test_any_pieces_of_feeds_are_a_feed_or_refused(text, encoding, content_type):
    check(text.encode(encoding, "replace"), content_type)


@given(inner=MIXED, format_of=st.sampled_from([rss, atom]), cut=st.integers(0, 200))
def test_any_content_of_entries_is_read_or_refused(inner, format_of, cut):
    body = format_of("<title>a</title>" + inner, inner).encode("utf-8", "replace")
    check(body[: len(body) - cut], None)


@given(
    item=st.dictionaries(
        st.sampled_from(["id", "url", "title", "content_html", "date_published", "tags", "image"]),
        st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists),
    )
)
def test_any_values_of_json_feed_are_read(item):
    check(
        json.dumps({"version": 1, "items": [item, item], "hubs": item.get("tags")}).encode(), None
    )
