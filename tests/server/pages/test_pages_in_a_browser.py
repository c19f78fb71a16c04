"""Every page in Chromium: with and without scripts, at a desk and on a phone, in two languages."""

from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page

from server.pages.invented_feeds import FEEDS
from server.pages.invented_news import BRIDGE
from server.pages.kinds_of_results import kinds_of_results

AXE = Axe()
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
    """Return an address of each page and of each kind of result, by its name."""
    return kinds_of_results(site)


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

    @property
    def refused(self) -> list[str]:
        """Return the complaints, but for addresses that are wrong on purpose."""
        wrong = ("404 (Not Found)", "400 (Bad Request)")
        return [text for text in self.complaints if not any(one in text for one in wrong)]

    def open(self, path: str) -> None:
        self.bytes = 0
        self.page.goto(self._site + path, wait_until="load")

    def _look_at(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self._site).netloc:
            self.complaints.append(f"asked for {url}")

    def _weigh(self, response) -> None:
        self.bytes += int(response.headers.get("content-length", 0))


STYLE = """() => {
    const seen = [...document.querySelectorAll("body, h1, nav a, table, form, footer")];
    return [document.title, document.styleSheets.length, typeof local].concat(seen.map(one => {
        const style = getComputedStyle(one);
        return [style.fontFamily, style.color, style.display, one.getBoundingClientRect().width];
    }));
}"""
"""What a page looks like, and whether its script has run."""
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core whose answer a theme changes."""
PARTS = 3
"""Of the addresses that axe-core looks at, which takes it half a second each."""


def test_every_page_and_result_is_whole_and_quiet_without_a_script(browser, site, shown) -> None:
    way = WAYS["phone, Ukrainian, no script"]
    with browser.new_context(**way) as context:
        visitor = Visitor(context, site)
        for name, path in shown.items():
            visitor.open(path)
            assert visitor.page.locator("h1").count() == 1, name
            assert visitor.page.locator("html").get_attribute("lang") == "uk", name
            assert visitor.bytes < MOST_BYTES, (name, visitor.bytes)
        assert visitor.refused == []


def test_the_words_of_charts_can_be_read_on_a_phone(browser, site, shown) -> None:
    size = "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a"
    with browser.new_context(**WAYS["phone, Ukrainian, script"]) as context:
        visitor = Visitor(context, site)
        for name in ("page /volumes", "page /story", "page /sources"):
            visitor.open(shown[name])
            sizes = visitor.page.locator("svg text").evaluate_all(f"all => all.map({size})")
            assert min(sizes) >= 10, name


CUT = """all => all.filter(one => one.getBoundingClientRect().width).filter(one => {
    const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return pen.measureText(one.selectedOptions[0].text).width > room;
}).map(one => one.selectedOptions[0].text)"""
"""The choices of lists that are wider than their fields."""


@pytest.mark.parametrize("width", [390, 768])
def test_no_order_that_is_chosen_is_cut_off(width: int, browser, site) -> None:
    way = {**WAYS["phone, Ukrainian, script"], "viewport": {"width": width, "height": 900}}
    with browser.new_context(**way) as context:
        visitor = Visitor(context, site)
        for path in ("/sources", "/search?q=Velna"):
            visitor.open(path)
            assert visitor.page.locator("main select").evaluate_all(CUT) == [], path


def test_every_page_and_result_looks_the_same_at_the_second_visit_and_when_reloaded(
    browser, site, shown
) -> None:
    with browser.new_context(**WAYS["desk, English, script"]) as context:
        visitor = Visitor(context, site)
        page = visitor.page
        for name, path in shown.items():
            visitor.open(path)
            first = page.evaluate(STYLE)
            assert first[2] == "object", name
            page.goto("about:blank")
            visitor.open(path)
            assert page.evaluate(STYLE) == first, name
            if name.startswith("page"):
                page.reload(wait_until="load")
                assert page.evaluate(STYLE) == first, name
        assert visitor.refused == []


def violations(page: Page, **options: object) -> list[list[str]]:
    """Return what axe-core finds: rule and element."""
    page.evaluate(AXE.axe_script)
    return page.evaluate(
        """options => axe.run(document, options).then(
            found => found.violations.map(one => [one.id, one.nodes[0].html]))""",
        {"resultTypes": ["violations"], "selectors": False, **options},
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_and_result_is_accessible_and_as_narrow_as_a_phone(
    part: int, browser, site, shown
) -> None:
    """Each page in both themes, results in one of them; Ukrainian has the longest words."""
    way = WAYS["phone, Ukrainian, script"]
    with browser.new_context(**way) as context:
        visitor = Visitor(context, site)
        page = visitor.page
        for at, (name, path) in enumerate([*shown.items()][part::PARTS]):
            schemes = ("dark", "light") if at % 2 else ("light", "dark")
            page.emulate_media(color_scheme=schemes[0])
            visitor.open(path)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= way["viewport"]["width"], name
            assert violations(page) == [], name
            if name.startswith("page"):
                page.emulate_media(color_scheme=schemes[1])
                assert violations(page, runOnly=COLOURS) == [], name
        assert visitor.refused == []


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
        assert violations(page, runOnly=COLOURS) == []


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


def test_what_an_editor_asks_in_the_morning_takes_few_clicks(browser, site) -> None:
    """Docs/pages.md has the three tasks with these numbers."""
    with browser.new_context(**{**DESK, "java_script_enabled": False}) as context:
        page, clicks = Visitor(context, site).page, 0

        def click(role: str, name: str, *, inside: str = "body") -> None:
            nonlocal clicks
            clicks += 1
            page.locator(inside).get_by_role(role, name=name, exact=True).first.click()

        page.goto(f"{site}/")
        most_copied = page.locator("article.story").first
        assert most_copied.locator("h2").inner_text()
        assert most_copied.locator("time").count() > 0
        assert clicks == 0
        click("link", "Sources", inside="nav")
        copied = page.locator(".pairs tbody td a").first.inner_text()
        click("link", copied, inside=".pairs")
        who = page.locator(".partners").last.locator("tbody tr")
        assert page.locator("h1").inner_text() == copied
        assert who.count() > 0
        assert (who.locator("td").last.inner_text() != "", clicks) == (True, 2)
        page.goto(f"{site}/")
        click("link", "Check", inside="nav")
        page.get_by_label("Text", exact=True).fill(f"Bridge reopens\n{BRIDGE}")
        click("button", "Look it up", inside="main")
        assert (page.locator("#would-be").is_visible(), clicks) == (True, 4)


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
