import json
from datetime import UTC, datetime
from typing import Any

import pytest

from newsdedup import InvalidItem, ItemKey, NewsItem
from newsdedup.adapters.formats.item_json import decode_item

TEN = datetime(2025, 1, 6, 10, 0, tzinfo=UTC)
NOON = datetime(2025, 1, 6, 12, 0, tzinfo=UTC)


def item(fields: dict[str, Any], *, source: str = "") -> NewsItem:
    decoded = decode_item(json.dumps(fields).encode(), source=source)
    assert isinstance(decoded, NewsItem)
    return decoded


def test_a_news_article_of_schema_org_is_an_item():
    assert item(
        {
            "@context": "https://schema.org",
            "@type": "NewsArticle",
            "@id": "https://gazeta.example/most",
            "headline": "Мост открыт",
            "articleBody": "Движение по мосту открыто.",
            "datePublished": "2025-01-06T13:00:00+03:00",
            "dateModified": "2025-01-06T15:00:00+03:00",
            "publisher": {"@type": "Organization", "name": "Газета"},
            "inLanguage": {"@type": "Language", "name": "Russian", "alternateName": "ru"},
            "mainEntityOfPage": {"@type": "WebPage", "@id": "https://gazeta.example/most.html"},
            "isBasedOn": [{"url": "https://tass.example/1"}, "https://tass.example/2"],
        }
    ) == NewsItem(
        key=ItemKey("Газета", "https://gazeta.example/most"),
        title="Мост открыт",
        text="Движение по мосту открыто.",
        published_at=TEN,
        updated_at=NOON,
        url="https://gazeta.example/most.html",
        lang="ru",
        links=("https://tass.example/1", "https://tass.example/2"),
    )


def test_a_text_of_ninjs_1_is_an_item():
    assert item(
        {
            "uri": "http://agency.example/items/1",
            "type": "text",
            "firstcreated": "2025-01-06T10:00:00+0000",
            "versioncreated": "2025-01-06T12:00:00+0000",
            "headline": "Bridge opened",
            "body_text": "The bridge is open to traffic.",
            "body_xhtml": "<p>The bridge is open to traffic.</p>",
            "copyrightholder": "Agency",
            "language": "en",
        }
    ) == NewsItem(
        key=ItemKey("Agency", "http://agency.example/items/1"),
        title="Bridge opened",
        text="The bridge is open to traffic.",
        published_at=TEN,
        updated_at=NOON,
        url="http://agency.example/items/1",
        lang="en",
    )


@pytest.mark.parametrize("created", ["versioncreated", "versionCreated"])
def test_a_text_of_ninjs_2_and_3_is_an_item(created):
    decoded = item(
        {
            "uri": "urn:newsml:agency.example:1",
            created: "2025-01-06T10:00:00Z",
            "headlines": [{"role": "main", "value": "Bridge opened"}],
            "bodies": [{"role": "html", "value": "<p>The bridge is open.</p>"}],
        },
        source="wire",
    )
    assert decoded.key == ItemKey("wire", "urn:newsml:agency.example:1")
    assert (decoded.title, decoded.text) == ("Bridge opened", "<p>The bridge is open.</p>")
    assert (decoded.published_at, decoded.updated_at) == (TEN, TEN)


def test_an_item_of_json_feed_is_an_item():
    assert item(
        {
            "id": 17,
            "url": "https://blog.example/17",
            "external_url": "https://gazeta.example/most",
            "title": "Міст відкрито",
            "content_html": "<p>Рух мостом відкрито.</p>",
            "summary": "Коротко.",
            "date_published": "2025-01-06T10:00:00Z",
            "date_modified": "2025-01-06T12:00:00Z",
            "language": "uk",
        }
    ) == NewsItem(
        key=ItemKey("blog.example", "17"),
        title="Міст відкрито",
        text="<p>Рух мостом відкрито.</p>",
        published_at=TEN,
        updated_at=NOON,
        url="https://blog.example/17",
        lang="uk",
        links=("https://gazeta.example/most",),
    )


def test_an_article_of_a_news_api_is_an_item():
    assert item(
        {
            "source": {"id": None, "name": "Visti"},
            "author": "Some One",
            "title": "Bridge opened",
            "description": "A bridge.",
            "url": "https://visti.example/1",
            "publishedAt": "2025-01-06T10:00:00Z",
            "content": "The bridge is open to traffic.",
        },
        source="in",
    ) == NewsItem(
        key=ItemKey("Visti", item({"url": "https://visti.example/1", "title": "a"}).key.id),
        title="Bridge opened",
        text="The bridge is open to traffic.",
        published_at=TEN,
        url="https://visti.example/1",
    )


def test_an_entry_of_a_feed_as_parsers_return_it_is_an_item():
    assert item(
        {
            "guid": "1",
            "link": "https://visti.example/1",
            "title": "Bridge opened",
            "summary": "The bridge is open to traffic.",
            "published": "Mon, 06 Jan 2025 10:00:00 GMT",
            "updated": "2025-01-06T12:00:00Z",
        }
    ) == NewsItem(
        key=ItemKey("visti.example", "1"),
        title="Bridge opened",
        text="The bridge is open to traffic.",
        published_at=TEN,
        updated_at=NOON,
        url="https://visti.example/1",
    )


@pytest.mark.parametrize("source", [{}, {"id": "visti"}, {"name": " "}, {"name": 5}, ["Visti"]])
def test_a_source_that_names_nobody_is_refused(source):
    with pytest.raises(InvalidItem, match="source"):
        item({"title": "a", "source": source})


def test_our_own_names_count_before_foreign_ones():
    decoded = item({"title": "ours", "headline": "theirs", "text": "own", "articleBody": "other"})
    assert (decoded.title, decoded.text) == ("ours", "own")


def test_a_blank_field_of_ours_gives_way_to_a_foreign_one():
    assert item({"title": "a", "text": " ", "content_text": "b"}).text == "b"


def test_plain_text_counts_before_html_and_the_whole_before_a_summary():
    assert item({"summary": "c", "content_html": "b", "content_text": "a"}).text == "a"
    assert item({"summary": "c", "content_html": "b"}).text == "b"
    assert item({"headline": "d", "summary": "c"}).text == "c"


def test_a_foreign_field_of_another_type_is_passed_over():
    decoded = item(
        {
            "headline": ["", {"value": 5}, "Мост"],
            "articleBody": {"html": "a"},
            "publisher": {"@id": "#org"},
            "language": ["ru"],
            "identifier": {"value": {}},
            "datePublished": {"@value": "2025-01-06"},
            "isBasedOn": [5, {"name": "a"}],
            "mainEntityOfPage": True,
        }
    )
    assert (decoded.title, decoded.text, decoded.lang, decoded.links) == ("Мост", "", "", ())
    assert (decoded.key.source, decoded.url, decoded.published_at) == ("", "", None)


def test_a_field_called_date_is_the_time_of_publication_if_no_other_is():
    decoded = item({"title": "a", "date": "2025-01-06T10:00:00Z"})
    assert decoded.published_at == TEN
    assert item({"title": "a", "date": "2025", "pubDate": "2025-01-06 10:00"}).published_at == TEN


@pytest.mark.parametrize("node", ["#article", "_:b0"])
def test_a_name_within_one_document_is_no_identity(node):
    with_node = item({"@id": node, "headline": "a", "url": "https://a.example/1"})
    assert with_node == item({"headline": "a", "url": "https://a.example/1"})


def test_an_identifier_may_be_a_property_with_a_value():
    named = item({"headline": "a", "identifier": [{"@type": "PropertyValue", "value": "A-1"}]})
    assert named.key.id == "A-1"
