"""What must hold of every two items: each is analyzed, packed, compared, explained and published.

Any exception is a defect, as is a day that the calendar lacks, a verdict that depends on the side
from which it is asked, and what comes back otherwise than it was packed.
"""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from io import StringIO
from typing import NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from rich.console import Console

from newsdedup import InvalidItem, ItemKey, NewsItem
from newsdedup.adapters.formats.event_json import (
    decode_judgement,
    decode_payload,
    encode_event,
    encode_judgement,
    shorten_event,
)
from newsdedup.adapters.formats.item_json import decode_item, headline, title_of
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.redis.codec import ValueCodec, encode_lookups, lookup_addresses
from newsdedup.adapters.redis.keys import Keys
from newsdedup.adapters.words.package_data import shipped_background, shipped_model
from newsdedup.bootstrap.rules import document_analyzer, stream_recorder
from newsdedup.cli.shown.explained import print_explanation
from newsdedup.config import build_settings
from newsdedup.core.events import Judgement
from newsdedup.core.facts.days import format_day, is_calendar_day
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import FactKind, decode_fact, encode_facts, pack_codes, unpack_codes
from newsdedup.core.fingerprints.catalogue import load_methods
from newsdedup.core.matching.explanation import ExplainedItem
from newsdedup.core.matching.index_keys import are_candidates
from newsdedup.core.matching.rows import near_records
from newsdedup.core.matching.rules import MethodRule, SketchRule, TermsRule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.sketches import VerifierSketch, pack_sketch, read_sketch
from newsdedup.core.moments import HOUR, PublisherZones, to_micros
from newsdedup.core.stories.commands import Retract
from newsdedup.core.stories.records import Record
from newsdedup.core.text.tokens import tokens
from newsdedup.engine.analyzer import ItemAnalyzer, entry_of
from newsdedup.engine.comparison import (
    ComparedItem,
    ItemComparison,
    explain_comparison,
    explanation_json,
    weighed_reasons,
)
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.ports.store import LedgerRow, Lookup
from newsdedup.server.pages.check import CheckView, PairCheck
from newsdedup.server.pages.languages import translate_sentence
from newsdedup.server.pages.rendering import PageContext, render_page
from newsdedup.server.pages.stories import plain_paragraphs
from newsdedup.server.pages.word_diff import diff_words

LANGUAGES = ("en", "ru", "uk")
"""Of the interface."""
_SHOWN = ("verified", "marked", "terms", "minhash")
"""Rules whose explanations are shown: one of each class."""
KEYS = Keys("news", 1 << 10)
WINDOW = 72 * HOUR
_MOST_BYTES = 2_000
"""Of a shortened event: less than most items have."""


class _Side(NamedTuple):
    """One of both items, with its entries by rule."""

    item: NewsItem
    analyzed: object
    entries: dict


class Machinery:
    """Analyzer and rules, made once: every fingerprint method signs every item."""

    def __init__(self):
        self.table = shipped_background()
        self.methods = load_methods(pivots=self.table.pivots)
        documents = document_analyzer(build_settings({}), self.table)
        zones = PublisherZones(None, {"zoned": ZoneInfo("Pacific/Apia")})
        self.analyzer = ItemAnalyzer(
            documents,
            terms=12,
            methods=tuple(self.methods.values()),
            table=self.table,
            verified=True,
            zones=zones,
        )
        verified = VerifiedRule(shipped_model(), WINDOW)
        self.rules = {
            "terms": TermsRule(),
            "verified": verified,
            "marked": SketchRule(verified, tuple(self.methods.values())),
            **{name: MethodRule(method, WINDOW) for name, method in self.methods.items()},
        }
        self.codec = ValueCodec()

    def side(self, line: bytes) -> _Side | None:
        """Return an item of a line with its entries; None of a line that is refused."""
        try:
            item = decode_item(line)
        except InvalidItem:
            return None
        analyzed = self.analyzer.analyze(item, line)
        at = item.published_at or item.seen_at
        entry = entry_of(analyzed, at=0 if at is None else to_micros(at))
        entries = dict.fromkeys(("terms", "verified", "marked"), entry)
        entries["terms"] = entry._replace(sketches=(), passages=())
        entries["verified"] = entry._replace(sketches=entry.sketches[-1:])
        for name, sketch in zip(self.methods, entry.sketches, strict=False):
            entries[name] = entry._replace(sketches=(sketch,), passages=())
        return _Side(item, analyzed, entries)


machinery = cache(Machinery)


