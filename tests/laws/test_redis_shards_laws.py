"""The laws of every store, held over shards by the same tests, with fewer examples."""

import pytest
from hypothesis import HealthCheck, given, settings

from laws import test_lateness, test_retractions, test_stores
from laws.streams import entries
from laws.test_lateness import LATENESS, RULE, long_streams
from laws.test_lateness import (
    test_items_that_come_no_later_than_allowed_end_in_the_stories_of_the_definition as stories,
)
from laws.test_retractions import acts
from laws.test_stores import streams

HOUR = test_lateness.HOUR
few = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def kind(shared_shards):
    return shared_shards.store


@pytest.fixture
def opened(shared_shards):
    return lambda: shared_shards.engine(RULE, lateness=LATENESS * HOUR)


@few
@given(stream=streams, probe=entries())
def test_shards_find_the_leaders_whose_filings_meet_and_no_others(kind, stream, probe):
    law = test_stores.test_the_leaders_whose_filings_meet_are_found_and_no_others
    law.hypothesis.inner_test(kind, stream, probe)


@few
@given(stream=streams, probe=entries())
def test_shards_find_the_members_that_are_not_earlier_and_no_others(kind, stream, probe):
    law = test_stores.test_the_members_that_are_not_earlier_are_found_and_no_others
    law.hypothesis.inner_test(kind, stream, probe)


@few
@given(stream=streams)
def test_followers_in_shards_are_exactly_those_whose_leader_it_is(kind, stream):
    law = test_stores.test_followers_are_exactly_those_whose_leader_it_is
    law.hypothesis.inner_test(kind, stream)


@few
@given(arrivals=long_streams())
def test_items_in_shards_end_in_the_stories_of_the_definition(opened, arrivals):
    stories.hypothesis.inner_test(opened, arrivals)


@few
@given(arrivals=long_streams())
def test_shards_tell_the_same_events_as_memory(opened, arrivals):
    law = test_lateness.test_every_store_tells_the_same_events_as_memory
    law.hypothesis.inner_test(opened, arrivals)


@few
@given(told=acts())
def test_shards_tell_the_same_of_retractions_and_edits_as_memory(opened, told):
    law = test_retractions.test_every_store_tells_the_same_of_retractions_and_edits_as_memory
    law.hypothesis.inner_test(opened, told)


@pytest.mark.parametrize(
    "law",
    [
        test_stores.test_an_unknown_item_is_not_answered,
        test_stores.test_what_expired_is_found_no_more_and_the_rest_still_is,
        test_stores.test_an_item_that_expired_may_come_again,
    ],
)
def test_shards_forget_what_has_expired(kind, law):
    law(kind)
