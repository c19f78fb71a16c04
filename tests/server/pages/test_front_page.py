"""The front page of invented news: over HTTP, then in Chromium, each page visited twice."""

import re
from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from newsdedup.archive.story_ranks import STORY_SORTS
from newsdedup_lab.bench.page_paint import CHROMIUM_ARGUMENTS
from server.pages.test_pages_in_a_browser import DESK, WAYS, Visitor
from server.pages.test_pages_over_http import ask
from server.served import judge, serving


@pytest.fixture
def page(browser, site) -> Iterator[Page]:
    """Return a window of a desk that has the front page, visited twice."""
    with browser.new_context(**WAYS["desk, English, script"]) as context:
        visitor = Visitor(context, site)
        visitor.open("/")
        visitor.page.reload()
        yield visitor.page
        assert visitor.complaints == []


@pytest.mark.parametrize("sort", STORY_SORTS)
def test_the_page_and_the_api_list_the_same_stories(site, sort) -> None:
    view = ask(site, f"/now.json?sort={sort}&least_sources=3").json()
    query = {"sort": sort, "least_sources": 3, "since": view["since"], "limit": 20}
    answer = ask(site, "/v1/stories?" + urlencode(query)).json()
    assert answer == view["page"]
    assert all(story["sources"] >= 3 for story in answer["stories"])
    assert len(answer["stories"]) > 3


def test_the_day_ends_with_the_newest_item_and_has_24_hours(site) -> None:
    view = ask(site, "/now.json").json()
    assert view["newest_at"] == "2026-11-03T20:03:00Z"
    assert (view["since"], view["until"]) == ("2026-11-02T21:00:00Z", "2026-11-03T21:00:00Z")
    assert "Tuesday, 3\u00a0November 2026 · 24 hours up to 20:03" in ask(site, "/").body


def test_an_item_dated_in_the_future_is_on_no_page_of_today(tmp_path) -> None:
    def item(source: str, at: str, text: str) -> dict[str, str]:
        return {"source": source, "id": "1", "published_at": at, "text": text}

    parade = "The parade of all ferries of Sundholm takes place in the harbour, the council says."
    tram = "The tram of Marstad stops for a week while the rails on the bridge are renewed."
    days = ["2026-11-02T09:00:00Z", "2026-11-02T11:00:00Z"]
    items = [item(f"{at}.example", day, tram) for at, day in enumerate(days)]
    items += [item(f"late{at}.example", "2099-01-01T00:00:00Z", parade) for at in range(2)]
    judge(tmp_path, items)
    with serving(tmp_path) as served:
        for sort in STORY_SORTS:
            view = ask(served.address, f"/now.json?sort={sort}&least_sources=1").json()
            assert [one["original"]["source"] for one in view["page"]["stories"]] == ["0.example"]
            assert view["strip"]["fastest"]["original"]["source"] == "0.example"
        volumes = ask(served.address, "/volumes.json").json()
        assert [one["total"] for one in volumes["series"]["points"]] == [1, 0, 1]
        later = ask(served.address, "/volumes.json?since=2099-01-01").json()
        assert later["totals"]["total"] == 2
        stats = ask(served.address, "/v1/stats").json()
        assert (stats["items_last_hour"], stats["items_last_day"], stats["items"]) == (1, 2, 4)
        other = ask(served.address, "/volumes.json?other_source=late1.example").json()
        assert {one["total"] for one in other["other"]["points"]} == {0}


def test_the_strip_counts_the_day(site) -> None:
    view = ask(site, "/now.json").json()
    totals = view["strip"]["totals"]
    query = {"since": view["since"], "until": view["until"], "limit": 200}
    items, cursor = [], ""
    while cursor is not None:
        part = ask(site, "/v1/items?" + urlencode({**query, "cursor": cursor})).json()
        items += part["items"]
        cursor = part["next"]
    assert totals["items"] == len(items)
    assert totals["duplicates"] == sum(one["verdict"] == "duplicate" for one in items)
    copied = [one for one in items if one["source"] != one["original"]["source"]]
    from_most = [one for one in copied if one["original"]["source"] == totals["most_copied"]]
    assert totals["copies"] == len(from_most) > 0
    body = ask(site, "/").body
    assert f">{len(items)}</a>" in body
    assert view["strip"]["fastest"]["id"] in body