def check_pair(left: bytes, right: bytes, *, thorough: bool = True) -> str:
    """Check everything of two lines of JSON; return the relation by rule `verified`, or "refused".

    Raise AssertionError, or whatever the engine raises, for a defect. `thorough` explains and
    publishes by every rule, not by `verified` and `terms` alone, and shows both on a page and in a
    terminal, which takes longest.
    """
    all_of = machinery()
    a, b = all_of.side(left), all_of.side(right)
    if a is None or b is None:
        assert headline(left) is not None
        return "refused"
    for one, line in ((a, left), (b, right)):
        check_item(one, line)
    for name, rule in all_of.rules.items():
        check_rule(rule, a.entries[name], b.entries[name])
        if thorough or name in ("verified", "terms"):
            check_explanation(rule, name, a, b, shown=thorough and name in _SHOWN)
            check_explanation(rule, name, b, a)
    check_filter(all_of.rules["verified"], a.entries["verified"], b.entries["verified"])
    for name in all_of.rules if thorough else ("verified", "terms"):
        check_engine(name, [(left, a), (right, b)])
    texts = ["\n".join(plain_paragraphs(f"{one.item.title}\n{one.item.text}")) for one in (a, b)]
    difference = diff_words(*texts)
    assert difference.likeness <= 1
    msgspec.json.encode(difference)
    diff_words(*texts[::-1])
    match = all_of.rules["verified"].match(a.entries["verified"], b.entries["verified"])
    return "none" if match is None else match.relation


def check_item(one: _Side, line: bytes):
    """Check facts, the packed view, the stored record and that the same item is the same."""
    all_of = machinery()
    entry, document = one.entries["marked"], one.analyzed.document
    for published in (None, one.item.published_at and one.item.published_at.date()):
        stated = extract_facts(document.text, tokens(document.text), published=published, hour=0)
        for fact in stated:
            assert fact.kind <= FactKind.MONEY or fact.value >= 0, fact
            assert fact.kind is not FactKind.DAY or is_calendar_day(fact.value), fact
            assert fact.kind is not FactKind.CLOCK or fact.value <= 24 * 60, fact
        codes = encode_facts(stated)
        assert unpack_codes(pack_codes(codes)) == codes == tuple(sorted(codes))
        for decoded in map(decode_fact, codes):
            assert decoded.kind is not FactKind.DAY or is_calendar_day(decoded.value)
            assert decoded.kind is not FactKind.DAY or format_day(decoded.value)
    for kept in (
        entry,
        *[entry._replace(sketches=(p.sketch,), terms=p.terms) for p in entry.passages],
    ):
        sketch = read_sketch(kept)
        assert pack_sketch(sketch).body == kept.sketches[-1].body
        assert isinstance(sketch, VerifierSketch)
    record = Record(entry, past=(entry,), leader=entry.key, original=entry.key)
    assert all_of.codec.decode_record(all_of.codec.encode_record(record, bucket=5)) == (5, record)
    for name, rule in all_of.rules.items():
        check_lookups(entry.key, rule.index_keys(one.entries[name]))
    again = all_of.side(line)
    assert again.entries == one.entries
    assert title_of(one.item) is not None


def check_lookups(key, filing):
    """Check that Redis can be asked for an item and for what is near it."""
    asked = [Lookup("item", key), Lookup("leaders", filing=filing), Lookup("followers", key)]
    asked.append(Lookup("members", filing=filing, since=0))
    names, arguments = encode_lookups(KEYS, asked, (3, 4))
    assert all(isinstance(name, str) for name in names)
    assert len(arguments) == 2
    assert all(lookup_addresses(KEYS, each) is not None for each in asked)


def check_rule(rule, a, b):
    """Check the laws of a rule: symmetry, bounds, that an entry matches itself and is found."""
    match = rule.match(a, b)
    assert match == rule.match(b, a)
    assert match is None or 0 < match.score <= 1
    for one in (a, b):
        itself = rule.match(one, one)
        assert itself is not None
        assert itself.duplicate
        keys = rule.index_keys(one)
        assert all(0 <= key < 1 << 64 for key in (*keys.counted, *keys.sure))
    ours, theirs = rule.index_keys(a), rule.index_keys(b)
    assert are_candidates(ours, theirs) == are_candidates(theirs, ours)
    here, there = rule.details(a, b), rule.details(b, a)
    assert here._replace(moved=()) == there._replace(moved=())
    assert {(m.kind, m.unit, m.was, m.now) for m in here.moved} == {
        (m.kind, m.unit, m.now, m.was) for m in there.moved
    }


def check_filter(rule, a, b):
    """Check that the quick look at rows rules out no pair that matches."""
    match = rule.match(a, b)
    for one, other in ((a, b), (b, a)):
        rows = near_records([Record(other)], rule.candidate_filter).rows
        prospects = rule.candidate_filter.prospects(one, rows)
        if match is None or prospects is None:
            continue
        assert len(prospects.indexes) == 1, match
        assert prospects.scores[0] >= match.score - 1e-9
        assert prospects.duplicates[0] or not match.duplicate


