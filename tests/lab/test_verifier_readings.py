from datetime import UTC, datetime, timedelta
from pathlib import Path

import newsdedup
from newsdedup.adapters.languages import shipped_vocabulary
from newsdedup.core.background import NOTHING_COUNTED
from newsdedup.core.document import Analyzer
from newsdedup.core.model import ItemKey, NewsItem
from newsdedup.core.signature import signature
from newsdedup.core.verify.habits import NO_SHIFT
from newsdedup.core.verify.model import parse
from newsdedup.core.window import Watermark, effective_at
from newsdedup.deduplicate import Analyzed, entry_of
from newsdedup.lab.readings import REMEMBERED, PhraseCounts, candidates, comparison, learned, views

VOCABULARY = shipped_vocabulary(NOTHING_COUNTED)
ANALYZER = Analyzer(VOCABULARY)
BEGIN = datetime(2031, 5, 15, tzinfo=UTC)
TEXT = "Кровля старого склада загорелась ночью, пожарные спасли рабочих завода"


def stream(*sources, text=TEXT):
    found = []
    for hour, source in enumerate(sources):
        item = NewsItem(ItemKey(source, str(hour)), "", text, BEGIN + timedelta(hours=hour))
        document = ANALYZER.document(item)
        analyzed = Analyzed(item, document, signature(document.terms))
        found.append((analyzed, entry_of(analyzed, at=effective_at(item, Watermark()))))
    return found


def test_a_phrase_is_forgotten_after_a_week():
    counts = PhraseCounts()
    counts.note("a", 0, [7])
    assert counts.seen("a", REMEMBERED)(7) == 1
    assert counts.seen("b", REMEMBERED)(7) == 0
    assert counts.seen("a", REMEMBERED + 1)(7) == 0


def test_only_earlier_items_of_the_source_make_a_phrase_stale():
    seen = views(stream("a", "b", "a", "a"), VOCABULARY, "as it came")
    whole = len(seen["0"].view.phrases.hashes)
    assert [seen[key].view.phrases.tiers[0] for key in "0123"] == [whole, whole, 0, 0]
    assert [seen[key].view.phrases.tiers[1] for key in "0123"] == [whole, whole, whole, 0]


def test_as_one_source_all_items_count():
    seen = views(stream("a", "b"), VOCABULARY, "one source")
    assert seen["1"].view.phrases.tiers[0] == 0


def test_the_copy_itself_is_no_template():
    seen = views(stream("a", "a"), VOCABULARY, "as it came")
    assert comparison(seen["1"], seen["0"], "as it came").features.freshness == 1.0


def test_candidates_share_three_terms_within_the_window():
    seen = views(stream("a", "b", "c"), VOCABULARY, "unlearned")
    hour = timedelta(hours=1) // timedelta(microseconds=1)
    pairs = [(one.entry.key.id, other.entry.key.id) for one, other in candidates(seen, window=hour)]
    assert pairs == [("0", "1"), ("1", "2")]


def test_a_stream_without_candidates_teaches_nothing():
    path = Path(newsdedup.__file__).parent / "data" / "verifier.json"
    assert learned([], parse(path.read_text(encoding="utf-8"))) == NO_SHIFT
