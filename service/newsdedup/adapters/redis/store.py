"""The shared store on one Redis server, seen by one worker; the laws are those of SharedStore.

Every step is one call of a Lua function (library.lua), atomic and bounded. A look-up returns the
version of the state that it has seen. A commit names that version and all that was read: if other
workers have since changed any of it, or added a record that a look-up would have found, the commit
is refused, and the worker looks up again.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from newsdedup.adapters.redis.calls import Calls, FunctionStatus
from newsdedup.adapters.redis.codec import (
    StoredRecordDecoder,
    ValueCodec,
    decode_watermark,
    encode_lookups,
    select_matches,
)
from newsdedup.adapters.redis.commit_encoding import (
    CommitEncoder,
    is_last_writer,
    send_commit,
)
from newsdedup.adapters.redis.expiry import SpanCleaner
from newsdedup.adapters.redis.keys import Keys, time_digits, time_of
from newsdedup.adapters.redis.namespace import Era, EraTracker, begin_era
from newsdedup.adapters.redis.sharded_store import ShardedStore
from newsdedup.adapters.redis.spans import join_spans, split_spans
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.errors import Unavailable
from newsdedup.ports.shared_store import (
    Commit,
    CommitResult,
    Lookup,
    LookupResult,
    RecordSlot,
    SharedStore,
    StoreVersion,
)

MAX_LOOKUP_ITEMS: Final = 32
"""Items of one call: a longer one would keep other workers waiting."""


class RedisStore:
    """A namespace without shards."""

    def __init__(
        self, calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
    ) -> None:
        self.calls = calls
        self.keys = keys
        self._rule = rule
        self.worker = worker
        self._life = life
        """How long a span lives by the server's clock once the stream has reached it."""
        self._live = ""
        self._latest = ""
        self._eras = EraTracker(keys.namespace, born)
        self._commits = 0
        self._codec = ValueCodec(compressed=keys.format.compressed)
        self._decoder = StoredRecordDecoder(rule, self._codec)
        self._cleaner = SpanCleaner(keys)

    async def look(self, lookups: Sequence[Lookup]) -> LookupResult:
        """Return what is stored, for at most MAX_LOOKUP_ITEMS items; see SharedStore."""
        while True:
            # A commit may change the live spans while this waits.
            live = split_spans(self._live)
            keys, args = encode_lookups(self.keys, lookups, live)
            answer = await self.calls.function("look", keys, [join_spans(live), *args])
            if answer[0] == FunctionStatus.STALE:
                self._live = answer[1].decode()
            elif answer[0] == FunctionStatus.DONE and self._follow_era(answer):
                return self._decode_answer(lookups, live, answer)
            else:
                await begin_era(self.calls, self.keys, after=self._eras.seen)

    async def commit(self, commit: Commit) -> CommitResult | None:
        """Store a commit and return its places; None if something that it read has changed since.

        A caller that did not know the live spans is refused, too, and knows them then.
        """
        self._commits += 1
        token = f"{self.worker}:{self._commits}"
        live = split_spans(self._live)
        self._cleaner.note_existing(live)
        call = CommitEncoder(self.keys, self._rule, self._codec, commit, token=token, live=live)
        header = call.encode(self._life)
        with_reads = not is_last_writer(self.worker, commit)
        answer = await send_commit(self.calls, "settle", call, header, with_reads=with_reads)
        if answer[0] != FunctionStatus.DONE:
            if answer[0] == FunctionStatus.STALE:
                self._live = answer[1].decode()
            return None
        self._live = call.becomes
        await self._free_expired(call)
        record_slots = [
            RecordSlot(span, ordinal.decode())
            for span, ordinal in zip(call.placed, answer[2], strict=True)
        ]
        return CommitResult(token, record_slots, [number.decode() for number in answer[3]])

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, as far as was seen, any stored item is as late as this or later."""
        return time_digits(at) <= self._latest

    def _decode_answer(
        self, lookups: Sequence[Lookup], live: Sequence[int], answer: Sequence[Any]
    ) -> LookupResult:
        """Return the answer of `look`, without records that only share a set with those wanted."""
        seq, tip, latest, mark, generation, _, era, records, answers, read = answer[1:]
        self._latest = (latest or b"").decode()
        stored = [self._decoder.decode(live, *one) for one in records]
        return LookupResult(
            version=StoreVersion(int(seq or 0), (tip or b"").decode(), era.decode()),
            watermark=decode_watermark(mark),
            latest=time_of(self._latest),
            generation=int(generation or 0),
            answers=[
                select_matches(lookup, [stored[n - 1] for n in numbers])
                for lookup, numbers in zip(lookups, answers, strict=True)
            ],
            read=read,
        )

    def _follow_era(self, answer: Sequence[Any]) -> bool:
        """Return whether this worker may use the era of an answer; see EraTracker.follow."""
        generation, born, era = answer[5:8]
        now = Era(era.decode(), int(generation or 0))
        return self._eras.follow(now, born=(born or b"").decode())

    async def _free_expired(self, call: CommitEncoder) -> None:
        """Delete some sets of expired spans; others expire by the server's clock."""
        live = split_spans(self._live)
        names = self._cleaner.after_commit(call.filings, live=live, dropped=call.dropped)
        # The commit stands: raising here would have the batch processed again.
        with suppress(Unavailable):
            if names:
                await self.calls.command("UNLINK", *names)


def redis_store(
    calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
) -> SharedStore:
    """Return the SharedStore of one worker over an open namespace."""
    kind = RedisStore if keys.shards == 1 else ShardedStore
    return kind(calls, keys, rule, worker=worker, life=life, born=born)
