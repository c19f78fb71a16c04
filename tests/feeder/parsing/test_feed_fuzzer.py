import pytest

from feeder.parsing.feed_fuzzer import fuzz


@pytest.mark.usefixtures("long")
def test_changed_files_of_the_corpus_are_read_or_refused():
    stats = fuzz(seed=17, most=1_500)
    assert stats["bodies"] == sum(stats["outcomes"].values()) == 1_500
    # The changes leave most of the bodies near enough to a feed to be read as one.
    assert stats["outcomes"]["refused"] < 750
    assert {"rss", "atom", "rdf", "json", "sitemap", "sitemap index"} <= stats["outcomes"].keys()


def test_the_same_seed_makes_the_same_bodies():
    first, second = (fuzz(seed=3, most=100) for _ in range(2))
    assert first["outcomes"] == second["outcomes"]
