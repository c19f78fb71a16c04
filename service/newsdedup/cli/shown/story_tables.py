"""Stories as tables: those of a state, one with its items, and those of a file of events."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from newsdedup.adapters.sqlite.story_views import StoryDetails, StoryItem, StorySummary
from newsdedup.cli.output import plain_table, printable_line
from newsdedup.core.events import Judgement
from newsdedup.core.item_names import item_name
from newsdedup.core.model import ItemKey

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_TITLE_CHARS = 72
_MINUTES = len("2026-11-02 06:10")


def stories_table(stories: list[StorySummary]) -> "Table":
    """Return the table of stories, two lines for each.

    The first line has the time of its first item and the source of its original, the second the
    time of its last item and its title.
    """
    table = plain_table("story", ">items", "languages", "first and last, UTC", "original")
    for column in table.columns[:4]:
        column.no_wrap = True
    for story in stories:
        size, languages = f"{story.size:,}", " ".join(story.languages)
        source = _one_line(story.original.source)
        table.add_row(story.id, size, languages, _minute(story.first), source, style="bold")
        table.add_row("", "", "", _minute(story.last), _one_line(story.title))
    return table


def story_items_table(view: StoryDetails) -> "Table":
    """Return the table of the items of a story, in their order.

    It shows of each its time, verdict, score, hours after the original, name and title, and the
    terms that it shares with its leader.
    """
    story = view.story
    title = f"Story {story.id}: {story.size:,} {'item' if story.size == 1 else 'items'}"
    table = plain_table("time, UTC", "verdict", ">score", ">hours after", title=title)
    for column in table.columns:
        column.no_wrap = True
    table.add_column("item", ratio=1, overflow="fold")
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


def _verdict(item: StoryItem) -> str:
    """Return the verdict of an item with its relation, and whether an editor decided it."""
    verdict = item.verdict if item.relation == "none" else f"{item.verdict}, {item.relation}"
    return verdict if item.decided_by == "rule" else f"{verdict}, by an editor"


def _lines(item: StoryItem) -> list[str]:
    """Return name and title of an item, and the terms that it shares with its leader, if any."""
    lines = [printable_line(item_name(ItemKey(item.source, item.id))), printable_line(item.title)]
    if item.matched is not None and item.shared:
        leader = printable_line(item_name(ItemKey(item.matched.source, item.matched.id)))
        terms = printable_line(", ".join(term.term for term in item.shared))
        lines.append(f"{len(item.shared)} terms shared with {leader}: {terms}")
    return [line for line in lines if line]


def _one_line(text: str) -> "Text":
    """Return a text for a table, cut with an ellipsis where its column ends."""
    from rich.text import Text

    return Text(printable_line(text), no_wrap=True, overflow="ellipsis")


def _minute(at: str) -> str:
    return at[:_MINUTES].replace("T", " ")


@dataclass(frozen=True, slots=True)
class NewestVerdict:
    """The newest event about an item, with the title it came with."""

    judgement: Judgement
    title: str


class _EventLine(msgspec.Struct):
    """The parts of a line of events that a table shows."""

    dedup: msgspec.Raw
    title: str = ""
    text: str = ""


class _EventKind(msgspec.Struct):
    event: str


def newest_verdicts(events: Path) -> dict[tuple[str, str], NewestVerdict]:
    """Return the judgement of highest revision, with its title, of each item in a file of events.

    The keys are source and id of the item; changed originals, retractions, and lines that are no
    events are skipped.
    """
    newest: dict[tuple[str, str], NewestVerdict] = {}
    with events.open("rb") as lines:
        for encoded in lines:
            try:
                line = msgspec.json.decode(encoded, type=_EventLine)
                kind = msgspec.json.decode(line.dedup, type=_EventKind).event
            except msgspec.DecodeError:
                continue
            if kind not in ("item.judged", "verdict.corrected"):
                continue
            judgement = msgspec.json.decode(line.dedup, type=Judgement)
            key = (judgement.item.source, judgement.item.id)
            before = newest.get(key)
            if before is None or _revision(before.judgement) < _revision(judgement):
                title = line.title or line.text.partition("\n")[0]
                newest[key] = NewestVerdict(judgement, title)
    return newest


def _revision(judgement: Judgement) -> tuple[int, int]:
    return (judgement.revision.epoch, judgement.revision.n)


def largest_stories_table(
    verdicts: Mapping[tuple[str, str], NewestVerdict], *, shown: int
) -> "Table":
    """Return the table of the largest stories: of each the original, then its copies with reasons.

    There are at most `shown` stories, and none of a single item.
    """
    from rich.table import Table

    table = Table(
        title="The largest stories", title_justify="left", pad_edge=False, box=None, expand=True
    )
    table.add_column("time", no_wrap=True, min_width=11)
    table.add_column("source", no_wrap=True, min_width=16, max_width=16, overflow="ellipsis")
    table.add_column("title", no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column("verdict", no_wrap=True, min_width=9)
    table.add_column("shared", justify="right", no_wrap=True, min_width=8)
    for story in _largest(verdicts)[:shown]:
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
        members.sort(key=lambda one: (one.judgement.verdict != "original", _address(one)))
    many = (members for members in stories.values() if len(members) > 1)
    return sorted(many, key=lambda members: (-len(members), _address(members[0])))


def _address(one: NewestVerdict) -> tuple[str, str, str]:
    """Return the place of an item in its story: by time, then source and id."""
    judgement = one.judgement
    return (judgement.effective_at, judgement.item.source, judgement.item.id)


def _row(one: NewestVerdict) -> tuple[str, ...]:
    """Return the cells of an item: time, source, title cut to fit, verdict, shared terms."""
    judgement = one.judgement
    title = printable_line(one.title)
    return (
        judgement.effective_at[5:16].replace("T", " "),
        printable_line(judgement.item.source),
        title if len(title) <= _TITLE_CHARS else title[: _TITLE_CHARS - 1] + "…",
        judgement.verdict if judgement.verdict == "original" else judgement.relation,
        _shared(judgement),
    )


def _shared(judgement: Judgement) -> str:
    """Return how many terms a duplicate shares with its leader: "8 of 12", or "" if unknown."""
    if judgement.verdict == "original" or not judgement.matched or not judgement.matched.evidence:
        return ""
    evidence = judgement.matched.evidence
    return f"{len(evidence.shared)} of {max(evidence.terms_here, evidence.terms_there)}"
