"""The records of the window in Redis: looked up by some workers, settled by whoever was first.

Every step is one call of a function on the server (redis_library.lua), atomic and bounded. A look
tells the state it saw. A commit names that state and all that was read: if others changed any of it
since, or filed a record that the look would have found, it is refused, and the worker looks again.
Laws: an answer holds the records whose filings meet (core/prefix.py) and no others; a commit is
stored whole or not at all, and once, however often it is sent.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from newsdedup.adapters.redis_calls import Calls, Part
from newsdedup.adapters.redis_codec import RowCodec, reader
from newsdedup.adapters.redis_codec import watermark as watermark_of
from newsdedup.adapters.redis_keys import ROLES as ALL
from newsdedup.adapters.redis_keys import Keys, item_field, time_digits
from newsdedup.adapters.redis_looks import ROLES, is_meant, weighted
from newsdedup.adapters.redis_messages import Commit, Committed, Held, Look, Place, Seen, Snapshot
from newsdedup.adapters.redis_settling import Settling, spans, written
from newsdedup.core.model import Micros
from newsdedup.core.rules import Rule
from newsdedup.ports import StateMoved, StateUnusable

AT_ONCE: Final = 32
"""Items in one call: more would block the server for others."""
SWEPT: Final = 512
"""Sets of each role of an expired span that are freed with a commit."""
STALE, DONE, UNTOLD, ASLEEP = 0, 1, 3, 4
_ENCODE = msgspec.msgpack.Encoder().encode


class StateLost(StateUnusable):
    """The server has lost a namespace: what was published may be restored, not what is kept."""

    def __init__(self, namespace: str) -> None:
        super().__init__(f"redis has lost namespace {namespace!r}: its verdicts must be rebuilt")


class RedisStore:
    """One namespace, seen by one worker."""

    def __init__(
        self, calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
    ) -> None:
        self.calls = calls
        self.keys = keys
        self._rule = rule
        self.worker = worker
        self._born = born
        """What the namespace was when it was opened; another one has lost all that was kept."""
        self._life = life
        """How long the keys of a span live by the server's clock, unless the stream is faster."""
        self._live = ""
        self._latest = ""
        self._generation: int | None = None
        self._commits = 0
        self._read = reader(rule)
        self._codec = RowCodec()
        self._unswept: deque[tuple[int, int]] = deque()

    async def look(self, looks: Sequence[Look]) -> Seen:
        """Return what is kept, for at most as many items as one call may ask for."""
        while True:
            # A commit may change the spans while this is on its way.
            live = spans(self._live)
            keys, args = self._asked(looks, live)
            answer = await self.calls.function("look", keys, args)
            if answer[0] == DONE:
                return self._seen(looks, live, answer)
            if answer[0] == ASLEEP:
                await self.calls.function("wake", self.keys.fixed[:1], ())
            else:
                self._live = answer[1].decode()

    async def settle(self, commit: Commit) -> Committed | None:
        """Store a commit; return None if what it read has changed."""
        self._commits += 1
        token = f"{self.worker}:{self._commits}"
        call = Settling(
            self.keys, self._rule, self._codec, commit, token=token, live=spans(self._live)
        )
        # What was read is told only where others are at work: it takes as long as the rest.
        alone = commit.seen.tip.startswith(f"{self.worker}:")
        said, args = call.said(self._life), call.arguments
        reads = b"" if alone else call.reads()
        answer = await self.calls.function("settle", call.names, [said, reads, *args])
        if answer[0] == UNTOLD:
            answer = await self.calls.function("settle", call.names, [said, call.reads(), *args])
        if answer[0] != DONE:
            if answer[0] == STALE:
                self._live = answer[1].decode()
            return None
        self._live = call.becomes
        self._unswept.extend((span, 0) for span in call.dropped)
        await self._sweep()
        places = [
            Place(span, ordinal.decode())
            for span, ordinal in zip(call.placed, answer[2], strict=True)
        ]
        return Committed(token, places, [sent.decode() for sent in answer[3]])

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, as far as was seen, anything kept is as late as this or later."""
        return time_digits(at) <= self._latest

    def _asked(self, looks: Sequence[Look], live: Sequence[int]) -> tuple[list[str], list[Part]]:
        keys = self.keys
        names = [*keys.fixed, *(name for span in live for name in keys.hashes(span))]
        items: list[bytes] = []
        asked: list[dict[str, object]] = []
        for one in looks:
            if one.sought == "item" and one.key is not None:
                items.append(item_field(one.key))
                asked.append({"item": 2 + len(items)})
                continue
            role = ROLES[one.sought]
            sets = weighted(keys, one)
            asked.append(
                {
                    "first": len(names) + 1,
                    "weights": sets.weights,
                    "since": "" if one.since is None else time_digits(one.since),
                }
            )
            for span in live:
                names.extend(keys.named(role, span, sets.slots))
        said = _ENCODE({"spans": len(live), "looks": asked})
        return names, [written(live), said, *items]

    def _seen(self, looks: Sequence[Look], live: Sequence[int], answer: Sequence[Any]) -> Seen:
        seq, tip, latest, mark, generation, born, told, answers, read = answer[1:]
        if self._born and (born or b"").decode() != self._born:
            raise StateLost(self.keys.namespace)
        self._notice(int(generation or 0))
        self._latest = (latest or b"").decode()
        held = [self._held(live, *one) for one in told]
        return Seen(
            snapshot=Snapshot(int(seq or 0), (tip or b"").decode()),
            watermark=watermark_of(mark),
            latest=self._latest,
            generation=int(generation or 0),
            answers=[
                [held[n - 1] for n in numbers if is_meant(look, held[n - 1])]
                for look, numbers in zip(looks, answers, strict=True)
            ],
            read=read,
        )

    def _notice(self, generation: int) -> None:
        before, self._generation = self._generation, generation
        if before not in (None, generation):
            raise StateMoved(f"redis namespace {self.keys.namespace!r} began a new generation")

    def _held(
        self, live: Sequence[int], span: int, ordinal: bytes, data: bytes, row: bytes | None = None
    ) -> Held:
        bucket, record, filing = self._read(data)
        place = Place(live[span - 1], ordinal.decode())
        return Held(
            record, bucket, filing, place, None if row is None else self._codec.decoded(row)
        )

    async def _sweep(self) -> None:
        """Free a few sets of expired spans; what is left when a worker dies has its own expiry."""
        if not self._unswept:
            return
        span, first = self._unswept.popleft()
        last, keys = min(first + SWEPT, self.keys.sets), self.keys
        names: list[str] = []
        for role in ALL:
            numbers = range(first, min(last, keys.sets_of(role)))
            names += keys.named(role, span, numbers)
        await self.calls.command("UNLINK", *names)
        if last < self.keys.sets:
            self._unswept.appendleft((span, last))
