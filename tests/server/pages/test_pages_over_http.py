"""Every page and its JSON, over HTTP without a browser."""

import json
import re
from http import HTTPStatus
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from newsdedup.archive.story_ranks import STORY_SORTS
from newsdedup.server.pages.routes import ARCHIVE_PAGES
from server.pages.invented_news import HOSTILE
from server.pages.invented_watches import REFUSING

BRIDGE_TEXTS = {
    "a": "Bridge reopens\nThe bridge over the Velna reopened after 14 months, mayor Ida Holm said.",
    "b": "Bridge reopens\nThe bridge over the Velna reopened after 15 months, mayor Ida Holm said.",
}


class Answer:
    """What the server sent."""

    def __init__(self, response: Any) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read().decode()

    def json(self) -> Any:
        return json.loads(self.body)


def ask(site: str, path: str, form: dict[str, str] | None = None, **headers: str) -> Answer:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    data = None if form is None else urlencode(form).encode()
    request = Request(site + path, data, {"Accept": "text/html", **names})  # noqa: S310 - ours
    try:
        with urlopen(request, timeout=60) as response:  # noqa: S310 - ours
            return Answer(response)
    except HTTPError as error:
        with error:
            return Answer(error)


def largest_story(site: str) -> dict[str, Any]:
    """Return the JSON of the first page's story with most items."""
    stories = ask(site, "/now.json").json()["page"]["stories"]
    most = max(stories, key=lambda story: story["items"])
    return ask(site, f"/story.json?id={most['id']}").json()["detail"]


def addresses(site: str) -> dict[str, str]:
    """Return an address of each page that shows something, by its path."""
    items = largest_story(site)["items"]
    first, last = items[0], items[-1]
    a, b = (f"{len(item['source'])}:{item['source']}{item['id']}" for item in (first, last))
    queries = {
        "/story": {"id": first["story"]},
        "/item": {"source": last["source"], "id": last["id"]},
        "/compare": {"a": a, "b": b, "view": "side"},
        "/source": {"name": last["source"]},
        "/watch": {"name": REFUSING.name},
        "/search": {"q": first["title"].split()[0]},
    }
    return {
        page.path: f"{page.path}?{urlencode(queries.get(page.path, {}))}" for page in ARCHIVE_PAGES
    }


@pytest.fixture(scope="module")
def known(site: str) -> dict[str, str]:
    return addresses(site)


@pytest.mark.parametrize("page", ARCHIVE_PAGES, ids=lambda page: page.template)
def test_a_page_has_the_values_of_its_json(page, site, known) -> None:
    html = ask(site, known[page.path])
    twin = ask(site, known[page.path].replace(page.path, page.twin, 1))
    assert (html.status, twin.status) == (HTTPStatus.OK, HTTPStatus.OK)
    assert twin.headers["Content-Type"] == "application/json"
    address = re.search(r'rel="alternate" type="application/json" href="([^"]+)"', html.body)
    assert address is not None
    assert ask(site, address[1].replace("&amp;", "&")).body == twin.body


def test_a_cell_of_the_matrix_leads_to_as_many_items(site) -> None:
    matrix = ask(site, "/sources").body.partition('class="matrix"')[2]
    address, items = re.findall(r'<td class="heat[^>]*><a href="([^"]+)">(\d+)</a>', matrix)[0]
    twin = address.replace("&amp;", "&").replace("/items?", "/items.json?")
    assert len(ask(site, twin).json()["page"]["items"]) == int(items)


def test_a_pasted_pair_has_the_same_verdict_on_the_page_and_as_json(site) -> None:
    page, twin = (ask(site, path, BRIDGE_TEXTS) for path in ("/check", "/check.json"))
    assert twin.json()["pair"]["explanation"]["relation"] == "update"
    assert "No duplicates: one updates the other" in page.body


def test_one_pasted_text_alone_is_not_compared(site) -> None:
    assert ask(site, "/check.json", {"a": "One text", "b": " "}).json()["pair"] is None


@pytest.mark.parametrize(
    ("headers", "lang"),
    [
        ({"Accept_Language": "uk"}, "uk"),
        ({"Accept_Language": "uk", "Cookie": "lang=ru"}, "ru"),
        ({"Cookie": "lang=xx"}, "en"),
    ],
)
def test_the_language_comes_from_the_cookie_else_from_the_browser(headers, lang, site) -> None:
    page = ask(site, "/status", **headers)
    assert f'<html lang="{lang}">' in page.body
    assert "Set-Cookie" not in page.headers


def test_a_language_that_the_address_chooses_is_remembered(site) -> None:
    page = ask(site, "/status?interface=uk", Cookie="lang=ru")
    assert '<html lang="uk">' in page.body
    assert page.headers["Set-Cookie"].startswith("lang=uk;")


