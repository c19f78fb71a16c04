"""`newsdedup feed` and `newsdedup feeds`, as a user runs them, against a site of the test."""

import asyncio
import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from cli.in_process import run
from feeder.feed_site import feed_site, rss
from newsdedup.cli.errors import ExitCode
from newsdedup.cli.feed_job import followed_feeds
from newsdedup.config import read_settings
from newsdedup.feeder.state.feed_state import FeedState, Subscription
from newsdedup.feeder.state.feeds_file import FEEDS_SCHEMA
from newsdedup.server.services import FeedOverview

BRIDGE = (
    "The bridge over the river Velna was opened on Monday after repairs that took 14 months and "
    "cost 12 million euros, the mayor Anna Koval said."
)
MEALS = "School meals in Torin will cost 3 euros from January, the council decided on Sunday."
HERALD = rss(
    f"h1: Bridge over the Velna reopens: {BRIDGE}", f"h2: School meals get dearer: {MEALS}"
)
POST = rss(f"p1: Velna bridge is open: {BRIDGE}", title="Torin Post", site="https://post.example/")


@pytest.fixture
def site():
    with feed_site(herald=HERALD, post=POST) as made:
        yield made


@pytest.fixture
def listed(site, tmp_path):
    lines = f"{site.at('/herald')} category='Velna news'\n# the other one\n{site.at('/post')}\n"
    (tmp_path / "feeds.txt").write_text(lines, "utf-8")
    return tmp_path


def feed(folder, *arguments):
    return run("feed", "feeds.txt", "--once", "--allow-private", *arguments, cwd=folder)


