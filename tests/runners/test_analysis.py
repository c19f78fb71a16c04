"""Helper processes change how long an analysis takes and nothing else."""

import multiprocessing
from dataclasses import replace
from functools import partial

import msgspec
import pytest

from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import item_analyzer
from newsdedup.config import Settings, build_settings
from newsdedup.engine.analyzer import entry_of
from newsdedup.engine.arrivals import Arrival, BatchAnalysis
from newsdedup.engine.helper_processes import HelperProcesses
from newsdedup.ports.errors import Rejection
from newsdedup.synthetic.stream import demo_stream
from runners.planted_bugs import TRIGGER, bug_environment, planted

pytestmark = pytest.mark.usefixtures("process")

SETTINGS = Settings()


@pytest.fixture(scope="module")
def items():
    lines = [msgspec.json.encode(planted.item) for planted in demo_stream()]
    return [(item_json.decode_item(line), line) for line in lines]


@pytest.fixture(scope="module")
def alone():
    return BatchAnalysis(item_analyzer(SETTINGS))


@pytest.fixture(scope="module")
def shared():
    yield from with_helpers(2)


def with_helpers(number, **options):
    """Yield an analysis whose helpers are ready; end them when the test is over."""
    analysis = BatchAnalysis(item_analyzer(SETTINGS), helpers(number, **options))
    analysis.wait_for_helpers()
    assert analysis.shares == 1 + number
    yield analysis
    analysis.close()


def helpers(number, **options):
    return HelperProcesses(number, partial(item_analyzer, SETTINGS), **options)


def arrivals(items):
    return [Arrival(None, item, line) for item, line in items]


def analyzed(analysis, batch, following=()):
    """Return what a decision sees of the items of a batch, analyzed."""
    analysis.analyze(batch, following=following)
    found = [one.analyzed for one in batch]
    return [(entry_of(one, at=0), one.terms, one.received) for one in found]


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
    shared = next(with_helpers(2))
    batch = arrivals(items[100:200])
    shared.analyze(arrivals(items[:100]), following=batch if begun else ())
    dead = next(one for one in multiprocessing.active_children() if one not in others)
    dead.kill()
    dead.join()
    assert analyzed(shared, batch) == analyzed(alone, arrivals(items[100:200]))
    assert shared.shares == 2
    assert same(items[200:300], alone, shared)
    shared.close()


def test_helpers_read_days_by_the_zones_of_the_sources():
    zones = {"sources.zone": "Asia/Colombo", "sources.zones": (("b", "America/New_York"),)}
    make = partial(item_analyzer, build_settings(zones))
    report = "The mayor of the port opened the new bridge today, after a repair of 14 months."
    times = ["2025-01-06T20:00:00Z", "2025-01-06T20:00:00-05:00", "2025-01-07T02:00:00Z", None]
    fields = [
        {"source": source, "id": str(number), "text": report, "published_at": at}
        for number, at in enumerate(times * 8)
        for source in "ab"
    ]
    reports = [(item_json.decode_item(line), line) for line in map(msgspec.json.encode, fields)]
    helped, alone = BatchAnalysis(make(), HelperProcesses(1, make)), BatchAnalysis(make())
    helped.wait_for_helpers()
    assert helped.shares == 2
    assert same(reports, alone, helped)
    helped.close()


def test_helpers_know_the_languages_that_publishers_claim(alone, shared):
    fields = [
        {"source": "a", "id": f"{code} {number}", "lang": code, "title": title}
        for number in range(16)
        for code, title in (
            ("no", "Statsministeren besøger Oslo i dag"),
            ("bs", "Vlada je odlučila o novom zakonu"),
        )
    ]
    reports = [(item_json.decode_item(line), line) for line in map(msgspec.json.encode, fields)]
    assert same(reports, alone, shared)


def test_a_batch_may_follow_another(items, alone, shared):
    for begin in range(0, 300, 100):
        assert same(items[begin : begin + 100], alone, shared)


def test_records_without_an_item_are_passed_over(alone):
    rejected = Arrival(None, rejection=Rejection("not_json", "broken"))
    alone.analyze([rejected])
    assert rejected.analyzed is None


def test_a_stream_is_analyzed_in_its_order(items, alone, shared):
    reports = [item for item, _ in items]
    streams = [list(one.analyze_stream(reports * 2)) for one in (alone, shared)]
    seen = [[(entry_of(one, at=0), one.item) for one in stream] for stream in streams]
    assert seen[0] == seen[1]
    assert [item for _, item in seen[0]] == reports * 2


def test_the_texts_of_documents_come_back_where_they_are_asked_for(items, alone):
    reports = [item for item, _ in items]
    for whole in with_helpers(1, texts=True):
        assert list(whole.analyze_stream(reports)) == list(alone.analyze_stream(reports))


def test_a_helper_that_cannot_load_its_tables_is_not_waited_for(items, alone):
    analysis = BatchAnalysis(item_analyzer(SETTINGS), HelperProcesses(1, no_analyzer))
    analysis.wait_for_helpers()
    assert analysis.shares == 1
    assert same(items[:60], alone, analysis)
    analysis.close()


def no_analyzer():
    raise SystemExit(1)


def test_a_short_input_starts_no_process(items, alone):
    before = set(multiprocessing.active_children())
    analysis = BatchAnalysis(item_analyzer(SETTINGS), helpers(1), start_after=301)
    assert same(items[:300], alone, analysis)
    assert set(multiprocessing.active_children()) <= before
    analysis.close()


def test_a_long_input_starts_its_helpers_on_the_way(items, alone):
    before = set(multiprocessing.active_children())
    analysis = BatchAnalysis(item_analyzer(SETTINGS), helpers(1), start_after=40)
    for begin in range(0, 300, 20):
        assert same(items[begin : begin + 20], alone, analysis)
        assert (not before.issuperset(multiprocessing.active_children())) == (begin >= 20)
    analysis.wait_for_helpers()
    assert same(items, alone, analysis)
    analysis.close()
    assert set(multiprocessing.active_children()) <= before


def test_an_item_that_raises_in_a_helper_is_set_aside_and_the_helper_goes_on(
    items, alone, monkeypatch
):
    for name, value in bug_environment("analyze").items():
        monkeypatch.setenv(name, value)
    shared = next(with_helpers(2))
    batch = arrivals(items[:120])
    for index in (5, 50, 100):
        item = batch[index].content
        batch[index].content = replace(item, title=f"{item.title} {TRIGGER}")
    with planted("analyze"):
        shared.analyze(batch)
    failed = [index for index, one in enumerate(batch) if one.rejection is not None]
    assert failed == [5, 50, 100]
    assert [one.analyzed is None for one in batch].count(True) == len(failed)
    assert shared.shares == 3
    assert same(items[:120], alone, shared)
    shared.close()
