"""Takes the feedback of editors: stores it, and changes stories where there is an engine."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta, Struct

from newsdedup.adapters.formats.item_json import COMMAND_FIELD, decode_item
from newsdedup.core.events import Judgement
from newsdedup.core.item_names import item_name
from newsdedup.core.model import ItemKey
from newsdedup.ports.errors import InvalidItem, NewsdedupError
from newsdedup.runners.intake.record_output import RecordOutput
from newsdedup.server.checkers import EngineKeeper
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.reader_pool import ReaderPool

FeedbackKind = Literal["not_duplicate", "same_story", "wrong_original"]
FEEDBACK_KINDS: Final[tuple[FeedbackKind, ...]] = get_args(FeedbackKind)
MOST_FEEDBACK_BYTES: Final = 64 * 2**10
"""Of a line, which has the names of two items twice."""
FeedbackEffect = Literal["engine", "topic", "file", "none"]
"""What feedback does here: it changes stories at once, is sent to workers, is only stored, or is
refused."""
_NAME_CHARS: Final = 2_000


class Feedback(NamedTuple):
    """What an editor says of two items."""

    kind: FeedbackKind
    item: ItemKey
    """The item that is no duplicate, or should be the original."""
    other: ItemKey
    """What it was taken for a duplicate of, tells the same story as, or was the original."""


def encode_feedback(feedback: Feedback, at: datetime) -> bytes:
    """Return a feedback as one line of JSON: the command and the pair that it labels.

        {"newsdedup": "split", "item": ITEM, "at": ..., "id1": NAME, "id2": NAME, "dup": "0"}

    The engine reads the command and passes over the rest (item_json.py); the lab reads `id1`, `id2`
    and `dup`, where a NAME is SOURCE/ID. `at` says when it was given, with a zone.

    Raise InvalidItem if it names one item twice, or one that no record can name, or if the line
    would have more than 64 KiB.
    """
    kind, item, other = feedback
    if item == other:
        raise InvalidItem("bad_field", "feedback is about two items, and this names one twice")
    one, two = ({"source": key.source, "id": key.id} for key in (item, other))
    command: dict[str, Any]
    match kind:
        case "not_duplicate":
            command, dup = {COMMAND_FIELD: "split", "item": one}, "0"
        case "same_story":
            command, dup = {COMMAND_FIELD: "merge", "items": [one, two]}, "1"
        case "wrong_original":
            # Who came first says nothing about whether two items are duplicates.
            command, dup = {COMMAND_FIELD: "original", "item": one}, "?"
    pair = {"id1": item_name(item), "id2": item_name(other), "dup": dup}
    line = msgspec.json.encode({**command, "at": at.isoformat(), **pair})
    if len(line) > MOST_FEEDBACK_BYTES:
        raise InvalidItem("too_long", "the names of the two items are too long together")
    decode_item(line)
    return line


class FeedbackItem(Struct, frozen=True, forbid_unknown_fields=True):
    """An item that feedback is about."""

    source: Annotated[str, Meta(max_length=_NAME_CHARS)]
    id: Annotated[str, Meta(min_length=1, max_length=_NAME_CHARS)]

    @property
    def key(self) -> ItemKey:
        """Return the key of the item."""
        return ItemKey(self.source, self.id)


class FeedbackResult(Struct, frozen=True, kw_only=True):
    """What became of a feedback."""

    outcome: Literal["acted", "sent", "stored"]
    """Whether stories have changed, workers were sent the command, or it was only stored."""
    stored: bool
    """Whether it was written to the file of feedback, as a labelled pair."""
    reason: str = ""
    """Why it was only stored."""
    judgements: tuple[Judgement, ...] = ()
    """The verdicts that it changed."""


class EditorCommands:
    """Stores feedback, then sends it to the engine of this process, or to the input topic.

    Without both it is only stored; without a file it is not stored.
    """

    def __init__(
        self,
        pool: ReaderPool,
        *,
        keeper: EngineKeeper | None = None,
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
        """Return where feedback goes in this server: "engine", "topic", "file" or "none"."""
        if self._keeper is not None:
            return "engine"
        if self._open_topic is not None:
            return "topic"
        return "none" if self._file is None else "file"

    async def carry_out(self, feedback: Feedback) -> FeedbackResult:
        """Store a feedback, change stories or send it to workers, and return what became of it.

        Raise RequestRefused where no feedback is taken; InvalidItem if it cannot be a command, or
        names an item that the archive does not have; SinkUnusable or Unavailable if it cannot be
        stored or sent.
        """
        if self.effect == "none":
            raise RequestRefused(
                "no-feedback",
                "this server takes no feedback: set server.feedback, or start newsdedup serve with "
                "--events or --kafka",
            )
        line = encode_feedback(feedback, datetime.now(UTC))
        keys = feedback.item, feedback.other
        if None in await self._pool.run(lambda reader: reader.summaries(keys)):
            raise InvalidItem("unknown_item", "the archive holds no such item")
        # A client that goes away does not take back what it sent.
        return await asyncio.shield(self._take(line))

    async def close(self) -> None:
        """Close the topic and the file."""
        for output in (self._topic, self._file):
            if output is not None:
                await output.close()

    async def _take(self, line: bytes) -> FeedbackResult:
        """Store a feedback (a line of JSON), then send it to the engine or to the input topic."""
        stored = self._file is not None
        if self._file is not None:
            # First: feedback must not be lost with the engine.
            await self._file.write([line])
        if self._keeper is not None:
            return await self._command(self._keeper, line, stored=stored)
        if self._open_topic is not None:
            if await self._send(self._open_topic, line):
                raise InvalidItem("too_long", "Kafka does not take records of this size")
            return FeedbackResult(outcome="sent", stored=stored)
        reason = "there is no engine and no input topic here"
        return FeedbackResult(outcome="stored", stored=True, reason=reason)

    async def _command(self, keeper: EngineKeeper, line: bytes, *, stored: bool) -> FeedbackResult:
        """Let the engine carry out a line; if it refuses one not stored yet, raise InvalidItem."""
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
        """Write a command to the input topic; return [0] if it is too large, else [].

        The topic is opened with the first command, and anew after a failure: nothing would wait any
        more for what its producer was sending then.
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
