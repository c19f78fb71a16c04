import gzip

import pytest

from feeder.parsing.feed_bodies import parsed
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ParsingBounds

TWO = ParsingBounds(entries=2)


def sitemap(*days: str) -> str:
    pages = "".join(
        f"<url><loc>https://visti.example/{number}</loc>"
        + (f"<lastmod>{day}</lastmod>" if day else "")
        + "</url>"
        for number, day in enumerate(days)
    )
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}</urlset>'


def pages(*days: str) -> list[str]:
    feed = parsed(sitemap(*days), bounds=TWO)
    return [entry.url.rpartition("/")[2] for entry in feed.entries]


def test_of_too_many_pages_the_newest_are_read_wherever_they_are_listed():
    assert pages("2026-02-01", "2026-02-02", "2026-02-03") == ["1", "2"]
    assert pages("2026-02-03", "2026-02-02", "2026-02-01") == ["0", "1"]
    assert pages("2026-02-03", "", "2026-02-02T10:00:00+00:00", "2026-02-01") == ["0", "2"]
    assert pages("", "", "") == ["0", "1"]


def test_left_out_pages_are_a_problem():
    feed = parsed(sitemap("2026-02-01", "2026-02-02", "2026-02-03"), bounds=TWO)
    assert feed.problems == ("Pages beyond the newest 2 were left out.",)


def test_of_too_many_sitemaps_of_an_index_the_newest_are_read():
    listed = "".join(
        f"<sitemap><loc>https://visti.example/{day}.xml</loc><lastmod>2026-02-0{day}</lastmod>"
        "</sitemap>"
        for day in (1, 2, 3)
    )
    feed = parsed(f"<sitemapindex>{listed}</sitemapindex>", bounds=TWO)
    assert [one.url[-5:] for one in feed.sitemaps] == ["2.xml", "3.xml"]


def test_pages_that_do_not_end_are_looked_at_once():
    # A step over the rest of the body for each of them would not end within the limit of the run.
    feed = parsed("<urlset>" + "<url>" * 100_000)
    assert len(feed.entries) <= 100_000


def test_a_packed_body_is_known_by_its_first_bytes():
    feed = parsed(gzip.compress(sitemap("2026-02-01").encode()))
    assert [entry.url for entry in feed.entries] == ["https://visti.example/0"]


def test_members_of_a_packed_body_are_joined_but_not_without_end():
    text = sitemap("2026-02-01", "2026-02-02").encode()
    feed = parsed(b"".join(gzip.compress(text[at : at + 50]) for at in range(0, len(text), 50)))
    assert len(feed.entries) == 2
    assert not feed.problems
    with pytest.raises(FeedUnusable, match="more than 100 gzip members"):
        parsed(gzip.compress(b"<urlset>") * 101)


def test_a_packed_body_is_bounded_and_may_be_damaged():
    bounds = ParsingBounds(body_bytes=1_000)
    with pytest.raises(FeedUnusable, match="more than 1000 bytes, unpacked"):
        parsed(gzip.compress(b" " * 2_000), bounds=bounds)
    with pytest.raises(FeedUnusable, match="damaged gzip"):
        parsed(b"\x1f\x8b\x08\x00" + b"\xff" * 30)
