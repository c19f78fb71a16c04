import json
from importlib.resources import files
from urllib.parse import quote

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeder.parsing.feed_bodies import RECEIVED, atom, parsed, rss
from newsdedup import NewsItem
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.feeder.parsing.canonical_urls import canonical_url
from newsdedup.feeder.parsing.feed_items import feed_items
from newsdedup.feeder.parsing.html_text import choose_text, is_teaser, visible_text

BASE = "https://visti.example/rss"
PUNYCODE = "xn--b1a4ad2fc"


def test_an_entry_becomes_an_item_of_the_schema():
    item = """<title>Міст</title><link>/1?utm_medium=rss&amp;id=5#c</link><guid>v1</guid>
    <pubDate>Mon, 02 Mar 2026 10:00:00 +0200</pubDate><category>місто</category>
    <description>Міст відкрили.</description>
    <enclosure url="/1.jpg" type="image/jpeg" length="9"/>"""
    (record,) = feed_items(parsed(rss(item, channel="<language>uk</language>")))
    assert record == {
        "id": "v1",
        "source": "visti.example",
        "url": "https://visti.example/1?id=5",
        "title": "Міст",
        "text": "Міст відкрили.",
        "published_at": "2026-03-02T10:00:00+02:00",
        "seen_at": RECEIVED.isoformat(),
        "lang": "uk",
        "categories": ["місто"],
        "enclosures": [{"url": "https://visti.example/1.jpg", "type": "image/jpeg", "length": 9}],
        "feed": BASE,
        "feed_title": "Вісті Вельни",
    }
    schema = json.loads((files("newsdedup") / "schemas" / "input.json").read_text("utf-8"))
    jsonschema.validate(record, schema)
    assert isinstance(decode_item(json.dumps(record).encode()), NewsItem)


@pytest.mark.parametrize("shown", ["", "\u200b", "&amp;amp;nbsp;", "&lt;p&gt;&lt;/p&gt;"])
def test_an_entry_that_shows_nothing_is_no_item_but_may_be_a_page_to_fetch(shown):
    feed = parsed(rss(f"<title>{shown}</title><link>/1</link>"))
    assert feed_items(feed) == []
    (record,) = feed_items(feed, wordless=True)
    assert (record["url"], "title" in record) == ("https://visti.example/1", False)


def test_a_tombstone_becomes_a_retraction_of_the_same_id():
    stone = '<at:deleted-entry ref="tag:1" when="2026-03-01T10:00:00Z"/>'
    body = atom(
        "<id>tag:2</id><title>a</title>", feed=stone + '<link href="https://velna.example/"/>'
    )
    assert feed_items(parsed(body))[-1] == {
        "newsdedup": "retract",
        "source": "velna.example",
        "id": "tag:1",
    }


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("<title>a</title><guid>g</guid><link>/1</link>", "g"),
        ("<title>a</title><link>/1?utm_source=x</link>", "https://visti.example/1"),
        ("<title>a</title><description>b</description>", None),
    ],
)
def test_the_id_is_the_guid_else_the_address_else_a_hash(item, expected):
    first, again = (feed_items(parsed(rss(item)))[0]["id"] for _ in range(2))
    assert first == again
    assert first == expected if expected else len(first) == 32


def test_a_guid_of_several_pages_is_no_id():
    items = [f"<title>a</title><guid>rss</guid><link>/{page}</link>" for page in (1, 2)]
    ids = {record["id"] for record in feed_items(parsed(rss(*items)))}
    assert ids == {"https://visti.example/1", "https://visti.example/2"}


TRAM = "<title>Same guid one harbour tram</title><description>The tram runs again.</description>"
BUDGET = "<title>Second story on budget vote</title><description>It was adopted.</description>"
ONE_GUID = '<guid isPermaLink="false">g</guid>'


def test_a_guid_of_entries_with_other_words_and_no_pages_is_no_id():
    with_guid = feed_items(parsed(rss(TRAM + ONE_GUID, BUDGET + ONE_GUID)))
    assert len({record["id"] for record in with_guid}) == 2
    assert with_guid == feed_items(parsed(rss(TRAM, BUDGET)))


@pytest.mark.parametrize(
    "other", ["<title>Other</title>", "<description>Other</description>", "<link>/2</link>"]
)
def test_a_guid_that_names_several_articles_is_a_problem(other):
    feed = parsed(rss(ONE_GUID + "<title>Tram</title><link>/1</link>", ONE_GUID + other))
    assert "A guid that several articles have counts for none of them: 'g'." in feed.problems


