"""The pages of a story and of an item, and the comparison of two items."""

from collections.abc import Mapping
from functools import partial
from typing import Final, Literal

from msgspec import Struct

from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.views import ItemDetail, ItemSummary, StoryDetail, StorySources
from newsdedup.core.events import ItemRef
from newsdedup.core.model import ItemKey
from newsdedup.core.words.vocabulary import STEMMED
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.pages.links import split_key
from newsdedup.server.pages.page_query import MOST_KEY_CHARS, PageQuery
from newsdedup.server.pages.versions import ItemEdits, item_edits
from newsdedup.server.pages.word_diff import WordDiff, diff_words
from newsdedup.server.pages.wording import MOST_TEXT_CHARS, plain_paragraphs, titled_text

_ITEMS_A_PAGE: Final = 100
_MOST_CORRECTIONS: Final = 30
"""Corrections that a page shows, the latest."""
OtherReason = Literal["", "same_time", "late", "editor", "gone", "judged"]


class StoryView(Struct, frozen=True, kw_only=True):
    """A story with its items in the order of time."""

    detail: StoryDetail
    first: ItemSummary | None
    """Its earliest item, on the first page."""
    later_pages: bool
    other_because: OtherReason = ""
    """Why the original is not the earliest item, "" if it is."""
    spread: StorySources | None = None
    """When each of its sources had it, on the first page; None for a story of one source."""
    corrected: tuple[ItemSummary | None, ...] = ()
    """The items of the latest corrections, None for one that is gone."""


class ItemView(Struct, frozen=True, kw_only=True):
    """An item with the reasons of its verdict."""

    detail: ItemDetail
    matched: ItemSummary | None
    """The item that it follows or resembles, if the archive has it."""
    original: ItemSummary | None
    """The original of its story, if the archive has it and it is another item."""
    paragraphs: tuple[str, ...]
    """Its text without markup, shortened."""
    shortened: bool
    edits: ItemEdits
    words: Mapping[str, str]
    """A word of its text for each of its stems."""


class CompareView(Struct, frozen=True, kw_only=True):
    """Two items word by word, the earlier one on the left."""

    left: ItemSummary
    right: ItemSummary
    diff: WordDiff
    side_by_side: bool
    translated: bool
    """Whether one is Russian and one Ukrainian: words are compared by what they mean."""


def story_view(reader: ArchiveReader, query: PageQuery) -> StoryView:
    """Return the story `id`; raise RequestRefused for one that the archive does not have."""
    cursor = query.text("cursor")
    detail = reader.story(query.text("id"), cursor=cursor, limit=query.rows(_ITEMS_A_PAGE))
    if detail is None:
        raise RequestRefused("unknown-story", "the archive holds no such story")
    first = detail.items[0] if detail.items and not cursor else None
    corrected = [one.item for one in detail.corrections[-_MOST_CORRECTIONS:]]
    return StoryView(
        detail=detail,
        first=first,
        later_pages=bool(cursor),
        spread=reader.story_sources(detail.summary)
        if first and detail.summary.sources > 1
        else None,
        other_because=_why_other(reader, first, detail.summary.original),
        corrected=tuple(reader.summaries([ItemKey(one.source, one.id) for one in corrected])),
    )


def _why_other(reader: ArchiveReader, first: ItemSummary | None, original: ItemRef) -> OtherReason:
    """Return why the original of a story is not its earliest item; "" if it is that."""
    if first is None or (first.source, first.id) == (original.source, original.id):
        return ""
    summary = _summary_of(reader, original)
    if summary is None:
        return "gone"
    if "editor" in (first.decided_by, summary.decided_by):
        return "editor"
    if summary.at == first.at:
        return "same_time"
    return "late" if first.late else "judged"


def item_view(reader: ArchiveReader, query: PageQuery) -> ItemView:
    """Return the item `source`, `id`; raise RequestRefused if it is unknown or withdrawn."""
    detail = _existing_item(reader, query.key())
    summary = detail.summary
    text = plain_paragraphs(detail.text)
    matched = _summary_of(reader, summary.matched)
    is_original = (summary.original.source, summary.original.id) == (summary.source, summary.id)
    return ItemView(
        detail=detail,
        matched=matched,
        original=None if is_original else _summary_of(reader, summary.original),
        paragraphs=tuple(text),
        shortened=len(detail.text) > MOST_TEXT_CHARS,
        edits=item_edits(reader, detail),
        words=_written_words(reader, detail),
    )


def _written_words(reader: ArchiveReader, detail: ItemDetail) -> dict[str, str]:
    """Return a word for each stem of an item and, in its language, of the item that it matches."""
    summary, words = detail.summary, dict[str, str]()
    if summary.lang not in STEMMED:
        return words
    if summary.matched is not None:
        matched = reader.item(ItemKey(summary.matched.source, summary.matched.id))
        if matched is not None:
            words = reader.written_words(matched.summary.title, matched.text, summary.lang)
    return words | reader.written_words(summary.title, detail.text, summary.lang)


def compare_view(reader: ArchiveReader, query: PageQuery) -> CompareView:
    """Return the items `a` and `b`; raise RequestRefused for one that is unknown or withdrawn."""
    left, right = (_existing_item(reader, _key_of(query, name)) for name in ("a", "b"))
    if right.summary.at < left.summary.at:
        left, right = right, left
    languages = left.summary.lang, right.summary.lang
    translated = set(languages) == {"ru", "uk"}
    of_left, of_right = (partial(reader.word_key, lang=lang) for lang in languages)
    return CompareView(
        left=left.summary,
        right=right.summary,
        diff=diff_words(
            _whole_text(left), _whole_text(right), keys=(of_left, of_right) if translated else None
        ),
        translated=translated,
        side_by_side=query.choice("view", ("inline", "side")) == "side",
    )


def _existing_item(reader: ArchiveReader, key: ItemKey) -> ItemDetail:
    """Return an item; raise RequestRefused for one that is unknown or withdrawn."""
    detail = reader.item(key)
    if detail is not None:
        return detail
    if reader.is_retracted(key):
        raise RequestRefused("withdrawn", "its source withdrew this item: it is erased")
    raise RequestRefused("unknown-item", "the archive holds no such item")


def _whole_text(detail: ItemDetail) -> str:
    return titled_text(detail.summary.title, detail.text)


def _summary_of(reader: ArchiveReader, item: ItemRef | None) -> ItemSummary | None:
    """Return the summary of an item; None for None, and if the archive does not have it."""
    return None if item is None else reader.summaries([ItemKey(item.source, item.id)])[0]


def _key_of(query: PageQuery, name: str) -> ItemKey:
    """Return the item that a parameter names as `joined_key` does; or raise RequestRefused."""
    value = query.raw(name)
    parts = split_key(value) if len(value) <= MOST_KEY_CHARS else None
    if parts is None:
        detail = f"{name} names no item: choose one on a story's page"
        raise RequestRefused("bad-query", detail)
    return ItemKey(*parts)
