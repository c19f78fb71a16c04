"""Events of a finished run as a table that a person wants to look at."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from newsdedup.cli.shown.output import printable_line
from newsdedup.core.events import Judgement

if TYPE_CHECKING:
    from rich.table import Table

TITLE_CHARS = 72


@dataclass(frozen=True, slots=True)
class NewestVerdict:
    """The newest event about an item, with the title it came with."""

    judgement: Judgement
    title: str


class EventLine(msgspec.Struct):
    """What the table needs of a line of events."""

    dedup: msgspec.Raw
    title: str = ""
    text: str = ""


class EventKind(msgspec.Struct):
    """Which event it is."""

    event: str


def newest_verdicts(events: Path) -> dict[tuple[str, str], NewestVerdict]:
    """Return the newest judgement of every item in a file of events: the highest revision."""
    found: dict[tuple[str, str], NewestVerdict] = {}
    with events.open("rb") as lines:
        for encoded in lines:
            line = msgspec.json.decode(encoded, type=EventLine)
            kind = msgspec.json.decode(line.dedup, type=EventKind).event
            if kind not in ("item.judged", "verdict.corrected"):
                continue
            judgement = msgspec.json.decode(line.dedup, type=Judgement)
            key = (judgement.item.source, judgement.item.id)
            before = found.get(key)
            if before is None or _age(before.judgement) < _age(judgement):
                title = line.title or line.text.partition("\n")[0]
                found[key] = NewestVerdict(judgement, title)
    return found


def _age(judgement: Judgement) -> tuple[int, int]:
    return (judgement.revision.epoch, judgement.revision.n)


def story_table(told: Mapping[tuple[str, str], NewestVerdict], *, shown: int) -> "Table":
    """Return the largest stories: the original, then its copies with the reason."""
    from rich.table import Table

    table = Table(
        title="The largest stories", title_justify="left", pad_edge=False, box=None, expand=True
    )
    table.add_column("time", no_wrap=True, min_width=11)
    table.add_column("source", no_wrap=True, min_width=16, max_width=16, overflow="ellipsis")
    table.add_column("title", no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column("verdict", no_wrap=True, min_width=9)
    table.add_column("shared", justify="right", no_wrap=True, min_width=8)
    for story in _largest(told)[:shown]:
        for one in story:
            table.add_row(*_row(one), style="bold" if one is story[0] else None)
        table.add_row()
    return table


def _largest(told: Mapping[tuple[str, str], NewestVerdict]) -> list[Sequence[NewestVerdict]]:
    """Return the stories of more than one item, each with its original first."""
    stories: dict[str, list[NewestVerdict]] = defaultdict(list)
    for one in told.values():
        stories[one.judgement.story.id].append(one)
    for members in stories.values():
        members.sort(key=lambda one: (one.judgement.verdict != "original", _place(one)))
    many = (members for members in stories.values() if len(members) > 1)
    return sorted(many, key=lambda members: (-len(members), _place(members[0])))


def _place(one: NewestVerdict) -> tuple[str, str, str]:
    judgement = one.judgement
    return (judgement.effective_at, judgement.item.source, judgement.item.id)


def _row(one: NewestVerdict) -> tuple[str, ...]:
    judgement = one.judgement
    title = printable_line(one.title)
    return (
        judgement.effective_at[5:16].replace("T", " "),
        printable_line(judgement.item.source),
        title if len(title) <= TITLE_CHARS else title[: TITLE_CHARS - 1] + "…",
        judgement.verdict if judgement.verdict == "original" else judgement.relation,
        _shared(judgement),
    )


def _shared(judgement: Judgement) -> str:
    if judgement.verdict == "original" or not judgement.matched or not judgement.matched.evidence:
        return ""
    evidence = judgement.matched.evidence
    return f"{len(evidence.shared)} of {max(evidence.terms_here, evidence.terms_there)}"
