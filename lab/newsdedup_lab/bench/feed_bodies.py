"""Feeds of all formats, made of synthetic news."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from email.utils import format_datetime
from html import escape
from typing import Final

from newsdedup.synthetic.stream import generate_stream

MadeEntry = Mapping[str, str]
"""An item of the synthetic stream: id, url, title, text, published_at and lang."""


def make_entries(count: int, *, seed: int = 2026) -> list[MadeEntry]:
    """Return `count` invented items; the same arguments give the same ones."""
    items = (planted.item for planted in generate_stream(2 * count + 10, seed=seed))
    whole = [item for item in items if item.get("title") and item.get("text") and item.get("url")]
    return [
        {**{name: str(value) for name, value in item.items()}, "id": f"{seed}-{number}"}
        for number, item in enumerate(whole[:count])
    ]


def make_feed(form: str, entries: Sequence[MadeEntry], *, site: str) -> bytes:
    """Return the body of a feed of the site in a form of FEED_FORMS."""
    return FEED_FORMS[form](entries, site)


def _rss(entries: Sequence[MadeEntry], site: str) -> bytes:
    """Return RSS 2.0 with full texts and summaries."""
    return _rss_text(entries, site, "UTF-8").encode()


def _rss_1251(entries: Sequence[MadeEntry], site: str) -> bytes:
    """Return RSS 2.0 in the encoding windows-1251."""
    return _rss_text(entries, site, "windows-1251").encode("cp1251", "xmlcharrefreplace")


def _rss_text(entries: Sequence[MadeEntry], site: str, encoding: str) -> str:
    """Return RSS 2.0 as text that names an encoding, with full texts and summaries."""
    items = "".join(
        f"<item><title>{escape(one['title'])}</title><link>{escape(one['url'])}</link>"
        f'<guid isPermaLink="false">{one["id"]}</guid>'
        f"<pubDate>{format_datetime(_moment(one))}</pubDate>"
        f"<dc:creator>{escape(one.get('source', ''))}</dc:creator>"
        f"<category>{escape(one.get('category', ''))}</category>"
        f"<description>{escape(one['text'][:200])}…</description>"
        f"<content:encoded><![CDATA[{_html(one)}]]></content:encoded></item>\n"
        for one in entries
    )
    return (
        f'<?xml version="1.0" encoding="{encoding}"?>\n<rss version="2.0"'
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<channel><title>Feed of {site}</title><link>{site}</link>\n{items}</channel></rss>\n"
    )


def _rss_broken(entries: Sequence[MadeEntry], site: str) -> bytes:
    """Return RSS with a bare & in each title, which is not well-formed."""
    return _rss(entries, site).replace(b"<item><title>", b"<item><title>A & B: ")


def _rdf(entries: Sequence[MadeEntry], site: str) -> bytes:
    """Return RSS 1.0."""
    items = "".join(
        f'<item rdf:about="{escape(one["url"])}"><title>{escape(one["title"])}</title>'
        f"<link>{escape(one['url'])}</link><dc:date>{one['published_at']}</dc:date>"
        f"<description>{escape(one['text'])}</description></item>\n"
        for one in entries
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<channel rdf:about="{site}"><title>Feed of {site}</title><link>{site}</link></channel>\n'
        f"{items}</rdf:RDF>\n"
    ).encode()


def _atom(entries: Sequence[MadeEntry], site: str) -> bytes:
    """Return Atom 1.0 with full texts."""
    written = "".join(
        f"<entry><id>tag:{one['id']}</id><title>{escape(one['title'])}</title>"
        f'<link href="{escape(one["url"])}"/><updated>{one["published_at"]}</updated>'
        f'<content type="html">{escape(_html(one))}</content></entry>\n'
        for one in entries
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f'<title>Feed of {site}</title><id>{site}</id><link href="{site}"/>\n{written}</feed>\n'
    ).encode()


def _json(entries: Sequence[MadeEntry], site: str) -> bytes:
    """Return JSON Feed 1.1."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": f"Feed of {site}",
        "home_page_url": site,
        "items": [
            {
                "id": one["id"],
                "url": one["url"],
                "title": one["title"],
                "content_html": _html(one),
                "date_published": one["published_at"],
            }
            for one in entries
        ],
    }
    return json.dumps(feed, ensure_ascii=False).encode()


def _sitemap(entries: Sequence[MadeEntry], site: str) -> bytes:
    """Return a news sitemap, which has titles alone."""
    pages = "".join(
        f"<url><loc>{escape(one['url'])}</loc><n:news><n:publication><n:name>{site}</n:name>"
        f"<n:language>{one.get('lang', 'en')}</n:language></n:publication>"
        f"<n:publication_date>{one['published_at']}</n:publication_date>"
        f"<n:title>{escape(one['title'])}</n:title></n:news></url>\n"
        for one in entries
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        f' xmlns:n="http://www.google.com/schemas/sitemap-news/0.9">\n{pages}</urlset>\n'
    ).encode()


def _html(entry: MadeEntry) -> str:
    """Return the full text of an item as HTML."""
    paragraphs = (escape(one) for one in entry["text"].split("\n\n"))
    return "".join(f"<p>{one}</p>" for one in paragraphs)


def _moment(entry: MadeEntry) -> datetime:
    """Return the time of publication of an item."""
    return datetime.fromisoformat(entry["published_at"])


FEED_FORMS: Final[Mapping[str, Callable[[Sequence[MadeEntry], str], bytes]]] = {
    "rss": _rss,
    "rss in windows-1251": _rss_1251,
    "broken rss": _rss_broken,
    "rdf": _rdf,
    "atom": _atom,
    "json feed": _json,
    "news sitemap": _sitemap,
}
"""How a feed is written, by name."""
