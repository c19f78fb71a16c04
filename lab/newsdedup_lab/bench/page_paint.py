"""Pages in Chromium: when the first pixels are painted, and how many bytes each page loads."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from newsdedup_lab.bench.server_requests import RequestKind

CHROMIUM_ARGUMENTS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_FIRST_PAINT: Final = """() => new Promise(resolve => {
    new PerformanceObserver(list => {
        const first = list.getEntriesByName("first-contentful-paint")[0];
        if (first) resolve(first.startTime);
    }).observe({type: "paint", buffered: true});
})"""


class PagePaint(NamedTuple):
    """How one page came onto the screen of an empty browser."""

    name: str
    first_paint_ms: float
    """From the request to the first content."""
    bytes: int
    """Of the page and all that it loads."""


def paint_pages(address: str, kinds: Iterable[RequestKind], chromium: str) -> list[PagePaint]:
    """Return the paint of each page of a server, each opened by a browser with an empty cache.

    `chromium` is the path of the browser. Raise ModuleNotFoundError where playwright is missing.
    """
    # Here and not above: it comes with the tools of development alone.
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    pages = [kind for kind in kinds if _is_page(kind)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*CHROMIUM_ARGUMENTS])
        try:
            return [_paint(browser, address, kind) for kind in pages]
        finally:
            browser.close()


def _is_page(kind: RequestKind) -> bool:
    """Return whether a browser shows what is asked for: it stores a table."""
    path = kind.paths[0].partition("?")[0]
    return not path.startswith(("/v1/", "/feeds/")) and "." not in path


def _paint(browser: Any, address: str, kind: RequestKind) -> PagePaint:
    """Open a page as a new visitor."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        weights: list[int] = []
        page.on("response", lambda got: weights.append(int(got.headers.get("content-length", 0))))
        page.goto(address + kind.paths[0], wait_until="load")
        return PagePaint(kind.name, round(page.evaluate(_FIRST_PAINT), 1), sum(weights))
    finally:
        context.close()
