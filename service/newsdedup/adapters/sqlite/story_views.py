"""Stories of a state as a person or a program wants them: with titles and reasons."""

from dataclasses import dataclass

from newsdedup.adapters.formats.item_json import headline
from newsdedup.adapters.sqlite.state_reader import StateReader
from newsdedup.core.events import ItemRef, WeightedTerm, item_ref
from newsdedup.core.matching.evidence import MICROS_PER_HOUR
from newsdedup.core.model import Language, Micros, Relation, StoryId, Verdict
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.story_list import Story


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
    """One item of a story, and why it is in it."""

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
    """Terms shared with that one, the weightiest first."""


@dataclass(frozen=True, slots=True)
class StoryDetails:
    """One story with its items in the total order."""

    story: StorySummary
    items: tuple[StoryItem, ...]


def summarize_story(story: Story, state: StateReader) -> StorySummary:
    """Return a story with the title of its original."""
    original = _original(story)
    return StorySummary(
        id=story.id,
        size=story.size,
        languages=story.languages,
        first=_written(story.first),
        last=_written(story.last),
        original=item_ref(story.original),
        title="" if original is None else _title(original, state),
    )


def describe_story(story: Story, state: StateReader) -> StoryDetails:
    """Return a story with all its items."""
    original = _original(story)
    began = None if original is None else original.entry.effective_at
    return StoryDetails(
        summarize_story(story, state),
        tuple(_item(record, began, state) for record in story.members),
    )


def _item(record: Record, began: Micros | None, state: StateReader) -> StoryItem:
    received, said = state.read_version(record.key, record.newest)
    at = record.entry.effective_at
    matched = said.matched
    evidence = matched.evidence if matched else None
    return StoryItem(
        source=record.key.source,
        id=record.key.id,
        title=headline(received),
        lang=record.entry.lang,
        effective_at=_written(at),
        hours_after_original=None if began is None else round((at - began) / MICROS_PER_HOUR, 2),
        verdict=said.verdict,
        relation=said.relation,
        decided_by=said.decided_by,
        score=matched.score if matched else None,
        matched=ItemRef(matched.source, matched.id) if matched else None,
        shared=evidence.shared if evidence else (),
    )


def _original(story: Story) -> Record | None:
    return next((record for record in story.members if record.key == story.original), None)


def _title(record: Record, state: StateReader) -> str:
    received, _ = state.read_version(record.key, record.newest)
    return headline(received)


def _written(at: Micros) -> str:
    return to_datetime(at).isoformat()
