"""Strategies for events, and one of each that reads like a real one."""

from hypothesis import strategies as st

from newsdedup.core.events import (
    Agreement,
    Evidence,
    ItemRef,
    Judgement,
    Matched,
    OriginalMoved,
    Retraction,
    Revision,
    StoryRef,
    WeightedTerm,
)

TERMS = (WeightedTerm("мост", 1.75), WeightedTerm("ремонт", 1.5))

JUDGED = Judgement(
    event="item.judged",
    event_id="0f" * 16,
    item=ItemRef("ria.ru", "2"),
    version="1e" * 16,
    revision=Revision(0, 1),
    verdict="duplicate",
    relation="reprint",
    decided_by="rule",
    story=StoryRef("2d" * 16, ItemRef("tass.ru", "1")),
    matched=Matched(
        "tass.ru",
        "1",
        7.0,
        Evidence(
            shared=TERMS,
            terms_here=12,
            terms_there=11,
            numbers=Agreement(("15",), (), ("16",)),
            names=Agreement(("нева",), (), ()),
            fingerprints=("terms",),
            hours_apart=1.5,
        ),
    ),
    rule="terms/1",
    lang="ru",
    effective_at="2025-01-06T10:00:00+00:00",
    terms=TERMS,
)
RETRACTED = Retraction("0f" * 16, ItemRef("ria.ru", "2"), "1e" * 16, Revision(0, 2))
MOVED = OriginalMoved("0f" * 16, "2d" * 16, ItemRef("a", "1"), ItemRef("b", "2"))

_words = st.text(st.characters(codec="utf-8"), max_size=12)
_numbers = st.floats(allow_nan=False, allow_infinity=False)
_counts = st.integers(min_value=0, max_value=2**53)
_facts = st.lists(_words, max_size=3).map(tuple)
_terms = st.lists(st.builds(WeightedTerm, _words, _numbers), max_size=3).map(tuple)
_agreements = st.builds(Agreement, _facts, _facts, _facts)
_refs = st.builds(ItemRef, _words, _words)
_evidence = st.builds(
    Evidence, _terms, _counts, _counts, _agreements, _agreements, _facts, _numbers
)

judgements = st.builds(
    Judgement,
    event=st.sampled_from(["item.judged", "verdict.corrected"]),
    event_id=_words,
    item=_refs,
    version=_words,
    revision=st.builds(Revision, _counts, _counts),
    verdict=st.sampled_from(["original", "duplicate"]),
    relation=st.sampled_from(["reprint", "rewrite", "update", "part", "similar", "none"]),
    decided_by=st.sampled_from(["rule", "editor"]),
    story=st.builds(StoryRef, _words, _refs),
    matched=st.none() | st.builds(Matched, _words, _words, _numbers, st.none() | _evidence),
    rule=_words,
    lang=st.sampled_from(["ru", "uk", "en", "other"]),
    effective_at=_words,
    terms=_terms,
    late=st.booleans(),
    superseded=st.booleans(),
)
