from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.limits import Limits
from newsdedup.core.model import NewsItem
from newsdedup.ports.errors import InvalidItem

_UNLIMITED = Limits(
    line_bytes=2**40, title_chars=2**40, text_chars=2**40, id_chars=2**40, url_chars=2**40
)
"""What a state holds was accepted before, perhaps under wider limits than those of today."""
_HEADLINE_CHARS = 300


def headline(received: bytes) -> str:
    """Return the title of an item as it was received, else the beginning of its first line."""
    try:
        item = decode_item(received, limits=_UNLIMITED)
    except InvalidItem:
        return ""
    return title_of(item) if isinstance(item, NewsItem) else ""


def title_of(item: NewsItem) -> str:
    """Return the title of an item, else the beginning of its first line that says something."""
    said = f"{item.title}\n{item.text}".strip().partition("\n")[0].strip()
    return said if len(said) <= _HEADLINE_CHARS else said[: _HEADLINE_CHARS - 1] + "…"
