"""Every page in Chromium: with and without scripts, at a desk and on a phone, in two languages."""

from urllib.parse import urlencode, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page

from server.pages.invented_feeds import FEEDS
from server.pages.invented_news import BRIDGE, HOSTILE
from server.pages.test_pages_over_http import addresses

MOST_BYTES = 150_000
DESK = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB"}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "locale": "uk-UA",
    "color_scheme": "dark",
    "has_touch": True,
}
WAYS = {
    "desk, English, script": {**DESK, "java_script_enabled": True},
    "phone, Ukrainian, no script": {**PHONE, "java_script_enabled": False},
    "phone, Ukrainian, script": {**PHONE, "java_script_enabled": True},
}


@pytest.fixture(scope="module")
def shown(site: str) -> dict[str, str]:
    """Return an address of each page that shows something, hostile ones among them."""
    pasted = f"Bridge reopens\n{BRIDGE}"
    pages = addresses(site) | {
        "check": "/check",
        "check of two": "/check?" + urlencode({"a": pasted, "b": pasted.replace("14", "15")}),
        "check of one": "/check?" + urlencode({"against": "archive", "a": pasted}),
        "check of hostile": "/check?" + urlencode({"against": "archive", "a": HOSTILE[1]["text"]}),
        "error": "/story?id=none",
        "ranks": "/sources?least=3",
    }
    for at, item in enumerate(HOSTILE):
        pages[f"hostile {at}"] = "/item?" + urlencode({"source": item["source"], "id": item["id"]})
    return pages


class Visitor:
    """A browser's window, and what went wrong in it."""

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.bytes = 0
        self._site = site
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", lambda request: self._look_at(request.url))
        self.page.on("response", self._weigh)

    def open(self, path: str) -> None:
        self.bytes = 0
        self.page.goto(self._site + path, wait_until="load")

    def _look_at(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self._site).netloc:
            self.complaints.append(f"asked for {url}")

    def _weigh(self, response) -> None:
        self.bytes += int(response.headers.get("content-length", 0))


@pytest.mark.parametrize("way", WAYS)
def test_every_page_is_whole_and_quiet(way: str, browser, site, shown) -> None:
    with browser.new_context(**WAYS[way]) as context:
        visitor = Visitor(context, site)
        for name, path in shown.items():
            visitor.open(path)
            page = visitor.page
            assert page.locator("h1").count() == 1, name
            assert page.locator("html").get_attribute("lang") == WAYS[way]["locale"][:2], name
            assert visitor.bytes < MOST_BYTES, (name, visitor.bytes)
            if WAYS[way]["java_script_enabled"]:
                width = page.evaluate("document.documentElement.scrollWidth")
                assert width <= WAYS[way]["viewport"]["width"], name
        refusals = [text for text in visitor.complaints if "404 (Not Found)" not in text]
        assert refusals == []


@pytest.mark.parametrize("way", ["desk, English, script", "phone, Ukrainian, script"])
def test_every_page_is_accessible(way: str, browser, site, shown) -> None:
    with browser.new_context(**WAYS[way]) as context:
        visitor = Visitor(context, site)
        for name, path in shown.items():
            visitor.open(path)
            violations = Axe().run(visitor.page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in violations] == [], name


STYLE = """() => {
    const seen = [...document.querySelectorAll("body, h1, nav a, table, form, footer")];
    return [document.title, document.styleSheets.length, typeof local].concat(seen.map(one => {
        const style = getComputedStyle(one);
        return [style.fontFamily, style.color, style.display, one.getBoundingClientRect().width];
    }));
}"""
"""What a page looks like, and whether its script has run."""


def test_every_page_looks_the_same_at_the_second_visit_and_when_reloaded(
    browser, site, shown
) -> None:
    with browser.new_context(**WAYS["desk, English, script"]) as context:
        visitor = Visitor(context, site)
        for name, path in shown.items():
            visitor.open(path)
            first = visitor.page.evaluate(STYLE)
            assert first[2] == "object", name
            visitor.page.goto("about:blank")
            visitor.open(path)
            assert visitor.page.evaluate(STYLE) == first, name
            visitor.page.reload(wait_until="load")
            assert visitor.page.evaluate(STYLE) == first, name
        refused = [one for one in visitor.complaints if "404" not in one]
        assert refused == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_shade_of_the_matrix_can_be_read(scheme: str, browser, site) -> None:
    shade = """cells => cells.forEach((cell, at) => {
        cell.textContent = at;
        cell.className = `heat${at % 6 + 1}${at % 12 > 5 ? " own" : ""}`;
    })"""
    with browser.new_context(**{**DESK, "color_scheme": scheme}) as context:
        page = Visitor(context, site).page
        page.goto(f"{site}/sources?least=1")
        page.locator(".matrix td").evaluate_all(shade)
        violations = Axe().run(page, options={"runOnly": ["color-contrast"]}).response["violations"]
        assert [node["html"] for one in violations for node in one["nodes"]] == []