@pytest.mark.parametrize(
    "items",
    [
        (TRAM + ONE_GUID, TRAM + ONE_GUID),
        (f"{TRAM}{ONE_GUID}<link>/1</link>", TRAM + ONE_GUID),
        (f"{TRAM}{ONE_GUID}<link>/1</link>", f"{BUDGET}{ONE_GUID}<link>/1</link>"),
        (TRAM + ONE_GUID, ONE_GUID),
    ],
    ids=["repeated", "link_missing", "versions_of_a_page", "empty"],
)
def test_a_guid_of_one_article_stays_its_id(items):
    feed = parsed(rss(*items))
    assert {record["id"] for record in feed_items(feed)} == {"g"}
    assert not any("guid" in problem for problem in feed.problems)


def test_entries_of_atom_with_one_id_and_one_time_of_change_are_several_articles():
    entries = [
        f"<id>1</id><title>{title}</title><updated>2026-03-01T10:00:00Z</updated>"
        for title in ("Tram", "Budget", "Tram")
    ]
    records = feed_items(parsed(atom(*entries)))
    assert len({record["id"] for record in records}) == 2


def test_versions_of_one_entry_come_in_the_order_of_time():
    entries = [
        f"<id>1</id><title>{hour}</title><updated>2026-03-01T{hour}:00:00Z</updated>"
        for hour in (12, 10, 11)
    ]
    records = feed_items(parsed(atom(*entries)))
    assert [record["title"] for record in records] == ["10", "11", "12"]
    assert {record["id"] for record in records} == {"1"}


def test_an_aggregated_entry_has_the_source_that_it_comes_from():
    item = '<title>a</title><source url="https://www.daily.example/rss">Daily</source>'
    (record,) = feed_items(parsed(rss(item)))
    assert (record["source"], record["feed_title"]) == ("daily.example", "Daily")


def test_the_source_of_an_entry_is_not_longer_than_other_names():
    item = f'<title>a</title><source url="https://{"a" * 3_000}.example/rss">Daily</source>'
    (record,) = feed_items(parsed(rss(item)))
    assert len(record["source"]) == 2_000


def test_the_subscription_may_name_the_source():
    (record,) = feed_items(parsed(rss("<title>a</title>")), source="Visti")
    assert record["source"] == "Visti"


def test_pages_without_title_and_text_are_no_items():
    assert (
        feed_items(parsed("<urlset><url><loc>https://visti.example/2</loc></url></urlset>")) == []
    )


@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        (
            "HTTPS://Visti.Example:443/A?utm_source=rss&b=1&fbclid=x&a=2#top",
            "https://visti.example/A?b=1&a=2",
        ),
        ("//m.visti.example", "https://m.visti.example/"),
        ("../2", "https://visti.example/2"),
        ("/1?from=rss&from=odesa", "https://visti.example/1?from=odesa"),
        ("/#!/news/1", "https://visti.example/#!/news/1"),
        ("https://user:secret@visti.example/1", "https://visti.example/1"),
        ("javascript:alert(1)", ""),
        ("https://[1", ""),
        ("tag:1", ""),
    ],
)
def test_addresses_become_canonical(address, canonical):
    assert canonical_url(BASE, address) == canonical


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/новини/міст", "/%D0%BD%D0%BE%D0%B2%D0%B8%D0%BD%D0%B8/%d0%bc%d1%96%d1%81%d1%82"),
        ("/?q=міст", "/?q=%D0%BC%D1%96%D1%81%D1%82"),
        ("/~a/b-c_d.html", "/%7Ea/b%2Dc%5fd.html"),
        ("https://Вісті.example/1", f"https://{PUNYCODE}.example/1"),
        ("https://вісті.example:8080/1", f"https://{PUNYCODE}.example:8080/1"),
    ],
)
def test_all_spellings_of_an_address_are_one_page(one, other):
    assert canonical_url(BASE, one) == canonical_url(BASE, other)
    assert canonical_url(BASE, one).isascii()


def test_an_address_that_is_too_long_in_ascii_is_none():
    assert canonical_url(BASE, "/" + "ї" * 2_000) == ""
    assert canonical_url(BASE, "/" + "ї" * 1_000).startswith("https://visti.example/%D1%97")


def test_an_address_of_very_many_parameters_keeps_them_all():
    few, many = ("&".join([*"a" * others, "utm_source=x"]) for others in (199, 200))
    assert canonical_url("", f"https://a.example/?{few}").endswith("&a")
    assert canonical_url("", f"https://a.example/?{many}").endswith("&utm_source=x")


