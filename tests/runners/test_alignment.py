"""Which records may be judged now, and which wait for slower partitions: pure decisions."""

from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.redis.namespace import UNKNOWN, PartitionClock, ReportedClock
from newsdedup.runners.worker.alignment import Aligner, AlignmentLimits, Heartbeats

LIMITS = AlignmentLimits(drift=10, idle=1.0, expiry=30.0)


def aligner(limits: AlignmentLimits = LIMITS, **clocks: PartitionClock) -> Aligner:
    made = Aligner(limits)
    made.update(clocks)
    return made


def waiting(low: int | None) -> PartitionClock:
    return PartitionClock(low, waits=True)


def at_end(low: int | None) -> PartitionClock:
    return PartitionClock(low, waits=False)


def test_a_record_waits_for_the_slowest_partition():
    it = aligner(fast=waiting(50), slow=waiting(7))
    assert it.bound(17, 0.0) == 17
    assert it.bound(18, 0.0) == 17
    assert it.holders(18) == ["slow"]
    it.update({"slow": waiting(30), "fast": waiting(50)})
    assert it.bound(18, 0.0) == 40


def test_a_partition_of_which_nothing_is_known_lets_nothing_pass_however_long_it_takes():
    it = aligner(unread=UNKNOWN)
    for now in (0.0, 5.0, 5_000.0):
        bound = it.bound(0, now)
        assert bound is not None
        assert bound < 0


def test_a_partition_at_its_end_holds_back_for_a_moment_only():
    it = aligner(empty=at_end(7))
    assert it.bound(17, 0.0) == 17
    assert it.bound(99, 0.0) == 17
    assert it.bound(99, 0.9) == 17
    assert it.bound(99, 1.0) is None


def test_an_excused_partition_counts_again_as_soon_as_records_wait_in_it():
    it = aligner(empty=at_end(7))
    it.bound(99, 0.0)
    assert it.bound(99, 1.0) is None
    it.update({"empty": waiting(20)})
    assert it.bound(99, 1.1) == 30
    it.update({"empty": at_end(20)})
    assert it.bound(99, 1.2) == 30


def test_while_a_slow_partition_holds_back_no_moment_of_an_empty_one_passes():
    it = aligner(empty=at_end(7), slow=waiting(5))
    for now in (0.0, 2.0, 4.0):
        assert it.bound(99, now) == 15
    it.update({"empty": at_end(7), "slow": waiting(95)})
    assert it.bound(99, 5.0) == 17
    assert it.bound(99, 6.0) == 105


def test_without_a_drift_there_is_no_limit():
    it = aligner(AlignmentLimits(drift=0, idle=1.0, expiry=30.0), slow=waiting(1))
    assert it.bound(10**18, 0.0) is None


def test_the_partitions_of_a_dead_worker_count_until_its_silence_has_lasted_too_long():
    beats = Heartbeats(30.0)
    clock = waiting(5)
    clocks = {"a": ReportedClock(clock, 29.0), "b": ReportedClock(clock, 30.0)}
    assert beats.live(clocks, others=["a", "b"], now=0.0) == {"a": clock}


def test_a_partition_that_nobody_has_reported_counts_until_it_has_been_missing_too_long():
    beats = Heartbeats(30.0)
    assert beats.live({}, others=["a"], now=100.0) == {"a": UNKNOWN}
    assert beats.live({}, others=["a"], now=129.0) == {"a": UNKNOWN}
    assert beats.live({}, others=["a"], now=130.0) == {}


def test_own_partitions_and_those_of_other_topics_are_not_waited_for():
    clocks = {"own": ReportedClock(waiting(1), 0.0), "gone": ReportedClock(waiting(1), 0.0)}
    assert Heartbeats(30.0).live(clocks, others=[], now=0.0) == {}


columns = st.lists(st.lists(st.integers(0, 200), max_size=8).map(sorted), min_size=1, max_size=5)


@given(columns=columns, picks=st.data())
def test_no_record_is_judged_further_ahead_than_the_drift_and_all_are_judged_in_the_end(
    columns, picks
):
    """A model of workers with one partition each: one that may judge its next record is picked."""
    left = {str(number): list(times) for number, times in enumerate(columns)}
    reached = {name: (times[0] if times else None) for name, times in left.items()}
    aligners = {name: Aligner(LIMITS) for name in left}
    now = 0.0
    while any(left.values()):
        may = []
        for name, times in left.items():
            others = {
                other: PartitionClock(
                    left[other][0] if left[other] else reached[other], waits=bool(left[other])
                )
                for other in left
                if other != name
            }
            aligners[name].update(others)
            if times:
                bound = aligners[name].bound(times[0], now)
                if bound is None or times[0] <= bound:
                    may.append(name)
        if not may:
            now += LIMITS.idle  # only partitions at their ends can hold all back, for so long
            continue
        name = picks.draw(st.sampled_from(may))
        at = left[name].pop(0)
        reached[name] = at
        slowest = min((times[0] for times in left.values() if times), default=at)
        assert at <= slowest + LIMITS.drift
    assert now <= LIMITS.idle * 2 * sum(map(len, columns)) + LIMITS.idle
