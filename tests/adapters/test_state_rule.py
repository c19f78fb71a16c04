from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup import bootstrap
from newsdedup.adapters.state_rule import rule_of
from newsdedup.config import RuleSettings, Settings
from newsdedup.core.background import NOTHING_COUNTED
from newsdedup.ports import StateUnusable

UNCOUNTED = bootstrap.analyzer(Settings(), NOTHING_COUNTED)


@given(st.integers(2, 64), st.integers(0, 30), st.integers(1, 876_000))
def test_the_rule_is_read_from_what_a_run_writes(similar, more, hours):
    chosen = RuleSettings(similar=similar, duplicate=similar + more, window=timedelta(hours=hours))
    settings = replace(Settings(), rule=chosen)
    assert rule_of(bootstrap.made_by(settings, UNCOUNTED)) == bootstrap.rule(settings)


def test_a_window_of_minutes_is_read_to_six_digits():
    settings = replace(Settings(), rule=RuleSettings(window=timedelta(minutes=50)))
    window = rule_of(bootstrap.made_by(settings, UNCOUNTED)).window
    assert window == pytest.approx(timedelta(minutes=50) / timedelta(microseconds=1), rel=1e-6)


@pytest.mark.parametrize("made_by", ["", "rule verified-1 of 12 terms", "9" * 100_000])
def test_another_rule_is_not_mistaken_for_it(made_by):
    with pytest.raises(StateUnusable, match="unknown here"):
        rule_of(made_by)
