import socket
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeder.pages.hostile_pages import hostile_pages
from feeder.pages.page_bodies import ADDRESS, PARAGRAPHS, TEXT, TITLE, article, json_ld, page
from newsdedup.feeder.pages.article import read_article
from newsdedup.feeder.pages.page_tree import PAGE_BOUNDS, PageBounds, PageUnusable, page_tree

KYIV = timezone(timedelta(hours=2))


def test_the_text_is_that_of_the_article_without_menus_and_headline():
    read = article(page())
    assert (read.title, read.text) == (TITLE, TEXT)
    assert (read.published, read.updated, read.authors) == (None, None, ())
    assert (read.lang, read.address) == ("uk", ADDRESS)


def test_links_are_canonical_and_only_those_of_the_text():
    assert article(page()).links == ("https://visti.example/mayor", "https://daily.example/77")


def test_relative_links_refer_to_the_base_of_the_page():
    read = article(page('<base href="https://cdn.example/a/b/">'))
    assert read.links[0] == "https://cdn.example/a/mayor"


def test_json_ld_states_dates_with_their_time_and_zone():
    head = json_ld(
        headline="Міст відкрили",
        datePublished="2026-03-02T10:00:00+02:00",
        dateModified="2026-03-02T11:30:00+02:00",
        author=[{"name": "Олена Приклад"}, "Іван Зразок"],
        publisher={"name": "Вісті Вельни"},
    )
    read = article(page(head))
    assert read.published == datetime(2026, 3, 2, 10, tzinfo=KYIV)
    assert read.updated == datetime(2026, 3, 2, 11, 30, tzinfo=KYIV)
    assert read.authors == ("Олена Приклад", "Іван Зразок")
    assert (read.title, read.site_name) == ("Міст відкрили", "Вісті Вельни")


def test_facts_hold_no_halves_of_characters():
    head = json_ld(headline="Міст \x00 відкрили \ud800", author="\udfff")
    head = head.replace("\ud800", r"\ud800").replace("\udfff", r"\udfff")
    read = article(page(head))
    assert (read.title, read.authors) == ("Міст  відкрили ", ())


def test_json_ld_within_a_graph_is_read_and_broken_json_is_passed_over():
    graph = '<script type="application/ld+json">{"@graph": [{"@type": "WebSite"}, {"@type":'
    graph += ' ["ReportageNewsArticle"], "datePublished": "2026-03-02T08:00Z"}]}</script>'
    broken = '<script type="application/ld+json">{"@type": "NewsArticle",</script>'
    deep = '<script type="application/ld+json">' + "[" * 100_000 + "</script>"
    assert article(page(broken + deep + graph)).published == datetime(2026, 3, 2, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("head", "above"),
    [
        ('<meta property="article:published_time" content="2026-03-02T08:05:00Z">', ""),
        ('<meta itemprop="datePublished" content="2026-03-02 08:05">', ""),
        ("", '<time datetime="2026-03-02T08:05:00Z">вчора</time>'),
        ("", '<span class="post-date">2 березня 2026, 08:05</span>'),
        ("", '<div class="article__time">02.03.2026 08:05</div>'),
    ],
)
def test_the_date_is_where_publishers_write_it(head, above):
    assert article(page(head, above=above)).published == datetime(2026, 3, 2, 8, 5, tzinfo=UTC)


def test_the_clock_above_the_headline_is_no_date_of_the_article():
    text = page().replace("<nav>", '<span class="date">23 листопада 2026, 12:00</span><nav>')
    assert article(text).published is None


def test_the_day_in_the_address_is_the_last_resort():
    read = article(page(), address="https://visti.example/2026/03/02/bridge")
    assert read.published == datetime(2026, 3, 2, tzinfo=UTC)


def test_an_update_before_the_publication_is_ignored():
    head = json_ld(datePublished="2026-03-02T10:00Z", dateModified="2026-03-01T10:00Z")
    assert article(page(head)).updated is None


@pytest.mark.parametrize(
    ("named", "own", "address"),
    [
        ("/news/1042?utm_source=x", ADDRESS + "?from=rss&page=2", ADDRESS),
        (ADDRESS, "https://m.visti.example/news/1042", ADDRESS),
        (ADDRESS, "https://visti.example/amp/1042", ADDRESS),
        (ADDRESS, "https://amp.visti.example/1042", ADDRESS),
        (ADDRESS, "https://visti-example.cdn.ampproject.org/c/s/visti.example/1042", ADDRESS),
        (ADDRESS, "https://www.google.com/amp/s/visti.example/1042", ADDRESS),
        ("https://other.example/1", ADDRESS, ADDRESS),
        ("https://visti.example/", ADDRESS, ADDRESS),
        ("https://evil.example/", "https://visti-example.cdn.ampproject.org/1", None),
        ("http://[", ADDRESS, ADDRESS),
    ],
)
def test_a_page_names_its_canonical_address_on_its_site_and_of_its_copies_only(named, own, address):
    read = article(page(f'<link rel="canonical" href="{named}">'), address=own)
    assert read.address == (address or own)


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-u", "utf-8", "utf-16"])
@pytest.mark.parametrize("claim", ["utf-8", "windows-1251", "koi8-u", "no-such"])
def test_a_page_is_read_in_the_encoding_that_it_has_whatever_it_claims(encoding, claim):
    text = page(f'<meta http-equiv="Content-Type" content="text/html; charset={claim}">')
    text = text.translate({ord("©"): "c", ord("—"): "-", ord("«"): '"', ord("»"): '"'})
    read = article(text, encoding=encoding, content_type=f"text/html; charset={claim}")
    assert read.text == TEXT.replace("«", '"').replace("»", '"')


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", "text/html"),
        (b"%PDF-1.7 " + b"a" * 100, "application/pdf"),
        (b"\x89PNG\0\0\0", None),
        (b"{}", "application/json"),
        (b"just words", "text/plain"),
        (b"<html><body><p>Enable JavaScript.</p></body></html>", "text/html"),
        (b"<html><body></body></html>", "text/html"),
        (b"<p>a</p>" * (PAGE_BOUNDS.body_bytes // 8 + 1), "text/html"),
    ],
)
def test_a_body_without_an_article_is_refused(body, content_type):
    with pytest.raises(PageUnusable):
        article(body, content_type=content_type)


