"""Addresses of our own pages, and foreign ones that are safe to follow."""

from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

MOST_URL_CHARS: Final = 2_000
_MOST_FIELDS: Final = 20
"""Values in the query of an address."""
_REFUSED: Final = frozenset([*map(chr, range(0x21)), *'"<>\\^`{|}', "\x7f"])
"""Characters that occur only in an address that is meant to be misread."""


def page_url(path: str, /, **values: object) -> str:
    """Return the address of a page with the values that are not empty as its query."""
    query = {name: str(value) for name, value in values.items() if value not in ("", None)}
    return f"{path}?{urlencode(query, errors='replace')}" if query else path


def item_url(item: object) -> str:
    """Return the address of the page of an item: of anything that has a source and an id."""
    return page_url("/item", source=getattr(item, "source", ""), id=getattr(item, "id", ""))


def story_url(story: str) -> str:
    """Return the address of the page of a story, given its id."""
    return page_url("/story", id=story)


def source_url(source: str) -> str:
    """Return the address of the page of a source, given its name."""
    return page_url("/source", name=source)


def copies_url(source: str, original_source: str, **values: object) -> str:
    """Return the address of the items of a source that are copies of another one's originals."""
    return page_url("/items", source=source, copies_of=original_source, **values)


def watch_url(name: str) -> str:
    """Return the address of the page of a saved search, given its name."""
    return page_url("/watch", name=name)


def compare_url(left: object, right: object) -> str:
    """Return the address of the page that compares two items: two of what `item_url` takes."""
    return page_url("/compare", a=joined_key(left), b=joined_key(right))


def joined_key(item: object) -> str:
    """Return source and id of an item as one value of a form; `split_key` reverses it."""
    source, item_id = getattr(item, "source", ""), getattr(item, "id", "")
    return f"{len(source)}:{source}{item_id}"


def split_key(value: str) -> tuple[str, str] | None:
    """Return source and id of a value of `joined_key`; None for any other value."""
    length, colon, rest = value.partition(":")
    if not colon or not length.isascii() or not length.isdigit() or len(length) > 6:
        return None
    size = int(length)
    return (rest[:size], rest[size:]) if size <= len(rest) else None


def linked_page(url: str) -> str | tuple[str, str] | None:
    """Return what one of our pages shows, by its address: a story's id, or an item's source and id.

    None for another page. The host is ignored: it may be that of a proxy.
    """
    if len(url) > MOST_URL_CHARS:
        return None
    try:
        parts = urlsplit(url.strip())
        query = dict(parse_qsl(parts.query, max_num_fields=_MOST_FIELDS))
    except ValueError:
        return None
    match parts.path.rpartition("/")[2], query:
        case "story", {"id": story}:
            return story
        case "item", {"source": source, "id": item_id}:
            return source, item_id
    return None


def foreign_url(url: str) -> str:
    """Return an address of http or https, which a page may link to; "" for any other one."""
    if len(url) > MOST_URL_CHARS or not _REFUSED.isdisjoint(url):
        return ""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.netloc else ""


def foreign_host(url: str) -> str:
    """Return the host of an address, "" if it has none."""
    return urlsplit(url).hostname or "" if foreign_url(url) else ""
