"""What moved between a message of a digest and another report, seen from either side."""

from core.verify.test_verify_passages import entry
from laws.round_ups import REPORTS, RULE, digest
from newsdedup.core.events import Counted
from newsdedup.core.evidence import evidence
from newsdedup.core.verified_rule import PASSAGE


def test_each_side_sees_its_own_value_here():
    whole = entry("d", digest("en"))
    report = entry("p", REPORTS["en"][0].replace("14 months", "16 months"), minutes=60)
    for own, other, moved in (
        (whole, report, Counted("month", here="14", there="16")),
        (report, whole, Counted("month", here="16", there="14")),
    ):
        grounds = RULE.grounds(own, other)
        assert grounds.fingerprints == (PASSAGE,)
        told = evidence(own._replace(terms=()), (), other, grounds)
        assert told.moved == (moved,)


def test_values_of_other_messages_of_the_digest_do_not_count():
    whole = entry("d", digest("en"))
    report = entry("p", REPORTS["en"][1].replace("4:1", "4:2"), minutes=60)
    moved = RULE.grounds(report, whole).moved
    assert [(move.was, move.now) for move in moved] == [(4_002, 4_001)]
