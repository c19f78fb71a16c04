from laws.streams import entry, played, published, state
from newsdedup.core.model import Entry

FIRST, SECOND, THIRD = [
    entry(name, {1, 2, 3, *range(10 * at, 10 * at + 3)}, at=at)
    for at, name in enumerate("abc", start=1)
]


def link(stream: list[Entry]) -> str:
    """Return the id of the leader to which the last item of a stream is linked."""
    kept = state(played(published(stream)))
    linked = kept[stream[-1].key].similar
    assert linked is not None
    return linked.id


def test_an_original_is_linked_to_the_latest_of_the_leaders_that_it_resembles_equally():
    last = entry("d", {1, 2, 3, 40, 41, 42}, at=4)
    assert link([FIRST, SECOND, THIRD, last]) == link([THIRD, SECOND, FIRST, last]) == "c"


def test_an_original_is_linked_to_the_leader_that_it_resembles_most():
    assert link([FIRST, SECOND, THIRD, entry("d", {1, 2, 20, 40, 41, 42}, at=4)]) == "b"
