"""Leases at hubs: asked for, verified, denied, renewed, kept over a restart."""

from datetime import timedelta

import pytest

from feeder.bad_site import SteppingClock
from feeder.test_polling import in_loop
from feeder.websub.hub_site import CHALLENGE
from feeder.websub.subscribed import one_feed, subscribed
from newsdedup.adapters.sqlite.file_schema import MEMORY
from newsdedup.bootstrap.feeder import open_hub_pushes
from newsdedup.config import read_settings
from newsdedup.feeder.polling.host_pace import HostPace
from newsdedup.feeder.polling.poller import Poller, PollingLimits
from newsdedup.feeder.scheduling.hub_lease import lease_condition
from newsdedup.feeder.scheduling.stored_feed import IntervalBounds
from newsdedup.feeder.state.feed_state import FeedState
from newsdedup.feeder.websub.callbacks import serve_callbacks
from newsdedup.ports.errors import SettingsInvalid, StateUnusable
from newsdedup.ports.telemetry import FeederTelemetry
from servers.ports import free_ports

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@in_loop
async def test_a_feed_that_names_a_hub_is_subscribed_at_it():
    async with subscribed() as run:
        run.site.offer("/feed", "a=1", self_link="http://news.example/topic")
        run.subscribe("/feed")
        await run.visit_due()
        (form,) = run.site.requests
        assert form["hub.mode"] == "subscribe"
        assert form["hub.topic"] == "http://news.example/topic"
        assert form["hub.lease_seconds"] == "864000"
        assert form["hub.callback"].startswith(f"{run.base}/")
        assert len(form["hub.callback"].rpartition("/")[2]) >= 43
        assert 32 <= len(form["hub.secret"]) < 200
        assert run.site.answers == [(200, "text/plain", CHALLENGE)]
        lease = run.lease()
        assert (lease.state, lease.failures, lease.problem) == ("active", 0, "")
        assert lease.expires_at - run.clock.at == 10 * DAY


@in_loop
async def test_every_feed_has_a_callback_and_a_secret_of_its_own():
    async with subscribed() as run:
        for path in ("/one", "/two"):
            run.site.offer(path, "a=1")
        run.subscribe("/one", "/two")
        await run.visit_due()
        one, two = run.site.requests
        assert one["hub.callback"] != two["hub.callback"]
        assert one["hub.secret"] != two["hub.secret"]
        assert one["hub.secret"] not in repr(run.lease(0))
        assert run.lease(0).token not in repr(run.lease(0))


@in_loop
async def test_a_feed_without_a_hub_is_not_subscribed():
    async with subscribed() as run:
        run.site.feeds["/feed"] = "a=1"
        run.subscribe("/feed")
        await run.visit_due()
        assert (run.site.requests, run.lease()) == ([], None)


@pytest.mark.parametrize(
    "changed",
    [
        {"hub.topic": "http://news.example/another"},
        {"hub.topic": None},
        {"hub.mode": "unsubscribe"},
        {"hub.mode": None},
        {"hub.challenge": None},
        {"hub.challenge": "x" * 5_000},
        {"hub.lease_seconds": "0"},
        {"hub.lease_seconds": "-5"},
        {"hub.lease_seconds": "soon"},
    ],
    ids=str,
)
def test_what_was_not_asked_for_is_not_confirmed(changed):
    @in_loop
    async def run_test():
        async with one_feed() as run:
            before = run.lease()
            status, _, body = await run.site.verify(run.site.requests[0], **changed)
            assert (status, body) == (404, "")
            assert run.lease() == before

    run_test()


@in_loop
async def test_a_callback_that_nobody_has_is_not_found():
    async with one_feed() as run:
        form = run.site.requests[0]
        unknown = {**form, "hub.callback": f"{run.base}/{'x' * 43}"}
        assert (await run.site.verify(unknown))[0] == 404
        assert (await run.site.ask(run.base))[0] == 404


@in_loop
async def test_a_hub_may_ask_again_whether_the_subscription_is_wanted():
    async with one_feed() as run:
        assert await run.site.verify(run.site.requests[0]) == (200, "text/plain", CHALLENGE)


@in_loop
async def test_a_hub_of_before_websub_names_no_lease():
    async with one_feed() as run:
        answer = await run.site.verify(run.site.requests[0], **{"hub.lease_seconds": None})
        assert answer[0] == 200
        assert run.lease().expires_at - run.clock.at == 10 * DAY


