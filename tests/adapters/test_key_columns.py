"""Few slots are read one by one, many as arrays: both find the candidates that a look-up has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.adapters.memory import key_columns
from newsdedup.adapters.memory.key_columns import KeyColumns
from newsdedup.core.matching.index_keys import MOST_LEAST, IndexKeys, are_candidates
from newsdedup.core.moments import HOUR

WINDOW = 72 * HOUR


@st.composite
def entry_keys(draw: st.DrawFn) -> IndexKeys:
    worths = draw(st.dictionaries(st.integers(0, 20), st.integers(0, 60), max_size=16))
    near = draw(st.sets(st.integers(100, 102), max_size=1))
    return IndexKeys(
        tuple(worths),
        worths=tuple(worths.values()),
        least=draw(st.sampled_from((56, MOST_LEAST, MOST_LEAST + 5))),
        near=tuple(near),
        at=draw(st.integers(0, 71)) * HOUR,
        window=WINDOW,
    )


@given(stored=st.lists(entry_keys(), min_size=1, max_size=8), asked=entry_keys())
@pytest.mark.parametrize("few", [0, 8])
def test_the_candidates_are_those_of_the_rule(
    few: int, stored: list[IndexKeys], asked: IndexKeys
) -> None:
    columns, times = KeyColumns(), np.array([keys.at for keys in stored], np.int64)
    for slot, keys in enumerate(stored):
        columns.set(slot, keys)
    shares_near = {n for n, keys in enumerate(stored) if set(keys.near) & set(asked.near)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_columns, "_FEW", few)
        found = set(columns.candidates(np.arange(len(stored)), asked, times=times))
        if shares_near:
            found.update(columns.near(shares_near, asked, times=times))
    shares_any = {n for n, keys in enumerate(stored) if set(keys.counted) & set(asked.counted)}
    expected = {n for n, keys in enumerate(stored) if are_candidates(asked, keys)}
    assert found & (shares_near | shares_any) == expected
