"""The short form of scripts/feed-kills."""

import pytest

from feeder.killed_feeder import kills_with_engine, kills_with_file, kills_with_kafka


@pytest.mark.usefixtures("process")
def test_a_feeder_that_is_killed_loses_no_item_of_its_file(tmp_path):
    outcome = kills_with_file(tmp_path, kills=3, seed=5)
    assert outcome.sound, outcome
    assert outcome.kills == 3
    assert outcome.published > 20


@pytest.mark.usefixtures("process")
def test_a_feeder_that_is_killed_loses_no_item_of_its_events(tmp_path):
    outcome = kills_with_engine(tmp_path, kills=2, seed=5)
    assert outcome.sound, outcome
    assert outcome.kills == 2


def test_a_feeder_that_is_killed_loses_no_item_of_its_topic(tmp_path, kafka):
    outcome = kills_with_kafka(tmp_path, kafka.address, kills=3, seed=5)
    assert outcome.sound, outcome
    assert outcome.kills == 3
