"""Fields of an archive to the record of an item, named as a feed would have named it.

The id is the one that the archive gives, else the canonical address, else a hash of title and text;
the source is the one that the user names, else that of the archive, else the host of the address
without "www.", else the name of the file up to its first dot.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from newsdedup.adapters.formats.item_json import decode_item, is_blank
from newsdedup.adapters.formats.json_object import Limits
from newsdedup.adapters.tables.rows import encode_fields, whole_names
from newsdedup.core.model import NewsItem
from newsdedup.feeder.parsing.canonical_urls import canonical_url, site_host
from newsdedup.feeder.parsing.feed_items import entry_id
from newsdedup.feeder.parsing.parsed_feed import FeedEntry
from newsdedup.ports.errors import InvalidItem


def item_record(fields: Mapping[str, Any], *, source: str, file: str, limits: Limits) -> bytes:
    """Return the record of an item as JSON; raise InvalidItem if the fields make none.

    `source` is the name that the user gives to all items, "" for none; `file` is the path of the
    archive. The same fields make the same record at every import. A date stays as it is
    written; one that cannot be read counts as missing wherever the record is read.
    """
    fields = whole_names(fields)
    item = decode_item(encode_fields(fields), limits=limits)
    if not isinstance(item, NewsItem):
        raise InvalidItem("command", "a command changes a stream: give it to `newsdedup run`")
    url = canonical_url("", item.url) or item.url
    given = source or _given(fields, "source") or site_host(url)
    named: dict[str, Any] = {
        "id": _given(fields, "id") or entry_id(FeedEntry("", url, item.title, item.text)),
        "source": given or Path(file).name.partition(".")[0],
    }
    if url:
        named["url"] = url
    return encode_fields({**named, **{name: fields[name] for name in fields if name not in named}})


def _given(fields: Mapping[str, Any], name: str) -> str | int:
    """Return an id or a source that the archive gives, "" if it gives none; the type is checked."""
    value = fields.get(name)
    return "" if is_blank(value) or not isinstance(value, str | int) else value


def mendable_json(fields: Mapping[str, Any]) -> bytes:
    """Return fields that make no item as JSON for a dead letter, also where they are no Unicode."""
    text = json.dumps(fields, ensure_ascii=False, default=str)
    return text.encode("utf-8", "surrogatepass")
