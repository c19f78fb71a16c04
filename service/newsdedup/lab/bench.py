"""How fast each stage is, against a peer in the same run.

Rates are items per second of one process. The vocabulary is warmed by one pass over the items, as
in a stream that has run for some hours; the rate of that first pass is told beside it.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from newsdedup import bootstrap
from newsdedup.adapters.memory_store import MemoryStore
from newsdedup.config import Settings
from newsdedup.core.acts import Publish
from newsdedup.core.clean import clean
from newsdedup.core.judge import decide
from newsdedup.core.model import Entry, NewsItem
from newsdedup.core.rules import Rule
from newsdedup.core.window import BUCKETS
from newsdedup.core.words import tokens
from newsdedup.deduplicate import Analyzed, answered
from newsdedup.lab.collection import Collection, entries
from newsdedup.lab.peers import datasketch

Say = Callable[[str], None]
Analyze = Callable[[NewsItem, bytes], Analyzed]
PEER_PERMUTATIONS = 128


@dataclass(frozen=True, slots=True)
class Timed:
    """What took how long."""

    items: int
    seconds: float

    @property
    def rate(self) -> float:
        """Return items per second."""
        return round(self.items / self.seconds, 1)


def timed(work: Callable[[], object], *, items: int) -> Timed:
    """Return how long some work over items takes."""
    begin = time.perf_counter()
    work()
    return Timed(items, time.perf_counter() - begin)


def bench(collection: Collection, settings: Settings, *, say: Say) -> dict[str, object]:
    """Return the rates of all stages and of the peer, and their ratios."""
    items = collection.items
    count = len(items)
    analyze = bootstrap.analyze(settings, bootstrap.background(settings))
    rule = bootstrap.rule(settings)

    say(f"warming the vocabulary over {count} items")
    cold = timed(lambda: [analyze(item, b"") for item in items], items=count)
    say("tokens")
    tokenized = timed(lambda: _tokenize(items), items=count)
    say("signature")
    signed = timed(lambda: [analyze(item, b"") for item in items], items=count)
    say("signature and memory index")
    indexed = timed(lambda: _index(items, analyze, rule), items=count)
    say("embedded run with durable SQLite")
    embedded = timed_embedded(collection, settings, analyze)
    say("datasketch")
    peer = timed(lambda: datasketch(items, permutations=PEER_PERMUTATIONS), items=count)
    return {
        "items": count,
        "stages": {
            "tokens": tokenized.rate,
            "signature": signed.rate,
            "index": indexed.rate,
            "embedded": embedded.rate,
        },
        "peers": {"datasketch": peer.rate},
        "ratios": {
            "index_vs_datasketch": round(indexed.rate / peer.rate, 2),
            "embedded_vs_datasketch": round(embedded.rate / peer.rate, 2),
        },
        "warm_up": {"items": count, "signature_cold": cold.rate},
        "words": _words(items),
        "left_out": collection.left_out,
    }


def _tokenize(items: Sequence[NewsItem]) -> None:
    for item in items:
        tokens(clean(item.title, item.text)[1])


def _index(items: Sequence[NewsItem], analyze: Analyze, rule: Rule) -> None:
    found = entries(analyze(item, b"") for item in items)
    index_all(sorted(found, key=lambda entry: entry.order), rule)


def index_all(found: Sequence[Entry], rule: Rule) -> MemoryStore:
    """Return a memory index after all entries were judged and filed in it."""
    store = MemoryStore(rule)
    width = max(1, rule.window // BUCKETS)
    for entry in found:
        bucket = entry.effective_at // width
        store.expire(before=bucket - BUCKETS - 1)
        store.store(answered(decide(Publish(entry), rule), store), bucket=bucket)
    return store


def timed_embedded(collection: Collection, settings: Settings, analyze: Analyze) -> Timed:
    """Return how long a whole run takes: file in, events, dead letters and state out."""
    with TemporaryDirectory() as folder:
        source, to = Path(folder, "items.jsonl"), Path(folder, "events.jsonl")
        source.write_bytes(b"".join(line + b"\n" for line in collection.received))
        places = bootstrap.Places(str(to), Path(folder, "state"), Path(folder, "dead"))
        run = bootstrap.embedded(settings, places)
        run.analyze = analyze
        try:
            return timed(lambda: list(run.over([str(source)])), items=len(collection.items))
        finally:
            run.close()


def _words(items: Sequence[NewsItem]) -> dict[str, int]:
    """Return how many running and different word forms the items hold."""
    forms: set[str] = set()
    running = 0
    for item in items:
        found = tokens(clean(item.title, item.text)[1])
        running += len(found)
        forms.update(found)
    return {"running": running, "different": len(forms)}
