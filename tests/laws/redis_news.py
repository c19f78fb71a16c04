"""Small streams, workers and namespaces for tests of the shared store."""

from collections.abc import Iterable

from laws.redis_shared import Shared, shared_engine
from laws.streams import entry
from laws.test_lateness import HOUR, LATENESS, RULE, arrival
from newsdedup.adapters.redis.keys import Keys
from newsdedup.core.events import Event, Judgement
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.shared.engine import SharedEngine


def item(name: str, terms: Iterable[int], *, at: int = 0, updated: int = 0) -> Analyzed:
    """Return an analyzed item of an hour."""
    return arrival(entry(name, terms, at=at * HOUR, updated=updated))


def hours(first: int, last: int) -> list[Analyzed]:
    """Return items that have nothing in common, three of each hour."""
    return [
        item(f"h{hour}-{nth}", {1_000 * hour + 10 * nth + n for n in range(6)}, at=hour)
        for hour in range(first, last)
        for nth in range(3)
    ]


def worker(shared: Shared, keys: Keys, *, name: str = "worker", chunk: int = 32) -> SharedEngine:
    """Return a worker on a namespace."""
    store = shared.worker(keys, RULE, name=name)
    return shared_engine(rule=RULE, store=store, lateness=LATENESS * HOUR, chunk=chunk)


def judgements(events: Iterable[Event]) -> list[Judgement]:
    """Return the judgements among events."""
    return [event.payload for event in events if isinstance(event.payload, Judgement)]


def originals(events: Iterable[Event]) -> dict[str, str]:
    """Return the original of each item's story, by the highest revision published."""
    ordered = sorted(judgements(events), key=lambda said: (said.revision.epoch, said.revision.n))
    return {said.item.id: said.story.original.id for said in ordered}
