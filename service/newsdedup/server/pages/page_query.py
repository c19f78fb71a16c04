"""The values in the address of a page: read once, bounded, refused where they are invalid."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, TypeVar, get_args

from msgspec import Struct, field

from newsdedup.archive.search import ItemFilter
from newsdedup.core.model import LANGUAGES, ItemKey, Relation, Verdict
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.moment_values import read_moment

RELATIONS: Final[tuple[Relation, ...]] = get_args(Relation)
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
MOST_QUERY_CHARS: Final = 400
"""Characters of a value, such as words to search for."""
_MOST_NAME_CHARS: Final = 2_000
"""Characters of a source and of an id, as in items."""
MOST_KEY_CHARS: Final = len("2000:") + 2 * _MOST_NAME_CHARS
"""Characters of source and id as `joined_key` joins them."""
_Choice = TypeVar("_Choice", bound=str)


class ChosenFilter(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The filter of a page, as its form shows it again and its JSON contains it."""

    text: str = field(default="", name="q")
    language: str = field(default="", name="lang")
    source: str = ""
    relation: Relation | None = None
    since: datetime | None = None
    until: datetime | None = None
    category: str = ""
    verdict: Verdict | None = None
    copies_of: str = ""

    def item_filter(self) -> ItemFilter:
        """Return the filter for the archive."""
        return ItemFilter(
            source=self.source,
            lang=self.language,
            relation=self.relation or "",
            since=self.since,
            until=self.until,
            text=self.text,
            category=self.category,
            verdict=self.verdict or "",
            copies_of=self.copies_of,
        )

    @property
    def is_empty(self) -> bool:
        """Return whether the filter lets everything through."""
        return self == ChosenFilter()


class PageQuery:
    """The values in the address of a page; each method raises RequestRefused for a bad one."""

    def __init__(self, values: Mapping[str, str], *, rows: int = 0) -> None:
        self._values = values
        self._rows = rows
        self.read: set[str] = set()
        """The names that were read: others mean nothing to the page."""

    def rows(self, of_page: int) -> int:
        """Return how many rows a list has: `of_page` on a page, more in a table for a program."""
        return self._rows or of_page

    @property
    def is_table(self) -> bool:
        """Return whether a table for a program is asked for instead of a page."""
        return bool(self._rows)

    def raw(self, name: str) -> str:
        """Return a parameter as it is, "" if absent."""
        self.read.add(name)
        return self._values.get(name, "")

    def text(self, name: str, *, most: int = MOST_QUERY_CHARS) -> str:
        """Return a parameter of up to `most` characters, "" if absent; or raise RequestRefused."""
        value = self.raw(name)
        if len(value) > most:
            raise _refused(name, f"is longer than {most} characters")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise _refused(name, "is no text in UTF-8") from None
        return value.strip()

    def key(self) -> ItemKey:
        """Return an item's key from `source` and `id` ("" if absent); or raise RequestRefused."""
        values = self.raw("source"), self.raw("id")
        if max(map(len, values)) > MOST_KEY_CHARS:
            raise _refused("id", f"is longer than {MOST_KEY_CHARS} characters")
        return ItemKey(*values)

    def choice(self, name: str, allowed: Sequence[_Choice]) -> _Choice | None:
        """Return a parameter, None if absent; raise RequestRefused if it is not in `allowed`."""
        value = self.raw(name)
        if not value:
            return None
        for one in allowed:
            if one == value:
                return one
        raise _refused(name, f"is none of {', '.join(allowed)}")

    def number(self, name: str, *, default: int, most: int) -> int:
        """Return a parameter as a whole number, `default` if it is absent.

        Raise RequestRefused for anything but a number from 1 to `most`.
        """
        value = self.raw(name)
        if not value:
            return default
        number = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0
        if not 1 <= number <= most:
            raise _refused(name, f"is no whole number from 1 to {most}")
        return number

    def moment(self, name: str) -> datetime | None:
        """Return a moment in ISO 8601 (by default UTC), None if absent; or raise RequestRefused."""
        value = self.raw(name).strip()
        if not value:
            return None
        try:
            return read_moment(value)
        except ValueError as error:
            raise _refused(name, str(error)) from None

    def chosen(self) -> ChosenFilter:
        """Return the filter that the parameters of a list describe."""
        return ChosenFilter(
            text=self.text("q"),
            language=self.choice("lang", LANGUAGES) or "",
            source=self.text("source", most=_MOST_NAME_CHARS),
            relation=self.choice("relation", RELATIONS),
            since=self.moment("since"),
            until=self.moment("until"),
            category=self.text("category"),
            verdict=self.choice("verdict", VERDICTS),
            copies_of=self.text("copies_of", most=_MOST_NAME_CHARS),
        )


def _refused(name: str, problem: str) -> RequestRefused:
    """Return the refusal of a parameter: its name and what is wrong with it, "is ..."."""
    return RequestRefused("bad-query", f"{name} {problem}")
