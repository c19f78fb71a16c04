"""What is published: the types from which the JSON Schemas are generated.

An event about an item is the item as it was received plus one object, `dedup`: a Judgement or a
Retraction. An event about a story is a `dedup` object alone.

Structs and no dataclasses, only here in the core: events are made, encoded and decoded for every
item, and a Struct takes a fifth of the time (docs/decisions/0006-index-in-memory.md).
"""

from typing import Literal, NamedTuple

import xxhash
from msgspec import UNSET, Struct, UnsetType

from newsdedup.core.model import ItemKey, Language, Relation, Verdict, Version

EVENT_FORMAT: Literal[1] = 1


class ItemRef(Struct, frozen=True):
    """An item, by the identity that is unique across sources."""

    source: str
    id: str


class Revision(Struct, frozen=True):
    """How new an event about an item is: consumers keep the highest (epoch, n)."""

    epoch: int
    n: int


class WeightedTerm(Struct, frozen=True):
    """A term of a signature."""

    term: str
    weight: float


class Agreement(Struct, frozen=True):
    """Facts of one kind in both items, and in only one of them; each list is bounded."""

    both: tuple[str, ...]
    here: tuple[str, ...]
    there: tuple[str, ...]


class Reason(Struct, frozen=True):
    """A feature that the verifier weighed: its value, and what it adds to the log-odds."""

    feature: str
    value: float
    logit: float


class Counted(Struct, frozen=True):
    """What both items count, and each otherwise."""

    what: str | None
    """null where the word for it is not known: an entry keeps a hash of it."""
    here: str
    there: str


class Evidence(Struct, frozen=True):
    """What speaks for and against the match, seen from the judged item."""

    shared: tuple[WeightedTerm, ...]
    terms_here: int
    terms_there: int
    numbers: Agreement
    names: Agreement
    fingerprints: tuple[str, ...]
    hours_apart: float
    reasons: tuple[Reason, ...] = ()
    """What the verifier weighed, the strongest first; none under a rule that weighs nothing."""
    moved: tuple[Counted, ...] | UnsetType = UNSET
    """What an update moved, and what else both count otherwise, bounded; absent if nothing is."""


class Matched(Struct, frozen=True):
    """The leader that the item follows or resembles."""

    source: str
    id: str
    score: float
    evidence: Evidence | None
    """None when the other item has left the window since."""


class StoryRef(Struct, frozen=True):
    """A story and its original."""

    id: str
    original: ItemRef


class Contained(Struct, frozen=True):
    """A story that a digest contains."""

    message: int
    """Which message of the digest reports it, from 1 on."""
    story: str
    leader: ItemRef
    """The leader of the story, with which that message was compared."""
    score: float


class Judgement(Struct, frozen=True):
    """The verdict on one version of one item."""

    event: Literal["item.judged", "verdict.corrected"]
    event_id: str
    item: ItemRef
    version: str
    revision: Revision
    verdict: Verdict
    relation: Relation
    decided_by: Literal["rule", "editor"]
    story: StoryRef
    matched: Matched | None
    rule: str
    lang: Language
    effective_at: str
    terms: tuple[WeightedTerm, ...]
    """The signature of this version, rare terms first."""
    late: bool = False
    """Older than the stream's newest item by more than the allowed lateness."""
    superseded: bool = False
    """A newer version of the item was known before this one arrived."""
    format: Literal[1] = EVENT_FORMAT
    contains: tuple[Contained, ...] | UnsetType = UNSET
    """Of a digest the stories it contains, as far as they were known when it was judged; absent
    from the verdict on any other item."""
    cut: tuple[str, ...] | UnsetType = UNSET
    """Fields of the item that are shortened or null, because the whole event is larger than Kafka
    takes; absent where the item is whole."""


class Retraction(Struct, frozen=True):
    """An item was withdrawn by its source; nothing of it is kept."""

    event_id: str
    item: ItemRef
    version: str
    revision: Revision
    event: Literal["item.retracted"] = "item.retracted"
    format: Literal[1] = EVENT_FORMAT


class OriginalMoved(Struct, frozen=True):
    """A story has another original than was published before."""

    event_id: str
    story: str
    original: ItemRef
    previous: ItemRef
    event: Literal["story.original_changed"] = "story.original_changed"
    format: Literal[1] = EVENT_FORMAT


def schema_id(event: str) -> str:
    """Return the URN of the JSON Schema for events of this type."""
    return f"urn:newsdedup:{event}:{EVENT_FORMAT}"


def item_ref(key: ItemKey) -> ItemRef:
    """Return the published form of an identity."""
    return ItemRef(key.source, key.id)


def event_id(key: ItemKey, version: Version, revision: Revision) -> str:
    """Return the id of an event about an item version: a hash, the same at each publication."""
    return _hashed("item", *key, version, str(revision.epoch), str(revision.n))


def original_moved_id(story: str, original: ItemKey, revision: Revision) -> str:
    """Return the id of a change of a story's original, by the revision of the new original."""
    return _hashed("story", story, *original, str(revision.epoch), str(revision.n))


def _hashed(*parts: str) -> str:
    """Return 128 bits of xxh3 of the parts as hexadecimal digits.

    Each part is hashed behind its length, so that ("ab", "c") and ("a", "bc") differ.
    """
    text = "".join([f"{len(part)}:{part}" for part in parts])
    return xxhash.xxh3_128_hexdigest(text.encode("utf-8", "surrogatepass"))


class Event(NamedTuple):
    """One event to publish; a judgement is published with the bytes that were received."""

    payload: Judgement | Retraction | OriginalMoved
    received: bytes = b""
    encoded: bytes = b""
    """The payload as the ledger encoded it, empty where it must still be encoded."""
    repeated: bool = False
    """Whether the same event was published before, with the same id."""

    @property
    def first_judgement(self) -> Judgement | None:
        """The judgement, if this is the first one on an item version; None if it is repeated."""
        if self.repeated or not isinstance(self.payload, Judgement):
            return None
        return self.payload if self.payload.event == "item.judged" else None
