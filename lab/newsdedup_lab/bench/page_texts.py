"""How well the text of an article is extracted in pages of news sites, next to other libraries."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NamedTuple

from lxml import html

from newsdedup.feeder.pages.article import read_article
from newsdedup.feeder.pages.page_tree import PageUnusable
from newsdedup_lab.bench.news_pages import NewsPage

_WORD: Final = re.compile(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+")
_ADDRESS: Final = "https://visti.example/news/1042"
OURS: Final = "newsdedup"
Extract = Callable[[str], str]
"""From the HTML of a page to its text, "" if it holds no article."""


class PageScore(NamedTuple):
    """Words of the article of a page: expected, extracted, and both; 0 expected for a list."""

    page: NewsPage
    expected: int
    extracted: int
    right: int

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall; of a list 1 if it is empty."""
        if not self.expected:
            return float(not self.extracted)
        return 2 * self.right / (self.expected + self.extracted)


def extractors() -> dict[str, Extract]:
    """Return the extractors that are installed, with their versions, ours first."""
    extracts: dict[str, Extract] = {OURS: _ours}
    for name, extract in (("trafilatura", _trafilatura), ("readability-lxml", _readability)):
        try:
            extracts[f"{name} {version(name)}"] = extract
        except PackageNotFoundError:
            continue
    return extracts


def score_pages(
    pages: Iterable[NewsPage], extracts: Mapping[str, Extract]
) -> dict[str, list[PageScore]]:
    """Return the score of each page by each extractor."""
    listed = list(pages)
    return {
        name: [_score(page, extract(page.html)) for page in listed]
        for name, extract in extracts.items()
    }


def precision_and_recall(scores: Iterable[PageScore]) -> tuple[float, float]:
    """Return the means of precision and recall over pages that hold an article."""
    articles = [one for one in scores if one.expected]
    precision = sum(one.right / one.extracted if one.extracted else 0.0 for one in articles)
    recall = sum(one.right / one.expected for one in articles)
    return precision / len(articles), recall / len(articles)


def _score(page: NewsPage, text: str) -> PageScore:
    """Return the score of a text; neutral words of the page count for nothing."""
    expected, extracted = Counter(_words(page.expected)), Counter(_words(text))
    right = expected & extracted
    extracted -= (extracted - expected) & Counter(_words(page.neutral))
    return PageScore(page, expected.total(), extracted.total(), right.total())


def _words(text: str) -> list[str]:
    """Return the words of a text in small letters; each Chinese character is one."""
    return _WORD.findall(text.lower())


def _ours(page: str) -> str:
    """Return the text that the feeder would take."""
    try:
        return read_article(page.encode(), content_type="text/html", address=_ADDRESS).text
    except PageUnusable:
        return ""


def _trafilatura(page: str) -> str:
    """Return the text by trafilatura with its defaults, but for comments."""
    text = import_module("trafilatura").extract(page, include_comments=False)
    return text or ""


def _readability(page: str) -> str:
    """Return the text by readability with its defaults."""
    document = import_module("readability").Document(page)
    try:
        summary = document.summary(html_partial=True)
    except Exception:  # noqa: BLE001 - of another library: it finds no article
        return ""
    return " ".join(html.fromstring(summary).itertext())
