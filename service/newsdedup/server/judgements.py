"""What the server returns of items that were sent to it: verdicts, or why there is none."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from msgspec import Struct

from newsdedup.core.events import Event, ItemRef, Judgement, Retraction
from newsdedup.core.model import NewsItem
from newsdedup.engine.comparison import ItemComparison
from newsdedup.ports.errors import Rejection


class ItemRefusal(Struct, frozen=True):
    """Why a record can be no item; the codes stand in docs/items.md."""

    code: str
    reason: str


class CheckResult(Struct, frozen=True, kw_only=True):
    """What newsdedup says of one record that was sent."""

    item: ItemRef | None = None
    """The item, under the source and id that it has or was given; None of what is no item."""
    refusal: ItemRefusal | None = None
    """Set where there is no verdict."""
    known: bool = False
    """Whether this version was judged before: then this is the verdict that it got."""
    judgement: Judgement | None = None
    corrections: tuple[Judgement, ...] = ()
    """New verdicts on other items: a late original takes over its copies."""
    retracted: bool = False
    """Whether the record withdrew the item."""


class CheckResults(Struct, frozen=True):
    """A result for each record, in their order."""

    results: tuple[CheckResult, ...]


CompareItems = Callable[[NewsItem, NewsItem], Awaitable[ItemComparison]]
"""Returns two items as the rule of the server compares them; nothing is kept of them."""


class Checker(Protocol):
    """Says what an item would be, and stores nothing."""

    async def check(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record, each judged as if it came alone and now.

        Raise Unavailable, StateUnusable or SourceUnusable if the state cannot be read.
        """
        ...

    async def close(self) -> None:
        """Release the state."""
        ...


class Keeper(Protocol):
    """Judges items and keeps them, as a run does."""

    async def keep(self, records: Sequence[bytes]) -> Sequence[CheckResult]:
        """Return a result for each record when all are committed and their events written.

        Raise StateUnusable or SinkUnusable if they cannot be.
        """
        ...


def refused(rejection: Rejection) -> CheckResult:
    """Return the result for a record that is no item."""
    return CheckResult(refusal=ItemRefusal(rejection.code, rejection.reason))


def result_of(events: Sequence[Event]) -> CheckResult:
    """Return the result that the events of one record make."""
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
