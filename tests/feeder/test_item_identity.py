"""Two ids with one page of one source are one item."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feeder.bad_site import reply
from feeder.polled import listed, polled
from feeder.test_polling import in_loop
from newsdedup.feeder.polling.item_identity import crowded_pages, identify_entries, item_pages
from newsdedup.feeder.polling.poller import PollingLimits
from newsdedup.ports.errors import SinkUnusable


def show(run, words, path="/feed"):
    run.site.routes[path] = reply(200, words.encode())


async def shown(run, *bodies):
    """Return what is delivered of the bodies of one feed, one visit after the other."""
    run.subscribe("/feed")
    for body in bodies:
        show(run, body)
        await run.again()
    return run.delivered


@in_loop
async def test_a_new_id_of_a_known_page_is_a_version_of_its_item():
    async with polled() as run:
        assert await shown(run, "a=1@/p", "b=2@/p", "b=3@/p") == ["a=1", "a=2", "a=3"]


@in_loop
async def test_two_ids_of_one_page_in_one_feed_are_one_item():
    async with polled() as run:
        assert await shown(run, "a=1@/p b=2@/p", "a=1@/p b=2@/p") == ["a=1", "a=2"]


@in_loop
async def test_two_feeds_of_a_site_with_ids_of_their_own_have_one_item_for_a_page():
    async with polled() as run:
        run.subscribe("/feed", "/other")
        show(run, "a=1@/p c=1@/r")
        show(run, "b=2@/p d=1@/q", "/other")
        await run.poller.run_once()
        ids = {one.partition("=")[0] for one in run.delivered}
        assert len(run.delivered) == 4
        assert ids in ({"a", "c", "d"}, {"b", "c", "d"})


@in_loop
async def test_an_id_stays_the_same_item_when_its_address_changes():
    async with polled() as run:
        bodies = ("a=1@/p", "a=2@/q", "b=3@/q", "b=4@/r", "c=5@/r")
        assert await shown(run, *bodies) == ["a=1", "a=2", "a=3", "a=4", "a=5"]


@in_loop
async def test_an_id_that_takes_the_address_of_another_item_stays_itself():
    async with polled() as run:
        assert await shown(run, "a=1@/p b=1@/q", "b=2@/p") == ["a=1", "b=1", "b=2"]


@in_loop
async def test_entries_without_an_address_and_on_the_home_page_are_items_of_their_own():
    async with polled() as run:
        assert await shown(run, "a=1 b=1@/", "c=1 d=1@/") == ["a=1", "b=1", "c=1", "d=1"]


@in_loop
async def test_a_page_that_several_entries_share_is_no_page_of_an_item_then_or_later():
    async with polled() as run:
        first = "a=1@/live b=1@/live c=1@/live"
        assert await shown(run, first, "d=1@/live") == ["a=1", "b=1", "c=1", "d=1"]


@in_loop
async def test_a_page_that_gets_ever_new_ids_is_taken_for_a_section():
    async with polled() as run:
        assert await shown(run, *(f"{n}=1@/live" for n in "abcdefg")) == [
            *("a=1", "a=1", "a=1", "a=1"),
            *("e=1", "f=1", "g=1"),
        ]


@in_loop
async def test_a_page_names_its_item_by_its_canonical_address_too():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        show(run, "a=1@/p")
        run.site.routes["/p"] = run.site.routes["/amp"] = reply(200, b"whole canonical=/real")
        await run.poller.run_once()
        show(run, "b=1@/amp")
        await run.again()
        show(run, "c=1@/real")
        await run.again()
        assert run.delivered == ["a=1+whole", "a=1+whole", "a=1"]


@in_loop
async def test_a_delivery_that_fails_changes_no_item(tmp_path):
    async with polled(path=tmp_path / "feeds", limits=PollingLimits(visits_per_host=1)) as run:
        run.subscribe("/feed", "/other")
        show(run, "a=1@/p")
        show(run, "b=2@/p", "/other")
        run.failing = SinkUnusable("full")
        with pytest.raises(SinkUnusable):
            await run.poller.run_once()
        first = run.state.due(run.clock.now())
        run.failing = None
        # The visits come in another order.
        for feed in reversed(first):
            await run.poller.visit(feed)
        assert run.delivered == ["a=2", "a=1"]


@in_loop
async def test_a_retraction_names_the_item_that_was_delivered():
    async with polled() as run:
        assert await shown(run, "a=1@/p", "b=2@/p", "b=-") == ["a=1", "a=2", "a=-"]


@in_loop
async def test_an_item_that_the_feed_shows_under_another_id_is_not_withdrawn():
    async with polled() as run:
        bodies = ("a=1@/p", "b=2@/p a=-", "a=-")
        assert await shown(run, *bodies) == ["a=1", "a=2"]


@in_loop
async def test_a_page_is_known_as_long_as_a_feed_shows_it():
    async with polled() as run:
        await shown(run, "a=1@/p")
        for month in range(6):
            run.clock.at += PollingLimits().horizon / 2
            show(run, f"a=1@/p {month}=1")
            await run.again()
        show(run, "b=1@/p")
        await run.again()
        assert run.delivered[-1] == "a=1"


@in_loop
async def test_pages_are_forgotten_with_the_horizon():
    async with polled() as run:
        await shown(run, "a=1@/p", "b=1@/q")
        run.clock.at += 2 * PollingLimits().horizon
        await run.poller.run_once()
        await run.poller.run_once()
        show(run, "c=1@/p")
        await run.again()
        assert run.delivered == ["a=1", "b=1", "c=1"]


ENTRIES = st.lists(
    st.builds(
        listed,
        name=st.sampled_from("abcdef"),
        address=st.sampled_from(
            ["", "http://a.example/", "http://a.example/p", "http://a.example/q"]
        ),
    ),
    max_size=12,
    unique_by=lambda entry: entry.id,
)


FULL = [
    [listed(name, address="http://a.example/p") for name in names]
    for names in ("a", "b", "cd", "ef")
]


@given(fetches=st.lists(ENTRIES, max_size=6))
@example(fetches=FULL)
@example(fetches=[*FULL[:2], FULL[2][:1], FULL[3]])
def test_placing_entries_again_after_a_crash_gives_the_same_items(fetches):
    stored, delivered = {}, {}
    for entries in fetches:
        placed = [(entry, item_pages(entry)) for entry in entries]
        crowded = crowded_pages(entries)
        first, pages = identify_entries(placed, delivered=delivered, known=stored, crowded=crowded)
        stored |= pages
        again, _ = identify_entries(placed, delivered=delivered, known=stored, crowded=crowded)
        assert again == first
        for entry in entries:
            # An id that was delivered is for ever the same item.
            before = delivered.setdefault(entry.id, first[entry.id])
            assert first[entry.id] == before
