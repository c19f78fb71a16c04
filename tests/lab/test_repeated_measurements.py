"""Medians of repeated measurements."""

from itertools import count

from newsdedup_lab.bench.repeats import median_measurements, repeat_measurement

RUNS = [
    {"rule": "terms", "items": 8, "rates": {"index": 10.0, "tokens": 5}, "steps": [{"rate": 3.0}]},
    {"rule": "terms", "items": 8, "rates": {"index": 30.0, "tokens": 5}, "steps": [{"rate": 1.0}]},
    {"rule": "terms", "items": 8, "rates": {"index": 11.0, "tokens": 5}, "steps": [{"rate": 2.0}]},
]


def test_each_number_is_the_median_of_its_repeats():
    medians = median_measurements(RUNS)
    assert medians["rates"] == {"index": 11.0, "tokens": 5}
    assert medians["steps"] == [{"rate": 2.0}]
    assert medians["rule"] == "terms"
    assert medians["repeats"] == 3


def test_the_spread_has_only_what_varied():
    assert median_measurements(RUNS)["spread"] == {
        "rates": {"index": [10.0, 30.0]},
        "steps": [{"rate": [1.0, 3.0]}],
    }


def test_one_run_is_given_as_it_is():
    assert median_measurements(RUNS[:1]) == RUNS[0]


def test_repeats_follow_one_another():
    numbers = count(1)
    measurements = repeat_measurement(lambda: {"turn": next(numbers)}, repeats=5)
    assert measurements == {"turn": 3, "repeats": 5, "spread": {"turn": [1, 5]}}
