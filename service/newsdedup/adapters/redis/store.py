"""The shared store on one Redis server, seen by one worker; the laws are those of SharedStore.

Every step is one call of a Lua function (look.lua, commits.lua), atomic and bounded. A look-up
returns the version of the state that it has seen. A commit names that version and all that was
read: if other workers have since changed any of it, or added a record that a look-up would have
found, the commit is refused, and the worker looks up again.

The two Redis streams of a namespace are here, too: the outbox of events, and the log of
observations. An event is committed together with the state that it announces, and deleted from the
outbox once the broker has acknowledged it. If its worker dies in between, another one publishes it:
perhaps a second time, with the same id, but it is never lost.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

import msgspec

from newsdedup.adapters.formats.event_json import decode_payload
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
from newsdedup.adapters.redis.record_cache import MatchedRecords, RecordCache
from newsdedup.adapters.redis.spans import SpanCleaner, split_spans
from newsdedup.core.events import Event, Judgement
from newsdedup.core.matching.rules import Rule
from newsdedup.core.matching.statistics_recorder import SharedStatisticsRecorder
from newsdedup.core.matching.stream_statistics import Observation
from newsdedup.core.model import Micros
from newsdedup.ports.errors import StateLost, StateMoved, StateUnusable, Unavailable
from newsdedup.ports.store import (
    Commit,
    CommitResult,
    Lookup,
    LookupResult,
    RecordSlot,
    StateChanged,
    StoredRecord,
    StoreVersion,
    WaitingEvent,
)

MAX_LOOKUP_ITEMS: Final = 32
"""Items of one call: a longer one would keep other workers waiting."""
READ_ATTEMPTS: Final = 16
"""How often a look-up tries to see a state that does not change meanwhile."""
_EVENTS_AT_ONCE: Final = 256
_OBSERVATIONS_AT_ONCE: Final = 512

_decode_observation = msgspec.msgpack.Decoder(Observation).decode


class HomeState(NamedTuple):
    """The state of the namespace as home knows it."""

    live: str
    seq: int
    tip: str
    latest: str
    watermark: bytes
    generation: int
    born: str
    era: str
    touched: tuple[int, ...]
    """By shard the number of the latest commit that concerns it."""


class ShardAnswer(NamedTuple):
    """A shard's answer to look-ups, and the commit as of which it answers."""

    era: str
    unsure: bool
    """It may hold commits that home has lost."""
    applied: int
    records: Sequence[Sequence[Any]]
    answers: Sequence[Sequence[int]]
    read: Sequence[int]
    matches: MatchedRecords = MatchedRecords((), 0)
    """The records with their bytes, once these are complete."""

    def follows_era_of(self, home: HomeState) -> bool:
        """Return whether the shard holds no commit that home may have lost."""
        return self.era == home.era and not self.unsure

    def is_as_of(self, home: HomeState, shard: int) -> bool:
        """Return whether the shard has applied all commits of a state of home."""
        return self.follows_era_of(home) and self.applied >= home.touched[shard]


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
        self._cache = RecordCache()
        self._cleaners = [SpanCleaner(keys)]

    async def look(self, lookups: Sequence[Lookup]) -> LookupResult:
        """Return what is stored, for at most MAX_LOOKUP_ITEMS items; raise as SharedStore does."""
        changed = 0
        while changed < READ_ATTEMPTS:
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
                    complete = await self._complete(home, whole, self.calls, self.keys)
                    if complete is not None:
                        return self._merge_answers(home, lookups, [(complete, range(len(lookups)))])
                    changed += 1
                    continue
            await begin_era(self.calls, self.keys, after=self._era)
        raise StateChanged

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
        placed = zip(call.placed, answer[2], strict=True)
        slots = [RecordSlot(span, ordinal.decode()) for span, ordinal in placed]
        for slot, data in zip(slots, call.records, strict=True):
            self._cache.put(slot, data)
        return CommitResult(
            token,
            slots,
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

    async def _complete(
        self, home: HomeState, answer: ShardAnswer, calls: Calls, keys: Keys
    ) -> ShardAnswer | None:
        """Return a shard's answer with the bytes of its records; None if one has changed since."""
        live = split_spans(home.live)
        found = await self._cache.complete(calls, keys, live, answer.records)
        return None if found is None else answer._replace(matches=found)

    def _merge_answers(
        self,
        home: HomeState,
        lookups: Sequence[Lookup],
        answers: Sequence[tuple[ShardAnswer, Sequence[int]]],
    ) -> LookupResult:
        """Return the result for all look-ups, from the shards' answers that match them exactly.

        Each answer comes with the indexes of the look-ups that its shard has answered.
        """
        self._latest = home.latest
        merged: list[list[StoredRecord]] = [[] for _ in lookups]
        read = [0] * len(lookups)
        for answer, indexes in answers:
            stored = [self._decoder.decode(one) for one in answer.matches.records]
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
            sent=sum([answer.matches.sent for answer, _ in answers]),
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


def decode_home_state(values: Sequence[bytes | None]) -> HomeState:
    """Return the state of home from values in the order of its fields; missing ones are empty."""
    live, seq, tip, latest, watermark, generation, born, era, *touched = (
        one or b"" for one in values
    )
    return HomeState(
        live.decode(),
        int(seq or 0),
        tip.decode(),
        latest.decode(),
        watermark,
        int(generation or 0),
        born.decode(),
        era.decode(),
        tuple(int(one.partition(b" ")[0] or 0) for one in touched),
    )


class RedisOutbox:
    """The outbox of a namespace, shared by its workers."""

    def __init__(self, calls: Calls, keys: Keys) -> None:
        self._calls = calls
        self._key = keys.fixed[2]

    async def waiting(
        self, *, older_than_ms: int = 0, limit: int = _EVENTS_AT_ONCE
    ) -> list[WaitingEvent]:
        """Return up to `limit` events that are at least so old, the oldest first.

        Their age is by the server's clock. Raise StateUnusable for damaged bytes.
        """
        clock = await self._calls.command("TIME")
        until = int(clock[0]) * 1000 + int(clock[1]) // 1000 - older_than_ms
        rows = await self._calls.command("XRANGE", self._key, "-", until, "COUNT", limit)
        return [_decode_waiting(number, fields) for number, fields in rows]

    async def published(self, numbers: Sequence[str]) -> None:
        """Delete acknowledged events by number (a repeat changes nothing), or raise Unavailable."""
        for first in range(0, len(numbers), _EVENTS_AT_ONCE):
            await self._calls.command("XDEL", self._key, *numbers[first : first + _EVENTS_AT_ONCE])

    async def count(self) -> int:
        """Return how many events wait in the outbox to be published; or raise Unavailable."""
        return int(await self._calls.command("XLEN", self._key))


def _decode_waiting(number: bytes, fields: Mapping[bytes, bytes]) -> WaitingEvent:
    """Return the event of an entry of the outbox by its number; raise StateUnusable if damaged."""
    data = fields[b"e"]
    try:
        payload = decode_payload(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StateUnusable(f"an event in the outbox is damaged: {error}") from error
    encoded = data if isinstance(payload, Judgement) else b""
    return WaitingEvent(number.decode(), Event(payload, fields[b"r"], encoded))


class RedisObservationLog:
    """The log of observations of a namespace, and the statistics one worker makes of it."""

    def __init__(self, calls: Calls, keys: Keys, recorder: SharedStatisticsRecorder) -> None:
        self.recorder = recorder
        self._calls = calls
        self._key = keys.fixed[4]
        self._last = 0

    async def catch_up(self) -> None:
        """Count what any worker has logged since the last call; raise Unavailable if that fails."""
        async for number, observation in _read_log(self._calls, self._key, after=self._last):
            self._last = number + 1
            self.recorder.add_logged(observation, number=number)

    def forget(self) -> None:
        """Drop all counts and begin at the start of the log: the server may have lost its end."""
        self._last = 0
        self.recorder.reset()


async def read_observations(calls: Calls, keys: Keys) -> AsyncIterator[Observation]:
    """Yield all observations of a namespace, numbered as its workers number them."""
    async for number, observation in _read_log(calls, keys.fixed[4], after=0):
        yield observation._replace(number=number)


async def _read_log(
    calls: Calls, key: str, *, after: int
) -> AsyncIterator[tuple[int, Observation]]:
    """Yield (number, observation) behind number `after`; raise StateUnusable for a damaged one."""
    while True:
        begin = f"({after}-1" if after else "-"
        rows = await calls.command("XRANGE", key, begin, "+", "COUNT", _OBSERVATIONS_AT_ONCE)
        for name, fields in rows:
            after = int(name.partition(b"-")[0])
            try:
                observation = _decode_observation(fields[b"l"])
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise StateUnusable(f"an observation in the state is damaged: {error}") from error
            yield after - 1, observation
        if len(rows) < _OBSERVATIONS_AT_ONCE:
            return
