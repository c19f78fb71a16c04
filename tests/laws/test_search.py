"""Comparing best first chooses what comparing everything would choose."""

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.streams import entry
from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.rows import FEW, HEADER, Prospects, Rows, hash_text, near_records
from newsdedup.core.matching.rules import Matcher
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.model import Entry, ItemKey, Match
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.choice import Choice, find_moved, may_move
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import entry_of
from newsdedup.synthetic.stream import generate_stream

SCORES = (0.02, 0.24, 0.25, 0.36, 0.61, 0.64, 0.83, 0.87, 0.9, 1.0)
matches = st.one_of(
    st.none(),
    st.builds(Match, st.sampled_from(SCORES), st.sampled_from(["similar", "update", "part"])),
    st.builds(Match, st.sampled_from(SCORES[5:]), st.sampled_from(["reprint", "rewrite"])),
)
"""What a leader is to the item, drawn beforehand."""
slack = st.sampled_from([0.0, 0.0, 0.02, 1.0])
roles = st.sampled_from([None, None, *range(4)])
"""Of a variant the number of its leader."""
near_it = st.tuples(matches, slack, st.booleans(), st.integers(-9, 9), st.sampled_from("st"), roles)
leaders = st.lists(near_it, min_size=FEW + 1, max_size=24)
"""More than a few: those are compared without bounds."""


class DrawnRule:
    """A rule whose matches and bounds were drawn; `bounded=False` makes it compare everything."""

    row = np.dtype([*HEADER.descr, ("name", "O")])
    window = 100

    def __init__(self, drawn: dict[str, tuple[Match | None, float, bool]], *, bounded: bool):
        self.drawn = drawn
        self.candidate_filter = self if bounded else None
        self.compared: list[str] = []

    def matcher(self, _one: Entry) -> Matcher:
        def match(other: Entry) -> Match | None:
            self.compared.append(other.key.id)
            return self.drawn[other.key.id][0]

        return match

    def make_rows(self, entries: Sequence[Entry]) -> Rows:
        rows = np.zeros(len(entries), self.row)
        rows["effective_at"] = [one.effective_at for one in entries]
        rows["name"] = [one.key.id for one in entries]
        rows["source"] = [hash_text(one.key.source) for one in entries]
        return rows

    def prospects(self, _one: Entry, rows: Rows) -> Prospects | None:
        bounds = []
        for index, name in enumerate(rows["name"]):
            match, loose, hopeless = self.drawn[name]
            if match is None and hopeless:
                continue
            score = match.score if match else 0.3
            may_be_copy = loose == 1.0 or (match is not None and match.duplicate)
            bounds.append((index, min(1.0, score + loose), may_be_copy))
        indexes, scores, copies = zip(*bounds, strict=True) if bounds else ((), (), ())
        return Prospects(np.array(indexes, int), np.array(scores), np.array(copies, bool))


def drawn_rules(drawn) -> tuple[list[Record], DrawnRule, DrawnRule]:
    near = [
        Record(one := entry(f"l{index}", {1, 2}, at=at, source=source), leader=one.key)
        for index, (_, _, _, at, source, _) in enumerate(drawn)
    ]
    for index, (*_, number) in enumerate(drawn):
        if number is not None and number < len(near) and number != index:
            leader = near[number].entry.key
            near[index] = near[index]._replace(leader=leader, match=Match(0.6, "rewrite"))
    table = {f"l{index}": one[:3] for index, one in enumerate(drawn)}
    return near, DrawnRule(table, bounded=True), DrawnRule(table, bounded=False)


def unknown(_: ItemKey) -> None:
    """Return that an item is not stored: all that are drawn are near."""


@given(leaders)
def test_the_choice_is_that_of_a_comparison_with_all(drawn):
    near, bounded, thorough = drawn_rules(drawn)
    item = Record(entry("item", {1, 2}, at=0))
    some, every = (Choice(item, near, rule, unknown) for rule in (bounded, thorough))
    assert some.choose() == every.choose()
    assert some.named == every.named
    for leads in (True, False):
        moved = some.moved(leads=leads, bars=not leads)
        assert moved == every.moved(leads=leads, bars=not leads)
    assert set(bounded.compared) <= set(thorough.compared)


