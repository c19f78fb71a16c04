"""Saved searches: what each lets through, how a file names them, and the ids of their hits."""

import tomllib
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from newsdedup.archive.views import ItemSummary
from newsdedup.archive.watch_queries import WatchFilter
from newsdedup.core.model import LANGUAGES
from newsdedup.ports.errors import SettingsInvalid

MOST_WATCHES: Final = 200
_MOST_NAME: Final = 80
_MOST_WORDS: Final = 500
_MOST_CHARS: Final = 2_000
_MOST_SOURCES: Final = 10_000
_ID_DIGITS: Final = 32
_PART: Final = "/?#"


class WatchInvalid(ValueError):
    """A saved search that cannot be kept; the message says why."""


class Watch(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A saved search with its name; an empty field lets everything through."""

    name: str
    q: str = ""
    """Words that the item must contain, in any form; after a minus sign, those it must not."""
    source: str = ""
    lang: str = ""
    least_sources: int = 1
    """From 2 on stories are found, each once, when they have so many sources."""
    copies_of: str = ""
    """One's own source: others' copies of its items are found."""
    webhook: str = ""
    """The address that gets each hit; empty for none."""

    def filter(self) -> WatchFilter:
        """Return what the archive is asked for."""
        return WatchFilter(
            text=self.q,
            source=self.source,
            lang=self.lang,
            least_sources=self.least_sources,
            copies_of=self.copies_of,
        )

    @property
    def webhook_host(self) -> str:
        """Return the host of the webhook, "" without one: the rest may hold a key."""
        return urlsplit(self.webhook).hostname or "" if self.webhook else ""


def check_watch(watch: Watch) -> Watch:
    """Return a saved search as it is, its texts stripped; raise WatchInvalid for a bad one."""
    texts = {name: getattr(watch, name).strip() for name in ("name", "q", "source", "copies_of")}
    watch = msgspec.structs.replace(watch, webhook=watch.webhook.strip(), **texts)
    name = watch.name
    if not name or len(name) > _MOST_NAME or not name.isprintable():
        raise WatchInvalid(f"a name has 1 to {_MOST_NAME} characters, in one line")
    if any(one in name for one in _PART):
        raise WatchInvalid("a name has none of the characters / ? #")
    if len(watch.q) > _MOST_WORDS or max(len(watch.source), len(watch.copies_of)) > _MOST_CHARS:
        raise WatchInvalid(f"words have at most {_MOST_WORDS} characters, sources {_MOST_CHARS}")
    if watch.lang and watch.lang not in LANGUAGES:
        raise WatchInvalid("this is no language of the archive")
    if not 1 <= watch.least_sources <= _MOST_SOURCES:
        raise WatchInvalid(f"the least number of sources is 1 to {_MOST_SOURCES}")
    if not (watch.q or watch.source or watch.copies_of or watch.lang or watch.least_sources > 1):
        raise WatchInvalid("words, a source, copies of one, a language or some sources is needed")
    if watch.webhook and not _is_web_address(watch.webhook):
        raise WatchInvalid("a webhook is an address with http:// or https://")
    for text in msgspec.structs.astuple(watch):
        if isinstance(text, str) and text.encode("utf-8", "replace").decode() != text:
            raise WatchInvalid("this is no text in UTF-8")
    return watch


def _is_web_address(address: str) -> bool:
    """Return whether an address may be a webhook; where it leads is checked before each request."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and len(address) <= _MOST_CHARS
        and address.isprintable()
        and " " not in address
    )


class _WatchFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A TOML file of saved searches."""

    watch: tuple[Watch, ...] = ()


def read_watches(path: str) -> tuple[Watch, ...]:
    """Return the saved searches of a TOML file, none for ""; raise SettingsInvalid for a bad one.

    Each is a table `[[watch]]` with the fields of Watch.
    """
    if not path:
        return ()
    try:
        listed = msgspec.convert(tomllib.loads(Path(path).read_text("utf-8-sig")), _WatchFile).watch
        watches = tuple(check_watch(one) for one in listed)
        _check_names(one.name for one in watches)
    except (OSError, ValueError) as error:  # of TOML, msgspec and WatchInvalid, too
        raise SettingsInvalid(f"watches.file {path}: {error}") from error
    return watches


def _check_names(names: Iterable[str]) -> None:
    """Raise WatchInvalid if a name comes twice, or there are too many."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise WatchInvalid(f"two searches have the name {name}")
        seen.add(name)
    if len(seen) > MOST_WATCHES:
        raise WatchInvalid(f"there are more than {MOST_WATCHES} searches")


def hit_id(watch: Watch, summary: ItemSummary) -> str:
    """Return the id of a hit: the same after a restart, and on every machine.

    It is made of the name of the search and of the item; where a number of sources is asked for,
    of the story, so that each story is one hit.
    """
    found = ("item", summary.source, summary.id)
    if watch.least_sources > 1:
        found = ("story", summary.story, "")
    return sha256(msgspec.json.encode((watch.name, *found))).hexdigest()[:_ID_DIGITS]
