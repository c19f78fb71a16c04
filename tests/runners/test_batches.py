"""Batches: small ones are worked on as one, large ones are analyzed in parts."""

from newsdedup import ItemKey, NewsItem
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.engine.arrivals import Arrival
from newsdedup.runners.worker.in_flight import join_prepared
from newsdedup.runners.worker.worker import Prepared, _new_report, analysis_slices


def prepared(*offsets: int, source: str) -> Prepared:
    batch = [ReceivedRecord("news", 0, offset, None, b"{}", at_ms=offset) for offset in offsets]
    item = NewsItem(ItemKey(source, "1"), "", "", unread_dates=("seen_at",))
    arrivals = [Arrival(record, item, b"{}") for record in batch]
    return Prepared(arrivals, 0.5, [("analyze", offsets[0], offsets[0] + 1)])


def test_a_batch_alone_stays_as_it_is():
    alone = prepared(1, 2, source="a")
    assert join_prepared([alone]) is alone


def test_joined_batches_have_all_records_in_their_order():
    first, second = prepared(1, 2, source="a"), prepared(3, source="b")
    both = join_prepared([first, second])
    assert [record.offset for record in both.records] == [1, 2, 3]
    assert both.arrivals == [*first.arrivals, *second.arrivals]
    assert both.stages == [("analyze", 1, 2), ("analyze", 3, 4)]


def test_the_report_of_joined_batches_counts_the_records_of_all():
    report = _new_report(join_prepared([prepared(1, 2, source="a"), prepared(3, source="b")]))
    assert (report.records, report.bytes) == (3, 6)
    assert report.sources == {"a": 2, "b": 1}
    assert report.unread_dates == {"seen_at": 3}
    assert report.seconds == {"analyze": 1.0}
    assert list(report.written_ms) == [1, 2, 3]


def parts(*sizes: int, shares: int = 1) -> list[list[int]]:
    """Return the sizes of records in the parts in which a batch of such records is analyzed."""
    records = [ReceivedRecord("news", 0, at, None, b" " * size) for at, size in enumerate(sizes)]
    batch = [Arrival(record) for record in records]
    found = analysis_slices(batch, shares=shares)
    return [[len(one.record.value or b"") for one in part] for part in found]


def test_a_batch_is_analyzed_in_parts_of_few_records():
    assert parts(*[1] * 40) == [[1] * 16, [1] * 16, [1] * 8]
    assert parts(*[1] * 40, shares=2) == [[1] * 32, [1] * 8]
    assert parts() == []


def test_large_records_are_analyzed_in_parts_of_fewer():
    large, huge = 100_000, 3_000_000
    assert parts(1, huge, huge, 1, 1) == [[1], [huge], [huge], [1, 1]]
    assert parts(*[large] * 5) == [[large] * 2, [large] * 2, [large]]
    assert parts(*[large] * 5, shares=2) == [[large] * 5]
