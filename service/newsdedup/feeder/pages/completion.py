"""An item of a feed with what its page says: the whole text, links, and what the feed left out."""

from datetime import datetime
from typing import Final

from newsdedup.feeder.pages.article import Article
from newsdedup.feeder.parsing.feed_items import FeedRecord
from newsdedup.feeder.parsing.html_text import as_html, visible_text

_MOST_LINKS: Final = 1_000


def complete_record(record: FeedRecord, article: Article) -> FeedRecord:
    """Return the record of an item, completed by the article of its page.

    The longer text counts; links of both, those of the page first; what else the feed says stays.
    The address becomes the canonical one, the id stays. Dates after `seen_at` are ignored.
    """
    completed = {**record, "url": article.address}
    if len(article.text) > len(visible_text(record.get("text", ""))):
        completed["text"] = as_html(article.text)
    links = dict.fromkeys((*article.links, *record.get("links", ())))
    links.pop(article.address, None)
    stated = {
        "title": article.title,
        "published_at": _past(article.published, record["seen_at"]),
        "lang": article.lang,
        "authors": list(article.authors),
    }
    completed |= {name: value for name, value in stated.items() if value and not record.get(name)}
    if links:
        completed["links"] = list(links)[:_MOST_LINKS]
    return completed


def _past(at: datetime | None, seen_at: str) -> str:
    """Return a moment as an item has it; "" if it is unknown or lies after the receipt."""
    return "" if at is None or at > datetime.fromisoformat(seen_at) else at.isoformat()
