"""The input as a contract: the types from which its JSON Schema is generated.

item_json.py decides what is accepted; test_schemas.py compares the two.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from msgspec import Meta

from newsdedup.adapters.formats.json_object import INTEGER_IDS, LIMITS

NO_NUL: Final = r"^[^\u0000]*$"
SOMETHING: Final = r"[^\s\u001c-\u001f\u0085]"
"""A character that is no white space, for readers of schemas that know less of it than Python."""
INTEGERS: Final = {"minimum": 1 - INTEGER_IDS, "maximum": INTEGER_IDS - 1}
_YEAR = r"(1[6-9][0-9]{2}|20[0-9]{2}|2100)"
_LEAP_YEAR = r"((1[6-9]|20)(0[48]|[2468][048]|[13579][26])|1600|2000)"
_MONTHS = (
    r"((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
    r"|02-(0[1-9]|1[0-9]|2[0-8]))"
)
_TIME = r"(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?"
_DAY = rf"^({_YEAR}-{_MONTHS}|{_LEAP_YEAR}-02-29){_TIME}$"
_FIRST_SECOND, _LAST_SECOND = 10**8, 4_133_894_400

_Title = Annotated[str, Meta(max_length=LIMITS.title_chars)]
_Text = Annotated[str, Meta(max_length=LIMITS.text_chars)]
_Name = Annotated[str, Meta(max_length=LIMITS.id_chars, pattern=NO_NUL)]
_Id = Annotated[
    str,
    Meta(
        max_length=LIMITS.id_chars, pattern=r"^[^\u0000]*[^\s\u0000\u001c-\u001f\u0085][^\u0000]*$"
    ),
]
_Language = Annotated[str, Meta(max_length=LIMITS.id_chars)]
_Number = Annotated[int, Meta(ge=INTEGERS["minimum"], le=INTEGERS["maximum"])]
_Address = Annotated[str, Meta(max_length=LIMITS.url_chars)]
_Addresses = Annotated[list[_Address | None], Meta(max_length=LIMITS.links)]
_Date = str | int | float
_CommandDate = (
    Annotated[str, Meta(pattern=_DAY)] | Annotated[int, Meta(ge=_FIRST_SECOND, le=_LAST_SECOND)]
)
"""A command without its date is refused, so this has the forms that are always read."""


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source as an object; other fields are not read."""

    name: _Id


@dataclass(frozen=True, slots=True)
class Item:
    """One news item. Every field may be missing or null, but title or text must say something.

    Dates are ISO 8601, RFC 3339 or RFC 2822, or seconds or milliseconds since 1970; without a
    zone they are UTC. Unknown fields are carried through untouched.
    """

    id: _Name | _Number | None = None
    """Unique within the source. Missing: a hash of the url, else of title and text."""
    source: _Name | _Number | NamedSource | None = None
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
    lang: _Language | None = None
    """The language its publisher claims."""
    links: _Addresses | None = None
    """What it points to."""


@dataclass(frozen=True, slots=True)
class Named:
    """An item, by its identity."""

    id: _Id | _Number
    source: _Name | _Number | None = None
    """Missing: the name of the input."""


@dataclass(frozen=True, slots=True)
class RetractCommand:
    """A source withdraws an item: nothing of it is kept."""

    newsdedup: Literal["retract"]
    id: _Id | _Number
    source: _Name | _Number | None = None
    """Missing: the name of the input."""


@dataclass(frozen=True, slots=True)
class MergeCommand:
    """An editor says that two items tell one story."""

    newsdedup: Literal["merge"]
    items: tuple[Named, Named]
    at: _CommandDate
    """When the editor said so: the latest word on the two items stands."""


@dataclass(frozen=True, slots=True)
class SplitCommand:
    """An editor says that an item stands alone."""

    newsdedup: Literal["split"]
    item: Named
    at: _CommandDate


@dataclass(frozen=True, slots=True)
class OriginalCommand:
    """An editor says that an item is the original of its story."""

    newsdedup: Literal["original"]
    item: Named
    at: _CommandDate
