"""Tables and the files of crawlers: rows become items, broken ones are rejected."""

import gzip
import json

import pytest

from newsdedup.adapters.formats.json_object import Limits
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.feeder.archives.archive_entry import ArchiveOptions, ArchivePosition
from newsdedup.feeder.archives.archive_files import read_archive
from newsdedup.feeder.archives.archive_kind import ArchiveKind
from newsdedup.ports.errors import NothingToRead, Rejection, SourceUnusable

SMALL = Limits(line_bytes=300)


@pytest.fixture
def written(tmp_path):
    def write(name, content):
        data = content if isinstance(content, bytes) else content.encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return str(path)

    return write


def entries(kind, path, start=0, **options):
    kind = ArchiveKind(kind)
    return list(read_archive(kind, ArchiveOptions(**options), path, ArchivePosition(start)))


def contents(kind, path, **options):
    return [entry.content for entry in entries(kind, path, **options)]


def rejected(kind, path, **options):
    return [
        (entry.number, entry.content.code, entry.offset, entry.received)
        for entry in entries(kind, path, **options)
        if isinstance(entry.content, Rejection)
    ]


def test_a_table_is_read_by_a_map_and_its_other_columns_stay(written):
    path = written(
        "news.csv",
        "headline;body;site;date;photo;empty\n"
        "The bridge reopens;Cars drive.;visti;2026-03-02;a.jpg;\n",
    )
    columns = ColumnMap(
        {"title": "headline", "text": "body", "published_at": "date", "source": "site"},
        keeps_others=True,
    )
    assert contents("table", path, columns=columns) == [
        {
            "title": "The bridge reopens",
            "text": "Cars drive.",
            "published_at": "2026-03-02",
            "source": "visti",
            "photo": "a.jpg",
        }
    ]


def test_a_table_without_a_map_is_read_by_the_names_of_its_columns(written):
    lines = [
        {"_id": 7, "heading": "Bridge", "content": "Cars drive.", "tags": ["velna"]},
        {"heading": "Tram", "article_text": "Trams, too."},
    ]
    path = written("news.jsonl.gz", "\n".join(map(json.dumps, lines)) + "\n")
    assert contents("table", path) == [
        {"id": 7, "title": "Bridge", "text": "Cars drive.", "tags": ["velna"]},
        {"title": "Tram", "text": "Trams, too."},
    ]


def test_a_summary_stays_next_to_the_text(written):
    row = {"title": "Bridge", "body": "Cars drive.", "description": "On the bridge."}
    (fields,) = contents("table", written("news.jsonl", json.dumps(row) + "\n"))
    assert fields == {
        "title": "Bridge",
        "text": "Cars drive.",
        "description": "On the bridge.",
    }


def test_broken_lines_are_rejected_with_their_offset_and_bytes(written):
    lines = [
        '{"title": "a"}',
        "{broken",
        '["a"]',
        '{"newsdedup": "retract", "id": "1"}',
        '{"n": 1}',
    ]
    path = written("news.jsonl", "\n".join([*lines, '{"title": "b"}', ""]))
    assert rejected("table", path) == [
        (2, "not_json", 15, b"{broken"),
        (3, "not_object", 23, b'["a"]'),
        (4, "command", 29, b'{"newsdedup": "retract", "id": "1"}'),
        (5, "no_text", 65, b'{"n": 1}'),
    ]
    assert [one for one in contents("table", path) if not isinstance(one, Rejection)] == [
        {"title": "a"},
        {"title": "b"},
    ]


def test_a_line_beyond_the_limit_is_rejected(written):
    path = written("news.jsonl", json.dumps({"title": "a" * 400}) + '\n{"title": "b"}\n')
    (bad, good) = entries("table", path, limits=SMALL)
    assert bad.content.code == "too_long"
    assert good.content == {"title": "b"}


def test_broken_rows_of_a_csv_file_are_rejected_with_their_bytes(written):
    path = written("news.csv", b"title,text\na,b\nc,d,e\n\xff,f\ng,h\n")
    assert rejected("table", path) == [
        (2, "bad_csv", 15, b"c,d,e"),
        (3, "not_utf8", 21, b"\xff,f"),
    ]


def test_a_table_whose_columns_hold_no_news_is_refused(written):
    with pytest.raises(NothingToRead, match="--map"):
        entries("table", written("prices.csv", "shop,price\na,1\n"))


def test_rows_that_were_read_before_are_passed_over(written):
    path = written("news.csv", "title\n" + "".join(f"t{number}\n" for number in range(5)))
    assert [entry.content["title"] for entry in entries("table", path, start=3)] == ["t3", "t4"]


