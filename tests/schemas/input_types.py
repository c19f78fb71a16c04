"""The input as a contract: the types from which its JSON Schema is generated.

item_json.py decides what is accepted; test_schemas.py compares the two.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from newsdedup.adapters.formats.json_object import LIMITS

_Title = Annotated[str, Meta(max_length=LIMITS.title_chars)]
_Text = Annotated[str, Meta(max_length=LIMITS.text_chars)]
_Name = Annotated[str, Meta(max_length=LIMITS.id_chars)]
_Address = Annotated[str, Meta(max_length=LIMITS.url_chars)]
_Addresses = Annotated[list[_Address | None], Meta(max_length=LIMITS.links)]
_Date = str | int | float


@dataclass(frozen=True, slots=True)
class Item:
    """One news item. Every field may be missing or null, but title or text must say something.

    Dates are ISO 8601, RFC 3339 or RFC 2822, or seconds or milliseconds since 1970; without a
    zone they are UTC. Unknown fields are carried through untouched.
    """

    id: _Name | int | None = None
    """Unique within the source. Missing: a hash of the url, else of title and text."""
    source: _Name | int | None = None
    """Who published it. Missing: the host of the url, else the name of the input."""
    url: _Address | None = None
    """Where it was published."""
    title: _Title | None = None
    """The headline; plain text, HTML or markdown."""
    text: _Text | None = None
    """The body; plain text, HTML or markdown."""
    published_at: _Date | None = None
    """When it was published. Missing: it follows the newest item before it."""
    seen_at: _Date | None = None
    """When it was fetched or received: nothing is published later than it is seen."""
    updated_at: _Date | None = None
    """When this version was made: a newer version supersedes an older one."""
    lang: _Name | None = None
    """The language its publisher claims."""
    links: _Addresses | None = None
    """What it points to."""


@dataclass(frozen=True, slots=True)
class Named:
    """An item, by its identity."""

    id: _Name | int
    source: _Name | int | None = None
    """Missing: the name of the input."""


@dataclass(frozen=True, slots=True)
class RetractCommand:
    """A source withdraws an item: nothing of it is kept."""

    newsdedup: Literal["retract"]
    id: _Name | int
    source: _Name | int | None = None
    """Missing: the name of the input."""


@dataclass(frozen=True, slots=True)
class MergeCommand:
    """An editor says that two items tell one story."""

    newsdedup: Literal["merge"]
    items: tuple[Named, Named]
    at: _Date
    """When the editor said so: the latest word on the two items stands."""


@dataclass(frozen=True, slots=True)
class SplitCommand:
    """An editor says that an item stands alone."""

    newsdedup: Literal["split"]
    item: Named
    at: _Date


@dataclass(frozen=True, slots=True)
class OriginalCommand:
    """An editor says that an item is the original of its story."""

    newsdedup: Literal["original"]
    item: Named
    at: _Date
