"""Rows read from a cache are those that the rule makes, however often and in what order."""

from collections.abc import Sequence

import numpy as np
import pytest

from laws.made_up import made_up_entries
from newsdedup.bootstrap.rules import make_rule
from newsdedup.config import Settings
from newsdedup.core.matching.candidates import Rows
from newsdedup.core.model import Entry
from newsdedup.engine.shared.view import RowCache

FILTER = make_rule(Settings()).candidate_filter


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """Made-up reports."""
    return made_up_entries(60)


@pytest.mark.parametrize("size", [1, 20, 1_000])
def test_rows_are_equal_to_those_made_anew_with_a_cache_of_any_size(entries, size):
    assert FILTER is not None
    cache = RowCache(FILTER, size=size)
    for first in range(40):
        some = entries[first : first + 20][::-1] + entries[first : first + 2]
        assert np.array_equal(cache.make_rows(some), FILTER.make_rows(some))


def test_a_row_is_made_once_while_the_cache_has_room(entries, monkeypatch):
    assert FILTER is not None
    made: list[int] = []
    make_rows = FILTER.make_rows

    def count(some: Sequence[Entry]) -> Rows:
        made.append(len(some))
        return make_rows(some)

    monkeypatch.setattr(FILTER, "make_rows", count)
    cache = RowCache(FILTER, size=len(entries))
    for _ in range(3):
        cache.make_rows(entries)
    assert made == [len(entries)]
