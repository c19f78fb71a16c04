"""The article of a web page: its text by trafilatura, the rest by what the page says of itself."""

import gc
import logging
import re
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

import trafilatura
from lxml import etree, html
from trafilatura.meta import reset_caches
from trafilatura.settings import Document

from newsdedup.feeder.pages.foreign_parts import drop_foreign_parts
from newsdedup.feeder.pages.page_facts import PageFacts, is_live, page_facts, stated_text
from newsdedup.feeder.pages.page_tree import PAGE_BOUNDS, PageUnusable, page_tree
from newsdedup.feeder.parsing.canonical_urls import canonical_url, join_address
from newsdedup.feeder.parsing.charsets import HTML_DECLARATION, decode_feed
from newsdedup.feeder.parsing.feed_items import FeedRecord
from newsdedup.feeder.parsing.html_text import as_html, visible_text
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ProblemList

_SPACES: Final = re.compile(r"\s+")
_PARAGRAPHS: Final = (
    *("p", "div", "br", "li", "ul", "td", "th", "tr", "table", "thead", "tfoot", "caption", "pre"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "dd", "dl", "dt", "form", "fieldset"),
    *("legend", "center", "col", "colgroup", "option", "optgroup", "textarea", "body"),
)
"""Elements that begin a paragraph for the second extractor."""
_MOST_COMPARED: Final = 1_500
"""In larger pages the result of trafilatura is not compared with that of justext, whose time grows
with the square of the paragraphs: 0.9 s for 1,000, measured 2026-11-23."""
_LEAST_CHARS: Final = 40
"""Of a text: less is "JavaScript must be enabled"."""
_LARGE_BYTES: Final = 2**20
"""After such a page the caches of trafilatura are dropped: they hold thousands of its texts."""
_MOST_LINKS: Final = 1_000
_BLOCKS: Final = frozenset(
    {"p", "head", "item", "list", "quote", "code", "table", "row", "lb", "div", "body", "fw", "ab"}
)
"""Elements of trafilatura's format that begin a line."""
_READABLE: Final = ("text/html", "application/xhtml+xml", "text/plain", "text/xml", "")
"""Media types; servers that do not know send none or text/plain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article(PageFacts):
    """The article of a page, with what the page says of it."""

    text: str
    """Plain text, a paragraph a line; never empty."""
    links: tuple[str, ...]
    """Canonical addresses to which the text points, without its own, in their order."""


def read_article(body: bytes, *, content_type: str | None, address: str) -> Article:
    """Return the article of a page; raise PageUnusable if there is none, and no other error.

    `content_type` is the header of HTTP, None without one; `address` is where the body was fetched
    from, after redirects. A page that lists articles holds none.
    """
    # It warns of each page without an article, on standard error if nothing is configured.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    try:
        tree = page_tree(_decoded(body, content_type))
        facts = page_facts(tree, address)
        stated = stated_text(tree)
        drop_foreign_parts(tree, is_live=is_live(tree))
        for link in tree.iter("a"):
            # A link that leads nowhere loses its address.
            if target := join_address(facts.base, link.attrib.pop("href", "")):
                link.set("href", target)
        content = _content(tree)
        targets = (canonical_url("", ref.get("target", "")) for ref in content.iter("ref"))
        own = {"", facts.address, canonical_url("", address)}
        links = [target for target in dict.fromkeys(targets) if target not in own][:_MOST_LINKS]
        text = _plain_text(content)
        first, _, rest = text.partition("\n")
        text = rest if rest and first == facts.title else text
        text = stated if len(stated) > len(text) else text
        if len(text) < _LEAST_CHARS:
            raise PageUnusable(f"the page holds no article, only {len(text)} characters of text")
        return Article(**asdict(facts), text=text[: PAGE_BOUNDS.text_chars], links=tuple(links))
    finally:
        if len(body) > _LARGE_BYTES:
            reset_caches()
        # The tree of a page lies in cycles, and the collector does not see how large it is: 1,800
        # pages took 590 MB without this, and 110 MB with it (2026-11-23).
        gc.collect(0)


def _decoded(body: bytes, content_type: str | None) -> str:
    """Return the text of a body; raise PageUnusable if it is no text or too long."""
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if media_type not in _READABLE:
        raise PageUnusable(f"the page is no HTML: {media_type[:100]}")
    if len(body) > PAGE_BOUNDS.body_bytes:
        raise PageUnusable(f"the page has {len(body)} bytes, more than {PAGE_BOUNDS.body_bytes}")
    try:
        return decode_feed(body, content_type, ProblemList(), declaration=HTML_DECLARATION)
    except FeedUnusable as error:
        raise PageUnusable(str(error)) from error


def _content(tree: html.HtmlElement) -> etree._Element:
    """Return the article as elements of trafilatura; raise PageUnusable if there is none."""
    try:
        document = trafilatura.bare_extraction(
            tree,
            fast=sum(1 for _ in tree.iter(*_PARAGRAPHS)) > _MOST_COMPARED,
            include_comments=False,
            include_links=True,
            with_metadata=False,
        )
    except Exception as error:
        # Trafilatura is made for sound pages: what it stumbles over holds no article for us.
        raise PageUnusable(f"the article cannot be read: {type(error).__name__}") from error
    if not isinstance(document, Document) or document.body is None:
        raise PageUnusable("the page holds no article")
    return document.body


def _plain_text(content: etree._Element) -> str:
    """Return the text of an article, a line for each paragraph, item of a list, heading and row."""
    pieces: list[str] = []
    for event, element in etree.iterwalk(content, events=("start", "end")):
        pieces.append("\n" if element.tag in _BLOCKS else " " if element.tag == "cell" else "")
        text = (element.text if event == "start" else element.tail) or ""
        # A line break in the source is a space.
        pieces.append(_SPACES.sub(" ", text))
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def complete_record(record: FeedRecord, article: Article) -> FeedRecord:
    """Return the record of an item, completed by the article of its page.

    The longer text counts; links of both, those of the page first; what else the feed says stays.
    The address becomes the canonical one, the id stays. Dates after `seen_at` are ignored.
    """
    completed = {**record, "url": article.address}
    if len(article.text) > len(visible_text(record.get("text", ""))):
        completed["text"] = as_html(article.text)
    published, seen_at = article.published, datetime.fromisoformat(record["seen_at"])
    links = dict.fromkeys((*article.links, *record.get("links", ())))
    links.pop(article.address, None)
    stated = {
        "title": article.title,
        "published_at": published.isoformat() if published and published <= seen_at else "",
        "lang": article.lang,
        "authors": list(article.authors),
    }
    completed |= {name: value for name, value in stated.items() if value and not record.get(name)}
    if links:
        completed["links"] = list(links)[:_MOST_LINKS]
    return completed
