"""The article of a page to the fields of an item."""

import gc
from typing import Any

from newsdedup.feeder.pages.article import read_article
from newsdedup.feeder.pages.page_tree import PageUnusable
from newsdedup.ports.errors import InvalidItem


def page_record(
    html: bytes, *, content_type: str | None, address: str, seen_at: str = ""
) -> dict[str, Any]:
    """Return the fields of the item on a page; raise InvalidItem if it has no article.

    `address` is where the page was, "" if that is unknown; `seen_at` when it was fetched.
    """
    try:
        article = read_article(html, content_type=content_type, address=address)
    except PageUnusable as error:
        raise InvalidItem("bad_page", str(error)) from error
    finally:
        # The tree of a page lies in cycles, and the collector does not see how large it is: 1,800
        # pages took 590 MB without this, and 110 MB with it (2026-11-23).
        gc.collect(0)
    fields: dict[str, Any] = {
        "url": article.address,
        "title": article.title,
        "text": article.text,
        "published_at": None if article.published is None else article.published.isoformat(),
        "updated_at": None if article.updated is None else article.updated.isoformat(),
        "seen_at": seen_at,
        "lang": article.lang,
        "links": list(article.links),
        "authors": list(article.authors),
        "site_name": article.site_name,
    }
    return {name: value for name, value in fields.items() if value not in (None, "", [])}
