"""Helper processes change how long an analysis takes and nothing else."""

from functools import partial

import msgspec
import pytest

from newsdedup import bootstrap
from newsdedup.adapters.formats import item_json
from newsdedup.config import Settings
from newsdedup.engine.analysis import Analysis
from newsdedup.engine.deduplicate import entry_of
from newsdedup.synthetic.stream import demo_stream

pytestmark = pytest.mark.usefixtures("process")

SETTINGS = Settings()


@pytest.fixture(scope="module")
def batch():
    lines = [msgspec.json.encode(planted.item) for planted in demo_stream()]
    return [(item_json.decode_item(line), line) for line in lines]


@pytest.fixture(scope="module")
def alone():
    return Analysis(bootstrap.helping(SETTINGS))


@pytest.fixture(scope="module")
def shared():
    analysis = Analysis(
        bootstrap.helping(SETTINGS), helpers=2, make=partial(bootstrap.helping, SETTINGS)
    )
    yield analysis
    analysis.close()


def kept(analyzed):
    """Return what a decision sees of analyzed items."""
    return [(entry_of(one, at=0), one.signature, one.received) for one in analyzed]


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 40, 300])
def test_helpers_give_the_same_analysis_in_the_same_order(batch, alone, shared, size):
    assert kept(shared.many(batch[:size])) == kept(alone.many(batch[:size]))


@pytest.mark.parametrize("size", [16, 17, 60, 100])
def test_helpers_may_begin_with_the_next_batch_early(batch, alone, shared, size):
    parts = [batch[begin : begin + size] for begin in range(0, 300, size)]
    for part, following in zip(parts, [*parts[1:], []], strict=True):
        assert kept(shared.many(part, then=following)) == kept(alone.many(part))


def test_a_batch_that_was_begun_early_need_not_come(batch, alone, shared):
    shared.many(batch[:60], then=batch[60:120])
    assert kept(shared.many(batch[120:200])) == kept(alone.many(batch[120:200]))


def test_a_batch_may_follow_another(batch, alone, shared):
    for begin in range(0, 300, 100):
        part = batch[begin : begin + 100]
        assert kept(shared.many(part)) == kept(alone.many(part))
