"""Pairs of changed news through the whole engine: a short run, and what it once found."""

import pytest
from hypothesis import settings

from laws.engine_fuzzer import defect_of, fuzz, make_smaller
from laws.pair_checks import check_pair, line_of


@pytest.mark.usefixtures("long")
def test_changed_news_are_analyzed_packed_compared_explained_and_published():
    pairs = min(60, 2 * settings.default.max_examples)
    quantities = fuzz(seed=17, most=pairs)
    assert quantities["pairs"] == sum(quantities["relations"].values()) == pairs
    # Most pairs are still news, and some of them copies, of which some are changed.
    assert quantities["relations"].get("refused", 0) < pairs / 4
    assert {"none", "reprint", "rewrite", "update"} <= quantities["relations"].keys()


def test_the_same_seed_makes_the_same_pairs():
    first, second = (fuzz(seed=3, most=8) for _ in range(2))
    assert first["relations"] == second["relations"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ярмарка мёда открыта с 31 по 3 ноября", "Ярмарка мёда открыта 30 октября"),
        ("Ярмарок триває з 31 до 3 листопада", "Ярмарок триває вчора"),
        ("The fair is open from 31 to 3 November", "The fair opens on Friday"),
        ("Ярмарка открыта 0 - 3 января", "Ярмарка открыта в субботу"),
    ],
)
def test_two_items_of_one_title_are_judged_whatever_days_they_name(one, other):
    title = "Ярмарка мёда в Заозерске"
    left = line_of(title, one, name="1", source="a")
    assert check_pair(left, line_of(title, other, name="2", source="b", minutes=30)) != "refused"


def test_a_bad_pair_is_written_with_little_more_than_what_is_bad(monkeypatch):
    def breaks(*lines, **_):
        if b"culprit" in lines[0] and b"twelve" in lines[1]:
            raise ZeroDivisionError

    monkeypatch.setattr("laws.engine_fuzzer.check_pair", breaks)
    words = " ".join(f"word{number}" for number in range(200))
    lines = [
        line_of(words, f"{words} culprit {words}", name="1", source="a"),
        line_of(f"twelve {words}", words, name="2", source="b"),
    ]
    defect = defect_of(lines, thorough=False)
    assert defect.startswith("ZeroDivisionError at test_engine_fuzzer.py")
    smaller = make_smaller(lines, defect, thorough=False)
    assert defect_of(smaller, thorough=False) == defect
    assert sum(map(len, smaller)) < 500
