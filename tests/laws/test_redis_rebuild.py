"""What a rebuild restores of one item, of events that are read in any order and repeated."""

import json
from itertools import count

import pytest
from msgspec.structs import replace

from laws.redis_shared import LIFE, Shared, shared_engine
from newsdedup import Deduplicator, ItemKey, NewsItem
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.adapters.kafka.delivery import event_record
from newsdedup.adapters.kafka.records import ReceivedRecord
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.events import Event, Judgement, Retraction, Revision
from newsdedup.core.stories.records import Record
from newsdedup.engine.deduplicate import LATENESS
from newsdedup.ports.store import Lookup
from newsdedup.runners.worker.rebuild import Rebuild

ANALYZER = item_analyzer(Settings())
RULE = make_rule(Settings())
KEY = ItemKey("herald.example", "1")
TEXT = "The council of Torin has bought eleven trams for the line to the harbour."
JUDGED = Deduplicator().judge(NewsItem(KEY, "", TEXT))
SECOND = 1 << 32
"""The first epoch of the second generation: what was judged after Redis had lost writes."""


def judgement(epoch: int, n: int, *, story: str = "") -> Judgement:
    """Return the verdict on the item in a revision, of a story that it names."""
    known = JUDGED.judgement
    ref = replace(known.story, id=story or known.story.id)
    return replace(known, revision=Revision(epoch, n), story=ref)


def retraction(epoch: int, n: int) -> Retraction:
    known = JUDGED.judgement
    return Retraction("id", known.item, known.version, Revision(epoch, n))


class Restored:
    """A namespace into which events about one item are restored."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._offsets = count()
        self._store = shared.worker(shared.keys(), RULE, life=LIFE)
        self._job = Rebuild(
            store=self._store,
            new_view=shared_engine(rule=RULE, store=self._store).new_view,
            rule=RULE,
            analyzer=ANALYZER,
            term=ANALYZER.documents.vocabulary.term,
            lateness=LATENESS,
        )

    def take(self, *payloads: Judgement | Retraction, title: str = "") -> dict[str, int]:
        """Restore events, read together; return the counts of their records."""
        records = [self._record(one, title) for one in payloads]
        return self._shared.run(self._job.take(records))

    def record(self) -> Record | None:
        """Return what the namespace holds of the item."""
        (found,) = self._shared.run(self._store.look([Lookup("item", KEY)])).answers
        return found[0].record if found else None

    def _record(self, payload: Judgement | Retraction, title: str) -> ReceivedRecord:
        item = {"source": KEY.source, "id": KEY.id, "title": title, "text": TEXT}
        body = json.dumps(item).encode()
        sent = event_record(Event(payload, body), topic="out", origin="/test")
        return ReceivedRecord("out", 0, next(self._offsets), sent.key, sent.value)


@pytest.fixture(params=["together", "one by one"])
def restored(request, shared_redis):
    """Have events taken in one batch, and each in a batch of its own."""
    namespace = Restored(shared_redis)

    def restore(*payloads: Judgement | Retraction) -> Record | None:
        batches = [payloads] if request.param == "together" else [(one,) for one in payloads]
        for batch in batches:
            namespace.take(*batch)
        return namespace.record()

    return restore


def test_a_verdict_after_redis_lost_writes_counts_as_newer_though_its_count_begins_anew(restored):
    record = restored(
        judgement(0, 0, story="old"),
        judgement(0, 1, story="old"),
        judgement(SECOND, 0, story="new"),
    )
    assert (record.story, record.revision) == ("new", 1)


def test_an_event_that_is_published_again_restores_nothing_older(restored):
    record = restored(
        judgement(0, 3, story="old"),
        judgement(SECOND, 0, story="new"),
        judgement(0, 3, story="old"),
    )
    assert record.story == "new"


def test_a_retraction_after_redis_lost_writes_is_restored(restored):
    record = restored(judgement(0, 1), retraction(SECOND, 0))
    assert record.retracted


def test_a_withdrawn_item_stays_withdrawn_when_its_verdict_is_published_again(restored):
    record = restored(judgement(0, 1), retraction(SECOND, 0), judgement(0, 1))
    assert record.retracted


def test_a_retraction_that_is_read_before_the_verdict_is_not_forgotten(restored):
    # The topic was given more partitions, and the key lies in another one since.
    assert restored(retraction(0, 1), judgement(0, 0)) is None


def test_an_item_that_was_published_anew_after_its_retraction_is_restored(restored):
    record = restored(retraction(0, 1), judgement(0, 0), judgement(0, 2, story="new"))
    assert (record.story, record.retracted) == ("new", False)


def test_what_was_accepted_under_wider_limits_is_restored(shared_redis):
    namespace = Restored(shared_redis)
    counts = namespace.take(judgement(0, 0), title="Torin " * LIMITS.title_chars)
    assert counts == {"records": 1, "item.judged": 1}
    assert namespace.record() is not None
