"""The rule of a state, read from what the state says of how it was made."""

import re
from datetime import timedelta

from newsdedup.core.rules import TermsRule
from newsdedup.core.window import MICROSECOND
from newsdedup.ports import StateUnusable

MADE_BY = re.compile(
    r"rule (?P<rule>terms-1/(?P<duplicate>[0-9]{1,9})/(?P<similar>[0-9]{1,9})) of [0-9]{1,9} terms,"
    r" window (?P<hours>[0-9.e+-]{1,24})h,"
)
"""What bootstrap.made_by writes; tests/adapters/test_state_rule.py holds the two together."""


def rule_of(made_by: str) -> TermsRule:
    """Return the rule that made a state; raise StateUnusable if it is none that we know.

    A window of whole hours is exact, another is told in six digits.
    """
    found = MADE_BY.match(made_by)
    if found is None:
        raise StateUnusable(f"this state was judged by a rule that is unknown here: {made_by}")
    return TermsRule(
        duplicate=int(found["duplicate"]),
        similar=int(found["similar"]),
        window=timedelta(hours=float(found["hours"])) // MICROSECOND,
    )
