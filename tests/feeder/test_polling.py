import asyncio
from collections import Counter
from datetime import timedelta
from functools import wraps

import pytest

from feeder.bad_site import reply
from feeder.polled import polled
from newsdedup.feeder.fetching.fetcher import FetchLimits
from newsdedup.feeder.polling.poller import PollingLimits
from newsdedup.ports.errors import SinkUnusable

MINUTE = timedelta(minutes=1)


def in_loop(test):
    """Run a test that is a coroutine."""

    @wraps(test)
    def run(*arguments, **named):
        asyncio.run(test(*arguments, **named))

    return run


def with_etag(body, tag='"1"'):
    def answer(headers):
        unchanged = headers.get("if-none-match") == tag
        return reply(304) if unchanged else reply(200, body, ETag=tag)

    return answer


@in_loop
async def test_entries_are_delivered_once_and_changed_ones_again():
    async with polled() as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = reply(200, b"a=1 b=1")
        await run.poller.run_once()
        await run.again()
        run.site.routes["/feed"] = reply(200, b"a=1 b=2 c=1")
        await run.again()
        assert run.delivered == ["a=1", "b=1", "b=2", "c=1"]
        assert [visit.new_entries for visit in run.visits] == [2, 0, 2]


@in_loop
async def test_of_two_entries_with_one_id_the_last_counts():
    async with polled() as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = reply(200, b"a=1 a=2")
        await run.poller.run_once()
        await run.again()
        assert run.delivered == ["a=2"]


@in_loop
async def test_an_unchanged_feed_is_visited_less_often():
    async with polled() as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = with_etag(b"a=1")
        await run.poller.run_once()
        assert run.feed().next_at - run.clock.at == 30 * MINUTE
        await run.again()
        assert run.feed().next_at - run.clock.at == 45 * MINUTE
        assert run.outcomes() == ["content", "unchanged"]


@in_loop
async def test_a_ttl_and_a_max_age_are_waited_for():
    async with polled() as run:
        run.subscribe("/ttl", "/age")
        run.site.routes["/ttl"] = reply(200, b"a=1 ttl=90")
        run.site.routes["/age"] = reply(200, b"a=1", Cache_Control="max-age=7200")
        await run.poller.run_once()
        assert {feed.next_at - feed.tried_at for feed in run.state.feeds()} == {
            90 * MINUTE,
            120 * MINUTE,
        }


@in_loop
async def test_nothing_is_stored_before_the_output_has_acknowledged():
    async with polled() as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = with_etag(b"a=1")
        run.failing = SinkUnusable("full")
        with pytest.raises(SinkUnusable):
            await run.poller.run_once()
        assert (run.feed().etag, run.feed().entries) == ("", 0)
        run.failing = None
        await run.poller.run_once()
        assert run.delivered == ["a=1"]
        assert (run.feed().etag, run.feed().entries) == ('"1"', 1)


@in_loop
async def test_a_restart_fetches_nothing_twice(tmp_path):
    async with polled(path=tmp_path / "feeds") as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = with_etag(b"a=1")
        await run.poller.run_once()
        site, feed = run.site, run.feed()
    async with polled(path=tmp_path / "feeds") as run:
        await run.poller.run_once()
        assert (run.visits, run.feed()) == ([], feed)
    assert site.paths() == ["/feed"]


@in_loop
async def test_a_page_in_place_of_a_feed_is_a_problem_and_its_address_is_not_taken():
    async with polled() as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = reply(301, Location="/parked")
        run.site.routes["/parked"] = reply(200, b"<html>", ETag='"1"')
        await run.poller.run_once()
        feed = run.feed()
        assert (feed.address, feed.etag) == (feed.subscribed, "")
        assert (feed.problem, feed.failures) == ("this is a page, not a feed", 1)
        run.site.routes["/feed"] = reply(200, b"a=1")
        await run.again()
        assert (run.feed().problem, run.feed().failures, run.delivered) == ("", 0, ["a=1"])


@in_loop
async def test_a_feed_that_moved_for_good_is_fetched_from_its_new_address():
    async with polled() as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = reply(308, Location="/new")
        run.site.routes["/new"] = reply(200, b"a=1")
        await run.poller.run_once()
        await run.again()
        assert run.site.paths() == ["/feed", "/new", "/new"]
        assert (run.delivered, run.feed().subscribed) == (["a=1"], run.site.at("/feed"))


@in_loop
async def test_a_feed_that_moves_to_another_of_the_list_is_visited_as_that_one_only():
    async with polled(limits=PollingLimits(visits_per_host=1)) as run:
        run.subscribe("/feed", "/new")
        run.site.routes["/feed"] = reply(301, Location="/new")
        run.site.routes["/new"] = reply(200, b"a=1")
        await run.poller.run_once()
        assert run.outcomes() == ["merged", "content"]
        assert run.delivered == ["a=1"]
        await run.again()
        assert run.site.paths().count("/feed") == 1


@in_loop
async def test_a_feed_that_is_gone_is_not_visited_again():
    async with polled() as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = reply(410)
        await run.poller.run_once()
        assert (run.feed().status, run.feed().problem) == ("gone", "410 Gone")
        assert run.state.next_due() is None


