"""What the server returns for items that were sent to it: verdicts, or why there is none."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from msgspec import Struct

from newsdedup.core.events import Event, ItemRef, Judgement, Retraction
from newsdedup.core.model import NewsItem
from newsdedup.engine.comparison import ItemComparison
from newsdedup.ports.errors import Rejection


class ItemRefusal(Struct, frozen=True):
    """Why a record can be no item; docs/items.md lists the codes."""

    code: str
    reason: str


class CheckResult(Struct, frozen=True, kw_only=True):
    """What newsdedup makes of one record that was sent."""

    item: ItemRef | None = None
    """The source and id that the item has or was given; None for a record that is no item."""
    refusal: ItemRefusal | None = None
    """Set where there is no verdict."""
    known: bool = False
    """Whether this version was judged before; then this is the verdict that it got."""
    judgement: Judgement | None = None
    corrections: tuple[Judgement, ...] = ()
    """New verdicts on other items: a late original takes over its copies."""
    retracted: bool = False
    """Whether the record withdrew the item."""


class CheckResults(Struct, frozen=True):
    """A result for each record, in their order."""

    results: tuple[CheckResult, ...]


CompareItems = Callable[[NewsItem, NewsItem], Awaitable[ItemComparison]]
"""Returns two items as the rule of the server compares them; nothing is stored."""


class Checker(Protocol):
    """Judges items without storing anything."""

    async def check(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record, each judged as if it came alone and now.

        Raise Unavailable, StateUnusable or SourceUnusable if the state cannot be read.
        """
        ...


def result_of(events: Sequence[Event], rejection: Rejection | None) -> CheckResult:
    """Return the result for one record, by its events or its rejection."""
    if rejection is not None:
        return CheckResult(refusal=ItemRefusal(rejection.code, rejection.reason))
    judgements = [one.payload for one in events if isinstance(one.payload, Judgement)]
    retractions = [one.payload for one in events if isinstance(one.payload, Retraction)]
    if retractions:
        return CheckResult(item=retractions[0].item, retracted=True, corrections=tuple(judgements))
    own = next((one for one in judgements if one.event == "item.judged"), None)
    if own is None:
        own = judgements[0] if events and events[0].repeated else None
    others = tuple(one for one in judgements if one is not own)
    return CheckResult(
        item=None if own is None else own.item,
        known=bool(events) and events[0].repeated,
        judgement=own,
        corrections=others,
    )
