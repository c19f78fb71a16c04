"""What a page says of its article: title, dates, language, authors, site and canonical address.

JSON-LD (schema.org) comes first, then the elements `meta`, then what a reader sees. Dates keep
their time of day and zone. Trafilatura has them as days only, and no month in Ukrainian or Russian.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import dropwhile, islice
from typing import Any, Final
from urllib.parse import urlsplit

from lxml import html

from newsdedup.feeder.parsing.canonical_urls import canonical_url, join_address
from newsdedup.feeder.parsing.feed_dates import DateReader
from newsdedup.feeder.parsing.html_text import plain_title, resolve_html, visible_text
from newsdedup.feeder.parsing.xml_documents import NO_XML_CHARACTERS

_PUBLISHED: Final = (
    *("article:published_time", "og:article:published_time", "og:published_time", "datepublished"),
    *("parsely-pub-date", "sailthru.date", "cxenseparse:recs:publishtime", "pubdate"),
    *("publishdate", "publish-date", "publication_date", "dc.date.issued", "dcterms.created"),
    *("dc.date", "citation_publication_date", "date"),
)
_UPDATED: Final = ("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified")
_TITLES: Final = ("og:title", "twitter:title", "dc.title", "title")
_AUTHORS: Final = ("author", "article:author", "parsely-author", "dc.creator", "citation_author")
_SITES: Final = ("og:site_name", "application-name")
_LANGUAGES: Final = ("content-language", "og:locale", "dc.language")
_ARTICLE_TYPE: Final = re.compile(r"(?:Article|Posting|Report)$")
_LIVE: Final = "LiveBlogPosting"
_PARAGRAPH_END: Final = re.compile(r"</(?:p|div|li|h[1-6])>|<br\s{0,9}/?>", re.IGNORECASE)
_DATE_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:date|time|published|pubdate|datetime)", re.IGNORECASE
)
_DATE_IN_PATH: Final = re.compile(r"/(20\d\d)[/-](\d\d)[/-](\d\d)(?=[/_-]|$)")
_AFTER_TITLE: Final = re.compile(r"\s+[|•·—–»-]\s+[^|•·—–»]{2,60}$")
_VARIANT: Final = re.compile(r"^(?:(?:www\d?|m|mobile|amp|wap|touch|lite|beta)\.)+(?=[^.]+\.)")
"""The labels of variants of one site, at the beginning of a host."""
_AMP_CACHES: Final = (".cdn.ampproject.org", ".ampproject.net")
_AMP_VIEWERS: Final = re.compile(r"^/amp/(?:s/)?([^/]+)")
_SEARCH_HOST: Final = re.compile(r"^(?:www\.)?google\.[a-z.]{2,6}$")
_LONGEST_DATE: Final = 60
_MOST_DATES: Final = 100
"""That are tried, of those stated and of those seen."""
_MOST_OBJECTS: Final = 200
"""Of JSON-LD that are looked at."""
_MOST_AUTHORS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts:
    """What a page says of its article; "", () and None where it says nothing."""

    address: str
    """Canonical: as the page names it if it may, else where it was fetched from."""
    base: str
    """To which relative addresses of the page refer."""
    title: str
    published: datetime | None
    """As the page states it, with a zone: perhaps in the future; None if unknown."""
    updated: datetime | None
    lang: str
    authors: tuple[str, ...]
    site_name: str


def page_facts(tree: html.HtmlElement, address: str) -> PageFacts:
    """Return what a page says of its article; `address` is where it was fetched from."""
    described = _described_article(tree)
    metas = _metas(tree)
    published = _first_date([*_texts(described.get("datePublished")), *_of(metas, _PUBLISHED)])
    if published is None:
        published = _visible_date(tree)
    if published is None and (in_path := _DATE_IN_PATH.search(address)):
        published = DateReader().read("-".join(in_path.groups()))
    updated = _first_date([*_texts(described.get("dateModified")), *_of(metas, _UPDATED)])
    if published is not None and updated is not None and updated < published:
        updated = None
    language = [tree.get("lang", ""), *_of(metas, _LANGUAGES), *_texts(described.get("inLanguage"))]
    stated_base = next((one.get("href") for one in tree.iter("base") if one.get("href")), "")
    base = (join_address(address, stated_base) if stated_base else "") or address
    authors = _names(described.get("author")) or _of(metas, _AUTHORS)
    names = (_first_line([one]) for one in authors if "://" not in one)
    return PageFacts(
        address=_canonical(tree, base, address),
        base=base,
        title=_title(tree, described, metas),
        published=published,
        updated=updated,
        lang=_first_line(language).replace("_", "-")[:35],
        authors=tuple(dict.fromkeys(name for name in names if name))[:_MOST_AUTHORS],
        site_name=_first_line([*_of(metas, _SITES), *_names(described.get("publisher"))]),
    )


def stated_text(tree: html.HtmlElement) -> str:
    """Return the text that JSON-LD says the article has, a paragraph a line; "" if it says none."""
    bodies = _texts(_described_article(tree).get("articleBody"))
    # It may be HTML, and that may be escaped.
    unescaped = _PARAGRAPH_END.sub("\n", resolve_html("\n".join(bodies)))
    lines = (NO_XML_CHARACTERS.sub("", visible_text(line)) for line in unescaped.split("\n"))
    return "\n".join(line for line in lines if line)


def is_live(tree: html.HtmlElement) -> bool:
    """Return whether a page says that it is a live blog."""
    return _LIVE in _texts(_described_article(tree).get("@type"))


def _described_article(tree: html.HtmlElement) -> dict[str, Any]:
    """Return the first article that JSON-LD of a page describes; {} if there is none."""
    for script in tree.iter("script"):
        try:
            facts = json.loads(script.text or "", strict=False)
        except (ValueError, RecursionError):
            continue
        for one in _objects(facts):
            if any(_ARTICLE_TYPE.search(kind) for kind in _texts(one.get("@type"))):
                return one
    return {}


def _objects(facts: object) -> Iterator[dict[str, Any]]:
    """Yield the first 200 objects of decoded JSON-LD; lists and graphs are walked through."""
    waiting = [facts]
    for _ in range(_MOST_OBJECTS):
        if not waiting:
            return
        one = waiting.pop(0)
        if isinstance(one, list):
            waiting.extend(one[:_MOST_OBJECTS])
        elif isinstance(one, dict):
            yield one
            waiting += [one[name] for name in ("@graph", "mainEntity") if name in one]


def _texts(value: object) -> list[str]:
    """Return the texts of a value of JSON-LD, which may be one or a list."""
    values = value[:_MOST_AUTHORS] if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str)]


def _names(value: object) -> list[str]:
    """Return the names of persons or organizations: texts, or objects that have a name."""
    values = value[:_MOST_AUTHORS] if isinstance(value, list) else [value]
    named = [one.get("name") if isinstance(one, dict) else one for one in values]
    return [one for one in named if isinstance(one, str)]


def _metas(tree: html.HtmlElement) -> dict[str, list[str]]:
    """Return what the elements `meta` and those with `itemprop` say, by name in small letters."""
    metas: dict[str, list[str]] = {}
    for element in tree.iter("meta", "time", "link"):
        for attribute in ("property", "name", "itemprop", "http-equiv"):
            name = element.get(attribute, "").strip().lower()
            value = element.get("content") or element.get("datetime") or ""
            if name and value.strip():
                metas.setdefault(name, []).append(value.strip())
    return metas


def _of(metas: dict[str, list[str]], names: Iterable[str]) -> Iterator[str]:
    """Yield the values of the meta elements of these names, in the order of the names."""
    for name in names:
        yield from metas.get(name, ())


def _first_date(texts: Iterable[str]) -> datetime | None:
    """Return the moment of the first text that is a date; None if none of the first 100 is."""
    dates = map(DateReader().read, islice(texts, _MOST_DATES))
    return next((at for at in dates if at is not None), None)


def _visible_date(tree: html.HtmlElement) -> datetime | None:
    """Return the first date after the headline of a page, before which clocks are; or None."""
    headline = next(tree.iter("h1"), None)
    elements = tree.iter("h1", "time", "span", "div", "p", "li", "a", "em", "small")
    after = elements if headline is None else dropwhile(lambda one: one is not headline, elements)
    return _first_date(
        element.get("datetime") or _short_text(element)
        for element in after
        if element.tag == "time" or _DATE_CLASS.search(element.get("class", ""))
    )


def _short_text(element: html.HtmlElement) -> str:
    """Return the text of an element, "" if it is too long for a date."""
    text = ""
    for piece in element.itertext():
        text += piece
        if len(text) > 2 * _LONGEST_DATE:
            return ""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_DATE else ""


def _title(tree: html.HtmlElement, described: dict[str, Any], metas: dict[str, list[str]]) -> str:
    """Return the headline of JSON-LD, else the only `h1`, else that of `meta` or `title`; or ""."""
    headlines = list(tree.iter("h1"))
    seen = [_first_line(["".join(headlines[0].itertext())])] if len(headlines) == 1 else []
    window = next(tree.iter("title"), None)
    in_window = "" if window is None else _first_line([window.text or ""])
    return _first_line(
        [
            *_texts(described.get("headline")),
            *seen,
            *_of(metas, _TITLES),
            _AFTER_TITLE.sub("", in_window),
        ]
    )


def _first_line(texts: Iterable[str]) -> str:
    """Return the first text that is not blank, as one line of plain text; "" if all are."""
    lines = (NO_XML_CHARACTERS.sub("", plain_title(text[:10_000]))[:2_000] for text in texts)
    return next((line for line in lines if line), "")


def _canonical(tree: html.HtmlElement, base: str, address: str) -> str:
    """Return the canonical address that a page names, if it may name it, else its own."""
    own = canonical_url("", address)
    for link in tree.iter("link"):
        if "canonical" in link.get("rel", "").lower().split() and link.get("href"):
            named = canonical_url(base, link.get("href"))
            return named if named and _may_name(named, own) else own
    return own


def _may_name(named: str, own: str) -> bool:
    """Return whether a page may name a canonical address as its own; both are absolute.

    It may on its site, and where it is a copy: a page for telephones (m.site.example) or of AMP, on
    the site or in a cache. Anyone who could name any address would replace the pages of others. A
    page that names the home page, and is not it, names no address of its own: a common mistake.
    """
    theirs, ours = urlsplit(named), urlsplit(own)
    if theirs.path in ("", "/") and not theirs.query and ours.path not in ("", "/"):
        return False
    own_host = _publisher(ours.hostname or "", ours.path)
    return _VARIANT.sub("", theirs.hostname or "") == _VARIANT.sub("", own_host)


def _publisher(host: str, path: str) -> str:
    """Return the host of the publisher of a page: `host` itself, unless that is a cache of AMP."""
    for cache in _AMP_CACHES:
        if host.endswith(cache):
            # The cache writes "-" for a dot and "--" for a hyphen.
            name = host.removesuffix(cache)
            return name.replace("--", "\0").replace("-", ".").replace("\0", "-")
    viewed = _AMP_VIEWERS.match(path)
    return viewed[1] if viewed and _SEARCH_HOST.match(host) else host
