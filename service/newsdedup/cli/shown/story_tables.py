"""Stories as tables for a person."""

from typing import TYPE_CHECKING

from newsdedup.adapters.sqlite.story_views import StoryDetails, StoryItem, StorySummary
from newsdedup.cli.shown.output import printable_line
from newsdedup.core.item_names import item_name
from newsdedup.core.model import ItemKey

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

MINUTES = len("2026-11-02 06:10")


def stories_table(stories: list[StorySummary]) -> "Table":
    """Return two lines for each story: its beginning and its end, source and title."""
    from rich.table import Table

    table = Table(pad_edge=False, box=None)
    table.add_column("story", no_wrap=True)
    table.add_column("items", justify="right", no_wrap=True)
    table.add_column("languages", no_wrap=True)
    table.add_column("first and last, UTC", no_wrap=True)
    table.add_column("original")
    for story in stories:
        size, languages = f"{story.size:,}", " ".join(story.languages)
        source = _one_line(story.original.source)
        table.add_row(story.id, size, languages, _minute(story.first), source, style="bold")
        table.add_row("", "", "", _minute(story.last), _one_line(story.title))
    return table


def story_items_table(told: StoryDetails) -> "Table":
    """Return the items of a story: the title of each, below it what it shares with which other."""
    from rich.table import Table

    story = told.story
    table = Table(
        title=f"Story {story.id}: {story.size:,} {'item' if story.size == 1 else 'items'}",
        title_justify="left",
        pad_edge=False,
        box=None,
    )
    table.add_column("time, UTC", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("hours after", justify="right", no_wrap=True)
    table.add_column("item", ratio=1, overflow="fold")
    for item in told.items:
        after = item.hours_after_original
        table.add_row(
            _minute(item.effective_at),
            _verdict(item),
            "" if item.score is None else f"{item.score:.2f}",
            "" if after is None or item.verdict == "original" else f"{after:+.2f}",
            "\n".join(_lines(item)),
            style="bold" if item.verdict == "original" else None,
        )
        table.add_row()
    return table


def _verdict(item: StoryItem) -> str:
    said = item.verdict if item.relation == "none" else f"{item.verdict}, {item.relation}"
    return said if item.decided_by == "rule" else f"{said}, by an editor"


def _lines(item: StoryItem) -> list[str]:
    lines = [printable_line(item_name(ItemKey(item.source, item.id))), printable_line(item.title)]
    if item.matched is not None and item.shared:
        leader = printable_line(item_name(ItemKey(item.matched.source, item.matched.id)))
        terms = printable_line(", ".join(term.term for term in item.shared))
        lines.append(f"{len(item.shared)} terms shared with {leader}: {terms}")
    return [line for line in lines if line]


def _one_line(text: str) -> "Text":
    """Return a text that is cut where its column ends."""
    from rich.text import Text

    return Text(printable_line(text), no_wrap=True, overflow="ellipsis")


def _minute(at: str) -> str:
    return at[:MINUTES].replace("T", " ")