members = st.lists(st.tuples(near_it, matches, st.booleans()), min_size=FEW + 1, max_size=24)


@given(members, st.booleans())
def test_the_members_that_are_moved_are_those_of_a_comparison_with_all(drawn, leads):
    near, bounded, thorough = drawn_rules([one[0] for one in drawn])
    leader = entry("item", {1, 2}, at=0)
    near = [
        record._replace(leader=leader.key, match=match, similar=leader.key if through else None)
        for record, (_, match, through) in zip(near, drawn, strict=True)
    ]
    moved = list(find_moved(leader, near, bounded, leads=leads, bars=not leads))
    assert moved == list(find_moved(leader, near, thorough, leads=leads, bars=not leads))
    for record in moved:
        match = bounded.drawn[record.key.id][0]
        assert may_move(match, leader, record, leads=leads, bars=not leads)


def test_who_cannot_win_is_not_compared():
    link, copy = Match(0.3, "update"), Match(0.9, "rewrite")
    links = [(link, 0.0, False, -at, "r", None) for at in range(3, 12)]
    first = [(link, 0.0, False, -1, "r", None), (copy, 0.0, False, -2, "r", None)]
    near, bounded, _ = drawn_rules([*first, *links])
    Choice(Record(entry("item", {1, 2}, at=0)), near, bounded, unknown).choose()
    assert bounded.compared == ["l1"]


def test_variants_are_not_compared_if_they_cannot_match_as_well_as_the_leader():
    copy, variant = Match(0.9, "rewrite"), Match(0.83, "rewrite")
    variants = [(variant, 0.0, False, -at, "r", 0) for at in range(3, 12)]
    near, bounded, _ = drawn_rules([(copy, 0.0, False, -12, "r", None), *variants])
    Choice(Record(entry("item", {1, 2}, at=0)), near, bounded, unknown).choose()
    assert bounded.compared == ["l0"]


def test_the_first_variant_that_matches_as_well_as_the_leader_is_named():
    copy, variant = Match(0.64, "rewrite"), Match(0.61, "rewrite")
    variants = [(variant, 0.0, False, -at, "r", 0) for at in range(3, 12)]
    near, bounded, _ = drawn_rules([(copy, 0.0, False, -12, "r", None), *variants])
    chosen = Choice(Record(entry("item", {1, 2}, at=0)), near, bounded, unknown).choose()
    assert chosen.leader == near[0].key
    assert chosen.matched == near[9].key
    assert chosen.match == variant


RULE = make_rule(Settings())


def made_up_entries(count: int) -> list[Entry]:
    """Return entries as a run would make them, with the present statistics of their sources."""
    analyzer, recorder = item_analyzer(Settings()), StatisticsRecorder(RULE)
    made = []
    for planted in generate_stream(count):
        item = item_json.decode_item(msgspec.json.encode(planted.item))
        at = to_micros(item.published_at) if item.published_at else 0
        one = recorder.statistics.freeze(entry_of(analyzer.analyze(item, b""), at=at))
        recorder.learn(one, [Record(other) for other in made[-20:]])
        made.append(one)
    return made


@pytest.mark.usefixtures("long")
def test_what_is_no_prospect_does_not_match_and_no_match_is_better_than_its_prospect():
    stream = made_up_entries(300)
    ruled_out = 0
    rows = near_records([Record(one) for one in stream], RULE.candidate_filter).rows
    for one in stream[::7]:
        found = RULE.candidate_filter.prospects(one, rows)
        if found is None:
            assert one.passages
            continue
        prospects = {index: (score, copy) for index, score, copy in zip(*found, strict=True)}
        match_with = RULE.matcher(one)
        ruled_out += len(stream) - len(prospects)
        for index, other in enumerate(stream):
            match = match_with(other)
            if match is not None:
                score, copy = prospects[index]
                assert match.score <= score
                assert copy or not match.duplicate
    assert ruled_out > 0.8 * len(stream[::7]) * len(stream)
