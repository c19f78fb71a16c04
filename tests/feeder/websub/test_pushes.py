"""Pushes of hubs: which are believed, and what they change."""

from datetime import timedelta

import pytest

from feeder.test_polling import in_loop
from feeder.websub.hub_site import Push
from feeder.websub.subscribed import BODY_BYTES, one_feed

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize("method", ["sha1", "sha256", "sha384", "sha512"])
def test_a_push_with_a_right_signature_brings_the_visit_forward(method):
    @in_loop
    async def run_test():
        async with one_feed() as run:
            run.site.feeds["/feed"] = "a=1 b=1"
            assert await run.site.push(Push(method=method)) == 202
            assert (run.wait(), run.woken) == (timedelta(), [None])
            await run.visit_due()
            assert run.delivered == ["a=1", "b=1"]
            assert run.pushes == {"accepted": 1}

    run_test()


@pytest.mark.parametrize(
    "push",
    [
        Push(secret="x" * 64),
        Push(signature=""),
        Push(signature="sha256="),
        Push(signature="sha256=" + "0" * 64),
        Push(signature="md5=d41d8cd98f00b204e9800998ecf8427e"),
        Push(signature="none"),
        Push(signature="sha256=\u00e4"),
    ],
    ids=["another secret", "none", "empty", "wrong", "md5", "no method", "not ASCII"],
)
def test_a_push_with_a_wrong_signature_is_acknowledged_and_dropped(push):
    @in_loop
    async def run_test():
        async with one_feed() as run:
            before = run.feed(), run.lease()
            assert await run.site.push(push) == 202
            assert (run.feed(), run.lease()) == before
            assert (run.pushes, run.woken) == ({"bad_signature": 1}, [])

    run_test()


@in_loop
async def test_the_content_of_a_push_is_never_news():
    async with one_feed() as run:
        assert await run.site.push(Push(body=b"a=1 forged=1")) == 202
        await run.visit_due()
        assert run.delivered == ["a=1"]


@in_loop
async def test_a_push_that_is_repeated_delivers_nothing_twice_and_floods_nobody():
    async with one_feed() as run:
        run.site.feeds["/feed"] = "a=1 b=1"
        await run.site.push()
        await run.visit_due()
        visits = len(run.site.visits)
        for _ in range(20):
            assert await run.site.push() == 202
            await run.visit_due()
        # The publisher is asked again after a minute at the earliest.
        assert len(run.site.visits) == visits
        assert run.wait() == MINUTE
        await run.visit_next()
        assert (len(run.site.visits), run.delivered) == (visits + 1, ["a=1", "b=1"])


@in_loop
async def test_a_push_that_is_too_large_is_refused():
    async with one_feed() as run:
        before = run.feed()
        assert await run.site.push(Push(body=b"x" * BODY_BYTES)) == 202
        run.state.leases.visit_at(before.number, before.next_at)
        assert await run.site.push(Push(body=b"x" * (BODY_BYTES + 1))) == 413
        assert run.pushes == {"accepted": 1, "too_large": 1}
        assert run.feed() == before


@in_loop
async def test_a_push_to_a_callback_that_nobody_has_is_gone():
    async with one_feed() as run:
        assert await run.site.push(callback=f"{run.base}/{'x' * 43}") == 410
        assert await run.site.push(callback=run.base) == 410
        assert run.pushes == {"unknown": 2}


@in_loop
async def test_a_push_in_vain_is_followed_by_one_more_visit_soon():
    async with one_feed() as run:
        await run.site.push()
        await run.visit_due()
        assert run.wait() == 5 * MINUTE
        run.site.feeds["/feed"] = "a=1 late=1"
        await run.visit_next()
        assert run.delivered == ["a=1", "late=1"]
        # It counts as brought by the push, whose cache was behind: the hub is trusted.
        assert run.wait() > HOUR


@in_loop
async def test_a_feed_whose_news_are_pushed_is_visited_rarely():
    async with one_feed() as run:
        run.site.feeds["/feed"] = "a=1 b=1"
        await run.site.push()
        await run.visit_due()
        assert (run.feed().interval, run.wait()) == (30 * MINUTE, 4 * HOUR)
        await run.visit_next()
        await run.visit_next()
        await run.visit_next()
        # Without news the interval grows as ever; the longest one ends both.
        assert run.wait() > 8 * HOUR
        for _ in range(10):
            await run.visit_next()
        assert run.wait() == DAY


@in_loop
async def test_news_that_no_push_brought_end_the_trust_until_the_next_push():
    async with one_feed() as run:
        run.site.feeds["/feed"] = "a=1 b=1"
        await run.site.push()
        await run.visit_due()
        run.site.feeds["/feed"] = "a=1 b=1 c=1"
        await run.visit_next()
        assert run.delivered == ["a=1", "b=1", "c=1"]
        assert run.wait() == run.feed().interval
        run.step(minutes=5)
        run.site.feeds["/feed"] = "a=1 b=1 c=1 d=1"
        await run.site.push()
        await run.visit_due()
        assert run.wait() == 8 * run.feed().interval


@in_loop
async def test_a_lease_alone_is_no_reason_to_visit_less():
    async with one_feed() as run:
        await run.visit_next()
        assert run.wait() == run.feed().interval


@in_loop
async def test_a_push_during_a_visit_is_followed_by_another_visit():
    async with one_feed() as run:

        async def push():
            run.site.on_visit = None
            await run.site.push()

        run.site.on_visit = push
        await run.visit_next()
        assert run.wait() == MINUTE
        run.site.feeds["/feed"] = "a=1 b=1"
        await run.visit_next()
        assert run.delivered == ["a=1", "b=1"]


@in_loop
async def test_a_feed_that_fails_is_not_visited_sooner_by_a_push():
    async with one_feed() as run:
        del run.site.feeds["/feed"]
        await run.visit_next()
        before = run.feed().next_at
        run.step(minutes=5)
        assert await run.site.push() == 202
        assert run.feed().next_at == before
