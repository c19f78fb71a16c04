"""Stories of a state with titles and reasons, and their developments, for tables and JSON."""

from dataclasses import dataclass

from newsdedup.adapters.formats.item_json import headline
from newsdedup.adapters.sqlite.state import StateReader
from newsdedup.core.events import Counted, ItemRef, Judgement, WeightedTerm, item_ref
from newsdedup.core.model import ItemKey, Language, Micros, Relation, StoryId, Verdict
from newsdedup.core.moments import HOUR, to_datetime
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.story_list import Development, DevelopmentStep, Story

MOST_NEW_TERMS = 5
"""Terms of a step that the story before it lacks: enough to see what it is about."""


@dataclass(frozen=True, slots=True)
class DevelopmentRow:
    """One story of a development, by its leader, and what is new in it."""

    story: StoryId | None
    """None if no item of the story is stored."""
    source: str
    id: str
    effective_at: str | None
    """None if the leader has left the window or was withdrawn; then nothing else is known."""
    title: str
    shown: bool
    """Whether this is the story that was asked for."""
    updates: ItemRef | None
    """The item that this one is an update of; None for the beginning."""
    moved: tuple[Counted, ...] = ()
    """Values that differ: `here` in this item, `there` in the updated one."""
    new_terms: tuple[WeightedTerm, ...] = ()
    """Its weightiest terms that the updated item does not share, at most MOST_NEW_TERMS."""


@dataclass(frozen=True, slots=True)
class DevelopmentView:
    """A development in the order of time, and how many of its stories are left out."""

    steps: tuple[DevelopmentRow, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class StorySummary:
    """One story in a list."""

    id: StoryId
    size: int
    languages: tuple[str, ...]
    first: str
    last: str
    original: ItemRef
    title: str
    """Of the original; empty when it has left the window."""


@dataclass(frozen=True, slots=True)
class StoryItem:
    """One item of a story, and why it belongs to it."""

    source: str
    id: str
    title: str
    lang: Language
    effective_at: str
    hours_after_original: float | None
    """None when the original has left the window."""
    verdict: Verdict
    relation: Relation
    decided_by: str
    score: float | None
    matched: ItemRef | None
    """The leader that it follows or resembles."""
    shared: tuple[WeightedTerm, ...]
    """Terms shared with that leader, the weightiest first."""


@dataclass(frozen=True, slots=True)
class StoryDetails:
    """One story with its items in the total order."""

    story: StorySummary
    items: tuple[StoryItem, ...]
    development: DevelopmentView


def summarize_story(story: Story, state: StateReader) -> StorySummary:
    """Return a story as a line of a list, with the title of its original."""
    original = _original(story)
    title = ""
    if original is not None:
        title = headline(state.read_version(original.key, original.newest)[0])
    return StorySummary(
        id=story.id,
        size=story.size,
        languages=story.languages,
        first=to_datetime(story.first).isoformat(),
        last=to_datetime(story.last).isoformat(),
        original=item_ref(story.original),
        title=title,
    )


def describe_story(story: Story, development: Development, state: StateReader) -> StoryDetails:
    """Return a story with all its items and the development that it belongs to."""
    original = _original(story)
    began = None if original is None else original.entry.effective_at
    items = tuple(_story_item(record, began, state) for record in story.members)
    rows = tuple(_development_row(step, story.id, state) for step in development.steps)
    view = DevelopmentView(rows, development.left_out)
    return StoryDetails(summarize_story(story, state), items, view)


def _story_item(record: Record, began: Micros | None, state: StateReader) -> StoryItem:
    """Return one item of a story; `began` is the time of the original, None if unknown."""
    received, judgement = state.read_version(record.key, record.newest)
    at = record.entry.effective_at
    matched = judgement.matched
    evidence = matched.evidence if matched else None
    return StoryItem(
        *record.key,
        title=headline(received),
        lang=record.entry.lang,
        effective_at=to_datetime(at).isoformat(),
        hours_after_original=None if began is None else round((at - began) / HOUR, 2),
        verdict=judgement.verdict,
        relation=judgement.relation,
        decided_by=judgement.decided_by,
        score=matched.score if matched else None,
        matched=ItemRef(matched.source, matched.id) if matched else None,
        shared=evidence.shared if evidence else (),
    )


def _original(story: Story) -> Record | None:
    """Return the record of a story's original, None if it is not among the members."""
    return next((record for record in story.members if record.key == story.original), None)


def _development_row(step: DevelopmentStep, shown: StoryId, state: StateReader) -> DevelopmentRow:
    """Return one story of a development as a row; `shown` is the story that is described."""
    is_shown = step.story == shown
    if step.record is None:
        return DevelopmentRow(step.story, *step.leader, None, "", shown=is_shown, updates=None)
    received, judgement = state.read_version(step.leader, step.record.newest)
    moved, new_terms = _news(judgement, step.updates)
    return DevelopmentRow(
        step.story,
        *step.leader,
        effective_at=to_datetime(step.record.entry.effective_at).isoformat(),
        title=headline(received),
        shown=is_shown,
        updates=None if step.updates is None else item_ref(step.updates),
        moved=moved,
        new_terms=new_terms,
    )


def _news(
    judgement: Judgement, updated: ItemKey | None
) -> tuple[tuple[Counted, ...], tuple[WeightedTerm, ...]]:
    """Return moved values and new terms of an item that updates `updated`; none if unknown."""
    matched = judgement.matched
    if updated is None or matched is None or matched.evidence is None:
        return (), ()
    shared = {term.term for term in matched.evidence.shared}
    new = [term for term in judgement.terms if term.term not in shared]
    new.sort(key=lambda term: (-term.weight, term.term))
    return matched.evidence.moved or (), tuple(new[:MOST_NEW_TERMS])
