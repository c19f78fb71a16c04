"""Small batches that were prepared one after the other are worked on as one."""

from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.engine.arrivals import Arrival
from newsdedup.ports.telemetry import BatchReport
from newsdedup.runners.worker.consumer import join_prepared
from newsdedup.runners.worker.worker import Prepared


def prepared(*offsets: int, source: str) -> Prepared:
    batch = [ReceivedRecord("news", 0, offset, None, b"{}", at_ms=offset) for offset in offsets]
    report = BatchReport(len(batch), 2 * len(batch), seconds={"analyze": 0.5})
    report.sources[source] += len(batch)
    report.written_ms = list(offsets)
    arrivals = [Arrival(record, data=b"{}") for record in batch]
    return Prepared(batch, arrivals, report)


def test_a_batch_alone_stays_as_it_is():
    alone = prepared(1, 2, source="a")
    assert join_prepared([alone]) is alone


def test_joined_batches_keep_all_that_was_told_in_its_order():
    first, second = prepared(1, 2, source="a"), prepared(3, source="b")
    both = join_prepared([first, second])
    assert [record.offset for record in both.batch] == [1, 2, 3]
    assert both.arrivals == [*first.arrivals, *second.arrivals]
    assert (both.report.records, both.report.bytes) == (3, 6)
    assert both.report.sources == {"a": 2, "b": 1}
    assert both.report.seconds == {"analyze": 1.0}
    assert list(both.report.written_ms) == [1, 2, 3]