@in_loop
async def test_a_feed_that_ended_is_visited_again_when_it_is_subscribed_again():
    async with polled() as run:
        run.subscribe("/feed", "/other")
        run.site.routes["/feed"] = with_etag(b"a=1 expired=yes")
        run.site.routes["/other"] = reply(410)
        await run.poller.run_once()
        assert [feed.status for feed in run.state.feeds()] == ["gone", "gone"]
        assert (run.feed().problem, run.delivered) == (
            "The feed says that nothing will come any more",
            ["a=1"],
        )
        run.site.routes["/feed"] = with_etag(b"a=1 b=1")
        run.subscribe("/feed")
        await run.again()
        assert (run.feed().status, run.feed().problem) == ("active", "")
        assert (run.feed(1).status, run.delivered) == ("gone", ["a=1", "b=1"])


@in_loop
async def test_failures_back_off_and_retry_after_is_obeyed():
    async with polled() as run:
        run.subscribe("/feed")
        waits = []
        for answer in (reply(500), reply(404), b"", reply(503, Retry_After="99999")):
            run.site.routes["/feed"] = answer
            await run.again()
            waits.append(run.feed().next_at - run.feed().tried_at)
        assert waits == [30 * MINUTE, 60 * MINUTE, 120 * MINUTE, timedelta(seconds=99_999)]
        assert run.feed().failures == 4


@in_loop
async def test_a_busy_host_gets_a_pause_from_all_its_feeds_and_others_go_on():
    async with polled(limits=PollingLimits(visits_per_host=1)) as run:
        run.subscribe("/1", "/2", "/3")
        run.subscribe("/4", host="other.example")
        for path in ("/1", "/2", "/3"):
            run.site.routes[path] = reply(429, Retry_After="600")
        run.site.routes["/4"] = reply(200, b"a=1")
        await run.poller.run_once()
        assert sorted(run.site.paths()) == ["/1", "/4"]
        assert Counter(run.outcomes()) == {"failed": 1, "paused": 2, "content": 1}
        assert run.feed(1).failures == 0
        run.site.routes["/2"] = run.site.routes["/3"] = reply(200, b"b=1")
        run.clock.at += 10 * MINUTE
        await run.poller.run_once()
        assert sorted(run.delivered) == ["a=1", "b=1", "b=1"]


@in_loop
async def test_a_feed_is_visited_at_once_after_its_clock_was_set_back():
    async with polled() as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = with_etag(b"a=1")
        await run.poller.run_once()
        run.clock.set_back(timedelta(days=30))
        run.site.routes["/feed"] = with_etag(b"a=1 b=1", tag='"2"')
        await run.poller.run_once()
        assert run.delivered == ["a=1", "b=1"]
        assert sum(run.clock.slept) < 1  # the host owes no distance of 30 days
        await run.poller.run_once()
        assert len(run.visits) == 2


@in_loop
async def test_a_pause_that_a_host_asked_for_ends_when_the_clock_is_set_back():
    async with polled() as run:
        run.subscribe("/1", "/2")
        run.site.routes["/1"] = run.site.routes["/2"] = reply(429, Retry_After="600")
        await run.poller.run_once()
        run.clock.set_back(timedelta(days=1))
        run.site.routes["/1"] = run.site.routes["/2"] = reply(200, b"a=1")
        await run.poller.run_once()
        assert run.delivered == ["a=1", "a=1"]


@in_loop
async def test_a_host_gets_few_requests_at_once_and_with_a_distance():
    limits = PollingLimits(visits_per_host=2, requests_per_second=4)
    async with polled(limits=limits) as run:
        paths = [f"/{n}" for n in range(20)]
        run.subscribe(*paths)
        run.site.routes.update(dict.fromkeys(paths, reply(200, b"a=1")))
        began = run.clock.now()
        await run.poller.run_once()
        assert run.site.most_open <= 2
        assert run.clock.now() - began >= 19 * timedelta(seconds=0.25)
        assert len(run.delivered) == 20


@in_loop
async def test_a_host_that_hangs_holds_up_no_other():
    limits = PollingLimits(visits=3)
    fetching = FetchLimits(silence=timedelta(milliseconds=300))
    async with polled(limits=limits, fetching=fetching) as run:
        run.subscribe("/1", "/2", "/3", "/4")
        run.subscribe(*(f"/ok{n}" for n in range(10)), host="other.example")
        run.site.routes.update({f"/{n}": run.site.hang for n in range(1, 5)})
        run.site.routes.update({f"/ok{n}": reply(200, b"a=1") for n in range(10)})
        await run.poller.run_once()
        assert run.outcomes()[:8] == ["content"] * 8
        assert Counter(run.outcomes()) == {"content": 10, "failed": 4}


@in_loop
async def test_polling_goes_on_until_it_is_stopped_and_sees_feeds_that_are_added():
    async with polled() as run:
        run.site.routes["/feed"] = reply(200, b"a=1")
        run.site.routes["/late"] = reply(200, b"b=1")
        run.subscribe("/feed")

        def observe(visit):
            run.visits.append(visit)
            if visit.feed.subscribed.endswith("/late"):
                run.poller.stop()
            elif len(run.visits) == 2:
                run.subscribe("/late")

        run.poller.observe = observe
        await asyncio.wait_for(run.poller.run(), 60)
        assert run.delivered == ["a=1", "b=1"]
        assert len(run.visits) >= 3


@in_loop
async def test_missing_credentials_are_a_problem_of_their_feed_alone():
    async with polled() as run:
        run.subscribe("/secret", secret="env:NEWSDEDUP_NO_SUCH")  # noqa: S106 - a name
        run.subscribe("/feed")
        run.site.routes["/feed"] = reply(200, b"a=1")
        await run.poller.run_once()
        assert run.site.paths() == ["/feed"]
        assert "NEWSDEDUP_NO_SUCH" in run.feed().problem
