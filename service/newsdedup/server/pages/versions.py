"""What an item said before it was edited: each edit as a word diff of what changed."""

from datetime import datetime
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import ItemDetail
from newsdedup.core.model import ItemKey
from newsdedup.server.pages.word_diff import DiffPart, DiffWord, diff_words
from newsdedup.server.pages.wording import titled_text

_MOST_EDITS: Final = 5
"""Edits that a page shows, the latest."""
_KEPT_WORDS: Final = 12
"""Words around a change that are shown; more unchanged ones are left out."""
_LEFT_OUT: Final = DiffWord("\u2026", " ")


class ItemEdit(Struct, frozen=True, kw_only=True):
    """An edit of an item."""

    at: datetime | None
    """When its source made it; None where it names no time."""
    changes: tuple[DiffPart, ...]
    """The words before and after it, without most of those that stayed."""
    shortened: bool
    """Whether a text was too long to be compared as a whole."""


class ItemEdits(Struct, frozen=True, kw_only=True):
    """The latest edits of an item."""

    edits: tuple[ItemEdit, ...]
    """The latest first."""
    left_out: int
    """Earlier edits that the archive knows."""


def item_edits(reader: ArchiveReader, detail: ItemDetail) -> ItemEdits:
    """Return how an item was edited, by the texts that the archive keeps."""
    summary = detail.summary
    earlier = reader.earlier_texts(ItemKey(summary.source, summary.id))
    texts: list[tuple[str, datetime | None]] = []
    for title, text, at in (
        *((one.title, one.text, one.updated_at) for one in earlier),
        (summary.title, detail.text, detail.updated_at),
    ):
        shown = titled_text(title, text)
        if not texts or texts[-1][0] != shown:
            texts.append((shown, at))
    steps = list(pairwise(texts))
    edits = [_edit(before, after, at) for (before, _), (after, at) in steps[-_MOST_EDITS:]]
    return ItemEdits(edits=tuple(edits[::-1]), left_out=max(0, len(steps) - _MOST_EDITS))


def _edit(before: str, after: str, at: datetime | None) -> ItemEdit:
    diff = diff_words(before, after)
    last = len(diff.inline) - 1
    changes = tuple(
        _around_changes(part, begins=number == 0, ends=number == last)
        for number, part in enumerate(diff.inline)
    )
    return ItemEdit(at=at, changes=changes, shortened=diff.shortened)


def _around_changes(part: DiffPart, *, begins: bool, ends: bool) -> DiffPart:
    """Return words that stayed, with those in their middle left out, or at an end of the text."""
    kept = (0 if begins else _KEPT_WORDS) + (0 if ends else _KEPT_WORDS)
    if part.kind != "same" or len(part.words) <= kept + 3 or (begins and ends):
        return part
    head = () if begins else part.words[:_KEPT_WORDS]
    tail = () if ends else part.words[-_KEPT_WORDS:]
    return replace(part, words=(*head, _LEFT_OUT, *tail))
