"""Streams of small entries in which chains, ties, late leaders and edits are common."""

import weakref
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from newsdedup import ItemKey
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.file_schema import MEMORY
from newsdedup.adapters.sqlite.state import SqliteState
from newsdedup.core.matching.index_keys import COMMON_TERM, are_candidates
from newsdedup.core.matching.rules import Rule, TermsRule
from newsdedup.core.model import Entry, Stamp, Version
from newsdedup.core.stories.commands import Command, Publish
from newsdedup.core.stories.judge import decide
from newsdedup.core.stories.publication import Decision
from newsdedup.core.stories.records import Record

TERMS = (*range(1, 7), *range(COMMON_TERM, COMMON_TERM + 3))
"""Keys of terms, rare first; the last are too common to be keys of what is merely similar."""

RULE = TermsRule(duplicate=4, similar=2, window=20)
"""Low thresholds over few terms, so that random entries match, nearly match and form chains."""


def entry(
    name: str,
    terms: Iterable[int],
    *,
    at: int,
    source: str = "s",
    updated: int = 0,
    numbers: tuple[str, ...] = (),
) -> Entry:
    """Return an entry; its version tells its terms, numbers and update."""
    terms = tuple(sorted(set(terms)))
    return Entry(
        key=ItemKey(source, name),
        version=Version(f"{terms}{numbers}{updated}"),
        stamp=Stamp(updated, 0),
        effective_at=at,
        lang="en",
        terms=terms,
        numbers=numbers,
        names=(),
    )


@st.composite
def entries(draw: st.DrawFn, *, names: str = "abcdefghij", updates: int = 2) -> Entry:
    """Return an entry whose name and time often coincide with those of others."""
    return entry(
        draw(st.sampled_from(names)),
        draw(st.sets(st.sampled_from(TERMS), min_size=2, max_size=7)),
        at=draw(st.integers(0, 24)),
        source=draw(st.sampled_from("st")),
        updated=draw(st.integers(0, updates)),
        numbers=draw(st.sampled_from([(), ("1",), ("2",)])),
    )


def one_version_per_update(stream: Sequence[Entry]) -> list[Entry]:
    """Return the stream without a second version of the same item and update time.

    Which of two versions of the same moment is newer cannot be known from the items.
    """
    first: dict[tuple[ItemKey, int], Entry] = {}
    for item in stream:
        first.setdefault((item.key, item.stamp.updated_at), item)
    return [item for item in stream if first[(item.key, item.stamp.updated_at)] is item]


def sqlite_store(rule: Rule = RULE) -> SqliteState:
    """Return a state in memory that is closed when the test forgets it."""
    state = SqliteState(MEMORY, rule, made_by="a test")
    weakref.finalize(state, state._connection.close)
    return state


def run(decision: Decision, store: MemoryStore) -> Decision:
    """Store what a decision changes, and return it."""
    store.store(decision, bucket=0)
    return decision


def played(commands: Iterable[Command], rule: Rule = RULE) -> MemoryStore:
    """Return a store after all commands."""
    store = MemoryStore(rule)
    for command in commands:
        run(decide(command, rule, store), store)
    return store


def published(stream: Iterable[Entry]) -> list[Command]:
    """Return the commands of a stream of arrivals."""
    return [Publish(item) for item in stream]


def records_of(store: MemoryStore) -> list[Record]:
    """Return every record of a store that has not expired, in the order of arrival."""
    table = store._table
    by_arrival = sorted(range(len(table.records)), key=table.arrival)
    keys = [table.records[slot].key for slot in by_arrival]
    return [record for key in keys if (record := store.known(key)) is not None]


def state(store: MemoryStore) -> dict[ItemKey, Record]:
    """Return every kept record that is not retracted, by its item."""
    return {record.key: record for record in records_of(store) if not record.retracted}


def partition(store: MemoryStore) -> dict[ItemKey, ItemKey | None]:
    """Return the original of every item's story."""
    return {key: record.original for key, record in sorted(state(store).items())}


def by_definition(standing: Iterable[Entry], rule: Rule = RULE) -> dict[ItemKey, ItemKey]:
    """Return each item's leader by the definition, every pair compared."""
    return {one.entry.key: one.leader.key for one in told_by_definition(standing, rule)}


def told_by_definition(standing: Iterable[Entry], rule: Rule) -> "list[Told]":
    """Return what each item is in the stories by the definition, every pair compared."""
    told: list[Told] = []
    for item in sorted(standing, key=lambda known: known.order):
        near = [
            (match, one)
            for one in told
            if one.is_compared
            and are_candidates(rule.index_keys(item), rule.index_keys(one.entry))
            and (match := rule.match(item, one.entry))
        ]
        copies = [(round(10 * match.score), one) for match, one in near if match.duplicate]
        likely = {one.entry.key for match, one in near if match.score >= 0.85}
        updated = {
            one.leader.key
            for match, one in near
            if match.relation == "update" and one.entry.key.source == item.key.source
        }
        # A leader goes before a variant that matches as well, then the earlier.
        best = min(
            [
                (-points, not one.leads, one.entry.order, one)
                for points, one in copies
                if one.leader.key not in updated
                if one.leads
                or (
                    one.entry.key in likely
                    and item.effective_at - one.leader.effective_at <= rule.window
                )
            ],
            key=lambda choice: choice[:3],
            default=None,
        )
        if best is None:
            told.append(Told(item, item, is_compared=True))
        else:
            points, through, _, one = best
            as_well = (
                -of <= points and other.leader is one.leader
                for of, other in copies
                if not other.leads
            )
            told.append(Told(item, one.leader, not (through or points == -10 or any(as_well))))
    return told


class Told(NamedTuple):
    """An item, its leader, and whether later ones are compared with it."""

    entry: Entry
    leader: Entry
    is_compared: bool

    @property
    def leads(self) -> bool:
        return self.entry.key == self.leader.key