def lines_of(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_full_disk_is_an_io_error(listed):
    done = feed(listed, "--to", "/dev/full")
    assert done.returncode == ExitCode.IO_ERROR
    assert b"No space left" in done.stderr


def test_the_items_of_all_feeds_become_lines_of_a_file(listed):
    done = feed(listed, "--to", "items.jsonl")
    assert done.returncode == ExitCode.OK
    items = lines_of(listed / "items.jsonl")
    assert {(one["source"], one["id"]) for one in items} == {
        ("herald.example", "h1"),
        ("herald.example", "h2"),
        ("post.example", "p1"),
    }
    assert [one.get("feed_category") for one in items if one["source"] == "herald.example"] == [
        "Velna news"
    ] * 2
    assert b"2 feeds visited" in done.stderr
    assert b"3 items written to items.jsonl" in done.stderr


@pytest.mark.parametrize(
    "command", [("list",), ("status",), ("export",), ("remove", "https://visti.example/rss")]
)
def test_a_list_that_is_not_there_is_named_and_not_made(tmp_path, command):
    done = run("feeds", *command, "--feeds", "mistyped.feeds", cwd=tmp_path)
    assert done.returncode == ExitCode.INPUT_MISSING
    assert b"mistyped.feeds: there is no such file of feeds" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_who_only_looks_leaves_a_list_of_an_older_release_as_it_is(tmp_path):
    older = replace(FEEDS_SCHEMA, steps=FEEDS_SCHEMA.steps[:1])
    older.open(tmp_path / "newsdedup.feeds").close()
    for command in ("list", "status", "export"):
        assert run("feeds", command, cwd=tmp_path).returncode == ExitCode.OK
    asyncio.run(FeedOverview(tmp_path / "newsdedup.feeds").read())
    with closing(older.open(tmp_path / "newsdedup.feeds")) as connection:
        assert FEEDS_SCHEMA.is_older(connection)


def test_what_was_written_is_not_written_again_and_changes_are(site, listed):
    feed(listed, "--to", "items.jsonl")
    again = feed(listed, "--to", "items.jsonl")
    assert b"no feed is due before" in again.stderr
    site.bodies["/post"] = POST.replace("is open", "is open again")
    feed(listed, "--all", "--to", "items.jsonl")
    assert [one["title"] for one in lines_of(listed / "items.jsonl")][3:] == [
        "Velna bridge is open again"
    ]
    assert ("/herald", 304) in site.statuses


def test_feeds_become_stories_in_one_process(listed):
    done = feed(listed, "--to", "engine:news.state", "--events", "events.jsonl")
    assert done.returncode == ExitCode.OK
    assert b"2 originals, 1 duplicate\n" in done.stderr
    verdicts = {one["id"]: one["dedup"]["verdict"] for one in lines_of(listed / "events.jsonl")}
    assert sorted(verdicts.values()) == ["duplicate", "original", "original"]
    stories = run("stories", "list", "news.state", "--json", cwd=listed)
    assert [story["size"] for story in json.loads(stories.stdout)["stories"]] == [2]


def test_feeds_fill_an_archive_alongside_the_engine(listed):
    paths = ("--events", "events.jsonl", "--archive", "news.archive")
    assert feed(listed, "--to", "engine:news.state", *paths).returncode == ExitCode.OK
    again = run("archive", "events.jsonl", "--to", "news.archive", "--check", "--json", cwd=listed)
    stats = json.loads(again.stdout)
    assert (stats["items"], stats["lines"], stats["differences"]) == (3, 0, [])


def test_another_output_gets_all_that_the_feeds_show(listed):
    feed(listed, "--to", "items.jsonl")
    other = feed(listed, "--to", "others.jsonl")
    assert b"others.jsonl holds nothing of these feeds" in other.stderr
    assert len(lines_of(listed / "others.jsonl")) == 3


@pytest.mark.parametrize(
    ("to", "unseen"),
    [
        ("kafka://a.example:9092/news.raw", set()),
        ("kafka://a.example:9092,b.example:9092/news.raw", set()),
        ("kafka://", set()),
        ("kafka://a.example:9092/other.raw", {"h1"}),
    ],
)
@pytest.mark.parametrize("before", ["kafka://a.example:9092/news.raw", "kafka://", ""])
def test_a_topic_is_the_same_output_whatever_brokers_are_named(tmp_path, before, to, unseen):
    settings = read_settings({"feeder.state": str(tmp_path / "feeds")}, {}, None).settings
    address = [Subscription("https://herald.example/rss")]
    entries = {"h1": b"Bridge"}
    if before:
        with FeedState(tmp_path / "feeds", locked=True) as state:
            state.deliver_to(before, empty=False)  # as releases before did
    with followed_feeds(settings, address, "kafka://a.example:9092/news.raw", None) as state:
        (stored,) = state.feeds()
        state.commit(stored, delivered=entries, listed=entries, at=datetime.now(UTC))
    with followed_feeds(settings, address, to, None) as state:
        assert state.unseen(1, entries) == unseen


def test_a_file_that_was_removed_is_written_anew(listed):
    feed(listed, "--to", "items.jsonl")
    (listed / "items.jsonl").unlink()
    feed(listed, "--to", "items.jsonl")
    assert len(lines_of(listed / "items.jsonl")) == 3


def test_a_half_written_line_of_a_killed_process_is_cut_off(listed):
    (listed / "items.jsonl").write_bytes(b'{"id": "kept"}\n{"id": "ha')
    feed(listed, "--to", "items.jsonl")
    assert lines_of(listed / "items.jsonl")[0]["id"] == "kept"
    assert len(lines_of(listed / "items.jsonl")) == 4


def test_a_feed_that_fails_is_named_and_the_others_are_read(site, listed):
    del site.bodies["/post"]
    done = feed(listed, "--to", "items.jsonl", "--json")
    assert done.returncode == ExitCode.FAILED
    stats = json.loads(done.stdout)
    assert stats["failed"] == 1
    assert stats["failing"] == {site.at("/post"): "404 Not Found"}
    assert stats["items"] == 2


def test_the_last_lines_say_how_many_feeds_failed(site, listed):
    del site.bodies["/post"]
    done = feed(listed, "--to", "items.jsonl")
    assert done.returncode == ExitCode.FAILED
    assert b"1 of 2 feeds failed:" in done.stderr


def test_an_edit_without_a_date_is_delivered_as_a_later_version(site, listed):
    feed(listed, "--to", "items.jsonl")
    site.bodies["/herald"] = HERALD.replace("</title>", ", says the town</title>")
    feed(listed, "--all", "--to", "items.jsonl")
    edited = lines_of(listed / "items.jsonl")[3:]
    assert edited
    assert {one["updated_at"] for one in edited} == {edited[0]["seen_at"]}


def test_the_exit_code_is_that_of_a_missing_server_if_all_feeds_fail(site, listed):
    site.bodies.clear()
    assert feed(listed, "--to", "items.jsonl").returncode == ExitCode.UNAVAILABLE


def test_loopback_is_refused_without_leave(listed):
    done = run("feed", "feeds.txt", "--once", "--to", "items.jsonl", cwd=listed)
    assert done.returncode == ExitCode.UNAVAILABLE
    assert b"--allow-private admits it" in done.stderr


def test_a_feed_that_the_list_no_longer_names_is_not_visited(site, listed):
    feed(listed, "--to", "items.jsonl")
    (listed / "feeds.txt").write_text(site.at("/post"), "utf-8")
    before = len(site.statuses)
    feed(listed, "--all", "--to", "items.jsonl")
    assert [path for path, _ in site.statuses[before:]] == ["/post"]
    shown = json.loads(run("feeds", "status", "--json", cwd=listed).stdout)["feeds"]
    assert [one["condition"] for one in shown] == ["fine", "unlisted"]


@pytest.mark.parametrize(
    ("arguments", "code", "part"),
    [
        (("--to", "ftp://x/y"), ExitCode.USAGE, b"kafka://host:port/topic"),
        (("--to", "kafka://user:secret@x/news.raw"), ExitCode.USAGE, b"kafka.username"),
        (("--to", "items.jsonl", "--events", "x"), ExitCode.USAGE, b"engine:STATE"),
        (("--to", "no/such/folder/items.jsonl"), ExitCode.OUTPUT_UNUSABLE, b"no/such/folder"),
    ],
)
def test_a_wrong_output_is_refused_in_words(listed, arguments, code, part):
    done = feed(listed, *arguments)
    assert done.returncode == code
    assert part in done.stderr
    assert b"secret" not in done.stderr


def test_all_belongs_to_once(listed):
    done = run("feed", "feeds.txt", "--all", "--to", "items.jsonl", cwd=listed)
    assert done.returncode == ExitCode.USAGE


@pytest.mark.parametrize(("text", "part"), [("", b"names no feed"), ("a b\n", b"Line 1")])
def test_a_list_without_feeds_is_an_error(tmp_path, text, part):
    (tmp_path / "feeds.txt").write_text(text, "utf-8")
    done = feed(tmp_path, "--to", "items.jsonl")
    assert done.returncode == ExitCode.INPUT_UNUSABLE
    assert part in done.stderr


def test_of_what_is_no_list_of_feeds_only_the_first_problems_are_told(tmp_path):
    (tmp_path / "tg.jsonl").write_text('{"title": "a"}\n' * 4_000, "utf-8")
    for command in (("feed", "tg.jsonl", "--to", "items.jsonl"), ("feeds", "import", "tg.jsonl")):
        done = run(*command, cwd=tmp_path)
        told = done.stderr.decode().splitlines()
        assert done.returncode == ExitCode.INPUT_UNUSABLE
        assert "Line 10 is left out" in told[9]
        assert told[10] == "newsdedup: tg.jsonl: and 3,990 more of such problems"
        assert "names no feed" in told[11]
        assert len(told) == 12


def test_a_list_with_few_problems_tells_all_of_them(tmp_path):
    (tmp_path / "feeds.txt").write_text("a b\n" * 10 + "https://visti.example/rss\n", "utf-8")
    done = run("feeds", "import", "feeds.txt", cwd=tmp_path)
    assert done.returncode == ExitCode.OK
    assert done.stderr.count(b"is left out") == 10
    assert b"more of such" not in done.stderr


def test_without_any_feeds_the_message_says_how_to_add_some(tmp_path):
    done = run("feed", "--once", "--to", "items.jsonl", cwd=tmp_path)
    assert done.returncode == ExitCode.INPUT_UNUSABLE
    assert b"newsdedup feeds add" in done.stderr


def test_an_address_in_place_of_a_list_is_told_from_one(tmp_path):
    done = run("feed", "https://news.example/rss", "--once", "--to", "items.jsonl", cwd=tmp_path)
    assert done.returncode == ExitCode.INPUT_MISSING
    assert b"there is no such file: it must be a list of feeds" in done.stderr
    assert b"newsdedup feeds add ADDRESS" in done.stderr


def test_feeds_are_added_listed_and_removed(site, tmp_path):
    added = run(
        *("feeds", "add", site.at("/herald"), "--category", "Velna", "--allow-private"),
        cwd=tmp_path,
    )
    assert added.returncode == ExitCode.OK
    assert run("feeds", "list", cwd=tmp_path).stdout.decode().split("\t") == [
        site.at("/herald"),
        "Velna\n",
    ]
    assert run("feeds", "remove", site.at("/herald"), cwd=tmp_path).returncode == ExitCode.OK
    assert run("feeds", "list", cwd=tmp_path).stdout == b""
    missing = run("feeds", "remove", site.at("/herald"), cwd=tmp_path)
    assert missing.returncode == ExitCode.INPUT_MISSING


def test_an_address_that_is_no_feed_is_not_added(site, tmp_path):
    site.bodies["/page"] = "<html><body>A page</body></html>"
    done = run("feeds", "add", site.at("/page"), "--allow-private", cwd=tmp_path)
    assert done.returncode == ExitCode.INPUT_MISSING
    assert b"no feed" in done.stderr
    assert run("feeds", "list", cwd=tmp_path).stdout == b""


def page(*feeds):
    links = "".join(
        f'<link rel="alternate" type="application/rss+xml" title="{name}" href="/{name}">'
        for name in feeds
    )
    return f"<html><head><title>Velna</title>{links}</head><body>News</body></html>"


def test_the_feed_of_a_site_is_looked_up(site, tmp_path):
    site.bodies["/"] = page("herald")
    done = run("feeds", "add", site.at("/"), "--allow-private", cwd=tmp_path)
    assert done.stdout.decode() == f"{site.at('/herald')}: added\n"


def test_a_site_that_links_no_feed_is_asked_at_the_usual_addresses(site, tmp_path):
    site.bodies |= {"/": page(), "/rss.xml": HERALD}
    done = run("feeds", "add", site.at("/"), "--allow-private", cwd=tmp_path)
    assert done.stdout.decode() == f"{site.at('/rss.xml')}: added\n"


def test_of_several_feeds_of_a_site_the_user_chooses(site, tmp_path):
    site.bodies["/"] = page("herald", "post")
    done = run("feeds", "add", site.at("/"), "--allow-private", cwd=tmp_path)
    assert done.returncode == ExitCode.INPUT_MISSING
    assert site.at("/herald").encode() in done.stderr
    assert site.at("/post").encode() in done.stderr


def test_a_feed_is_tested_without_being_stored(site, tmp_path):
    shown = run("feeds", "test", site.at("/herald"), "--allow-private", cwd=tmp_path)
    assert shown.returncode == ExitCode.OK
    assert b"Velna Herald" in shown.stdout
    assert b"School meals get dearer" in shown.stdout
    output = run("feeds", "test", site.at("/herald"), "--allow-private", "--json", cwd=tmp_path)
    assert [one["id"] for one in json.loads(output.stdout)["items"]] == ["h2", "h1"]
    broken = run("feeds", "test", site.at("/none"), "--allow-private", cwd=tmp_path)
    assert broken.returncode == ExitCode.FAILED
    assert b"404" in broken.stdout
    assert not (tmp_path / "newsdedup.feeds").exists()


def test_what_a_feed_calls_itself_does_not_reach_the_terminal_as_a_control_sequence(site, tmp_path):
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Torin \x1b[31m\x9b\u202e Post"}
    site.bodies["/json"] = json.dumps({**feed, "items": [{"id": "1", "content_text": "Rain"}]})
    shown = run("feeds", "test", site.at("/json"), "--allow-private", cwd=tmp_path)
    assert "Torin [31m Post" in shown.stdout.decode()
    options = ("--category", "News \x1b[31m\t.", "--unchecked")
    run("feeds", "add", site.at("/json"), *options, cwd=tmp_path)
    assert run("feeds", "list", cwd=tmp_path).stdout.decode().endswith("/json\tNews [31m .\n")


def test_the_table_of_health_has_trouble_first_and_shares_of_a_state(site, listed):
    site.bodies["/none"] = ""
    with (listed / "feeds.txt").open("a", encoding="utf-8") as file:
        file.write(site.at("/missing"))
    feed(listed, "--to", "engine:news.state", "--events", "events.jsonl")
    shown = run("feeds", "status", "--state", "news.state", cwd=listed).stdout.decode()
    rows = shown.splitlines()
    assert "/missing" in rows[1]
    assert "404 Not Found" in rows[2]
    stats = json.loads(
        run("feeds", "status", "--state", "news.state", "--json", cwd=listed).stdout
    )["feeds"]
    by_source = {one["source"]: one for one in stats}
    assert by_source["herald.example"]["items"] == 2
    assert {by_source[name]["originals"] for name in ("herald.example", "post.example")} <= {
        0,
        1,
        2,
    }
    assert sum(by_source[name]["duplicates"] for name in ("herald.example", "post.example")) == 1


def test_opml_goes_in_and_out(site, tmp_path):
    (tmp_path / "in.opml").write_text(
        '<opml version="1.0"><body><outline text="News"><outline text="City">'
        f'<outline type="rss" text="H" xmlUrl="{site.at("/herald")}"/></outline></outline>'
        f'<outline text="P" xmlUrl="{site.at("/post")}" category="/Torin/Post,/x"/>'
        '<outline text="bad" xmlUrl="ftp://x"/></body></opml>',
        "utf-8",
    )
    done = run("feeds", "import", "in.opml", cwd=tmp_path)
    assert done.stdout == b"2 added, 0 already in the list\n"
    assert b"ftp://x" in done.stderr
    feeds = json.loads(run("feeds", "list", "--json", cwd=tmp_path).stdout)["feeds"]
    assert [each["title"] for each in feeds] == ["H", "P"]
    run("feeds", "export", "--to", "out.opml", cwd=tmp_path)
    again = run("feeds", "import", "out.opml", "--feeds", "other.feeds", cwd=tmp_path)
    assert again.stdout == b"2 added, 0 already in the list\n"
    one = json.loads(run("feeds", "list", "--json", cwd=tmp_path).stdout)
    other = json.loads(
        run("feeds", "list", "--json", "--feeds", "other.feeds", cwd=tmp_path).stdout
    )
    assert one == other
    assert [each["category"] for each in one["feeds"]] == ["News/City", "Torin/Post"]


@pytest.mark.usefixtures("long")
def test_the_demonstration_fetches_its_stream_from_feeds(tmp_path):
    done = run("demo", "--feeds", "--into", "first", cwd=tmp_path)
    assert done.returncode == ExitCode.OK
    assert b"132 feeds visited" in done.stdout
    again = run("demo", "--feeds", "--into", "first", "--json", cwd=tmp_path)
    planted = json.loads(again.stdout)["planted"]
    assert planted["reprint"]["duplicate"] > 10 * planted["reprint"]["original"]


def test_a_feed_may_be_as_large_as_the_user_allows(site, tmp_path):
    site.bodies["/large"] = HERALD.replace("<item>", f"<!--{'x' * 2**24}--><item>", 1)
    (tmp_path / "feeds.txt").write_text(site.at("/large"), "utf-8")
    assert feed(tmp_path, "--to", "items.jsonl").returncode == ExitCode.UNAVAILABLE
    limit = {"NEWSDEDUP_FEEDER__BODY_BYTES": "32MiB"}
    arguments = ("feed", "feeds.txt", "--once", "--all", "--allow-private", "--to", "items.jsonl")
    assert run(*arguments, cwd=tmp_path, **limit).returncode == ExitCode.OK
    assert len(lines_of(tmp_path / "items.jsonl")) == 2


def added(folder, address, *more):
    return run("feeds", "add", address, "--unchecked", *more, cwd=folder)


def visit(folder, *more):
    return run("feed", "--once", "--to", "items.jsonl", "--json", *more, cwd=folder)


def test_a_feed_that_may_lead_inside_keeps_that_leave_and_no_other_feed_has_it(site, tmp_path):
    added(tmp_path, site.at("/herald"), "--allow-private")
    added(tmp_path, site.at("/post"))
    stats = json.loads(visit(tmp_path).stdout)
    assert list(stats["failing"]) == [site.at("/post")]
    assert {one["id"] for one in lines_of(tmp_path / "items.jsonl")} == {"h1", "h2"}
    listed = json.loads(run("feeds", "list", "--json", cwd=tmp_path).stdout)["feeds"]
    assert [one["allow_private"] for one in listed] == [True, False]


def test_what_is_said_of_a_feed_later_takes_no_leave_from_it(site, tmp_path):
    added(tmp_path, site.at("/herald"), "--allow-private")
    added(tmp_path, site.at("/herald"), "--category", "Velna")
    assert json.loads(visit(tmp_path).stdout)["failing"] == {}


@pytest.mark.parametrize("leave", ["feeds add", "feed"])
def test_a_feed_that_failed_for_want_of_leave_is_due_when_it_gets_it(site, tmp_path, leave):
    added(tmp_path, site.at("/post"), "--allow-private")  # an empty output makes all feeds due
    added(tmp_path, site.at("/herald"))
    assert b"--allow-private admits it" in visit(tmp_path).stdout
    assert json.loads(visit(tmp_path).stdout)["visited"] == 0
    if leave == "feeds add":
        added(tmp_path, site.at("/herald"), "--allow-private")
        stats = json.loads(visit(tmp_path).stdout)
    else:
        stats = json.loads(visit(tmp_path, "--allow-private").stdout)
    assert (stats["visited"], stats["items"]) == (1, 2)


def test_a_feed_that_failed_otherwise_is_put_off_whatever_leave_it_gets(site, tmp_path):
    added(tmp_path, site.at("/post"), "--allow-private")
    added(tmp_path, site.at("/none"), "--allow-private")
    assert json.loads(visit(tmp_path).stdout)["visited"] == 2
    assert json.loads(visit(tmp_path, "--allow-private").stdout)["visited"] == 0


def test_feeds_of_an_older_release_are_listed_and_may_not_lead_inside(site, tmp_path):
    older = replace(FEEDS_SCHEMA, steps=FEEDS_SCHEMA.steps[:2])
    with closing(older.open(tmp_path / "newsdedup.feeds")) as connection, connection:
        columns = [name for _, name, *_ in connection.execute("PRAGMA table_info(feeds)")]
        row = dict.fromkeys(columns, 0) | {"number": 1, "status": "active"}
        texts = ("category", "source", "secret", "title", "publisher", "etag", "last_modified")
        row |= dict.fromkeys((*texts, "problem"), "")
        row |= {"subscribed": site.at("/herald"), "address": site.at("/herald")}
        placeholders = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO feeds VALUES ({placeholders})", list(row.values()))  # noqa: S608 - marks
    listed = json.loads(run("feeds", "list", "--json", cwd=tmp_path).stdout)["feeds"]
    assert [one["allow_private"] for one in listed] == [False]
    assert list(json.loads(visit(tmp_path).stdout)["failing"]) == [site.at("/herald")]


def test_a_demonstration_passes_over_lines_that_are_no_events(tmp_path):
    half = b'{"dedup":{"event":"item.judged","item":{"source":"a","id":"1"}}}'
    (tmp_path / "events.jsonl").write_bytes(half + b"\n" + half.replace(b'"1"', b'"\xff"') + b"\n")
    done = run("demo", "--events", "events.jsonl", "--json", cwd=tmp_path)
    assert (done.returncode, json.loads(done.stdout)["verdicts"]) == (ExitCode.OK, {})
