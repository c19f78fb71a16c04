from pathlib import Path

from archive.event_stream import archived, search_words, story_events, stream_events
from newsdedup_lab.bench.archive_speed import measure_archive


def test_every_kind_of_query_is_measured_alongside_a_writer(tmp_path: Path) -> None:
    path = archived(tmp_path / "a", stream_events())
    speeds, rate = measure_archive(
        path, search_words(), readers=3, rounds=2, events=story_events(), rate=1_000
    )
    assert {one.calls for one in speeds} == {6}
    assert all(0 < one.median_ms <= one.p95_ms <= one.worst_ms for one in speeds)
    assert rate > 0
