"""The port through which a process reports the way of news as spans of a trace.

A span covers one batch or one visit, never one item. Its headers go into the records that it
causes, so that the next process continues the trace. Attributes hold names and numbers, never a
title, a text or a secret.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Literal, Protocol

from newsdedup.ports.streams import Headers

SpanKind = Literal["internal", "consumer", "producer"]
SpanAttribute = str | int


class Span(Protocol):
    """An operation that is under way; it ends with the block that it was made for."""

    @property
    def headers(self) -> Headers:
        """Return the headers of records that the operation causes; none if nothing is traced."""
        ...

    def continued(self, cause: Headers) -> Headers:
        """Return the headers of a record that follows from one with the headers `cause`.

        They lead to this span if it belongs to the same trace, or if `cause` names none; else they
        are those of the cause, whose trace goes on without this span.
        """
        ...

    def note(self, name: str, value: SpanAttribute) -> None:
        """Set an attribute."""
        ...

    def stage(self, name: str, began_ns: int, ended_ns: int) -> None:
        """Add a part of the operation that is over; times are nanoseconds since 1970."""
        ...


class Tracer(Protocol):
    """Makes spans; no call may block or raise."""

    @property
    def is_on(self) -> bool:
        """Whether spans are recorded; else the caller may leave out work for them."""
        ...

    def span(
        self,
        name: str,
        *,
        kind: SpanKind = "internal",
        causes: Iterable[Headers] = (),
        began_ns: int | None = None,
    ) -> AbstractContextManager[Span]:
        """Return a block in which a span is the current one; an error that leaves it is noted.

        `causes` are the headers of the records that are worked on. If they belong to one trace, the
        span continues it; if to several, it begins a trace that is linked to them; without any it
        is a part of the current span.
        """
        ...


class _NoTracer:
    """A tracer that records nothing; it is also the span that it makes."""

    __slots__ = ()
    is_on = False
    headers: Headers = ()

    def span(self, *_: object, **_more: object) -> AbstractContextManager[Span]:
        """Return a block in which this object is the span; the causes are not looked at."""
        return nullcontext(self)

    def continued(self, cause: Headers) -> Headers:
        """Return the headers of the cause."""
        return cause

    def note(self, name: str, value: SpanAttribute) -> None:
        """Note nothing."""

    def stage(self, name: str, began_ns: int, ended_ns: int) -> None:
        """Note nothing."""


_NOTHING: Final = _NoTracer()
NO_SPAN: Span = _NOTHING
NO_TRACER: Tracer = _NOTHING
