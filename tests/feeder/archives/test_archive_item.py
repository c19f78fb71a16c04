"""The record of an item that was in an archive: named as a feed names it."""

import json
from datetime import UTC, datetime

import pytest

from newsdedup import InvalidItem
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.feeder.archives.archive_entry import item_record, mendable_json
from newsdedup.feeder.parsing.feed import parse_feed
from newsdedup.feeder.parsing.feed_items import feed_items

ADDRESS = "https://WWW.visti.example:443/news/7?utm_source=rss#top"


def record(source="", file="archive/daily.2026.jsonl", **fields):
    return json.loads(item_record(fields, source=source, file=file, limits=LIMITS))


def test_a_page_has_the_id_and_the_source_that_it_has_in_a_feed_without_guids():
    body = (
        f"<rss><channel><link>https://visti.example</link><item><title>Bridge</title>"
        f"<link>{ADDRESS}</link></item></channel></rss>"
    )
    feed = parse_feed(
        body.encode(),
        content_type="application/rss+xml",
        address="https://visti.example/feed",
        received_at=datetime(2026, 3, 2, tzinfo=UTC),
    )
    (item,) = feed_items(feed)
    imported = record(url=ADDRESS, title="Bridge")
    assert (imported["id"], imported["source"]) == (item["id"], item["source"])
    assert imported == {
        "id": "https://www.visti.example/news/7",
        "source": "visti.example",
        "url": "https://www.visti.example/news/7",
        "title": "Bridge",
    }


def test_an_id_and_a_source_that_an_archive_gives_are_kept():
    assert record(id=7.0, source="", url=ADDRESS, title="a")["id"] == 7
    given = record(id="n7", url=ADDRESS, title="a", source="visti")
    assert (given["id"], given["source"]) == ("n7", "visti")


def test_an_item_without_address_has_the_name_of_its_file_as_source_and_a_hash_as_id():
    first, again = record(title="Bridge", text="Cars."), record(title="Bridge", text="Cars.")
    assert first == again
    assert first["source"] == "daily"
    assert first["id"] != record(title="Bridge", text="Cars. Trams.")["id"]


@pytest.mark.parametrize("date", ["2026-03-02 10:00:00", 1772445600, "2 марта 2026, 10:05", "soon"])
def test_a_date_stays_as_it_is_written_also_one_that_cannot_be_read(date):
    assert record(title="a", published_at=date)["published_at"] == date


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"title": " "}, "no_text"),
        ({"title": ["a"]}, "bad_field"),
        ({"title": "a", "id": 1.5}, "bad_field"),
        ({"title": "a" * 20_000}, "too_long"),
        ({"title": "half \ud83d"}, "not_utf8"),
        ({"newsdedup": "retract", "id": "1", "source": "s"}, "command"),
    ],
)
def test_fields_that_make_no_item_are_refused_with_the_reason(fields, code):
    with pytest.raises(InvalidItem) as refused:
        record(**fields)
    assert refused.value.code == code
    assert mendable_json(fields).decode("utf-8", "surrogatepass")


def test_every_record_is_an_item_of_the_same_name():
    line = item_record({"url": ADDRESS, "text": "a"}, source="", file="f", limits=LIMITS)
    item = decode_item(line)
    assert tuple(item.key) == ("visti.example", "https://www.visti.example/news/7")
