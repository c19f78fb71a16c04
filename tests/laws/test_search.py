"""Comparing best first chooses what comparing everything would choose."""

from collections.abc import Sequence

import msgspec
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from laws.streams import entry
from newsdedup.adapters.formats import item_json
from newsdedup.bootstrap.rules import item_analyzer, make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.rows import HEADER, Prospects, Rows, near_records
from newsdedup.core.matching.rules import Matcher
from newsdedup.core.matching.stream_statistics import StatisticsRecorder
from newsdedup.core.model import Entry, Match
from newsdedup.core.moments import to_micros
from newsdedup.core.stories.judge import choose_leader, find_attracted, find_matches, grade
from newsdedup.core.stories.records import Record
from newsdedup.engine.analyzer import entry_of
from newsdedup.synthetic.stream import generate_stream

SCORES = (0.02, 0.11, 0.24, 0.25, 0.36, 0.61, 0.64, 0.66, 0.83, 1.0)
matches = st.one_of(
    st.none(),
    st.builds(Match, st.sampled_from(SCORES), st.sampled_from(["similar", "update", "part"])),
    st.builds(Match, st.sampled_from(SCORES[5:]), st.sampled_from(["reprint", "rewrite"])),
)
"""What a leader is to the item, drawn beforehand."""
slack = st.sampled_from([0.0, 0.02, 0.3, 1.0])
leaders = st.lists(st.tuples(matches, slack, st.booleans(), st.integers(-9, 9)), max_size=24)


class DrawnRule:
    """A rule whose matches and bounds were drawn; `bounded=False` makes it compare everything."""

    row = np.dtype([*HEADER.descr, ("name", "O")])

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
        Record(entry(f"l{index}", {1, 2}, at=at), leader=None)
        for index, (_, _, _, at) in enumerate(drawn)
    ]
    table = {f"l{index}": one[:3] for index, one in enumerate(drawn)}
    return near, DrawnRule(table, bounded=True), DrawnRule(table, bounded=False)


@given(leaders)
def test_the_choice_is_that_of_a_comparison_with_all(drawn):
    near, bounded, thorough = drawn_rules(drawn)
    item = Record(entry("item", {1, 2}, at=0))
    some, later = find_matches(item, near, bounded)
    every, all_later = find_matches(item, near, thorough)
    assert choose_leader(item, some) == choose_leader(item, every)
    assert later == all_later
    assert set(bounded.compared) <= set(thorough.compared)


members = st.lists(st.tuples(matches, slack, st.booleans(), matches), max_size=24)


@given(members)
def test_the_members_won_are_those_of_a_comparison_with_all(drawn):
    near, bounded, thorough = drawn_rules([(*one[:3], index) for index, one in enumerate(drawn)])
    near = [record._replace(match=one[3]) for record, one in zip(near, drawn, strict=True)]
    leader = entry("item", {1, 2}, at=0)
    won = list(find_attracted(leader, near, bounded))
    assert won == list(find_attracted(leader, near, thorough))
    for record in won:
        match = bounded.drawn[record.key.id][0]
        assert record.match is None or grade(match.score) >= grade(record.match.score)


def test_who_cannot_win_is_not_compared():
    link, copy = Match(0.3, "update"), Match(0.9, "rewrite")
    links = [(link, 0.0, False, -at) for at in range(3, 12)]
    near, bounded, _ = drawn_rules([(link, 0.0, False, -1), (copy, 0.0, False, -2), *links])
    find_matches(Record(entry("item", {1, 2}, at=0)), near, bounded)
    assert bounded.compared == ["l1"]


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
