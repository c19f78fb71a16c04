"""Saved pages become items, under the address at which they were."""

from io import BytesIO

import pytest

from feeder.archives.article_pages import article_page
from newsdedup.feeder.archives import archived_pages
from newsdedup.feeder.archives.archive_entry import ArchivePosition
from newsdedup.feeder.archives.archived_pages import read_saved_page, stated_address

ADDRESS = "https://visti.example/news/7"
CHROME = f"<!-- saved from url=({len(ADDRESS):04d}){ADDRESS} -->"
SINGLE_FILE = f"<!--\n Page saved with SingleFile \n url: {ADDRESS} \n saved date: Mon Mar 02\n-->"


def content(html):
    (entry,) = read_saved_page(BytesIO(html))
    return entry.content


def test_a_saved_page_becomes_an_item():
    head = (
        f'<link rel="canonical" href="{ADDRESS}"><meta name="author" content="Ida Holm">'
        '<meta property="article:published_time" content="2026-03-02T10:00:00+02:00">'
        '<meta property="article:modified_time" content="2026-03-02T11:30:00+02:00">'
        '<meta property="og:site_name" content="Visti">'
    )
    fields = content(article_page(head=head))
    assert fields.pop("text").startswith("The bridge over the river Velna in Marstad reopened")
    assert fields == {
        "url": ADDRESS,
        "title": "Bridge over the Velna reopens",
        "published_at": "2026-03-02T10:00:00+02:00",
        "updated_at": "2026-03-02T11:30:00+02:00",
        "lang": "en",
        "authors": ["Ida Holm"],
        "site_name": "Visti",
    }


@pytest.mark.parametrize(
    "head",
    [
        CHROME,
        SINGLE_FILE,
        f"<link href='{ADDRESS}' rel=canonical>",
        f'<meta content="{ADDRESS}" property="og:url"/>',
        f'<link rel="icon" href="https://cdn.example/a"><LINK REL="Canonical" HREF="{ADDRESS}">',
    ],
)
def test_the_address_is_the_one_that_the_browser_noted_or_the_page_names(head):
    assert stated_address(f"<!DOCTYPE html>\n<html>{head}".encode()) == ADDRESS


def test_what_the_browser_noted_comes_before_what_the_page_names():
    copied = f'{CHROME}<link rel="canonical" href="https://other.example/1">'
    assert stated_address(copied.encode()) == ADDRESS


@pytest.mark.parametrize("head", ["", "<link rel=canonical href='/news/7'>", "<link " * 50_000])
def test_a_page_without_address_has_none(head):
    assert stated_address(head.encode()) == ""
    assert "url" not in content(article_page(head=head if len(head) < 100 else ""))


def test_a_page_behind_a_million_blanks_is_read_in_time_that_grows_with_it():
    # The square of their number would be hours.
    for blank in (b" ", b"\n"):
        assert content(blank * 1_000_000 + article_page())["title"].startswith("Bridge over")


def test_a_page_that_was_read_before_is_passed_over():
    assert list(read_saved_page(BytesIO(article_page()), ArchivePosition(1))) == []


@pytest.mark.parametrize(
    ("html", "code"),
    [
        (b"", "bad_page"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "bad_page"),
        (b"<html><body><nav><a href='/'>Home</a></nav></body></html>", "bad_page"),
        (
            b"<?xml version='1.0'?>\n<!-- a -->\n<rss><channel><title>News</title></channel></rss>",
            "bad_page",
        ),
        (article_page() + b" " * 20_000, "too_long"),
    ],
)
def test_a_file_without_an_article_is_rejected(html, code, monkeypatch):
    monkeypatch.setattr(archived_pages, "PAGE_BYTES", 10_000)
    assert content(html).code == code
