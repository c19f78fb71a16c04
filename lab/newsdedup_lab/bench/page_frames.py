"""What the pages of news sites have around their articles, of invented phrases."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from newsdedup_lab.bench.page_phrases import PagePhrases


class MadePage(NamedTuple):
    """The body of a page, with what is expected and what is neutral."""

    body: str
    expected: Sequence[str]
    neutral: Sequence[str] = ()
    head: str = ""


def elements(tag: str, texts: Sequence[str], attributes: str = "") -> str:
    """Return texts, each in an element."""
    return "".join(f"<{tag}{attributes}>{text}</{tag}>" for text in texts)


def link_elements(texts: Sequence[str], tag: str = "li") -> str:
    """Return headlines, each a link in an element."""
    return "".join(
        f'<{tag}><a href="/news/{number}">{text}</a></{tag}>' for number, text in enumerate(texts)
    )


def page_top(words: PagePhrases) -> str:
    """Return the menu above a page."""
    return f'<header><nav class="menu"><ul>{link_elements(words.menu)}</ul></nav></header>'


def page_bottom(words: PagePhrases) -> str:
    """Return what stands next to and below an article."""
    side = (
        f'<aside class="sidebar"><h3>{words.menu[1]}</h3>'
        f"<ul>{link_elements(words.related)}</ul></aside>"
    )
    return f"{side}<footer><p>{words.footer}</p></footer>"


def framed(words: PagePhrases, inner: str) -> str:
    """Return the whole body of a page with its article."""
    return f"{page_top(words)}<main><h1>{words.title}</h1>{inner}</main>{page_bottom(words)}"


def between(pieces: Sequence[str], inserted: str) -> str:
    """Return pieces with something inserted after the second and the fourth."""
    parts = [*pieces[:2], inserted, *pieces[2:4], inserted, *pieces[4:]]
    return "".join(parts)


def with_inserted(words: PagePhrases, inserted: str) -> MadePage:
    """Return an article with something foreign between its paragraphs."""
    paragraphs = [f"<p>{one}</p>" for one in words.paragraphs]
    body = f"<article>{between(paragraphs, inserted)}</article>"
    return MadePage(framed(words, body), words.paragraphs)


def json_ld(**fields: object) -> str:
    """Return the script that describes an article."""
    facts = {"@context": "https://schema.org", "@type": "NewsArticle", **fields}
    written = json.dumps(facts, ensure_ascii=False)
    return f'<script type="application/ld+json">{written}</script>'
