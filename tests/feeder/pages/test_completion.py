import json
from datetime import UTC, datetime
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeder.pages.page_bodies import ADDRESS, TEXT, TITLE, article, json_ld, page
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.feeder.pages.article import Article, complete_record

RECORD = {
    "id": "1042",
    "source": "visti.example",
    "url": ADDRESS + "?amp=1",
    "title": "Заголовок стрічки",
    "text": "Коротко.",
    "seen_at": "2026-03-02T12:00:00+00:00",
    "links": ["https://feed.example/1", "https://daily.example/77"],
}
DATED = json_ld(datePublished="2026-03-02T10:00:00+02:00", author={"name": "Олена Приклад"})


def test_the_longer_text_counts_and_the_id_stays():
    completed = complete_record(RECORD, article(page(DATED)))
    assert (completed["text"], completed["id"]) == (TEXT, "1042")
    longer = {**RECORD, "text": f"<p>{TEXT}</p><p>І ще одне речення.</p>"}
    assert complete_record(longer, article(page()))["text"] == longer["text"]


def test_what_the_feed_says_stays_and_what_it_left_out_is_taken_from_the_page():
    completed = complete_record(RECORD, article(page(DATED)))
    assert completed["title"] == "Заголовок стрічки"
    assert completed["published_at"] == "2026-03-02T10:00:00+02:00"
    assert (completed["lang"], completed["authors"]) == ("uk", ["Олена Приклад"])
    bare = {name: RECORD[name] for name in ("id", "source", "url", "seen_at")}
    assert complete_record(bare, article(page()))["title"] == TITLE
    dated = {**RECORD, "published_at": "2026-03-01T00:00:00+00:00"}
    assert complete_record(dated, article(page(DATED)))["published_at"] == dated["published_at"]


def test_links_of_page_and_feed_are_joined_without_the_page_itself():
    completed = complete_record(RECORD, article(page()))
    assert completed["links"] == [
        *("https://visti.example/mayor", "https://daily.example/77", "https://feed.example/1")
    ]
    assert completed["url"] == ADDRESS


def test_a_date_after_the_receipt_is_ignored():
    head = json_ld(datePublished="2026-03-03T10:00:00+02:00")
    assert "published_at" not in complete_record(RECORD, article(page(head)))


@pytest.mark.parametrize("text", ["5 < 6 & 7 > 2", "слово <b>жирне</b> слово"])
def test_signs_of_html_in_a_plain_text_stay_signs(text):
    said = {"title": "", "published": None, "updated": None, "lang": "", "authors": ()}
    where = {"address": ADDRESS, "base": ADDRESS, "site_name": "", "links": ()}
    plain = Article(**said, **where, text=text * 9)
    completed = complete_record(RECORD, plain)
    assert unescape(completed["text"]) == plain.text
    assert "<" not in completed["text"]


@given(
    made=st.builds(
        Article,
        address=st.just(ADDRESS),
        title=st.text(max_size=20),
        text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
        published=st.none()
        | st.integers(0, 10**10).map(lambda at: datetime.fromtimestamp(at, UTC)),
        updated=st.none(),
        lang=st.just("uk"),
        authors=st.just(()),
        links=st.lists(st.integers().map("https://a.example/{}".format), max_size=5).map(tuple),
        site_name=st.just(""),
    )
)
def test_any_article_makes_an_item_that_the_codec_takes(made):
    completed = complete_record({**RECORD, "title": "a"}, made)
    decode_item(json.dumps(completed).encode())
    published = completed.get("published_at")
    assert not published or datetime.fromisoformat(published) <= datetime.fromisoformat(
        RECORD["seen_at"]
    )