def test_a_story_is_reached_compared_and_explained_without_scripts(browser, site) -> None:
    with browser.new_context(**WAYS["phone, Ukrainian, no script"]) as context:
        page = Visitor(context, site).page
        page.goto(site)
        page.locator("article:has(.trend) h2 a").first.click()
        page.locator(".copies li").last.locator("input[name=b]").check()
        page.get_by_role("button", name="Порівняти").click()
        assert page.locator(".diff.inline").is_visible()
        page.get_by_role("link", name="Поруч").click()
        assert page.locator(".diff.sides td").count() >= 2
        page.locator(".pair h2 a").last.click()
        assert page.locator(".reasons tbody tr").count() > 5


def test_filters_and_the_language_work_without_scripts(browser, site) -> None:
    with browser.new_context(**WAYS["phone, Ukrainian, no script"]) as context:
        page = Visitor(context, site).page
        page.goto(site)
        page.locator("select[name=lang]").select_option("en")
        page.get_by_role("button", name="Показати").click()
        assert set(page.locator("abbr.lang").all_inner_texts()) == {"EN"}
        page.get_by_role("link", name="Русский").click()
        assert set(page.locator("abbr.lang").all_inner_texts()) == {"EN"}
        assert page.locator("h1").inner_text() == "Сюжеты дня"
        page.get_by_role("link", name="Источники").click()
        assert page.locator("h1").inner_text() == "Источники"


def test_two_pasted_texts_are_explained_without_scripts(browser, site) -> None:
    with browser.new_context(**{**DESK, "java_script_enabled": False}) as context:
        page = Visitor(context, site).page
        page.goto(f"{site}/check?against=text")
        page.get_by_label("Text A").fill(f"Bridge reopens\n{BRIDGE}")
        page.get_by_label("Text B").fill(f"Bridge reopens\n{BRIDGE.replace('14', '15')}")
        page.get_by_role("button", name="Compare").click()
        assert page.locator(".ruling").inner_text() == "No duplicates: one updates the other"
        assert page.locator(".diff mark.number").all_inner_texts() == ["14", "15"]


def test_a_pasted_text_is_looked_up_without_scripts(browser, site) -> None:
    with browser.new_context(**WAYS["phone, Ukrainian, no script"]) as context:
        page = Visitor(context, site).page
        page.goto(f"{site}/check")
        page.get_by_role("link", name="Два тексти").click()
        page.get_by_role("link", name="Один текст за архівом").click()
        page.get_by_label("Текст", exact=True).fill(f"Bridge reopens\n{BRIDGE}")
        page.get_by_role("button", name="Знайти").click()
        assert "дублікатом" in page.locator("#would-be").inner_text()
        assert page.locator(".sentences li").count() > 0
        assert page.locator(".reasons tbody tr").count() > 5
        page.locator(".matched a").first.click()
        assert "Bridge reopens" in page.locator("h1").inner_text()


def test_the_zone_of_mass_plagiarism_is_drawn_with_those_who_only_copy(browser, site) -> None:
    with browser.new_context(**{**DESK, "java_script_enabled": False}) as context:
        page = Visitor(context, site).page
        page.goto(f"{site}/sources?least=3")
        chart = page.locator("svg.ranks")
        zone = chart.locator("rect.zone").bounding_box()
        inside = chart.locator("circle.in-zone")
        assert inside.count() >= 2
        assert chart.locator("circle").count() > inside.count()
        for at in range(inside.count()):
            dot = inside.nth(at).bounding_box()
            assert zone["x"] <= dot["x"] + dot["width"] / 2 <= zone["x"] + zone["width"]
            assert zone["y"] <= dot["y"] + dot["height"] / 2 <= zone["y"] + zone["height"]
        ground = "element => getComputedStyle(element).fill"
        colours = {
            one: chart.locator(one).first.evaluate(ground) for one in ("rect.zone", "circle")
        }
        assert len(set(colours.values())) == 2


def test_feeds_in_trouble_are_chosen_without_scripts(browser, site) -> None:
    with browser.new_context(**WAYS["phone, Ukrainian, no script"]) as context:
        page = Visitor(context, site).page
        page.goto(site)
        page.get_by_role("link", name="Стрічки").click()
        assert page.locator(".feeds tbody tr").count() == len(FEEDS)
        page.locator(".tabs a", has_text="мертва").click()
        assert page.locator(".feeds .problem").all_inner_texts() == ["no such host"]


def test_a_script_applies_a_choice_at_once_and_leaves_empty_fields_out(browser, site) -> None:
    with browser.new_context(**WAYS["desk, English, script"]) as context:
        page = Visitor(context, site).page
        page.goto(site)
        page.locator("select[name=lang]").select_option("uk")
        page.wait_for_url("**/?lang=uk")
        assert set(page.locator("abbr.lang").all_inner_texts()) == {"UK"}


def test_the_keyboard_reaches_the_content_and_the_field_of_words(browser, site) -> None:
    with browser.new_context(**WAYS["desk, English, script"]) as context:
        page = Visitor(context, site).page
        page.goto(site)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "content"
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.name") == "q"