def check_explanation(rule, name, a, b, *, shown=False):
    """Check that the verdict is explained in all languages, if `shown` also to people."""
    sides = [
        ComparedItem(
            *one.item.key,
            title_of(one.item),
            one.analyzed.document.lang,
            None,
            ExplainedItem(one.entries[name], one.analyzed.terms),
        )
        for one in (a, b)
    ]
    comparison = ItemComparison(*sides, rule)
    why = explain_comparison(comparison)
    assert why.why
    for sentence in (*why.why, *why.otherwise):
        for lang in LANGUAGES:
            assert translate_sentence(sentence, lang).lang == lang, sentence
    weighed_reasons(comparison)
    msgspec.json.encode(explanation_json(comparison, why))
    if shown:
        check_page(comparison, (a, b))
        print_explanation(comparison, why, Console(file=StringIO(), width=80))


def check_page(comparison, sides):
    """Check the page that shows both texts word by word, with the reasons, in all languages."""
    texts = [f"{one.item.title}\n{one.item.text}" for one in sides]
    explanation = explain_comparison(comparison)
    pair = PairCheck(
        languages=tuple(one.lang for one in (comparison.a, comparison.b)),
        explanation=explanation,
        reasons=weighed_reasons(comparison),
        relation=explanation.relation,
        sentences=(*explanation.why, *explanation.otherwise),
        diff=diff_words(*["\n".join(plain_paragraphs(text)) for text in texts]),
    )
    view = CheckView(against="text", a=texts[0], b=texts[1], pair=pair)
    for lang in LANGUAGES:
        context = PageContext(lang=lang, path="/check", twin_path="", query={})
        assert render_page("check.html", view, context)


def check_stream(lines):
    """Check the events of many items, each judged in the window of those before it."""
    all_of = machinery()
    for name in ("verified", "terms"):
        rule = all_of.rules[name]
        engine = Deduplicate(
            rule=rule,
            store=MemoryStore(rule),
            ledger=MemoryLedger(),
            recorder=stream_recorder(rule),
        )
        for number, line in enumerate(lines):
            # Every seventh is an edit of the one before.
            renamed = json.dumps(
                json.loads(line) | {"id": str(number - (number % 7 == 0))}
            ).encode()
            one = all_of.side(renamed)
            if one is not None:
                check_events(engine.publish(_for_rule(one, name, renamed)))
        for number in range(0, len(lines), 5):
            for source in {json.loads(line)["source"] for line in lines}:
                check_events(engine.command(Retract(ItemKey(source, str(number)))))


def check_engine(name, pair):
    """Check the events of both items, of an edit, of a redelivery and of a retraction."""
    all_of = machinery()
    rule = all_of.rules[name]
    engine = Deduplicate(
        rule=rule, store=MemoryStore(rule), ledger=MemoryLedger(), recorder=stream_recorder(rule)
    )
    (_, a), (right, b) = pair
    arrivals = [_for_rule(one, name, line) for line, one in pair]
    events = [event for each in arrivals for event in engine.publish(each)]
    events += engine.publish(arrivals[0])
    edited = json.loads(right) | {"id": a.item.key.id, "source": a.item.key.source}
    line = json.dumps(edited).encode()
    events += engine.publish(_for_rule(all_of.side(line), name, line))
    events += engine.command(Retract(b.item.key))
    check_events(events)


def check_events(events):
    """Check that events are written, kept in the ledger, read and shortened."""
    codec = machinery().codec
    for event in events:
        if isinstance(event.payload, Judgement):
            judgement = encode_judgement(event.payload)
            assert decode_judgement(judgement) == event.payload
            rows = (LedgerRow(event.payload.version, event.received, judgement),)
            assert codec.decode_rows(codec.encode_rows(rows)) == rows
        encoded = encode_event(event)
        assert decode_payload(
            msgspec.json.decode(encoded, type=dict[str, msgspec.Raw])["dedup"]
        ) == (event.payload)
        shorter = shorten_event(event, most=_MOST_BYTES)
        assert shorter is None or len(encode_event(shorter)) <= _MOST_BYTES


def _for_rule(one, name, line):
    """Return an analyzed item with the sketches that a rule keeps."""
    entry = one.entries[name]
    return replace(one.analyzed, sketches=entry.sketches, passages=entry.passages, received=line)


def line_of(title, text, *, name, source, minutes=0, begin=None, **fields):
    """Return an item as a line of JSON; it is `minutes` later than the first."""
    begin = begin or datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
    try:
        at = begin + timedelta(minutes=minutes)
    except OverflowError:
        at = begin
    return json.dumps(
        {"source": source, "id": name, "title": title, "text": text,
         "published_at": at.isoformat(), **fields}
    ).encode()  # fmt: skip