def test_a_page_that_has_not_changed_is_not_sent_again(site, known) -> None:
    first = ask(site, known["/story"])
    again = ask(site, known["/story"], If_None_Match=first.headers["ETag"])
    assert (again.status, again.body) == (HTTPStatus.NOT_MODIFIED, "")
    other = ask(site, known["/story"], If_None_Match=first.headers["ETag"], Cookie="lang=ru")
    assert other.status == HTTPStatus.OK


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/story?id=none", HTTPStatus.NOT_FOUND),
        ("/item?source=a&id=b", HTTPStatus.NOT_FOUND),
        ("/item", HTTPStatus.NOT_FOUND),
        ("/source?name=nobody", HTTPStatus.NOT_FOUND),
        ("/compare?a=x&b=y", HTTPStatus.BAD_REQUEST),
        ("/?cursor=zz", HTTPStatus.BAD_REQUEST),
        ("/?lang=xx", HTTPStatus.BAD_REQUEST),
        ("/?since=tomorrow", HTTPStatus.BAD_REQUEST),
        ("/sources?page=99", HTTPStatus.BAD_REQUEST),
        ("/volumes?step=minute", HTTPStatus.BAD_REQUEST),
        ("/nothing", HTTPStatus.NOT_FOUND),
    ],
)
def test_an_address_of_nothing_gets_a_page_that_says_so(path, status, site) -> None:
    page = ask(site, path, Cookie="lang=ru")
    assert page.status == status
    assert '<html lang="ru">' in page.body
    assert "<h1>" in page.body


def test_of_a_value_that_is_given_twice_the_first_counts_in_the_links_of_a_page_too(site) -> None:
    assert ask(site, "/items.json?lang=en&lang=ru").json()["chosen"] == {"lang": "en"}
    page = ask(site, "/items?lang=en&lang=ru").body
    assert 'href="/items.json?lang=en"' in page
    assert "lang=ru" not in page


@pytest.mark.parametrize("path", ["/?lang=en&source=&q=bridge", "/story"])
def test_a_page_names_the_feed_of_what_it_shows(path, site, known) -> None:
    html = ask(site, known.get(path, path)).body
    address = re.search(r'rel="alternate" type="application/atom\+xml" href="([^"]+)"', html)
    assert address is not None
    feed = ask(site, address[1].replace("&amp;", "&"))
    assert feed.status == HTTPStatus.OK
    assert "<entry" in feed.body


@pytest.mark.parametrize("sort", STORY_SORTS)
def test_the_pages_of_stories_follow_each_other_without_gap_or_repeat(sort, site) -> None:
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        everything = {"since": "1970-01-01", "least_sources": "1", "sort": sort}
        query = urlencode({**everything, "cursor": cursor})
        page = ask(site, f"/now.json?{query}").json()["page"]
        seen += [story["id"] for story in page["stories"]]
        cursor = page["next"]
    assert len(seen) == len(set(seen)) == ask(site, "/status.json").json()["stats"]["stories"]


@pytest.mark.parametrize("item", HOSTILE, ids=lambda item: item["source"][:12])
def test_a_hostile_item_is_shown_as_text(item, site) -> None:
    address = urlencode({"source": item["source"], "id": item["id"]})
    html = ask(site, f"/item?{address}").body
    links = re.findall(r'(?:href|src|action)="([^"]*)"', html)
    assert [one for one in links if not one.startswith(("/", "#", "http"))] == []
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", html)
    assert re.search(r"<(script|img|svg|iframe)[^>]*(alert|evil|onerror)", html) is None
    assert len(html) < 150_000
    assert ask(site, f"/item.json?{address}").json()["detail"]["summary"]["id"] == item["id"]


def test_no_page_allows_scripts_or_styles_of_others_or_in_line(site, known) -> None:
    for path in [*known.values(), "/check", "/nothing"]:
        page = ask(site, path)
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not re.search(r"<[^>]+\s(style|on\w+)=", page.body)
        assert not re.search(r"<script(?![^>]*src=)|<style", page.body)


def test_a_page_that_has_not_changed_keeps_the_policy_that_it_came_with(site) -> None:
    page = ask(site, "/")
    again = ask(site, "/", If_None_Match=page.headers["ETag"])
    assert again.status == HTTPStatus.NOT_MODIFIED
    kept = {**page.headers, **again.headers}
    for name in ("Content-Security-Policy", "Referrer-Policy"):
        assert kept[name] == page.headers[name]


def test_files_of_ours_are_loaded_once_for_each_version(site) -> None:
    html = ask(site, "/").body
    for path in set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html)):
        file = ask(site, path)
        assert "immutable" in file.headers["Cache-Control"]
        assert ask(site, path, If_None_Match=file.headers["ETag"]).status == HTTPStatus.NOT_MODIFIED
        assert "immutable" not in ask(site, path.partition("?")[0]).headers["Cache-Control"]
