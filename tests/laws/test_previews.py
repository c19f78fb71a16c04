"""A preview is what publishing gives, and leaves no trace; over every kind of store."""

import msgspec
import pytest

from laws.streams import entry
from laws.test_lateness import HOUR, RULE, arrival
from newsdedup import NewsItem
from newsdedup.adapters.formats import item_json
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.state import SqliteState, StreamProgress
from newsdedup.adapters.sqlite.state_replica import StateReplica
from newsdedup.bootstrap.rules import item_analyzer, make_rule, stream_recorder
from newsdedup.config import Settings
from newsdedup.engine.deduplicate import LATENESS, Deduplicate
from newsdedup.synthetic.stream import generate_stream

ITEMS = 400
BATCH = 25


@pytest.fixture(scope="module")
def analyzed():
    """Return a stream with late originals, edits and retractions, each analyzed once."""
    analyzer = item_analyzer(Settings())
    lines = [msgspec.json.encode(planted.item) for planted in generate_stream(ITEMS)]
    # Every third arrives late, behind what was made from it, and some come again.
    late = [line for number, line in enumerate(lines) if number % 3 == 0]
    order = [line for number, line in enumerate(lines) if number % 3] + late + lines[5:20]
    changes = [(item_json.decode_item(line), line) for line in order]
    return [
        analyzer.analyze(item, line) if isinstance(item, NewsItem) else item
        for item, line in changes
    ]


def payloads(events):
    return [(event.payload, event.received, event.repeated) for event in events]


def test_a_preview_is_what_publishing_then_gives(analyzed):
    rule = make_rule(Settings())
    engine = Deduplicate(
        rule=rule,
        store=MemoryStore(rule),
        ledger=MemoryLedger(),
        recorder=stream_recorder(rule),
    )
    corrected = 0
    for change in analyzed:
        if not hasattr(change, "item"):
            engine.command(change)
            continue
        shown = payloads(engine.preview(change))
        assert payloads(engine.preview(change)) == shown
        assert payloads(engine.publish(change)) == shown
        corrected += len(shown) > 1
    assert corrected > 5


def test_a_replica_of_a_state_gives_what_its_run_would(analyzed, tmp_path):
    settings = Settings()
    rule = make_rule(settings)
    state = SqliteState(tmp_path / "s.state", rule, made_by="us")
    recorder = stream_recorder(rule)
    state.take_observations = recorder.take_observations
    engine = Deduplicate(rule=rule, store=state, ledger=state.ledger, recorder=recorder)
    replica = StateReplica(
        tmp_path / "s.state",
        rule,
        made_by="us",
        lateness=LATENESS,
        recorder=stream_recorder(rule),
    )
    replica._compare_at = float("-inf")
    counts: dict[str, int] = {}
    for first in range(0, len(analyzed), BATCH):
        batch = analyzed[first : first + BATCH]
        for change in batch:
            for event in engine.apply(change):
                name = "repeated" if event.repeated else event.payload.event
                counts[name] = counts.get(name, 0) + 1
            counts["lines"] = counts.get("lines", 0) + 1
        state.commit(StreamProgress(watermark=engine.watermark, counts=dict(counts)))
        assert replica.refresh()
        replica._compare_at = float("-inf")
        other = Deduplicate(
            rule=rule,
            store=replica.store,
            ledger=replica.ledger,
            watermark=replica.progress.watermark,
            recorder=replica.recorder,
        )
        for change in analyzed[first : first + 2 * BATCH : 3]:
            if hasattr(change, "item"):
                assert payloads(other.preview(change)) == payloads(engine.preview(change))
    assert not replica.refresh()
    replica.close()
    state.close()


def test_a_replica_forgets_what_the_state_has_deleted(tmp_path, monkeypatch):
    monkeypatch.setattr("newsdedup.adapters.sqlite.state_replica._FEWEST_HASHES", 20)
    state = SqliteState(tmp_path / "s.state", RULE, made_by="us")
    engine = Deduplicate(rule=RULE, store=state, ledger=state.ledger)
    replica = StateReplica(
        tmp_path / "s.state", RULE, made_by="us", lateness=LATENESS, recorder=None
    )
    monkeypatch.setattr(replica, "_compare_records", lambda: pytest.fail("only new items came"))
    for number in range(600):
        engine.publish(arrival(entry(f"i{number}", {number, 5, 6, 7}, at=number * HOUR)))
        counts = dict.fromkeys(("lines", "item.judged", "original"), number + 1)
        state.commit(StreamProgress(watermark=engine.watermark, counts=counts))
        replica.refresh()
    assert len(replica._hashes) < 200
    assert len(replica.store) == len(state)
    replica.close()
    state.close()


def test_only_what_may_have_changed_is_compared(analyzed, tmp_path, monkeypatch):
    rule = make_rule(Settings())
    state = SqliteState(tmp_path / "s.state", rule, made_by="us")
    engine = Deduplicate(rule=rule, store=state, ledger=state.ledger)
    replica = StateReplica(
        tmp_path / "s.state", rule, made_by="us", lateness=LATENESS, recorder=None
    )
    compared = []
    monkeypatch.setattr(replica, "_compare_records", lambda: compared.append(True))

    def commit(counts):
        state.commit(StreamProgress(watermark=engine.watermark, counts=counts))
        replica.refresh()

    items = [change for change in analyzed if hasattr(change, "item")]
    engine.publish(items[0])
    commit({"lines": 1, "item.judged": 1, "original": 1, "lang_ru": 1})
    engine.publish(items[1])
    commit({"lines": 2, "item.judged": 2, "original": 2, "lang_ru": 2})
    assert (len(replica.store), compared) == (2, [])
    commit({"lines": 3, "item.judged": 2, "verdict.corrected": 1, "original": 2, "lang_ru": 2})
    assert compared == [True]
    replica.close()
    state.close()
