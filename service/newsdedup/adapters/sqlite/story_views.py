"""Stories of a state with titles and reasons, as tables and JSON show them."""

from dataclasses import dataclass

from newsdedup.adapters.formats.item_json import headline
from newsdedup.adapters.sqlite.development_view import DevelopmentView, describe_development
from newsdedup.adapters.sqlite.state_reader import StateReader
from newsdedup.core.events import ItemRef, WeightedTerm, item_ref
from newsdedup.core.model import Language, Micros, Relation, StoryId, Verdict
from newsdedup.core.moments import HOUR, to_datetime
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.story_list import Development, Story


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
    steps = describe_development(development, story.id, state)
    return StoryDetails(summarize_story(story, state), items, steps)


def _story_item(record: Record, began: Micros | None, state: StateReader) -> StoryItem:
    """Return one item of a story; `began` is the time of the original, None if unknown."""
    received, judgement = state.read_version(record.key, record.newest)
    at = record.entry.effective_at
    matched = judgement.matched
    evidence = matched.evidence if matched else None
    return StoryItem(
        source=record.key.source,
        id=record.key.id,
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
    return next((record for record in story.members if record.key == story.original), None)
