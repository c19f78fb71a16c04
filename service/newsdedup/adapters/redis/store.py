"""The records of the window in Redis: looked up by some workers, settled by whoever was first.

Every step is one call of a function on the server (library.lua), atomic and bounded. A look
tells the state it saw. A commit names that state and all that was read: if others changed any of it
since, or filed a record that the look would have found, it is refused, and the worker looks again.
Laws: an answer holds the records whose filings meet (core/matching/prefix.py) and no others; a
commit is stored whole or not at all, and once, however often it is sent.
"""

from collections.abc import Sequence
from typing import Any, Final

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.codec import RowCodec, StoredRecordDecoder, encode_lookups, is_match
from newsdedup.adapters.redis.codec import decode_watermark as watermark_of
from newsdedup.adapters.redis.commit_encoding import (
    DONE,
    STALE,
    CommitEncoder,
    _is_last_writer,
    join_spans,
    send_commit,
    split_spans,
)
from newsdedup.adapters.redis.expiry import SpanCleaner
from newsdedup.adapters.redis.keys import Keys, time_digits, time_of
from newsdedup.adapters.redis.namespace import Era, EraTracker, begin_era
from newsdedup.adapters.redis.sharded_store import ShardedStore
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.shared_store import (
    Commit,
    CommitResult,
    Lookup,
    LookupResult,
    RecordPlace,
    SharedStore,
    StoreVersion,
)

MAX_LOOKUP_ITEMS: Final = 32
"""Items in one call: more would block the server for others."""


class RedisStore:
    """One namespace, seen by one worker."""

    def __init__(
        self, calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
    ) -> None:
        self.calls = calls
        self.keys = keys
        self._rule = rule
        self.worker = worker
        self._life = life
        """How long the keys of a span live by the server's clock, unless the stream is faster."""
        self._live = ""
        self._latest = ""
        self._eras = EraTracker(keys.namespace, born)
        self._commits = 0
        self._codec = RowCodec()
        self._reader = StoredRecordDecoder(rule, self._codec)
        self._sweeping = SpanCleaner(keys)

    async def look(self, looks: Sequence[Lookup]) -> LookupResult:
        """Return what is kept, for at most as many items as one call may ask for."""
        while True:
            # A commit may change the spans while this is on its way.
            live = split_spans(self._live)
            keys, args = encode_lookups(self.keys, looks, live)
            answer = await self.calls.function("look", keys, [join_spans(live), *args])
            if answer[0] == STALE:
                self._live = answer[1].decode()
            elif answer[0] == DONE and self._follow_era(answer):
                return self._decode_answer(looks, live, answer)
            else:
                await begin_era(self.calls, self.keys, after=self._eras.seen)

    async def settle(self, commit: Commit) -> CommitResult | None:
        """Store a commit; return None if what it read has changed."""
        self._commits += 1
        token = f"{self.worker}:{self._commits}"
        self._sweeping.note_existing(split_spans(self._live))
        call = CommitEncoder(
            self.keys, self._rule, self._codec, commit, token=token, live=split_spans(self._live)
        )
        said, alone = call.encode(self._life), _is_last_writer(self.worker, commit)
        answer = await send_commit(self.calls, "settle", call, said, alone=alone)
        if answer[0] != DONE:
            if answer[0] == STALE:
                self._live = answer[1].decode()
            return None
        self._live = call.becomes
        await self._free_expired(call)
        places = [
            RecordPlace(span, ordinal.decode())
            for span, ordinal in zip(call.placed, answer[2], strict=True)
        ]
        return CommitResult(token, places, [sent.decode() for sent in answer[3]])

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, as far as was seen, anything kept is as late as this or later."""
        return time_digits(at) <= self._latest

    def _decode_answer(
        self, looks: Sequence[Lookup], live: Sequence[int], answer: Sequence[Any]
    ) -> LookupResult:
        seq, tip, latest, mark, generation, _, era, told, answers, read = answer[1:]
        self._latest = (latest or b"").decode()
        held = [self._reader.decode(live, *one) for one in told]
        return LookupResult(
            version=StoreVersion(int(seq or 0), (tip or b"").decode(), era.decode()),
            watermark=watermark_of(mark),
            latest=time_of(self._latest),
            generation=int(generation or 0),
            answers=[
                [held[n - 1] for n in numbers if is_match(look, held[n - 1])]
                for look, numbers in zip(looks, answers, strict=True)
            ],
            read=read,
        )

    def _follow_era(self, answer: Sequence[Any]) -> bool:
        generation, born, era = answer[5:8]
        now = Era(era.decode(), int(generation or 0))
        return self._eras.follow(now, born=(born or b"").decode())

    async def _free_expired(self, call: CommitEncoder) -> None:
        """Free a few sets of expired spans; what is left when a worker dies has its own expiry."""
        names = self._sweeping.after_commit(
            call.filings, live=split_spans(self._live), dropped=call.dropped
        )
        if names:
            await self.calls.command("UNLINK", *names)


def redis_store(
    calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
) -> SharedStore:
    """Return the SharedStore of one worker over an open namespace."""
    kind = RedisStore if keys.shards == 1 else ShardedStore
    return kind(calls, keys, rule, worker=worker, life=life, born=born)
