"""A look-up by worths: what shares enough by the lists that are read, however many they hold."""

from random import Random

import pytest

from newsdedup.adapters.memory import max_score
from newsdedup.adapters.memory.postings import Postings
from newsdedup.core.matching.index_keys import IndexKeys

SIGNATURES = 400


@pytest.mark.parametrize("long", [30, 4_096], ids=["parts", "whole lists"])
@pytest.mark.parametrize("vocabulary", [2_000, 400, 60], ids=["few", "some", "many"])
def test_a_look_up_by_worths_finds_what_may_share_enough_in_ascending_order(
    vocabulary, long, monkeypatch
):
    monkeypatch.setattr(max_score, "_LONG", long)
    chance = Random(vocabulary)  # noqa: S311 - test data
    drawn = [tuple(sorted(chance.sample(range(vocabulary), 12))) for _ in range(SIGNATURES)]
    postings = Postings()
    for ordinal, counted in enumerate(drawn):
        postings.file(IndexKeys(counted), ordinal)
    for counted in drawn[:50]:
        worths = tuple(chance.randrange(8, 60) for _ in counted)
        keys = IndexKeys(counted, worths=worths, least=72)
        found = postings.find_worth(keys).tolist()
        assert found == sorted(set(found))
        weighed = keys.weighed()
        shared = [sum(weighed[key] for key in weighed.keys() & set(other)) for other in drawn]
        enough = {at for at, worth in enumerate(shared) if worth >= keys.least}
        assert enough <= set(found)
        # Up to so many may be found that are not asked about the lists left unread.
        assert set(found) == enough or len(found) <= 64


@pytest.mark.parametrize("window", [50_000, 100_000])
def test_of_a_long_list_only_what_longer_lists_have_too_is_read(window):
    chance = Random(window)  # noqa: S311 - test data
    has = {key: set(chance.sample(range(window), window * (9 + key) // 100)) for key in (1, 2, 3)}
    postings = Postings()
    for key, ordinals in has.items():
        for ordinal in sorted(ordinals):
            postings.file(IndexKeys((key,)), ordinal)
    keys = IndexKeys((1, 2, 3), worths=(20, 20, 20), least=50)
    enough = has[1] & has[2] & has[3]
    assert postings.find_worth(keys).tolist() == sorted(enough)
    assert postings.count(keys) == len(enough) < len(has[1]) / 50