def test_each_day_leads_to_the_one_before_and_back(site) -> None:
    here = ask(site, "/").body
    before = re.search(r'href="([^"]+)" rel="prev"', here)
    assert before is not None
    earlier = ask(site, before[1].replace("&amp;", "&")).body
    assert "Monday, 2\u00a0November 2026 · 24 hours up to 21:00" in earlier
    after = re.search(r'href="([^"]+)" rel="next">The day after<', earlier)
    assert after is not None
    assert after[1] == "/"


def test_a_chosen_span_is_named_with_its_years(site) -> None:
    body = ask(site, "/?since=2026-11-02T06:00&until=2026-11-02T09:00").body
    assert "2\u00a0November 2026, 06:00 to 2\u00a0November 2026, 09:00" in body


@pytest.mark.parametrize("moment", ["0001-01-01", "1500-01-01", "9999-12-31T23:59"])
def test_a_day_without_news_is_an_empty_page(site, moment) -> None:
    for name in ("since", "until"):
        assert ask(site, f"/?{name}={moment}").status == HTTPStatus.OK


def test_an_archive_of_earlier_years_shows_its_last_day_and_says_so(tmp_path) -> None:
    text = "The ferry between Lunin and Vessa stopped after its engine failed off the lighthouse."
    news = [
        {"source": source, "id": "1", "title": "Ferry stopped", "text": text, "published_at": at}
        for source, at in (
            ("herald", "2019-11-10T08:00:00Z"),
            ("agency", "2019-11-10T08:20:00Z"),
            ("daily", "2019-11-10T09:00:00Z"),
        )
    ]
    pinned = {"source": "agency", "id": "1"}
    judge(tmp_path, [*news, {"newsdedup": "original", "item": pinned, "at": "2019-11-10T10:00Z"}])
    with serving(tmp_path) as server:
        body = ask(server.address, "/").body
    assert "newest item of this archive is of 10\u00a0November 2019: this is its last day" in body
    # The original is not the first item: both are named, and neither is a copy.
    byline = re.search(r'byline">(.+?)</p>', body)
    assert byline is not None
    names = re.findall(r"<bdi>(\w+)</bdi>", byline[1])
    assert names == ["herald", "agency"]
    copies = re.search(r'copies-line">(.+?)</p>', body, re.DOTALL)
    assert copies is not None
    assert re.findall(r"<bdi>(\w+)</bdi>", copies[1]) == ["daily"]
    assert "more</a>" not in copies[1]


def test_the_title_names_what_is_shown(site) -> None:
    address = "/?lang=uk&q=%3Cb%3E&category=city"
    assert "<title>Stories of the day: &lt;b&gt;: city (Ukrainian) · " in ask(site, address).body
    assert "<title>Items · newsdedup</title>" in ask(site, "/items").body


@pytest.mark.parametrize(
    "query", ["sort=age", "least_sources=0", "least_sources=x", "cursor=1f", "verdict=maybe"]
)
def test_a_value_that_no_form_has_is_refused(site, query) -> None:
    assert ask(site, f"/?{query}").status == HTTPStatus.BAD_REQUEST


def test_what_nobody_copied_is_folded_on_the_first_page_alone(site) -> None:
    view = ask(site, "/now.json").json()
    assert all(story["sources"] >= 2 for story in view["page"]["stories"])
    singles = {"since": view["since"], "least_sources": 1, "limit": 200}
    stories = ask(site, "/v1/stories?" + urlencode(singles)).json()["stories"]
    assert view["uncopied"]["count"] == sum(one["sources"] == 1 for one in stories)
    assert f"and {view['uncopied']['count']} messages that nobody copied" in ask(site, "/").body
    later = ask(site, "/now.json?" + urlencode({"cursor": view["page"]["next"]})).json()
    assert (later["uncopied"], later["strip"]) == (None, None)


def test_items_without_duplicates_are_the_originals(site) -> None:
    shown = ask(site, "/items.json?verdict=original").json()["page"]["items"]
    assert {one["verdict"] for one in shown} == {"original"}
    body = ask(site, "/items?verdict=original&lang=uk").body
    assert 'value="original" checked' in body
    assert ask(site, "/items.json?category=none").json()["page"]["items"] == []


def test_j_and_k_go_through_the_headlines_and_o_opens_one(page) -> None:
    headline = "document.activeElement.textContent"
    titles = page.locator(".stories h2 a").all_inner_texts()
    page.keyboard.press("j")
    assert page.evaluate(headline) == titles[0]
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate(headline) == titles[1]
    page.keyboard.press("o")
    page.wait_for_url("**/story?id=*")
    assert page.locator("h1").inner_text() == titles[1]


