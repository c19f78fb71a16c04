"""The store in Redis as a Store and an engine that answer at once, for laws that say so."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from newsdedup import ItemKey, UnknownItem
from newsdedup.adapters.memory.store import MemoryBatchLedger
from newsdedup.adapters.redis.calls import Calls, Client, create_client
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.sharded_store import redis_store
from newsdedup.adapters.redis.store import RedisOutbox
from newsdedup.core.events import Event
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Entry, Version
from newsdedup.core.stories.commands import Command
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Watermark
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.engine.shared.view import BatchView, LookupMissing
from newsdedup.ports.store import Commit, Lookup, SharedStore, StoreVersion

T = TypeVar("T")
FEW = 8
"""Sets so few that terms often share one."""
LIFE = 10**12
"""Micros: long enough for any test."""


def shared_engine(**options: Any) -> SharedEngine:
    """Return an engine whose batches are decided in memory, as those of a worker are."""
    return SharedEngine(new_ledger=MemoryBatchLedger, **options)


class Shared:
    """A server, and a namespace of its own for everything that is opened."""

    def __init__(
        self,
        url: str,
        *,
        cluster: bool = False,
        shards: int = 1,
        front: str = "law",
        **user: str,
    ) -> None:
        self._runner = asyncio.Runner()
        self._names = itertools.count()
        self._shards = shards
        self._front = front
        self.client: Client = create_client(url, cluster=cluster, **user)

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return what a coroutine returns."""
        return self._runner.run(coroutine)

    def keys(self, sets: int = FEW) -> Keys:
        """Return a namespace that nobody uses."""
        return Keys(f"{self._front}-{next(self._names)}", sets, self._shards, "life")

    def worker(
        self, keys: Keys, rule: Rule, *, name: str = "worker", life: int = LIFE
    ) -> SharedStore:
        """Return one worker's way into a namespace."""
        calls = Calls(self.client, home=keys.fixed[0])
        return redis_store(calls, keys, rule, worker=name, life=life)

    def outbox(self, keys: Keys) -> RedisOutbox:
        """Return the outbox of a namespace."""
        return RedisOutbox(Calls(self.client, home=keys.fixed[0]), keys)

    def store(self, rule: Rule) -> "AskedStore":
        """Return an empty store."""
        return AskedStore(self, self.worker(self.keys(), rule), rule)

    def engine(self, rule: Rule, *, lateness: int) -> "ServedAlone":
        """Return the use case over an empty store."""
        store = self.worker(self.keys(), rule)
        return ServedAlone(self, shared_engine(rule=rule, store=store, lateness=lateness))

    def close(self) -> None:
        """Let go of the server."""
        self.run(self.client.aclose())
        self._runner.close()


class AskedStore:
    """A Store whose every question is a look and whose every decision is a commit."""

    def __init__(self, shared: Shared, store: SharedStore, rule: Rule) -> None:
        self._shared = shared
        self._store = store
        self._rule = rule
        self._floor: int | None = None

    def known(self, key: ItemKey) -> Record | None:
        return self._read(lambda view: view.known(key))

    def leaders(self, near: Entry) -> Sequence[Record]:
        return self._read(lambda view: view.leaders(near))

    def members(self, near: Entry) -> Sequence[Record]:
        return self._read(lambda view: view.members(near))

    def followers(self, leader: ItemKey) -> Sequence[Record]:
        return self._read(lambda view: view.followers(leader))

    def _read(self, read: Callable[[BatchView], T]) -> T:
        view, _ = self._view()
        while True:
            try:
                return read(view)
            except LookupMissing as missing:
                self._look(view, missing.lookups)

    def store(self, decision: Decision, *, bucket: int) -> None:
        view, seen = self._view()
        looks = [Lookup("item", record.key) for record in decision.changed]
        self._look(view, looks)
        while True:
            try:
                view.store(decision, bucket=bucket)
                break
            except LookupMissing as missing:
                self._look(view, missing.lookups)
        commit = Commit(
            based_on=seen,
            own_tokens=(),
            lookups=looks,
            record_slots=view.record_slots(),
            watermark=Watermark(),
            floor=self._floor,
            updates=view.updates(),
            events=(),
        )
        assert self._shared.run(self._store.commit(commit)) is not None

    def expire(self, *, before: int) -> None:
        self._floor = before

    def _view(self) -> tuple[BatchView, StoreVersion]:
        view = BatchView(self._rule, new_ledger=MemoryBatchLedger, rows=None)
        view.floor = self._floor
        seen = self._shared.run(self._store.look(()))
        view.load((), seen)
        return view, seen.version

    def _look(self, view: BatchView, looks: list[Lookup]) -> None:
        view.load(looks, self._shared.run(self._store.look(looks)))


class ServedAlone:
    """The use case, asked for one item at a time by its only worker."""

    def __init__(self, shared: Shared, served: SharedEngine) -> None:
        self._shared = shared
        self._served = served
        self.ledger = self

    @property
    def watermark(self) -> Watermark:
        return self._served.watermark

    def publish(self, analyzed: Analyzed) -> list[Event]:
        return self._judge(analyzed)

    def command(self, command: Command) -> list[Event]:
        return self._judge(command)

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, bytes]:
        """Return a row of the ledger as the server keeps it; LookupError if there is none."""
        seen = self._shared.run(self._served.store.look([Lookup("item", key)]))
        rows = {
            row.version: row for found in seen.answers for answer in found for row in answer.rows
        }
        return rows[version].received, rows[version].published

    def _judge(self, arrival: Analyzed | Command) -> list[Event]:
        judged = self._shared.run(self._served.process([arrival]))
        (outcome,) = judged.outcomes
        if outcome.rejection is not None:
            raise UnknownItem(arrival.key)
        return list(outcome.events)
