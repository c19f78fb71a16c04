"""The development of a story as a table: what it updates, and what updates it."""

from typing import TYPE_CHECKING

from newsdedup.adapters.sqlite.story_views import DevelopmentRow, DevelopmentView
from newsdedup.cli.output import plain_table, printable_line
from newsdedup.core.events import Counted, ItemRef
from newsdedup.core.item_names import item_name
from newsdedup.core.model import ItemKey

if TYPE_CHECKING:
    from rich.table import Table

_MINUTES = len("2026-11-02 06:10")
_MARK = ">"
_GONE = "has left the window or was withdrawn"


def development_table(development: DevelopmentView) -> "Table":
    """Return the table of a development, a row for each story in the order of time.

    It shows of each the time, story, name, headline and what is new; > marks the story
    that was asked for. An update of another item than that of the row before names it.
    """
    table = plain_table("", "time, UTC", "story", title=_title(development))
    for column in table.columns:
        column.no_wrap = True
    table.add_column("item, and what is new", ratio=1, overflow="fold")
    before: ItemRef | None = None
    for row in development.steps:
        table.add_row(
            _MARK if row.shown else "",
            "" if row.effective_at is None else row.effective_at[:_MINUTES].replace("T", " "),
            row.story or "",
            "\n".join(_lines(row, before)),
            style="bold" if row.shown else None,
        )
        before = ItemRef(row.source, row.id)
    return table


def _title(development: DevelopmentView) -> str:
    """Return the heading: how many stories, and how many are left out."""
    shown, left_out = len(development.steps), development.left_out
    more = f", the nearest {shown:,} shown" if left_out else ""
    return f"Development of {shown + left_out:,} stories{more}"


def _lines(row: DevelopmentRow, before: ItemRef | None) -> list[str]:
    """Return name and headline of a row, and in one line what moved and what is new."""
    name = _name(row.source, row.id)
    if row.effective_at is None:
        return [f"{name} {_GONE}"]
    return [name, *filter(None, (printable_line(row.title), printable_line(_news(row, before))))]


def _news(row: DevelopmentRow, before: ItemRef | None) -> str:
    """Return what moved and what is new, "" if nothing is known.

    "updates SOURCE/ID" stands first if that item is another one than that of the row before.
    """
    news = [_moved(each) for each in row.moved]
    if row.new_terms:
        news.append(f"new: {', '.join(term.term for term in row.new_terms)}")
    if row.updates is None or row.updates == before:
        return "; ".join(news)
    updated = f"updates {_name(row.updates.source, row.updates.id)}"
    return f"{updated}: {'; '.join(news)}" if news else updated


def _moved(counted: Counted) -> str:
    """Return a moved value as "injured 3 -> 5", or "3 -> 5" if no word for it is known."""
    what = "" if counted.what is None else f"{counted.what} "
    return f"{what}{counted.there} -> {counted.here}"


def _name(source: str, item_id: str) -> str:
    return printable_line(item_name(ItemKey(source, item_id)))