def test_nothing_is_fetched(monkeypatch):
    def no_network(*_):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "socket", no_network)
    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    head = '<link rel="stylesheet" href="http://127.0.0.1:9/a.css"><base href="http://127.0.0.1:9">'
    doctype = '<!DOCTYPE html SYSTEM "http://127.0.0.1:9/a.dtd" [<!ENTITY a SYSTEM "/etc/hosts">]>'
    text = doctype + page(head, above='&a;<img src="http://127.0.0.1:9/a.png">')
    assert "127.0.0.1" not in article(text).text


def test_a_tree_has_no_more_than_the_bounds_allow():
    bounds = PageBounds(elements=50, depth=10, attributes=3, value_chars=5, text_chars=100)
    attributes = " ".join(f"a{n}='{n:09}'" for n in range(1_000))
    tree = page_tree(f"<body>{'<div>' * 60_000}<p {attributes}>" + "слово <b>x</b>" * 1_000, bounds)
    elements = list(tree.iter())
    assert len(elements) <= 50
    assert max(len(list(one.iterancestors())) for one in elements) < 10
    assert max(len(one.attrib) for one in elements) <= 3
    assert (
        max(map(len, (value for one in elements for value in one.attrib.values())), default=0) <= 5
    )
    assert len("".join(tree.itertext())) <= 100


def test_what_stands_behind_the_bound_of_elements_is_text_of_the_last_one():
    tree = page_tree("<p>a</p>" + "<p>b<i>c</i></p>" * 9, PageBounds(elements=5))
    assert "".join(tree.itertext()) == "a" + "bc" * 9


PIECES = st.sampled_from(
    [
        *(
            "<p>",
            "</p>",
            "<div>",
            "</div>",
            "<a href='x'>",
            "</a>",
            "<a href='http://['>",
            "<table>",
        ),
        *("<tr><td>", "</table>", "<ul><li>", "<pre>", "<br>", "<h1>", "</h1>", "<b>", "<article>"),
        *("<script>", "</script>", "<script type='application/ld+json'>", '{"@type":"Article",'),
        *(
            '"datePublished":"2026-13-45"}',
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "<",
            ">",
            "&",
            "&#0;",
        ),
        *(
            "<meta property='og:title' content='",
            "'>",
            "<time datetime='99'>",
            "<link rel=canonical",
        ),
        *(" href='//[::1'>", "<base href='http://['>", "<svg>", "<p @click='a' :b='c'>", "<x:y>"),
        *("слово слово слово слово слово ", "\ud800", "\0", "\x0b", "\ufffe", "<html>", "<body>"),
    ]
)


@given(text=st.lists(PIECES | st.text(max_size=5), max_size=60).map("".join))
def test_any_pieces_of_pages_are_an_article_or_refused(text):
    body = (page() + text).encode("utf-8", "surrogatepass")
    try:
        read = read_article(body, content_type=None, address=ADDRESS)
    except PageUnusable:
        return
    assert read.text.strip()
    assert len(read.text) <= PAGE_BOUNDS.text_chars
    assert all(link.startswith("http") for link in read.links)
    read.text.encode()


@given(body=st.binary(max_size=300), content_type=st.none() | st.text(max_size=30))
def test_any_bytes_are_an_article_or_refused(body, content_type):
    with suppress(PageUnusable):
        assert read_article(body, content_type=content_type, address=ADDRESS).text


@pytest.mark.usefixtures("long")
def test_pages_that_are_made_to_take_time_are_read_or_refused():
    for _, hostile in hostile_pages(200_000):
        with suppress(PageUnusable):
            assert article(hostile).text


@pytest.mark.usefixtures("long")
def test_a_page_of_five_megabytes_is_read():
    body = page(
        paragraphs=[*PARAGRAPHS, *["<div><div><p>слово слово слово</p></div></div>"] * 80_000]
    )
    assert len(body.encode()) > 5 * 2**20
    assert article(body).text.startswith(TEXT)