def test_a_host_without_a_spelling_in_ascii_stays():
    address = "https://вісті\xa0.example/"
    assert canonical_url("", canonical_url(BASE, address)) == canonical_url(BASE, address)


def test_an_escape_that_separates_stays():
    address = "https://visti.example/a%2Fb%3Fc?d=1%262"
    assert canonical_url(BASE, address) == address


@pytest.mark.parametrize(
    "referrer",
    [
        *("traffic_source=rss", "maca=uk-rss-uk-all-1-rdf", "feedType=RSS&feedName=topNews"),
        *("xtor=RSS-1", "wprss=rss_homepage", "ftag=CAD1", "mod=rss_markets_main", "fsrc=rss%7C1"),
        *("__source=app%7Cshare", "GEPC=s2", "partner=rss&emc=rss", "partner=rssnyt", "from=rss"),
        *("utm_source=a&utm_medium=b", "fbclid=1", "at_medium=RSS"),
    ],
)
def test_what_only_tells_where_a_reader_came_from_is_removed(referrer):
    assert canonical_url(BASE, f"/news?id=1&{referrer}") == "https://visti.example/news?id=1"


@pytest.mark.parametrize(
    "query",
    [
        *("p=123", "id=1", "page_id=7", "newsid=5&cat=2", "article=міст", "n=4&lang=uk"),
        *("mod=news&id=5", "mod=view", "source=archive&no=7", "from=2026-03-01", "ref=55012"),
        *("partner=42", "feed=sport", "do=show&nid=9", "option=com_content&view=article&id=8"),
        *("storyid=3&type=topNews", "via=kyiv", "rss=off"),
    ],
)
def test_what_a_site_needs_to_find_the_page_stays(query):
    canonical = canonical_url(BASE, f"/index.php?{query}")
    assert canonical == canonical_url("", f"https://visti.example/index.php?{quote(query, '=&')}")
    assert canonical.count("&") == query.count("&")
    assert canonical.endswith(quote(query, "=&"))


def test_the_source_of_a_site_is_one_however_its_host_is_written():
    bodies = [
        rss("<title>a</title>").replace("www.visti.example", host)
        for host in ("вісті.example", f"{PUNYCODE}.example")
    ]
    sources = {record["source"] for body in bodies for record in feed_items(parsed(body))}
    assert sources == {f"{PUNYCODE}.example"}


@given(
    address=st.text(max_size=60) | st.from_regex(r"https?://[a-z:@%.\[\]]{1,9}/[?&=#%a-z]{0,30}")
)
def test_a_canonical_address_is_canonical(address):
    once = canonical_url(BASE, address)
    assert not once or canonical_url(BASE, once) == once


WHOLE = "The bridge over the Velna opened after repairs of fourteen months, says the town."


@pytest.mark.parametrize(
    ("texts", "chosen"),
    [
        (("<p>Short.</p>", WHOLE), WHOLE),
        ((WHOLE, "Short."), WHOLE),
        (("Short.", WHOLE[:60] + "…"), "Short."),
        (("<p>" + WHOLE + "</p>", WHOLE), "<p>" + WHOLE + "</p>"),
        ((WHOLE[:20] + " Read more", WHOLE[:40] + " Читати далі"), WHOLE[:40] + " Читати далі"),
        (("", ""), ""),
        ((WHOLE * 9 + "...", "Short."), WHOLE * 9 + "..."),
    ],
)
def test_the_text_is_the_longest_that_is_no_teaser(texts, chosen):
    assert choose_text(texts) == chosen


def chosen_by_the_whole(first: str, second: str) -> str:
    """Return what `choose_text` is to return, by looking at all of both texts."""
    shown = visible_text(first)
    if not second or (not is_teaser(shown) and len(second) <= len(shown)):
        return first
    return max(
        (first, second), key=lambda one: (not is_teaser(visible_text(one)), len(visible_text(one)))
    )


PIECES = st.sampled_from(
    (WHOLE, WHOLE, "<p>", "</p>", "<br/>", "&amp;", " Read more", "...", "<a href='x'>", "<", ">")
)


@given(first=st.lists(PIECES, min_size=30, max_size=90), second=st.lists(PIECES, max_size=6))
def test_the_edges_of_a_long_text_choose_as_the_whole_does(first, second):
    texts = "".join(first), "".join(second)
    assert choose_text(texts) == chosen_by_the_whole(*texts)
