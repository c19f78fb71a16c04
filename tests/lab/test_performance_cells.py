"""Measurements of the suite as cells of a table, and the aims alongside them."""

from newsdedup_lab.performance.aims import aim_rows
from newsdedup_lab.performance.cells import (
    format_count,
    format_ratio,
    format_tenths,
    measured_cell,
    measured_range,
)

MEASUREMENTS = {
    "rates": {"index": 1500.0, "tokens": 9000.0},
    "steps": [{"rate": 5.0}, {"rate": 7.5}],
    "spread": {"rates": {"index": [1400.2, 1602.0]}, "steps": [{}, {"rate": [7.4, 7.6]}]},
}


def test_a_cell_has_the_range_of_what_varied():
    assert (
        measured_cell(MEASUREMENTS, "rates", "index", show=format_count) == "1,500 (1,400 to 1,602)"
    )
    assert measured_cell(MEASUREMENTS, "rates", "tokens", show=format_count) == "9,000"
    assert measured_cell(MEASUREMENTS, "steps", 1, "rate", show=format_tenths) == "7.5 (7.4 to 7.6)"
    assert measured_range(MEASUREMENTS, "steps", 0, "rate") is None


def test_a_range_that_rounds_to_one_number_is_left_out():
    assert measured_cell(MEASUREMENTS, "steps", 1, "rate", show=format_count) == "8 (7 to 8)"
    measurements = {"rate": 7.0, "spread": {"rate": [6.9, 7.1]}}
    assert measured_cell(measurements, "rate", show=format_count) == "7"


def test_what_was_not_measured_is_a_dash():
    assert measured_cell(MEASUREMENTS, "peers", "rensa", show=format_count) == "-"
    assert measured_cell(MEASUREMENTS, "steps", 9, "rate", show=format_count) == "-"


def test_ratios_have_two_decimals_below_ten():
    assert [format_ratio(value) for value in (0.054, 1.333, 27.44)] == [".05", "1.33", "27.4"]


def window(*, compared: float) -> dict:
    comparisons = {"mean": compared, "p50": 0, "p99": 41}
    candidates = {"mean": 25.0, "p50": 3, "p99": 501}
    step = {"items": 36_000, "candidates": candidates, "comparisons": comparisons}
    return {"steps": [step], "last_against_second": 0.9}


def test_an_aim_that_is_reached_is_not_marked():
    in_redis = {"items": 36_000, "rate": 257.4, "postings": {"mean": 150.1}}
    measurements = {
        "dense": window(compared=8.0),
        "stages": {"terms": {"ratios": {"embedded_vs_datasketch": 1.99}}},
        "redis": {
            "rules": {"terms": {"ratios": {"redis_vs_datasketch_redis": 39.0}}},
            "dense": {"steps": [in_redis]},
        },
        "kafka": {"ratios": {"faust": 0.26, "aiokafka": 0.14}},
        "latency": {"latency": {"faust": {"whole": {"20": {"p99_ms": 40.0}}}}},
    }
    assert [(measured, aim, missed) for _, measured, aim, missed in aim_rows(measurements)] == [
        (".90", ">= .90", ""),
        ("25", "<= 25", ""),
        ("501", "<= 500", "missed"),
        ("8", "<= 8", ""),
        ("41", "<= 40", "missed"),
        ("257", ">= 250", ""),
        ("150.1", "<= 150", "missed"),
        ("1.99", ">= 2.00", "missed"),
        ("39.0", ">= 40.0", "missed"),
        (".26", ">= .25", ""),
        (".14", ">= .15", "missed"),
        ("40", "<= 40", ""),
    ]


def test_aims_without_measurements_are_left_out():
    measurements = {
        "dense": window(compared=1.0),
        "stages": {},
        "redis": {"rules": {}},
        "kafka": {"ratios": {"faust": 0.1, "aiokafka": 0.1}},
        "latency": {"latency": {"faust": {"whole": {}}}},
    }
    assert len(aim_rows(measurements)) == 7
