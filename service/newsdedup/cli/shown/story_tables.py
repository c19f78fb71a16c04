"""Stories as tables: those of a state, one with its items or its development, those of events."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rich.table import Table
from rich.text import Text

from newsdedup.adapters.sqlite import story_views
from newsdedup.cli.event_files import NewestVerdict
from newsdedup.cli.output import plain_table, printable_line
from newsdedup.config.reading import shorten_value
from newsdedup.core.events import Counted, ItemRef, Judgement
from newsdedup.core.item_names import item_name
from newsdedup.core.model import ItemKey

_TITLE_CHARS = 72
_LARGEST = 7
"""Stories of the table of the largest ones."""
_MINUTES = len("2026-11-02 06:10")


def stories_table(stories: list[story_views.StorySummary]) -> Table:
    """Return the table of stories, two lines each: times of first and last item, source, title."""
    table = plain_table("story", ">items", "languages", "first and last, UTC", "original")
    for column in table.columns[:4]:
        column.no_wrap = True
    for story in stories:
        size, languages = f"{story.size:,}", " ".join(story.languages)
        source = _one_line(story.original.source)
        table.add_row(story.id, size, languages, _minute(story.first), source, style="bold")
        table.add_row("", "", "", _minute(story.last), _one_line(story.title))
    return table


def story_items_table(view: story_views.StoryDetails) -> Table:
    """Return the table of the items of a story, in their order, with the terms they share."""
    story = view.story
    title = f"Story {story.id}: {story.size:,} {'item' if story.size == 1 else 'items'}"
    headings = ("time, UTC", "verdict", ">score", ">hours after", "item")
    table = plain_table(*headings, title=title, folding="item")
    for item in view.items:
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


def _verdict(item: story_views.StoryItem) -> str:
    """Return the verdict of an item with its relation, as "duplicate, reprint, by an editor"."""
    verdict = item.verdict if item.relation == "none" else f"{item.verdict}, {item.relation}"
    return verdict if item.decided_by == "rule" else f"{verdict}, by an editor"


def _lines(item: story_views.StoryItem) -> list[str]:
    """Return name, title and shared terms of an item, a line each, without empty lines."""
    lines = [_name(item.source, item.id), printable_line(item.title)]
    if item.matched is not None and item.shared:
        leader = _name(item.matched.source, item.matched.id)
        terms = printable_line(", ".join(term.term for term in item.shared))
        lines.append(f"{len(item.shared)} terms shared with {leader}: {terms}")
    return [line for line in lines if line]


def _one_line(text: str) -> Text:
    """Return a text as one line for a table, cut with an ellipsis at the width of its column."""
    return Text(printable_line(text), no_wrap=True, overflow="ellipsis")


def _minute(at: str) -> str:
    """Return an ISO time to the minute, as "2026-11-02 06:10"."""
    return at[:_MINUTES].replace("T", " ")


def _name(source: str, item_id: str) -> str:
    """Return SOURCE/ID as one printable line, the id alone for the source ""."""
    return printable_line(item_name(ItemKey(source, item_id)))


def development_table(development: story_views.DevelopmentView) -> Table:
    """Return the table of a development in order of time; > is at the story that was asked for."""
    what, shown, left_out = "item, and what is new", len(development.steps), development.left_out
    more = f", the nearest {shown:,} shown" if left_out else ""
    title = f"Development of {shown + left_out:,} stories{more}"
    table = plain_table("", "time, UTC", "story", what, title=title, folding=what)
    before: ItemRef | None = None
    for row in development.steps:
        table.add_row(
            ">" if row.shown else "",
            _minute(row.effective_at or ""),
            row.story or "",
            "\n".join(_step_lines(row, before)),
            style="bold" if row.shown else None,
        )
        before = ItemRef(row.source, row.id)
    return table


def _step_lines(row: story_views.DevelopmentRow, before: ItemRef | None) -> list[str]:
    """Return name, title and news of a step, a line each; `before` is the item of the row above."""
    name = _name(row.source, row.id)
    if row.effective_at is None:
        return [f"{name} has left the window or was withdrawn"]
    return [name, *filter(None, (printable_line(row.title), printable_line(_news(row, before))))]


def _news(row: story_views.DevelopmentRow, before: ItemRef | None) -> str:
    """Return which values changed and which terms are new in a step, "" if nothing is known.

    It begins with "updates SOURCE/ID" if that item is not `before`, the item of the row above.
    """
    news = [_moved(each) for each in row.moved]
    if row.new_terms:
        news.append(f"new: {', '.join(term.term for term in row.new_terms)}")
    if row.updates is None or row.updates == before:
        return "; ".join(news)
    updated = f"updates {_name(row.updates.source, row.updates.id)}"
    return f"{updated}: {'; '.join(news)}" if news else updated


def _moved(counted: Counted) -> str:
    """Return a changed value as "injured 3 -> 5", or "3 -> 5" if the counted thing is unknown."""
    what = "" if counted.what is None else f"{counted.what} "
    return f"{what}{counted.there} -> {counted.here}"


def largest_stories_table(verdicts: Mapping[tuple[str, str], NewestVerdict]) -> Table:
    """Return the table of the seven largest stories: of each the original, then duplicates."""
    table = plain_table(
        "time", "source", "title", "verdict", ">shared", title="The largest stories"
    )
    table.expand = True
    for column, width in zip(table.columns, (11, 16, None, 9, 8), strict=True):
        column.no_wrap, column.min_width = True, width
    table.columns[1].max_width = 16
    table.columns[2].ratio = 1
    for story in _largest(verdicts)[:_LARGEST]:
        for one in story:
            table.add_row(*_row(one), style="bold" if one is story[0] else None)
        table.add_row()
    return table


def _largest(verdicts: Mapping[tuple[str, str], NewestVerdict]) -> list[Sequence[NewestVerdict]]:
    """Return the stories of more than one item, the largest first, each with its original first."""
    stories: dict[str, list[NewestVerdict]] = defaultdict(list)
    for one in verdicts.values():
        stories[one.judgement.story.id].append(one)
    for members in stories.values():
        members.sort(key=lambda one: (one.judgement.verdict != "original", _order(one)))
    many = (members for members in stories.values() if len(members) > 1)
    return sorted(many, key=lambda members: (-len(members), _order(members[0])))


def _order(one: NewestVerdict) -> tuple[str, str, str]:
    """Return the key that sorts items by time, then source and id."""
    judgement = one.judgement
    return (judgement.effective_at, judgement.item.source, judgement.item.id)


def _row(one: NewestVerdict) -> tuple[str, ...]:
    """Return the cells of an item: time, source, title, verdict or relation, and shared terms."""
    judgement = one.judgement
    return (
        judgement.effective_at[5:16].replace("T", " "),
        printable_line(judgement.item.source),
        shorten_value(printable_line(one.title), _TITLE_CHARS),
        judgement.verdict if judgement.verdict == "original" else judgement.relation,
        _shared(judgement),
    )


def _shared(judgement: Judgement) -> str:
    """Return how many terms a duplicate shares with its leader, as "8 of 12"; "" if unknown."""
    if judgement.verdict == "original" or not judgement.matched or not judgement.matched.evidence:
        return ""
    evidence = judgement.matched.evidence
    return f"{len(evidence.shared)} of {max(evidence.terms_here, evidence.terms_there)}"
