"""What moved between a message of a digest and another report, seen from either side."""

from core.verify.test_verify_passages import entry
from laws.round_ups import REPORTS, RULE, TITLES
from newsdedup.core.events import Counted
from newsdedup.core.matching.explanation import build_evidence
from newsdedup.core.matching.verified_rule import PASSAGE

BRIDGE = (
    "The bridge over the river Velna in Marstad reopened on Monday after a repair that took 14"
    " months and cost 32 million crowns, mayor Ida Holm said. The old bridge of 1911 had been"
    " closed since a barge hit its third pillar. Engineers replaced 240 beams and laid 3,500"
    " paving stones by hand. Up to 900 lorries crossed the ferry each day meanwhile, and its"
    " captain Olaf Brenn retires with the last of them."
)
DIGEST = "\n\n".join((TITLES["en"], BRIDGE, *REPORTS["en"][1:]))


def test_each_side_sees_its_own_value_here():
    whole = entry("d", DIGEST)
    report = entry("p", BRIDGE.replace("240 beams", "270 beams"), minutes=60)
    for own, other, here, there in ((whole, report, "240", "270"), (report, whole, "270", "240")):
        grounds = RULE.details(own, other)
        assert grounds.fingerprints == (PASSAGE,)
        evidence = build_evidence(own._replace(terms=()), (), other, grounds)
        assert evidence.moved == (Counted(None, here=here, there=there),)
