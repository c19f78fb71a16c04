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
from newsdedup.adapters.redis.commit_encoding import CommitEncoder
from newsdedup.adapters.redis.keys import Keys, time_digits, time_of
from newsdedup.adapters.redis.namespace import NO_ERA, Era, begin_era
from newsdedup.adapters.redis.shards import HomeState, ShardAnswer, decode_home_state
from newsdedup.adapters.redis.spans import SpanCleaner, split_spans
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Micros
from newsdedup.ports.errors import StateLost, StateMoved, Unavailable
from newsdedup.ports.store import (
    Commit,
    CommitResult,
    Lookup,
    LookupResult,
    RecordSlot,
    StoredRecord,
    StoreVersion,
)

MAX_LOOKUP_ITEMS: Final = 32
"""Items of one call: a longer one would keep other workers waiting."""


class RedisStore:
    """A namespace without shards."""

    commit_function = "commit"

    def __init__(
        self, calls: Calls, keys: Keys, rule: Rule, *, worker: str, life: Micros, born: str = ""
    ) -> None:
        self.calls = calls
        self.keys = keys
        self.worker = worker
        self._rule = rule
        self._life = life
        """How long a span lives by the server's clock once the stream has reached it."""
        self._live = ""
        self._latest = ""
        self._born = born
        self._era = NO_ERA
        """The latest era that this worker has seen."""
        self._commits = 0
        self._codec = ValueCodec(compressed=keys.format.compressed)
        self._decoder = StoredRecordDecoder(rule, self._codec)
        self._cleaners = [SpanCleaner(keys)]

    async def look(self, lookups: Sequence[Lookup]) -> LookupResult:
        """Return what is stored, for at most MAX_LOOKUP_ITEMS items; raise as SharedStore does."""
        while True:
            # A commit may change the live spans while this waits.
            live = self._live
            keys, args = encode_lookups(self.keys, lookups, split_spans(live))
            answer = await self.calls.function("look", keys, [live, *args])
            if answer[0] == FunctionStatus.STALE:
                self._live = answer[1].decode()
                continue
            if answer[0] == FunctionStatus.DONE:
                home = decode_home_state([live.encode(), *answer[1:8]])
                if self._follow_era(home):
                    whole = ShardAnswer(home.era, False, home.seq, *answer[8:])
                    return self._merge_answers(home, lookups, [(whole, range(len(lookups)))])
            await begin_era(self.calls, self.keys, after=self._era)

    async def commit(self, commit: Commit) -> CommitResult | None:
        """Store a commit; return None if what it read has changed. Raise Unavailable as `look`.

        A caller that did not know the live spans is refused, too, and knows them then.
        """
        self._commits += 1
        token = f"{self.worker}:{self._commits}"
        live = split_spans(self._live)
        for cleaner in self._cleaners:
            cleaner.note_existing(live)
        call = self._encoder(commit, token, live)
        header = call.encode(self._life)
        # Encoding and checking the reads takes as long as all the rest: if the latest commit seen
        # was this worker's own they are sent only if the server asks for them.
        is_last_writer = commit.based_on.tip.startswith(f"{self.worker}:")
        answer = await self._send(call, header, b"" if is_last_writer else call.encode_reads())
        if answer[0] == FunctionStatus.READS_NEEDED:
            answer = await self._send(call, header, call.encode_reads())
        if answer[0] != FunctionStatus.DONE:
            if answer[0] == FunctionStatus.STALE:
                self._live = answer[1].decode()
            return None
        self._live = call.becomes
        await self._finish(call, answer, era=commit.based_on.era)
        slots = zip(call.placed, answer[2], strict=True)
        return CommitResult(
            token,
            [RecordSlot(span, ordinal.decode()) for span, ordinal in slots],
            [number.decode() for number in answer[3]],
        )

    def may_hold_later_than(self, at: Micros) -> bool:
        """Return whether, as far as was seen, any stored item is as late as this or later."""
        return time_digits(at) <= self._latest

    def _follow_era(self, home: HomeState) -> bool:
        """Return whether this worker may use home's era; if False, it must begin a later one.

        Raise StateMoved once for each new era after the first, so that the worker starts again from
        the stored offsets, and StateLost if the namespace was created anew.
        """
        if self._born and home.born != self._born:
            raise StateLost(
                f"redis has lost the state of namespace {self.keys.namespace!r}; `newsdedup "
                "rebuild` restores it from the output topic"
            )
        before, era = self._era, Era(home.era, home.generation)
        if era == before:
            return True
        if era.generation <= before.generation:
            return False
        self._era = era
        if before != NO_ERA:
            raise StateMoved(f"redis namespace {self.keys.namespace!r} began a new generation")
        return True

    def _merge_answers(
        self,
        home: HomeState,
        lookups: Sequence[Lookup],
        answers: Sequence[tuple[ShardAnswer, Sequence[int]]],
    ) -> LookupResult:
        """Return the result for all look-ups, from the shards' answers that match them exactly.

        Each answer comes with the indexes of the look-ups that its shard has answered.
        """
        live, self._latest = split_spans(home.live), home.latest
        merged: list[list[StoredRecord]] = [[] for _ in lookups]
        read = [0] * len(lookups)
        for answer, indexes in answers:
            stored = [self._decoder.decode(live, *one) for one in answer.records]
            for index, numbers, postings in zip(indexes, answer.answers, answer.read, strict=True):
                read[index] += postings
                merged[index] += select_matches(lookups[index], [stored[n - 1] for n in numbers])
        return LookupResult(
            version=StoreVersion(home.seq, home.tip, home.era),
            watermark=decode_watermark(home.watermark),
            latest=time_of(home.latest),
            generation=home.generation,
            answers=merged,
            read=read,
        )

    def _encoder(self, commit: Commit, token: str, live: Sequence[int]) -> CommitEncoder:
        """Return the encoder of a commit with the id `token`; `live` are the live spans."""
        return CommitEncoder(self.keys, self._rule, self._codec, commit, token=token, live=live)

    async def _send(self, call: CommitEncoder, header: bytes, reads: bytes) -> Any:
        """Call the commit function; return its answer. `reads` is b"" unless it may be needed."""
        return await self.calls.function(
            self.commit_function, call.names, [header, reads, *call.arguments]
        )

    async def _finish(self, call: CommitEncoder, answer: Sequence[Any], *, era: str) -> None:  # noqa: ARG002 - shards need them
        """Do what a stored commit entails; `answer` is what the server returned for it."""
        await self._free_expired(0, self.calls, call)

    async def _free_expired(self, shard: int, calls: Calls, call: CommitEncoder) -> None:
        """Delete some sets of expired spans; others expire by the server's clock."""
        live = split_spans(self._live)
        names = self._cleaners[shard].after_commit(
            call.filings(shard), live=live, dropped=call.dropped
        )
        # The commit is made: raising here would have the batch processed again.
        with suppress(Unavailable):
            if names:
                await calls.command("UNLINK", *names)
