"""The values that travel from source to sink; the glossary is in docs/architecture.md."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple, NewType

from newsdedup.data.lang import LANGUAGE_FOLDERS
from newsdedup.data.languages import LANGUAGE_ROWS

LANGUAGES = (*LANGUAGE_FOLDERS, "other", *LANGUAGE_ROWS)
"""Those with a folder of word tables, all unknown ones as one, and those of the table."""
if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]  # decoders accept these names, and schemas list them
Verdict = Literal["original", "duplicate"]
Relation = Literal["reprint", "rewrite", "update", "part", "similar", "none"]

StoryId = NewType("StoryId", str)
Version = NewType("Version", str)
"""Hash of an item's normalised title and text."""

Micros = int
"""Microseconds since 1970-01-01 UTC: exact, sortable, free of time zones."""


class ItemKey(NamedTuple):
    """The identity of an item: ids are unique within a source only."""

    source: str
    id: str


class Order(NamedTuple):
    """The total order of items: what `earlier` means everywhere."""

    effective_at: Micros
    source: str
    id: str


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One report as received, before any processing; times carry their zone."""

    key: ItemKey
    title: str
    text: str
    published_at: datetime | None = None
    seen_at: datetime | None = None
    updated_at: datetime | None = None
    url: str = ""
    lang: str = ""
    links: tuple[str, ...] = ()
    unread_dates: tuple[str, ...] = ()
    """Names of its dates that could not be read; they count as missing."""


class Term(NamedTuple):
    """A lemma as the vocabulary knows it."""

    lemma: str
    key: int
    """Its sort key in the frozen order, rare first: band of document frequency, then a hash."""
    weight: float
    """What its rarity is worth; multiplied by a share of its frequency in the document."""


@dataclass(frozen=True, slots=True)
class Document:
    """A cleaned and lemmatized item."""

    lang: Language
    title: str
    text: str
    """Cleaned title and body; paragraphs are lines."""
    terms: tuple[Term, ...]
    """Content lemmas in the order of the text; stop words are left out."""
    numbers: tuple[str, ...]
    """Distinct numbers of the text, canonical decimals, sorted; "-5" where a minus touches it."""
    names: tuple[str, ...]
    """Distinct lemmas written with a capital inside a sentence, the most frequent first."""
    version: Version


@dataclass(frozen=True, slots=True)
class Signature:
    """The weightiest terms of a document, in the frozen order, rare first."""

    terms: tuple[Term, ...]
    weights: tuple[float, ...]


class Fingerprint(NamedTuple):
    """What a method keeps of a document: a shared key makes candidates, bodies are compared."""

    keys: tuple[int, ...]
    """Distinct numbers of 63 bits: positive in every store."""
    body: bytes
    """Numbers packed one behind the other, little-endian; every method says which."""


class Passage(NamedTuple):
    """What an entry keeps of one message of a digest: enough to find it and to compare it."""

    terms: tuple[int, ...]
    """Keys of its own signature's terms, ascending."""
    sketch: Fingerprint
    """What the verifier keeps of it, as of an item of its own."""


class Stamp(NamedTuple):
    """What orders the versions of an item."""

    updated_at: Micros
    seen_at: Micros


class Entry(NamedTuple):
    """What the index and the judge keep of one version of an item; frozen at admission."""

    key: ItemKey
    version: Version
    stamp: Stamp
    effective_at: Micros
    lang: Language
    terms: tuple[int, ...]
    """Keys of the signature's terms, ascending: the frozen order, rare first."""
    numbers: tuple[str, ...]
    names: tuple[str, ...]
    sketches: tuple[Fingerprint, ...] = ()
    """What further methods keep of it, in the order of the rule that names them."""
    passages: tuple[Passage, ...] = ()
    """Its messages, if it is a digest, in the order of the text; bounded."""

    def __hash__(self) -> int:
        """Return the hash of the item alone: that of all fields takes ten times as long."""
        return tuple.__hash__(self.key)

    @property
    def order(self) -> Order:
        """Return the sort key of the item in the total order."""
        return Order(self.effective_at, self.key.source, self.key.id)


class Match(NamedTuple):
    """The answer of a rule about two entries: more score is a better match."""

    score: float
    relation: Relation

    @property
    def duplicate(self) -> bool:
        """Return whether the two entries belong to one story."""
        return self.relation in ("reprint", "rewrite")
