import gc
from collections.abc import Iterator

import pytest

from newsdedup.engine.collector import collector_paused, freeze_now


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    gc.enable()
    yield
    gc.enable()


def test_the_collector_waits_while_a_batch_is_worked_on() -> None:
    with collector_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_batch_that_fails_lets_the_collector_work_again() -> None:
    with pytest.raises(ValueError, match="no batch"), collector_paused():
        raise ValueError("no batch")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    with collector_paused(), collector_paused():
        assert not gc.isenabled()
    assert not gc.isenabled()


def test_what_is_loaded_to_stay_is_collected_no_more() -> None:
    before = gc.get_freeze_count()
    freeze_now()
    try:
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
