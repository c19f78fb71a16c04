import asyncio
import tracemalloc
from datetime import timedelta
from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeder.bad_site import Names, SteppingClock, admits_site, bad_site, reply
from newsdedup.feeder.fetching import page_fetcher
from newsdedup.feeder.fetching.answers import FetchError
from newsdedup.feeder.fetching.fetcher import FetchLimits, no_pace, open_fetcher
from newsdedup.feeder.fetching.page_fetcher import PageFetcher, may_fetch, parse_robots


def allows(text, path):
    return may_fetch(path, parse_robots(text.encode()))


def test_the_longest_pattern_decides_and_allow_wins_a_tie():
    text = "User-agent: *\nDisallow: /news\nAllow: /news/open\nDisallow: /a\nAllow: /a"
    assert not allows(text, "/news/1")
    assert allows(text, "/news/open/1")
    assert allows(text, "/a/1")
    assert allows(text, "/elsewhere")


def test_rules_for_us_replace_those_for_all():
    text = "User-agent: *\nDisallow: /\n\nuser-agent: other\nUser-Agent: NewsDedup\nDisallow: /x"
    assert allows(text, "/news")
    assert not allows(text, "/x")


def test_groups_of_one_name_are_joined():
    text = "User-agent: *\nDisallow: /a\nSitemap: /s\nUser-agent: *\nDisallow: /b"
    assert not allows(text, "/a")
    assert not allows(text, "/b")


def test_a_rule_below_many_names_is_kept_once():
    names, rules = "User-agent: newsdedup\n" * 300, "".join(f"Disallow: /{n}\n" for n in range(300))
    assert len(parse_robots((names + rules).encode())) == 300


def test_rules_for_others_take_no_memory():
    names = "".join(f"User-agent: a{n}\n" for n in range(1_000))
    body = (names + "Allow: /\n" * 1_000).encode()
    tracemalloc.start()
    try:
        assert parse_robots(body) == ()
        assert tracemalloc.get_traced_memory()[1] < 50 * len(body)
    finally:
        tracemalloc.stop()


def test_stars_and_the_end_of_a_path():
    text = "User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?print=\nDisallow: /end$"
    assert not allows(text, "/a/b.pdf")
    assert allows(text, "/a/b.pdf?x")
    assert not allows(text, "/a?print=1")
    assert not allows(text, "/end")
    assert allows(text, "/end/1")


def test_an_empty_disallow_allows_all_and_robots_txt_is_always_allowed():
    assert allows("User-agent: *\nDisallow:", "/news")
    assert allows("User-agent: *\nDisallow: /", "/robots.txt")


def naive(pattern, path):
    """Match by trying every position of every star."""
    if not pattern:
        return True
    if pattern == "$":
        return not path
    if pattern[0] == "*":
        return any(naive(pattern[1:], path[at:]) for at in range(len(path) + 1))
    return path[:1] == pattern[0] and naive(pattern[1:], path[1:])


@given(st.text("/ab*", min_size=1, max_size=6), st.booleans(), st.text("/ab", max_size=8))
def test_patterns_match_as_by_trying_everything(pattern, anchored, path):
    whole = pattern + "$" if anchored else pattern
    assert allows(f"User-agent: *\nDisallow: {whole}", path) != naive(whole, path)


@given(st.binary(max_size=200), st.text(max_size=20))
def test_no_bytes_break_the_rules(body, path):
    rules = parse_robots(b"User-agent: *\nDisallow: " + body)
    assert may_fetch(path, rules) in (True, False)


def pages(robots, *addresses, later=timedelta(), hosts=()):
    """Return which pages are fetched, and the paths that a site with a robots.txt was asked for.

    Each page is at the host of its position in `hosts`, by default all at one.
    """

    async def run():
        clock = SteppingClock()
        async with (
            bad_site() as site,
            open_fetcher(
                FetchLimits(), agent="test", now=clock.now, admits=admits_site, resolver=Names()
            ) as fetcher,
        ):
            if robots is not None:
                site.routes["/robots.txt"] = robots
            page = PageFetcher(fetcher, now=clock.now, pace=no_pace)
            fetched = []
            for path, host in zip_longest(addresses, hosts, fillvalue="news.example"):
                site.routes[path] = reply(200, b"<html>")
                try:
                    await page.fetch(site.at(path, host))
                    fetched.append(path)
                except FetchError as error:
                    assert error.kind == "robots"  # noqa: PT017 - others pass
                clock.at += later
            return fetched, site.paths()

    return asyncio.run(run())


def test_robots_txt_is_read_once_and_obeyed():
    robots = reply(200, b"User-agent: *\nDisallow: /private")
    fetched, paths = pages(robots, "/a", "/private/b", "/c")
    assert fetched == ["/a", "/c"]
    assert paths == ["/robots.txt", "/a", "/c"]


def test_after_a_day_robots_txt_is_read_again():
    robots = reply(200, b"User-agent: *\nDisallow:")
    _, paths = pages(robots, "/a", "/b", later=timedelta(hours=25))
    assert paths.count("/robots.txt") == 2


def test_of_more_rules_than_are_remembered_those_of_the_oldest_host_are_forgotten(monkeypatch):
    monkeypatch.setattr(page_fetcher, "_MOST_RULES", 3)
    robots = reply(200, b"User-agent: *\nDisallow: /x\nDisallow: /y")
    hosts = ("news.example", "127.0.0.1", "127.0.0.1", "news.example")
    fetched, paths = pages(robots, "/a", "/b", "/c", "/d", hosts=hosts)
    assert fetched == ["/a", "/b", "/c", "/d"]
    assert paths == ["/robots.txt", "/a", "/robots.txt", "/b", "/c", "/robots.txt", "/d"]


def test_without_robots_txt_all_is_allowed():
    assert pages(None, "/a")[0] == ["/a"]


@pytest.mark.parametrize("robots", [reply(500), reply(503), reply(429), b""])
def test_where_robots_txt_cannot_be_read_nothing_is_allowed(robots):
    assert pages(robots, "/a")[0] == []