@in_loop
async def test_a_denied_subscription_is_not_asked_for_again_within_a_week():
    async with one_feed() as run:
        form = run.site.requests[0]
        query = {"hub.mode": "denied", "hub.topic": form["hub.topic"], "hub.reason": "no\nnews"}
        assert (await run.site.ask(form["hub.callback"], **query))[0] == 200
        assert (run.lease().state, run.lease().problem) == ("denied", "denied: no news")
        # It confirms no longer what it was denied.
        assert (await run.site.verify(form))[0] == 404
        run.step(days=6)
        await run.request_due()
        assert len(run.site.requests) == 1
        run.step(days=1)
        await run.request_due()
        assert (len(run.site.requests), run.lease().state) == (2, "active")


@in_loop
async def test_a_denial_of_another_topic_changes_nothing():
    async with one_feed() as run:
        query = {"hub.mode": "denied", "hub.topic": "http://news.example/another"}
        assert (await run.site.ask(run.site.requests[0]["hub.callback"], **query))[0] == 404
        assert run.lease().state == "active"


@in_loop
async def test_a_lease_is_renewed_before_it_ends_with_the_same_callback_and_secret():
    async with subscribed() as run:
        run.site.lease = 3 * 3600
        run.site.offer("/feed", "a=1")
        run.subscribe("/feed")
        await run.visit_due()
        run.step(hours=1, minutes=59)
        await run.request_due()
        assert len(run.site.requests) == 1
        run.step(minutes=1)
        await run.request_due()
        assert len(run.site.requests) == 2
        assert run.site.requests[0] == run.site.requests[1]
        assert run.lease().expires_at - run.clock.at == 3 * HOUR


@in_loop
async def test_a_hub_with_leases_of_a_second_is_not_asked_every_second():
    async with subscribed() as run:
        run.site.lease = 1
        run.site.offer("/feed", "a=1")
        run.subscribe("/feed")
        await run.visit_due()
        assert run.lease().next_at - run.clock.at == timedelta(seconds=30)


@in_loop
async def test_a_hub_that_is_gone_is_asked_ever_less_often_and_the_feed_is_visited_as_ever():
    async with subscribed() as run:
        run.site.gone = True
        run.site.offer("/feed", "a=1")
        run.subscribe("/feed")
        waits = []
        await run.poller.run_once()
        for _ in range(10):
            run.clock.at = max(run.clock.at, run.lease().next_at)
            await run.request_due()
            waits.append(run.lease().next_at - run.clock.at)
        assert waits[:3] == [10 * MINUTE, 20 * MINUTE, 40 * MINUTE]
        assert waits[-1] == DAY
        assert "no connection" in run.lease().problem
        assert run.feed().next_at - run.feed().tried_at == 30 * MINUTE


@in_loop
async def test_a_lease_that_cannot_be_renewed_ends_and_the_feed_is_visited_as_ever():
    async with subscribed() as run:
        run.site.lease = 3600
        run.site.offer("/feed", "a=1")
        run.subscribe("/feed")
        await run.visit_due()
        run.step(minutes=5)
        run.site.feeds["/feed"] = "a=1 b=1"
        await run.site.push()
        await run.visit_due()
        assert run.wait() == 4 * HOUR
        run.site.status = 500
        run.step(minutes=50)
        await run.request_due()
        assert run.lease().problem == "the hub answers 500"
        assert lease_condition(run.lease(), at=run.clock.at) == "active"
        run.step(minutes=10)
        assert lease_condition(run.lease(), at=run.clock.at) == "expired"
        await run.visit_next()
        assert run.wait() == run.feed().interval


@in_loop
async def test_of_several_hubs_the_next_one_is_asked_after_a_failure():
    async with subscribed() as run:
        run.site.offer("/feed", "a=1")
        run.site.links["/feed"] = '</none>; rel=hub, </other>; rel="hub"'
        run.subscribe("/feed")
        await run.visit_due()
        assert (run.site.requests, run.lease().problem) == ([], "the hub answers 405")
        run.step(minutes=10)
        await run.request_due()
        assert (len(run.site.requests), run.lease().state) == (1, "active")
        assert run.lease().hub == run.site.at("/other")


@in_loop
async def test_a_hub_that_moved_gets_the_request_at_its_new_address():
    async with subscribed() as run:
        run.site.location = "/other"
        run.site.offer("/feed", "a=1")
        run.subscribe("/feed")
        await run.visit_due()
        assert len(run.site.requests) == 2
        assert run.site.requests[0] == run.site.requests[1]
        assert run.lease().state == "active"


@pytest.mark.parametrize("hub", ["http://cloud.example/hub", "http://127.0.0.2/hub"])
def test_a_hub_inside_the_network_gets_no_request(hub):
    @in_loop
    async def run_test():
        async with subscribed() as run:
            run.site.offer("/feed", "a=1", hub=hub)
            run.subscribe("/feed")
            await run.visit_due()
            assert "--allow-private" in run.lease().problem

    run_test()


