"""The store in Redis as a Store and an engine that answer at once, for laws that are told so."""

import asyncio
import itertools
from collections.abc import Coroutine
from typing import Any, TypeVar

from newsdedup.adapters.redis.calls import Calls
from newsdedup.adapters.redis.client import Client, client
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.redis.outbox import RedisOutbox
from newsdedup.adapters.redis.stores import SharedStore, redis_store
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import ItemKey, Version
from newsdedup.core.stories.acts import Act, UnknownItem
from newsdedup.core.stories.publication import Settlement
from newsdedup.core.stories.records import Answer, Question
from newsdedup.core.stories.window import Watermark
from newsdedup.engine.deduplicate import Analyzed
from newsdedup.engine.event_writer import Event
from newsdedup.engine.shared.judging import Served
from newsdedup.engine.shared.messages import Commit, Look, Snapshot
from newsdedup.engine.shared.view import Missing, View

T = TypeVar("T")
FEW = 8
"""Sets so few that terms often share one."""
LIFE = 10**12
"""Micros: long enough for any test."""


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
        self.client: Client = client(url, cluster=cluster, **user)

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
        return ServedAlone(self, Served(rule=rule, store=store, lateness=lateness))

    def close(self) -> None:
        """Let go of the server."""
        self.run(self.client.aclose())
        self._runner.close()


class AskedStore:
    """A Store whose every question is a look and whose every settlement is a commit."""

    def __init__(self, shared: Shared, store: SharedStore, rule: Rule) -> None:
        self._shared = shared
        self._store = store
        self._rule = rule
        self._floor: int | None = None

    def answer(self, question: Question) -> Answer:
        view, _ = self._view()
        while True:
            try:
                return view.answer(question)
            except Missing as missing:
                self._look(view, missing.looks)

    def store(self, settlement: Settlement, *, bucket: int) -> None:
        view, seen = self._view()
        looks = [Look("item", record.key) for record in settlement.changed]
        self._look(view, looks)
        while True:
            try:
                view.store(settlement, bucket=bucket)
                break
            except Missing as missing:
                self._look(view, missing.looks)
        commit = Commit(
            seen=seen,
            own=(),
            looks=looks,
            places=view.places(),
            watermark=Watermark(),
            floor=self._floor,
            puts=view.puts(),
            events=(),
        )
        assert self._shared.run(self._store.settle(commit)) is not None

    def expire(self, *, before: int) -> None:
        self._floor = before

    def _view(self) -> tuple[View, Snapshot]:
        view = View(self._rule)
        view.floor = self._floor
        seen = self._shared.run(self._store.look(()))
        view.learn((), seen)
        return view, seen.snapshot

    def _look(self, view: View, looks: list[Look]) -> None:
        view.learn(looks, self._shared.run(self._store.look(looks)))


class ServedAlone:
    """The use case, asked for one item at a time by its only worker."""

    def __init__(self, shared: Shared, served: Served) -> None:
        self._shared = shared
        self._served = served
        self._ledger = self

    @property
    def watermark(self) -> Watermark:
        return self._served.watermark

    def publish(self, analyzed: Analyzed) -> list[Event]:
        return self._judge(analyzed)

    def act(self, act: Act) -> list[Event]:
        return self._judge(act)

    def read(self, key: ItemKey, version: Version) -> tuple[bytes, bytes]:
        """Return a row of the ledger as the server keeps it; LookupError if there is none."""
        seen = self._shared.run(self._served.store.look([Look("item", key)]))
        rows = {row.version: row for found in seen.answers for held in found for row in held.rows}
        return rows[version].received, rows[version].published

    def _judge(self, arrival: Analyzed | Act) -> list[Event]:
        judged = self._shared.run(self._served.judge([arrival]))
        (told,) = judged.outcomes
        if isinstance(told, UnknownItem):
            raise told
        return told
