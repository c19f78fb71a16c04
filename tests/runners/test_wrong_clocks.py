"""Workers whose clock is wrong: Kafka refuses records of the future, by default beyond an hour."""

import pytest

from runners.streaming import Stream
from servers.process import wait_until
from servers.wrong_clock import WrongClock

pytestmark = pytest.mark.usefixtures("process", "faketime")
ITEM = {"source": "a", "id": "1", "text": "The bridge over the river Vils is open again."}


def test_a_worker_whose_clock_is_hours_ahead_names_the_cause_and_goes_on_when_it_is_right(
    kafka, redis, tmp_path
):
    stream, clock = Stream(kafka, redis, tmp_path), WrongClock(tmp_path / "clock")
    clock.turn(7_200)
    with stream.worker(environ=clock.environment):
        stream.produce([ITEM])
        wait_until(lambda: "the clock of this machine is ahead" in stream.logs(), what="the cause")
        assert stream.length() == 0
        clock.turn(0)
        stream.judged(1)


def test_a_worker_whose_clock_is_days_behind_judges_as_others_do(kafka, redis, tmp_path):
    stream, clock = Stream(kafka, redis, tmp_path), WrongClock(tmp_path / "clock")
    clock.turn(-30 * 86_400)
    copy = {**ITEM, "source": "b", "id": "2"}
    with stream.worker(environ=clock.environment):
        stream.produce([ITEM, copy], partition=0)
        events = stream.judged(2)
    assert sorted(one.dedup["verdict"] for one in events) == ["duplicate", "original"]
