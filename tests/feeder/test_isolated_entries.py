"""An entry, or a body, that cannot be read costs itself; a later visit, or release, gets it."""

from dataclasses import replace

from feeder.bad_site import reply
from feeder.polled import polled
from feeder.test_polling import in_loop, with_etag
from newsdedup.feeder.parsing.parsed_feed import BOUNDS
from newsdedup.runners.intake.feed_records import record_parser
from runners.planted_bugs import QUOTED, TRIGGER, planted

FEED = f"""<rss version="2.0"><channel><title>News</title><link>https://news.example/</link>
<item><guid>1</guid><title>Bridge reopens</title></item>
<item><guid>2</guid><title>Storm closes harbour {TRIGGER}</title></item>
<item><guid>3</guid><title>School strike ends</title></item>
</channel></rss>""".encode()
PLAIN = b"<rss><channel><item><guid>4</guid><title>Tram derails</title></item></channel></rss>"


def delivered(run) -> list[str]:
    return sorted(one.partition("=")[0] for one in run.delivered)


@in_loop
async def test_an_entry_that_raises_is_left_out_named_and_delivered_after_the_upgrade():
    async with polled(parser=record_parser(BOUNDS)) as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = with_etag(FEED)
        with planted("parse"):
            await run.poller.run_once()
        assert delivered(run) == ["1", "3"]
        feed = run.feed()
        assert feed.problem.startswith("1 entry left out; internal error: ValueError at ")
        assert QUOTED not in feed.problem
        await run.again()
        assert delivered(run) == ["1", "2", "3"]
        assert run.feed().problem == ""


@in_loop
async def test_a_body_that_raises_costs_its_visit_and_no_other_feed():
    async with polled(parser=record_parser(BOUNDS)) as run:
        run.subscribe("/feed", "/other")
        run.site.routes["/feed"] = with_etag(FEED)
        run.site.routes["/other"] = reply(200, PLAIN)
        with planted("parse_body"):
            await run.poller.run_once()
        assert run.outcomes() == ["failed", "failed"]
        assert "internal error: ValueError at newsdedup." in run.feed().problem
        await run.again()
        await run.again()
        assert delivered(run) == ["1", "2", "3", "4"]


@in_loop
async def test_an_entry_that_a_body_cuts_off_is_delivered_when_the_body_is_whole():
    async with polled(parser=record_parser(BOUNDS)) as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = with_etag(FEED[: FEED.index(b" ends</title>")])
        await run.poller.run_once()
        assert delivered(run) == ["1", "2"]
        assert run.feed().problem == "1 entry left out; the body ends within an entry"
        # The tag of the whole body: the site did not notice that it had sent half of it.
        run.site.routes["/feed"] = with_etag(FEED)
        await run.again()
        assert delivered(run) == ["1", "2", "3"]
        assert run.feed().problem == ""


@in_loop
async def test_a_feed_that_is_cut_says_so_also_after_visits_that_find_it_unchanged():
    async with polled(parser=record_parser(replace(BOUNDS, entries=2))) as run:
        run.subscribe("/feed")
        run.site.routes["/feed"] = with_etag(FEED)
        await run.poller.run_once()
        await run.again()
        assert run.outcomes() == ["content", "unchanged"]
        assert run.feed().problem == "Entries after the first 2 were left out"
        run.site.routes["/feed"] = with_etag(PLAIN, tag='"2"')
        await run.again()
        assert run.feed().problem == ""