@in_loop
async def test_a_hub_that_accepts_and_never_verifies_is_asked_again():
    async with subscribed() as run:
        run.site.verifies = False
        run.site.offer("/feed", "a=1")
        run.subscribe("/feed")
        await run.visit_due()
        assert run.lease().state == "requested"
        run.site.verifies = True
        run.step(minutes=10)
        await run.request_due()
        assert run.lease().state == "active"


@in_loop
async def test_a_feed_that_names_another_hub_gets_a_new_lease_but_not_every_hour():
    async with one_feed() as run:
        first = run.lease()
        run.site.offer("/feed", "a=1 b=1", hub="/other")
        await run.visit_next()
        assert run.lease().token == first.token
        run.step(days=1)
        await run.visit_due()
        assert run.lease().hub == run.site.at("/other")
        assert (run.lease().token, run.lease().state) != (first.token, "requested")
        # To the old callback nothing is sent any more.
        assert await run.site.push(form=run.site.requests[0]) == 410


@in_loop
async def test_a_feed_that_names_no_hub_any_more_loses_its_lease():
    async with one_feed() as run:
        del run.site.links["/feed"]
        run.step(days=1)
        await run.visit_due()
        assert run.lease() is None
        assert await run.site.push() == 410


@in_loop
async def test_a_restart_keeps_leases_and_secrets(tmp_path):
    async with one_feed(path=tmp_path / "feeds") as first:
        before = first.lease()
        first.state.close()
        async with subscribed(
            path=tmp_path / "feeds", site=first.site, clock=first.clock, base=first.base
        ) as run:
            await run.request_due()
            assert (run.lease(), len(run.site.requests)) == (before, 1)
            # Its own port, instead of the one at which the first run still listens.
            callback = f"http://127.0.0.1:{run.port}/{before.token}"
            assert await run.site.push(callback=callback) == 202
            assert run.pushes == {"accepted": 1}


@in_loop
async def test_another_public_address_begins_new_leases_and_visits_at_the_old_interval(tmp_path):
    async with one_feed(path=tmp_path / "feeds") as first:
        await first.site.push()
        first.step(hours=1)
        first.site.feeds["/feed"] = "a=1 b=1"
        await first.visit_due()
        assert first.wait() == 4 * HOUR
        first.state.close()
        async with subscribed(
            path=tmp_path / "feeds", site=first.site, clock=first.clock, base="http://new.example"
        ) as run:
            assert run.lease() is None
            assert run.wait() == 30 * MINUTE


@in_loop
async def test_a_removed_feed_loses_its_lease_and_its_callback():
    async with one_feed() as run:
        run.state.unsubscribe(run.feed().address)
        assert await run.site.push() == 410
        assert (await run.site.verify(run.site.requests[0]))[0] == 404
        assert run.state.leases.all() == []


@in_loop
async def test_a_feed_that_is_removed_during_its_visit_gets_no_lease():
    async with subscribed() as run:

        async def remove():
            run.state.unsubscribe(run.site.at("/feed"))

        run.site.on_visit = remove
        run.site.offer("/feed", "a=1")
        run.subscribe("/feed")
        await run.visit_due()
        assert run.state.leases.all() == []


@in_loop
async def test_a_port_that_is_taken_is_named_with_its_setting():
    async with subscribed() as run:
        port = int(run.base.split(":")[2].partition("/")[0])
        with pytest.raises(SettingsInvalid, match=f"feeder.websub_port {port}"):
            async with serve_callbacks("127.0.0.1", port, None):
                pass


@in_loop
async def test_a_state_that_breaks_ends_the_feeder_and_not_only_its_subscriptions():
    (port,) = free_ports(1)
    settings = read_settings(
        {"feeder.websub": "https://me.example", "feeder.websub_port": str(port)}, {}, None
    ).settings
    state, clock = FeedState(MEMORY, locked=True), SteppingClock()
    pace = HostPace(clock, timedelta())

    def make_poller(visit):
        return Poller(state, visit, pace, PollingLimits(), clock=clock)

    async def run_feeder():
        async with open_hub_pushes(
            *(settings, state, make_poller, None),
            fetcher=None,
            pace=pace.wait,
            bounds=IntervalBounds(),
            clock=clock,
            telemetry=FeederTelemetry(),
        ) as poller:
            state.close()
            # Set when the requests to hubs have failed; the poller itself does not run here.
            await poller._stopped.wait()

    with pytest.raises(StateUnusable):
        await run_feeder()
