from feeder.bad_site import reply
from feeder.polled import polled
from feeder.test_polling import in_loop, with_etag
from newsdedup.feeder.fetching.fetcher import FetchLimits
from newsdedup.feeder.polling.feed_visitor import MOST_PAGES


def serve(run, feed, **pages):
    run.site.routes["/feed"] = reply(200, feed.encode())
    for name, words in pages.items():
        run.site.routes[f"/{name}"] = reply(200, words.encode())


@in_loop
async def test_entries_of_a_feed_with_full_texts_get_them_from_their_pages():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=1@/p b=1", p="whole")
        await run.poller.run_once()
        assert run.delivered == ["a=1+whole", "b=1"]
        assert (run.site.paths().count("/p"), run.feed().problem) == (1, "")


@in_loop
async def test_the_pages_of_other_feeds_are_not_fetched():
    async with polled() as run:
        run.subscribe("/feed")
        serve(run, "a=1@/p", p="whole")
        await run.poller.run_once()
        assert (run.delivered, run.site.paths()) == (["a=1"], ["/feed"])


@in_loop
async def test_a_page_is_fetched_again_only_when_the_feed_shows_another_content():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=1@/p", p="whole")
        await run.poller.run_once()
        serve(run, "a=1@/p", p="edited")
        await run.again()
        assert run.delivered == ["a=1+whole"]
        serve(run, "a=2@/p", p="edited")
        await run.again()
        assert run.delivered == ["a=1+whole", "a=2+edited"]
        assert run.site.paths().count("/p") == 2


@in_loop
async def test_a_page_that_fails_leaves_the_entry_as_it_is_and_is_a_problem():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=1@/missing b=1@/empty c=1@/p", p="whole", empty="")
        await run.poller.run_once()
        assert run.delivered == ["a=1", "b=1", "c=1+whole"]
        assert run.feed().problem.startswith("2 of 3 pages gave no text; the first one: the page")
        assert run.feed().failures == 0
        await run.again()
        assert run.site.paths().count("/missing") == 1
        assert run.feed().problem == ""


@in_loop
async def test_robots_txt_is_obeyed_for_pages():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        run.site.routes["/robots.txt"] = reply(200, b"User-agent: *\nDisallow: /p\nDisallow: /f")
        serve(run, "a=1@/p b=1@/q", p="whole", q="whole")
        await run.poller.run_once()
        assert run.delivered == ["a=1", "b=1+whole"]
        assert "robots.txt" in run.feed().problem
        assert "/p" not in run.site.paths()


@in_loop
async def test_a_page_that_leads_to_the_home_page_is_no_article():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=1@/p")
        run.site.routes["/p"] = reply(302, Location="/")
        run.site.routes["/"] = reply(200, b"headlines")
        await run.poller.run_once()
        assert run.delivered == ["a=1"]
        assert "home page" in run.feed().problem


@in_loop
async def test_a_page_of_a_sitemap_becomes_an_item_only_through_its_text():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=?@/p b=?@/missing", p="whole")
        await run.poller.run_once()
        await run.again()
        assert run.delivered == ["a=?+whole"]
        assert run.site.paths().count("/missing") == 1


@in_loop
async def test_no_more_pages_are_fetched_at_a_visit_than_allowed_and_the_newest_come_first():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        names = [f"{n:02}" for n in range(MOST_PAGES + 10)]
        words = " ".join(f"{name}=1@/{name}" for name in names)
        run.site.routes["/feed"] = with_etag(words.encode())
        run.site.routes.update({f"/{name}": reply(200, b"whole") for name in names})
        await run.poller.run_once()
        assert run.delivered == [f"{name}=1+whole" for name in names[10:]]
        await run.again()
        assert run.delivered[MOST_PAGES:] == [f"{name}=1+whole" for name in names[:10]]
        await run.again()
        assert run.outcomes() == ["content", "content", "unchanged"]


@in_loop
async def test_a_site_that_asks_for_a_pause_gets_one_and_the_rest_waits():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=1@/a b=1@/b c=1@/c", a="whole", c="whole")
        run.site.routes["/b"] = reply(429, Retry_After="60")
        await run.poller.run_once()
        assert run.delivered == ["b=1", "c=1+whole"]
        assert "/a" not in run.site.paths()
        await run.again()
        assert run.delivered == ["b=1", "c=1+whole", "a=1+whole"]


@in_loop
async def test_a_site_that_gives_no_page_at_all_holds_up_no_entry():
    async with polled(fetching=FetchLimits()) as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=1@/a b=1@/b c=1@/c d=1@/d e=1@/e")
        run.site.routes.update({f"/{name}": b"" for name in "abcde"})
        await run.poller.run_once()
        assert run.delivered == ["a=1", "b=1", "c=1", "d=1", "e=1"]
        assert run.feed().problem.startswith("3 of 3 pages gave no text")


@in_loop
async def test_the_text_of_another_feed_of_the_host_waits_its_turn():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, " ".join(f"{n}=1@/{n}" for n in range(10)))
        run.site.routes.update({f"/{n}": reply(200, b"whole") for n in range(10)})
        began = run.clock.now()
        await run.poller.run_once()
        # The feed, robots.txt and ten pages, at five a second.
        assert (run.clock.now() - began).total_seconds() >= 11 * 0.2


@in_loop
async def test_a_feeder_that_is_stopped_fetches_no_more_pages_and_loses_no_entry():
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=1@/a b=1@/b c=1@/c", a="whole", b="whole", c="whole")
        whole = run.site.routes["/c"]

        def stopping(_):
            run.poller.stop()
            return whole

        run.site.routes["/c"] = stopping
        await run.poller.run_once()
        assert run.delivered == ["c=1+whole"]
    async with polled() as run:
        run.subscribe("/feed", full_text=True)
        serve(run, "a=1@/a b=1", a="whole")
        run.poller.on_stop()
        await run.poller.run_once()
        assert run.delivered == ["b=1"]
