from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from newsdedup_lab.bench.page_paint import CHROMIUM_ARGUMENTS
from server.pages.invented_feeds import feeds_file
from server.pages.invented_news import invented_items
from server.pages.invented_watches import watches_file
from server.served import judge, serving


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server of pages over invented and hostile news, and feeds."""
    folder = tmp_path_factory.mktemp("pages")
    judge(folder, invented_items())
    feeds, watches = feeds_file(folder), watches_file(folder)
    with serving(folder, state=True, feeds=feeds, watches=watches) as server:
        yield server.address


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*CHROMIUM_ARGUMENTS])
        yield browser
        browser.close()
