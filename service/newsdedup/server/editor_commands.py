"""What becomes of an editor's feedback: it is stored, and it acts where there is an engine."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from newsdedup.adapters.formats.feedback_json import Feedback, encode_feedback
from newsdedup.archive.reader import ArchiveReader
from newsdedup.core.events import Judgement
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import InvalidItem, NewsdedupError, SinkUnusable
from newsdedup.runners.intake.record_output import RecordOutput
from newsdedup.server.judgements import Keeper
from newsdedup.server.reader_pool import ReaderPool

FeedbackEffect = Literal["engine", "topic", "file", "none"]
"""What feedback does here: it acts at once, is sent to workers, is only stored, is not taken."""
_NAME_CHARS: Final = 2_000


class FeedbackItem(Struct, frozen=True, forbid_unknown_fields=True):
    """An item that feedback is about."""

    source: Annotated[str, Meta(max_length=_NAME_CHARS)]
    id: Annotated[str, Meta(min_length=1, max_length=_NAME_CHARS)]

    @property
    def key(self) -> ItemKey:
        """Return its identity."""
        return ItemKey(self.source, self.id)


class FeedbackResult(Struct, frozen=True, kw_only=True):
    """What became of a feedback."""

    outcome: Literal["acted", "sent", "stored"]
    """Whether stories have changed, workers were sent the command, or it was only stored."""
    stored: bool
    """Whether it stands in the file of feedback, as a labelled pair."""
    reason: str = ""
    """Why it was only stored."""
    judgements: tuple[Judgement, ...] = ()
    """The verdicts that it changed."""


class EditorCommands:
    """Stores feedback, then lets it act: in the engine of this process, or by the input topic.

    Without a place to act it is only stored; without a file for it, it only acts.
    """

    def __init__(
        self,
        pool: ReaderPool,
        *,
        keeper: Keeper | None = None,
        open_topic: Callable[[], Awaitable[RecordOutput]] | None = None,
        file: RecordOutput | None = None,
    ) -> None:
        self._pool = pool
        self._keeper = keeper
        self._open_topic = open_topic
        self._topic: RecordOutput | None = None
        self._sending = asyncio.Lock()
        self._file = file

    @property
    def effect(self) -> FeedbackEffect:
        """Return what feedback does here."""
        if self._keeper is not None:
            return "engine"
        if self._open_topic is not None:
            return "topic"
        return "none" if self._file is None else "file"

    async def carry_out(self, feedback: Feedback, at: datetime) -> FeedbackResult:
        """Store a feedback, let it act, and return what became of it.

        Raise InvalidItem if it cannot be a command, or names an item that the archive does not
        hold; SinkUnusable or Unavailable if it cannot be stored, or the place where it acts not
        reached.
        """
        line = encode_feedback(feedback, at)
        await self._pool.run(lambda reader: _require_items(reader, feedback[1:]))
        # A client that goes away does not take back what it sent.
        return await asyncio.shield(self._take(line))

    async def close(self) -> None:
        """Close the topic and the file."""
        for output in (self._topic, self._file):
            if output is not None:
                await output.close()

    async def _take(self, line: bytes) -> FeedbackResult:
        stored = self._file is not None
        if self._file is not None:
            # First: an editor's word must not be lost with the engine.
            await self._file.write([line])
        if self._keeper is not None:
            return await self._command(self._keeper, line, stored=stored)
        if self._open_topic is not None:
            if await self._send(self._open_topic, line):
                raise InvalidItem("too_long", "Kafka does not take records of this size")
            return FeedbackResult(outcome="sent", stored=stored)
        if not stored:
            raise SinkUnusable("feedback goes nowhere: set server.feedback, or start with --events")
        reason = "there is no engine and no input topic here"
        return FeedbackResult(outcome="stored", stored=True, reason=reason)

    async def _command(self, keeper: Keeper, line: bytes, *, stored: bool) -> FeedbackResult:
        """Let the engine of this process take the command."""
        (result,) = await keeper.keep([line])
        if result.refusal is not None:
            if not stored:
                raise InvalidItem(result.refusal.code, result.refusal.reason)
            return FeedbackResult(outcome="stored", stored=True, reason=result.refusal.reason)
        own = () if result.judgement is None else (result.judgement,)
        return FeedbackResult(
            outcome="acted", stored=stored, judgements=(*own, *result.corrections)
        )

    async def _send(
        self, open_topic: Callable[[], Awaitable[RecordOutput]], line: bytes
    ) -> list[int]:
        """Write a command to the input topic; return what `write` of the topic does.

        The topic is opened with the first act, and anew after a failure: what its producer had
        under way then would never be waited for again.
        """
        async with self._sending:
            if self._topic is None:
                self._topic = await open_topic()
            try:
                return await self._topic.write([line])
            except NewsdedupError:
                failed, self._topic = self._topic, None
                await failed.close()
                raise


def _require_items(reader: ArchiveReader, keys: Sequence[ItemKey]) -> None:
    """Raise InvalidItem for an item that the archive does not hold."""
    for key in keys:
        if reader.item(key) is None:
            raise InvalidItem("unknown_item", "the archive holds no such item")