def test_a_half_written_last_line_ends_the_reading(written):
    path = written("news.jsonl", '{"title": "a"}\n{"title": "b')
    reading = read_archive(ArchiveKind.TABLE, ArchiveOptions(), path, ArchivePosition())
    assert next(reading).content == {"title": "a"}
    with pytest.raises(SourceUnusable, match="cut off in line 2"):
        next(reading)


def test_a_last_line_without_its_end_is_read_if_it_is_whole(written):
    assert contents("table", written("news.jsonl", '{"title": "a"}')) == [{"title": "a"}]


@pytest.mark.parametrize("kind", ["table", "scrapy", "news-please"])
def test_an_array_is_read_and_an_object_around_a_list_is_refused(written, kind):
    rows = [{"title": "a"}, {"title": "b"}]
    path = written("a.json", json.dumps(rows, indent=2))
    assert contents(kind, path) == rows
    with pytest.raises(NothingToRead, match=r"jq -c '\.articles\[\]'"):
        entries(kind, written("b.json", json.dumps({"n": 2, "articles": rows}, indent=2)))


@pytest.mark.parametrize("form", ["lines", "array", "indented"])
def test_a_feed_export_of_scrapy_is_read_as_it_is(written, form):
    items = [
        {"url": "https://visti.example/1", "title": "Bridge", "body": "Cars drive.", "depth": 2},
        {"url": "https://visti.example/2", "title": "Tram", "body": "Trams.", "author": "I. Holm"},
    ]
    lines = [json.dumps(item) for item in items]
    forms = {
        "lines": "\n".join(lines) + "\n",
        "array": "[\n" + ",\n".join(lines) + "\n]",
        "indented": json.dumps(items, indent=4),
    }
    path = written("items.jl", forms[form])
    assert contents("scrapy", path) == [
        {"url": "https://visti.example/1", "title": "Bridge", "text": "Cars drive.", "depth": 2},
        {
            "url": "https://visti.example/2",
            "title": "Tram",
            "text": "Trams.",
            "author": "I. Holm",
        },
    ]


ARTICLE = {
    "authors": ["Ida Holm"],
    "date_download": "2026-03-02 12:00:00",
    "date_modify": None,
    "date_publish": "2026-03-02 10:00:00",
    "description": "On the bridge.",
    "filename": "https%3A%2F%2Fvisti.example%2F1.json",
    "image_url": None,
    "language": "en",
    "localpath": None,
    "maintext": "Cars drive over the bridge again.",
    "source_domain": "visti.example",
    "text": None,
    "title": "Bridge",
    "title_page": None,
    "title_rss": None,
    "url": "https://visti.example/1",
}


@pytest.mark.parametrize("indent", [None, 4])
def test_files_of_news_please_are_read_as_they_are(written, indent):
    path = written("1.json", json.dumps(ARTICLE, indent=indent))
    assert contents("news-please", path) == [
        {
            "source": "visti.example",
            "url": "https://visti.example/1",
            "title": "Bridge",
            "text": "Cars drive over the bridge again.",
            "published_at": "2026-03-02 10:00:00",
            "seen_at": "2026-03-02 12:00:00",
            "lang": "en",
            "authors": ["Ida Holm"],
            "description": "On the bridge.",
            "filename": "https%3A%2F%2Fvisti.example%2F1.json",
        }
    ]


def test_lines_of_news_please_are_read_one_by_one(written):
    path = written("all.jsonl", f"{json.dumps(ARTICLE)}\n{{bad\n{json.dumps(ARTICLE)}\n")
    assert [entry.number for entry in entries("news-please", path)] == [1, 2, 3]
    assert [code for _, code, _, _ in rejected("news-please", path)] == ["not_json"]


def test_an_object_over_many_lines_beyond_the_limit_is_rejected(written):
    path = written("1.json", json.dumps(ARTICLE, indent=1))
    (entry,) = entries("news-please", path, limits=SMALL)
    assert entry.content.code == "too_long"


def test_an_object_over_many_lines_that_is_cut_off_ends_the_reading(written):
    path = written("1.json", json.dumps(ARTICLE, indent=1)[:-20])
    with pytest.raises(SourceUnusable, match="cut off"):
        entries("news-please", path)


def test_an_empty_file_holds_nothing(written):
    for kind in ("table", "scrapy", "news-please"):
        assert entries(kind, written("empty.jsonl", "")) == []
