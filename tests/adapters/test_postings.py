"""A look-up by worths: what shares enough by the lists that are read, however many they hold."""

from random import Random

import pytest

from newsdedup.adapters.memory.postings import Postings
from newsdedup.core.matching.index_keys import IndexKeys

SIGNATURES = 400


@pytest.mark.parametrize("vocabulary", [2_000, 400, 60], ids=["few", "some", "many"])
def test_a_look_up_by_worths_finds_what_may_share_enough_in_ascending_order(vocabulary):
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
