"""Every store finds exactly the entries whose shared keys are worth enough."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

import pytest

from laws.redis_shared import Shared
from laws.streams import entry
from newsdedup import ItemKey
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.redis.keys import FORMATS
from newsdedup.adapters.redis.spans import latest_time, span_of
from newsdedup.adapters.redis.store import RedisStore
from newsdedup.core.matching.index_keys import (
    BIT,
    MOST_LEAST,
    IndexKeys,
    are_candidates,
    time_of_few,
)
from newsdedup.core.matching.rules import TermsRule
from newsdedup.core.model import Entry
from newsdedup.core.stories.records import Record
from newsdedup.core.stories.window import Buckets, Watermark
from newsdedup.engine.shared.decided import DecidedRecords
from newsdedup.ports.store import Commit, Lookup, RecordUpdate

pytestmark = pytest.mark.usefixtures("long")

SECOND = 10**6
ENTRIES = 1_500
PROBES = 80
WINDOW = 3_000 * SECOND
OFTEN, SELDOM = range(1, 15), range(100, 700)


class WorthRule(TermsRule):
    """Weighs each term by its number and by the entry; the smaller the number, the less."""

    scale = 1
    weighed_in = WINDOW

    def index_keys(self, entry: Entry) -> IndexKeys:
        """Return all terms with worths, other keys for some, and a least sum of the entry's own."""
        rng = Random(f"{entry.key.id} {entry.terms}")  # noqa: S311 - drawn alike each time
        worths = tuple(
            [
                self.scale * (rng.randint(1, 9) if term < 100 else rng.randint(20, 48))
                for term in entry.terms
            ]
        )
        sure, near = [
            (first + rng.randint(0, 400),) if rng.random() < 0.3 else () for first in (10**4, 10**5)
        ]
        least = self.least(rng)
        at = entry.effective_at
        return IndexKeys(entry.terms, sure, worths, least, near, at, self.weighed_in)

    def least(self, rng: Random) -> int:
        """Return a least sum as in a small window."""
        return rng.randint(40, 72)


class CrowdedRule(WorthRule):
    """Weighs as in a window in which few items come in 375 to 3,000 seconds."""

    scale = 2

    def least(self, rng: Random) -> int:
        """Return a least sum as of more items than few."""
        return rng.randint(84, 100)


class FastRule(CrowdedRule):
    """Weighs as in a window of 300 seconds, in which few items come in 37 to 300 seconds."""

    weighed_in = WINDOW // 10


RULE = WorthRule(duplicate=4, similar=2, window=10**10)
CROWDED = CrowdedRule(duplicate=4, similar=2, window=10**10)
FAST = FastRule(duplicate=4, similar=2, window=10**10)
BOTH = pytest.mark.parametrize("rule", [RULE, CROWDED], ids=["small", "crowded"])


def drawn(number: int, rng: Random) -> Entry:
    """Return an entry of up to 12 terms, or, as a digest has, of up to 40."""
    most = 40 if number % 37 == 0 else 12
    often = rng.randint(1, min(8, most))
    terms = [*rng.sample(OFTEN, often), *rng.sample(SELDOM, rng.randint(0, most - often))]
    return entry(f"n{number}", terms, at=number * SECOND + number * 7_919 % SECOND)


@pytest.fixture(scope="module")
def stream() -> list[Entry]:
    """The entries that are stored, and behind them those that are looked up."""
    rng = Random(2026)  # noqa: S311 - drawn alike each time
    return [drawn(number, rng) for number in range(ENTRIES + PROBES)]


def met(probe: Entry, records: list[Record], rule: WorthRule = RULE) -> list[str]:
    keys = rule.index_keys(probe)
    return names(one for one in records if are_candidates(keys, rule.index_keys(one.entry)))


def names(records) -> list[str]:
    return sorted(record.key.id for record in records)


@BOTH
def test_the_store_in_memory_finds_the_candidates_and_no_others(stream, rule):
    store = MemoryStore(rule)
    records = [Record(one, leader=one.key) for one in stream[:ENTRIES]]
    for record in records:
        store.put(record, bucket=0)
    found = 0
    for probe in stream[ENTRIES:]:
        leaders = names(store.leaders(probe))
        assert leaders == met(probe, records, rule)
        found += len(leaders)
    assert found > PROBES