def test_the_keys_work_under_a_cyrillic_layout(page) -> None:
    titles = page.locator(".stories h2 a").all_inner_texts()
    keyboard = page.context.new_cdp_session(page)
    for key, code in (("о", "KeyJ"), ("о", "KeyJ"), ("л", "KeyK"), ("ц", "KeyW")):
        keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "code": code})
    assert page.evaluate("document.activeElement.textContent") == titles[0]


def test_keys_are_letters_in_a_field(page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("jok?")
    assert page.locator("input[type=search]").input_value() == "jok?"
    assert not page.locator("dialog").is_visible()


def test_a_question_mark_shows_the_keys_and_is_accessible(page) -> None:
    page.keyboard.press("?")
    assert page.locator("dialog dt").all_inner_texts() == ["j", "k", "o", "/", "?"]
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()
    page.get_by_role("button", name="Keyboard").click()
    page.get_by_role("button", name="Close").click()
    assert not page.locator("dialog").is_visible()


def test_a_script_leaves_the_usual_minimum_of_sources_out_of_the_address(page) -> None:
    page.locator("select[name=least_sources]").select_option("3")
    page.wait_for_url("**/?least_sources=3")
    assert min(map(int, page.locator(".tally strong").all_inner_texts())) >= 3


@pytest.mark.parametrize("keeps_pages", [True, False])
def test_who_goes_back_finds_the_form_of_the_list_that_is_shown(
    keeps_pages: bool, browser, site, chromium
) -> None:
    """Browsers keep the page that is left, if it need not be read again: Playwright forbids it."""
    with browser.browser_type.launch(
        executable_path=chromium,
        args=[*CHROMIUM_ARGUMENTS],
        ignore_default_args=["--disable-back-forward-cache"] if keeps_pages else [],
    ) as own:
        page = own.new_page()
        page.goto(site)
        page.locator("select[name=lang]").select_option("uk")
        page.wait_for_url("**/?lang=uk")
        # Nothing is loaded where the page was kept.
        page.go_back(wait_until="commit" if keeps_pages else "load")
        page.wait_for_function("document.querySelector('select[name=lang]').value === ''")
        page.locator("select[name=least_sources]").select_option("3")
        page.wait_for_url("**/?least_sources=3")


def test_a_number_of_three_digits_stands_beside_its_headline_on_a_phone(browser, tmp_path) -> None:
    tram = "The tram of Marstad stops for a week while the rails on the bridge are renewed."
    at = "2026-11-02T09:00:00Z"
    judge(
        tmp_path, [{"source": f"{n}.example", "text": tram, "published_at": at} for n in range(101)]
    )
    with serving(tmp_path) as served, browser.new_context(**WAYS["phone, Ukrainian, script"]) as c:
        page = c.new_page()
        page.goto(served.address)
        number = page.locator(".tally strong")
        assert number.inner_text() == "101"
        assert number.evaluate("it => it.scrollWidth <= it.clientWidth")


@pytest.mark.parametrize("way", WAYS)
def test_orders_folds_and_the_hidden_duplicates_need_no_script(way, browser, site) -> None:
    with browser.new_context(**{**WAYS[way], "locale": "en-GB", "java_script_enabled": False}) as c:
        page = c.new_page()
        page.goto(site)
        page.locator(".orders a", has_text="Fastest").click()
        assert page.url.endswith("/?sort=speed")
        page.locator(".similar summary").first.click()
        assert page.locator(".similar li a").first.is_visible()
        page.locator(".singles summary").click()
        assert page.locator(".singles li").count() == 20
        page.get_by_role("link", name="All items of the day").click()
        page.get_by_label("Hide duplicates").check()
        page.get_by_role("button", name="Show").click()
        kinds = page.locator(".row .relation").all_inner_texts()
        assert not {"reprint", "rewrite"} & set(kinds)


def test_the_page_prints_black_on_white_without_what_is_only_for_a_screen(browser, site) -> None:
    with browser.new_context(**{**DESK, "color_scheme": "dark"}) as context:
        page = context.new_page()
        page.goto(site)
        page.emulate_media(media="print", color_scheme="dark")
        for part in (".filters", ".orders", ".masthead nav", ".keys-hint"):
            assert not page.locator(part).first.is_visible(), part
        assert page.locator(".story h2").first.is_visible()
        colour = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(colour) == "rgb(255, 255, 255)"
