"""Helper processes change how long an analysis takes and nothing else."""

import multiprocessing
from functools import partial

import msgspec
import pytest

from newsdedup import bootstrap
from newsdedup.adapters.formats import item_json
from newsdedup.config import Settings
from newsdedup.engine.analyzer import entry_of
from newsdedup.engine.arrivals import Arrival
from newsdedup.engine.batch_analysis import BatchAnalysis
from newsdedup.ports.errors import Rejection
from newsdedup.synthetic.stream import demo_stream

pytestmark = pytest.mark.usefixtures("process")

SETTINGS = Settings()


@pytest.fixture(scope="module")
def items():
    lines = [msgspec.json.encode(planted.item) for planted in demo_stream()]
    return [(item_json.decode_item(line), line) for line in lines]


@pytest.fixture(scope="module")
def alone():
    return BatchAnalysis(bootstrap.item_analyzer(SETTINGS))


@pytest.fixture(scope="module")
def shared():
    analysis = BatchAnalysis(
        bootstrap.item_analyzer(SETTINGS),
        helpers=2,
        make=partial(bootstrap.item_analyzer, SETTINGS),
    )
    yield analysis
    analysis.close()


def arrivals(items):
    return [Arrival(None, item, line) for item, line in items]


def analyzed(analysis, batch, following=()):
    """Return what a decision sees of the items of a batch, analyzed."""
    analysis.analyze(batch, following=following)
    found = [one.analyzed for one in batch]
    return [(entry_of(one, at=0), one.signature, one.received) for one in found]


def same(items, alone, shared):
    return analyzed(shared, arrivals(items)) == analyzed(alone, arrivals(items))


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 40, 300])
def test_helpers_give_the_same_analysis_in_the_same_order(items, alone, shared, size):
    assert same(items[:size], alone, shared)


@pytest.mark.parametrize("size", [16, 17, 60, 100])
def test_helpers_may_begin_with_the_next_batch_early(items, alone, shared, size):
    parts = [items[begin : begin + size] for begin in range(0, 300, size)]
    batches = [arrivals(part) for part in parts]
    for number, part in enumerate(parts):
        following = batches[number + 1] if number + 1 < len(parts) else ()
        assert analyzed(shared, batches[number], following) == analyzed(alone, arrivals(part))


def test_a_batch_that_was_begun_early_need_not_come(items, alone, shared):
    shared.analyze(arrivals(items[:60]), following=arrivals(items[60:120]))
    assert same(items[120:200], alone, shared)


@pytest.mark.parametrize("begun", [True, False])
def test_the_share_of_a_dead_helper_is_analyzed_here(items, alone, begun):
    others = multiprocessing.active_children()
    shared = BatchAnalysis(
        bootstrap.item_analyzer(SETTINGS),
        helpers=2,
        make=partial(bootstrap.item_analyzer, SETTINGS),
    )
    batch = arrivals(items[100:200])
    shared.analyze(arrivals(items[:100]), following=batch if begun else ())
    dead = next(one for one in multiprocessing.active_children() if one not in others)
    dead.kill()
    dead.join()
    assert analyzed(shared, batch) == analyzed(alone, arrivals(items[100:200]))
    assert shared.shares == 2
    assert same(items[200:300], alone, shared)
    shared.close()


def test_a_batch_may_follow_another(items, alone, shared):
    for begin in range(0, 300, 100):
        assert same(items[begin : begin + 100], alone, shared)


def test_records_without_an_item_are_passed_over(alone):
    rejected = Arrival(None, rejection=Rejection("not_json", "broken"))
    alone.analyze([rejected])
    assert rejected.analyzed is None