@BOTH
def test_the_records_of_a_batch_find_the_candidates_and_no_others(stream, rule):
    decided = DecidedRecords(rule)
    records = [Record(one, leader=one.key) for one in stream[: ENTRIES // 3]]
    decided.put(records)
    for probe in stream[ENTRIES:]:
        assert names(decided.leaders(probe)) == met(probe, records, rule)
        assert decided.members(probe) == []


def test_the_store_in_memory_reads_no_list_that_decides_nothing(stream):
    store = MemoryStore(RULE)
    for one in stream[:ENTRIES]:
        store.put(Record(one, leader=one.key), bucket=0)
    lists = sum(
        sum(key in set(one.terms) for one in stream[:ENTRIES])
        for key in RULE.index_keys(stream[-1]).counted
    )
    read = store._leaders.count(RULE.index_keys(stream[-1]))
    assert 0 < read < lists / 4


def test_entries_leave_the_lists_with_their_record(stream):
    store = MemoryStore(RULE)
    records = [Record(one, leader=one.key) for one in stream[:200]]
    for record in records:
        store.put(record, bucket=0)
    for number, one in enumerate(stream[:200]):
        if number % 2:
            store.put(Record(one, leader=ItemKey("s", "n0")), bucket=0)
    leading = [one for number, one in enumerate(records) if not number % 2]
    for probe in stream[ENTRIES:]:
        assert names(store.leaders(probe)) == met(probe, leading)


async def file(store: RedisStore, records: list[Record], rule: WorthRule) -> None:
    """Store records; every third comes so late that it is in a later bucket than its time is."""
    buckets = Buckets(rule.weighed_in, lateness=0)
    for first in range(0, len(records), 100):
        puts = []
        for number, record in enumerate(records[first : first + 100]):
            late = number % 3 * buckets.width if number % 3 == 2 else 0
            bucket = buckets.of(record.entry.effective_at + late, Watermark())
            puts.append(RecordUpdate(record, bucket, None, None))
        seen = await store.look(())
        assert await store.commit(Commit(seen.version, (), (), Watermark(), None, puts)) is not None


class Layout(NamedTuple):
    """In which sets entries are looked up, by which rule, and how many."""

    sets: int
    rule: WorthRule
    entries: int = ENTRIES // 3
    format: str = "9"


@pytest.mark.parametrize(
    ("servers", "layout"),
    [
        ("shared_redis", Layout(8, RULE, ENTRIES)),
        ("shared_redis", Layout(1024, CROWDED, ENTRIES)),
        ("shared_redis", Layout(256, FAST, ENTRIES)),
        ("shared_shards", Layout(64, CROWDED)),
        ("shared_redis", Layout(64, CROWDED, format="5")),
        ("shared_redis", Layout(64, CROWDED, format="8")),
    ],
    ids=["few sets", "crowded", "many spans", "crowded shards", "no tags", "some tags"],
)
def test_redis_finds_the_candidates_and_no_others(
    request: pytest.FixtureRequest, stream, servers: str, layout: Layout
):
    shared: Shared = request.getfixturevalue(servers)
    rule = layout.rule
    records = [
        Record(one, leader=one.key if number % 3 else stream[0].key)
        for number, one in enumerate(stream[ENTRIES - layout.entries : ENTRIES])
    ]
    keys = replace(shared.keys(layout.sets), format=FORMATS[layout.format])
    store = shared.worker(keys, rule)
    shared.run(file(store, records, rule))
    found = 0
    for probe in stream[ENTRIES:]:
        filing = rule.index_keys(probe)
        looks = [Lookup("leaders", filing=filing), Lookup("members", filing=filing)]
        leaders, members = shared.run(store.look(looks)).answers
        expected = met(probe, records, rule)
        leads = {record.key.id: record.leads for record in records}
        assert names(one.record for one in leaders) == [name for name in expected if leads[name]]
        assert names(one.record for one in members) == [
            name for name in expected if not leads[name]
        ]
        found += len(leaders)
    assert found > PROBES


def test_no_record_of_a_span_is_later_than_its_latest_time_if_it_has_one():
    buckets = Buckets(WINDOW, lateness=0)
    ends = []
    for floor in (None, 0, 5):
        for bucket in range(-3, 60):
            end = latest_time(span_of(bucket, floor=floor), window=WINDOW)
            assert end is None or end >= (bucket + 1) * buckets.width - 1
            ends.append(end)
    assert ends.count(None) < len(ends) - 60


def test_of_entries_between_which_twice_as_many_items_came_more_is_asked():
    few = time_of_few(MOST_LEAST + BIT, 1_000)
    assert few == 500
    one = IndexKeys((1, 2), (), (50, 40), MOST_LEAST + BIT, at=0, window=1_000)
    for at, least in ((499, 88), (500, 100), (999, 100), (1_000, 112), (2_000, 124)):
        other = one._replace(at=at)
        assert are_candidates(
            one._replace(worths=(50, least - 50)), other._replace(worths=(50, 99))
        )
        assert not are_candidates(
            one._replace(worths=(50, least - 51)), other._replace(worths=(50, 99))
        )


def test_a_near_key_decides_alone_only_if_few_items_came_between():
    one = IndexKeys((1,), (), (60,), MOST_LEAST + BIT, near=(7,), window=1_000)
    assert are_candidates(one, one._replace(counted=(2,), at=499))
    assert not are_candidates(one, one._replace(counted=(2,), at=500))
    assert are_candidates(one, one._replace(at=500))
    assert not are_candidates(one, one._replace(at=1_000))


def test_a_window_of_65_536_items_asks_the_same_whatever_came_between():
    one = IndexKeys((1,), (), (88,), MOST_LEAST, near=(7,), window=1_000)
    assert are_candidates(one, one._replace(at=10**9))
    assert are_candidates(one._replace(worths=(1,)), one._replace(at=10**9))
