"""Exports of Telegram Desktop (result.json): the posts of channels.

The export of one channel, and that of a whole account, whose private talks and groups are left
alone. A post has no title. Its address is https://t.me/NAME/ID if the name of the channel is
known (the export lacks it), else https://t.me/c/CHANNEL/ID, which opens for subscribers.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from mmap import mmap
from typing import Any, Final

import msgspec

from newsdedup.adapters.formats.json_object import LIMITS, Limits, decode_object
from newsdedup.feeder.archives.archive_entry import (
    START,
    ArchiveEntry,
    ArchivePosition,
    LeftOut,
    rejected_entry,
)
from newsdedup.feeder.parsing.canonical_urls import canonical_url
from newsdedup.ports.errors import InvalidItem, SettingsInvalid, SourceUnusable

_CHANNELS: Final = frozenset({"public_channel", "private_channel"})
_LINKS: Final = frozenset({"link", "text_link"})
_CARRIED: Final = ("author", "forwarded_from", "forwarded_from_id")
"""Fields of a message that an item keeps under their names: who signed it, whence it came."""


class _Chat(msgspec.Struct):
    """One talk, group or channel; its messages are decoded one by one."""

    name: Any = None
    type: Any = None
    id: Any = None
    messages: list[msgspec.Raw] = []


class _ChatList(msgspec.Struct):
    """Chats as the export of an account lists them."""

    chats: list[_Chat] = msgspec.field(name="list", default_factory=list)


class _Export(_Chat):
    """The export of one chat, or of an account with all its chats."""

    chats: _ChatList = msgspec.field(default_factory=_ChatList)
    left_chats: _ChatList = msgspec.field(default_factory=_ChatList)


_decode_export = msgspec.json.Decoder(_Export).decode


def read_telegram_export(
    name: str,
    export: bytes | mmap,
    start: ArchivePosition = START,
    *,
    source: str = "",
    limits: Limits = LIMITS,
) -> Iterator[ArchiveEntry]:
    """Yield the messages of all channels of an export, after those that were read before.

    `source` is the name that the user gives to the channel; "@NAME" is its name on t.me. Raise
    SourceUnusable if it is no whole export or has no channel, SettingsInvalid if one name is given
    for several channels.
    """
    channels = _channels(name, export)
    if source and len(channels) > 1:
        raise SettingsInvalid(f"{name} has {len(channels)} channels: leave out --source")
    number = offset = 0
    for channel in channels:
        for message in channel.messages:
            number += 1
            data = bytes(message)
            # It follows the one before, so this looks at a few bytes.
            offset = max(export.find(data, offset), offset)
            if number > start.number:
                try:
                    post = _post(decode_object(data, limits), channel, source)
                except InvalidItem as error:
                    yield rejected_entry(number, error.rejection, data, offset=offset)
                else:
                    yield ArchiveEntry(number, offset, 0, post)
            offset += len(data)


def _channels(name: str, export: bytes | mmap) -> list[_Chat]:
    """Return the channels of an export; raise SourceUnusable if it has none or is cut off."""
    try:
        whole = _decode_export(export)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise SourceUnusable(
            f"{name}: no result.json of Telegram Desktop, or cut off: {error}"
        ) from error
    chats = [whole, *whole.chats.chats, *whole.left_chats.chats]
    channels = [chat for chat in chats if chat.type in _CHANNELS]
    if not channels:
        raise SourceUnusable(f"{name}: no channel of Telegram is in it")
    return channels


def _post(message: Mapping[str, Any], channel: _Chat, source: str) -> dict[str, Any] | LeftOut:
    """Return the fields of an item, or why there is none; raise InvalidItem if it is malformed."""
    if message.get("type") != "message":
        return LeftOut.SERVICE
    text = _text(message.get("text"))
    if not text.strip():
        return LeftOut.WITHOUT_TEXT
    number = message.get("id")
    if type(number) is not int or type(channel.id) is not int:
        raise InvalidItem("bad_field", "the message or its channel has no number as id")
    channel_path = source.removeprefix("@") if source.startswith("@") else f"c/{channel.id}"
    fields: dict[str, Any] = {
        "source": source or channel.name,
        "url": f"https://t.me/{channel_path}/{number}",
        "text": text,
        "published_at": _moment(message, "date"),
        "updated_at": _moment(message, "edited"),
        "links": _links(message.get("text")),
        **{name: message.get(name) for name in _CARRIED},
    }
    return {name: value for name, value in fields.items() if value not in (None, "", [])}


def _parts(text: Any) -> list[Any]:
    """Return the parts of a text: strings, and objects with a type and a text."""
    return text if isinstance(text, list) else [text]


def _text(text: Any) -> str:
    """Return the plain text of all parts; raise InvalidItem if it is neither text nor parts."""
    pieces = [part.get("text") if isinstance(part, dict) else part for part in _parts(text)]
    texts = [piece for piece in pieces if isinstance(piece, str)]
    if len(texts) < len(pieces):
        raise InvalidItem("bad_field", "text must be a string, or strings and objects in a list")
    return "".join(texts)


def _links(text: Any) -> list[str]:
    """Return the canonical addresses to which the text of a message links, in their order."""
    links: dict[str, None] = {}
    for part in _parts(text):
        if isinstance(part, dict) and part.get("type") in _LINKS:
            address = part.get("href") or part.get("text")
            if isinstance(address, str):
                bare = address if "://" in address else f"https://{address}"
                links[canonical_url("", bare)] = None
    links.pop("", None)
    return list(links)[: LIMITS.links]


def _moment(message: Mapping[str, Any], name: str) -> Any:
    """Return a time of a message in UTC if it says so, else as it is written; None without one."""
    seconds = message.get(f"{name}_unixtime")
    if isinstance(seconds, str) and seconds.isdecimal() and len(seconds) < 12:
        return datetime.fromtimestamp(int(seconds), UTC).isoformat()
    return message.get(name)
