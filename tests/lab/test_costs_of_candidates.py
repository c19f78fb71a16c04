"""What a candidate and an entry cost, while real entries are judged."""

import msgspec

from core.verify.retold import REPORTS, RULE, entry
from newsdedup.core.matching.rules import TermsRule
from newsdedup_lab.bench.candidates import ClockedRule, index_all, measure_candidates

COPIES = sorted(
    [
        entry(report.text, source=source, name=report.name, hours=hours)
        for report in REPORTS
        for source, hours in (("a", 0), ("b", 1), ("c", 2))
    ],
    key=lambda one: one.order,
)


def test_each_comparison_with_a_candidate_is_counted():
    costs = measure_candidates(COPIES, RULE)
    # A second and a third copy each meet the first one, and no report another one.
    assert costs["candidates"]["compared"] == 2 * len(REPORTS)
    assert 0 < costs["candidates"]["p50_us"] <= costs["candidates"]["p99_us"]


def test_an_entry_is_as_large_as_it_is_kept():
    sizes = sorted(len(msgspec.msgpack.encode(one)) for one in COPIES)
    costs = measure_candidates(COPIES, RULE)["entry_bytes"]
    assert costs["most"] == sizes[-1]
    assert sizes[0] <= costs["p50"] <= sizes[-1]


def test_without_candidates_there_is_no_time_to_tell():
    assert measure_candidates(COPIES[:1], RULE)["candidates"] == {"compared": 0}


def test_a_clocked_rule_says_what_the_rule_says():
    for rule in (RULE, TermsRule()):
        clocked = ClockedRule(rule)
        one, other = COPIES[:2]
        assert clocked.match(one, other) == rule.match(one, other)
        assert clocked.matcher(one)(other) == rule.matcher(one)(other)
        assert clocked.details(one, other) == rule.details(one, other)
        assert (clocked.name, clocked.version) == (rule.name, rule.version)
        assert len(clocked.spent) == 1
        index_all(COPIES, clocked)
        assert len(clocked.spent) > 1
