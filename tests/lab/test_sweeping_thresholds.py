"""The sweep of a rule against what the rule itself says at each threshold."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest

from newsdedup import NewsItem
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.bootstrap.rules import (
    document_analyzer,
    item_analyzer,
    load_background,
    make_rule,
    stream_recorder,
)
from newsdedup.config import RuleSettings, Settings
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.synthetic.stream import demo_stream
from newsdedup_lab.collections.pairs import LabelledPair
from newsdedup_lab.score.replay import Replay, replay_collection
from newsdedup_lab.score.sweep import Sweep, method_sweeps, rule_sweep

pytestmark = pytest.mark.usefixtures("long")

ITEMS = 40
SOME = ("descr_words", "megashingles", "longest_words")
TERMS = range(2, 13)


@cache
def demo_items() -> list[tuple[NewsItem, str]]:
    """Return the items of the demo under ids of their own, with their stories."""
    found = []
    for at, planted in zip(range(ITEMS), demo_stream(), strict=False):
        item = {**planted.item, "id": str(at)}
        found.append((_item(item), planted.truth.story))
    return found


def _item(record: dict) -> NewsItem:
    import msgspec  # noqa: PLC0415 - only few commands print such values

    item = decode_item(msgspec.json.encode(record), limits=LIMITS, source="")
    assert isinstance(item, NewsItem)
    return item


@cache
def replay(chosen: RuleSettings) -> Replay:
    settings = replace(Settings(), rule=chosen)
    rule = make_rule(settings)
    analyzer = item_analyzer(settings)
    return replay_collection(
        [analyzer.analyze(item) for item, _ in demo_items()], rule, stream_recorder(rule)
    )


@cache
def pairs() -> list[LabelledPair]:
    both = combinations(demo_items(), 2)
    return [
        LabelledPair(one.key.id, other.key.id, of == to, weight=2.0 if of == to else 1.0)
        for (one, of), (other, to) in both
    ]


def found_at(sweep: Sweep, threshold: float) -> list[bool]:
    return [score >= threshold for score in sweep.scores]


def decided(over: Replay, rule) -> list[bool]:
    matches = [rule.match(*over.entries(pair)) for pair in pairs()]
    return [match is not None and match.duplicate for match in matches]


def test_every_number_of_shared_terms_finds_what_the_rule_finds_with_it() -> None:
    over = replay(RuleSettings(name="terms"))
    sweep = rule_sweep(pairs(), over, terms=12)
    assert (sweep.name, sweep.scale, sweep.threshold) == ("terms", "shared terms", 6)
    for asked in TERMS:
        rule = replace(over.rule, duplicate=asked, similar=2)
        assert found_at(sweep, asked) == decided(over, rule)


@pytest.mark.parametrize("threshold", [0.05, 0.3, None, 0.9])
def test_every_threshold_of_the_model_finds_what_the_rule_finds_with_it(threshold) -> None:
    over = replay(RuleSettings())
    rule = over.rule
    assert isinstance(rule, VerifiedRule)
    sweep = rule_sweep(pairs(), over, terms=12)
    own = rule.threshold if threshold is None else threshold
    other = VerifiedRule(rule.model, rule.window, threshold=own)
    assert found_at(sweep, own) == decided(over, other)


@pytest.mark.parametrize("name", SOME)
def test_a_method_is_swept_alike_as_a_rule_and_alongside_one(name: str) -> None:
    over = replay(RuleSettings(name=name))
    settings = Settings()
    table = load_background(settings)
    vocabulary = document_analyzer(settings, table).vocabulary
    (alongside,) = method_sweeps(pairs(), over, [name], table, vocabulary)
    alone = rule_sweep(pairs(), over, terms=12)
    assert alongside == alone
    assert found_at(alone, alone.threshold) == decided(over, over.rule)


def test_the_curve_counts_pairs_or_what_they_stand_for() -> None:
    sweep = rule_sweep(pairs(), replay(RuleSettings(name="terms")), terms=12)
    plain = {one.threshold: one for one in sweep.curve(weighted=False)}
    weighted = {one.threshold: one for one in sweep.curve(weighted=True)}
    hits = sum(
        found and pair.duplicate for found, pair in zip(found_at(sweep, 6), pairs(), strict=True)
    )
    found = sum(found_at(sweep, 6))
    assert hits
    assert plain[6].precision == hits / found
    assert weighted[6].precision == 2 * hits / (found + hits)
    assert plain[6].recall == weighted[6].recall


def test_a_part_of_the_pairs_keeps_its_scores() -> None:
    sweep = rule_sweep(pairs(), replay(RuleSettings(name="terms")), terms=12)
    few = sweep.pairs[5:9]
    assert sweep.for_pairs(few).scores == sweep.scores[5:9]
