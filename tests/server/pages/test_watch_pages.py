"""Saved searches on a server: made on a page, found as items come, sent, and shown in feeds."""

import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import feedparser
import pytest

from archive.event_stream import search_words
from cli.small_stream import FIRE, report
from newsdedup.archive.reader import ArchiveReader
from newsdedup.core.events import ItemRef
from newsdedup.server.watch_feeds import digest_entry
from newsdedup.watches.hits import StoredHit
from newsdedup.watches.watch_states import WatchState
from newsdedup.watches.watch_store import WatchStore
from newsdedup.watches.webhooks import sign_body, signing_key
from server.pages.invented_watches import REFUSING, WATCHES
from server.pages.test_editing_pages import OWN, Reply, send, session
from server.served import TOKEN, WEBHOOK_SECRET, Served, judge, serving
from watches.receiver import Receiver, receiving

pytestmark = pytest.mark.usefixtures("long")

BEARER = {"Authorization": f"Bearer {TOKEN}"}
NAME = "Пожежі & fires"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as one:
        yield one


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Served]:
    """Return a server with an engine and without saved searches."""
    judge(tmp_path)
    with serving(tmp_path, engine=True, token=TOKEN, watches=tmp_path / "watches") as server:
        yield server


def until(ask: Callable[[], object]) -> object:
    """Return what `ask` returns once that is true, at most 60 s later."""
    end = time.monotonic() + 60
    while not (answer := ask()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return answer


def post(served: Served, path: str, **form: str) -> Reply:
    return send(served, path, form, Cookie=session(served), **OWN)


def page_of(served: Served, name: str = NAME) -> dict:
    return served.ask(f"/watch.json?name={name.replace('&', '%26')}").json()


def test_a_search_made_on_a_page_finds_and_sends_what_comes(
    watched: Served, receiver: Receiver
) -> None:
    form = {"name": NAME, "q": "пожар", "webhook": receiver.address}
    made = post(watched, "/watches", **form)
    assert made.status == 303
    assert page_of(watched)["hits"] == [], "it begins with what comes"
    item = report("new.example", "f1", FIRE, "10:00:00")
    watched.ask("/v1/items", item, headers=BEARER)
    (got,) = receiver.wait_for(1)
    sent = got.json()
    assert (sent["type"], sent["watch"]) == ("hit", NAME)
    assert (sent["item"]["source"], sent["item"]["id"]) == ("new.example", "f1")
    assert sent["item"]["verdict"] == "duplicate"
    stamp, key = int(got.headers["webhook-timestamp"]), signing_key(WEBHOOK_SECRET)
    assert got.headers["webhook-signature"] == sign_body(key, sent["id"], stamp, got.body)
    (shown,) = until(lambda: page_of(watched)["hits"])
    assert shown["hit"]["id"] == sent["id"] == got.id
    (row,) = until(
        lambda: [one for one in watched.ask("/now.json").json()["watches"] if one["new_hits"]]
    )
    assert (row["name"], row["webhook"]) == (NAME, "127.0.0.1")
    assert "1 new" in send(watched, "/").body
    metrics = until(
        lambda: re.findall(
            r"webhook_attempts_total\{(.+)\} 1", watched.ask("/metrics").body.decode()
        )
    )
    assert metrics == ['outcome="sent"']
    assert watched.ask("/readyz").body == b"ready\n"


def test_a_webhook_that_fails_is_told_where_one_looks(watched: Served) -> None:
    with receiving(*[503] * 9) as failing:
        post(watched, "/watches", name="fires", q="пожар", webhook=failing.address)
        watched.ask("/v1/items", report("new.example", "f1", FIRE, "10:00:00"), headers=BEARER)
        failing.wait_for(1)
        until(lambda: page_of(watched, "fires")["watch"]["failing_since"])
        assert page_of(watched, "fires")["watch"]["problem"] == "status 503"
        ready = watched.ask("/readyz")
        assert ready.status == 200
        assert b"webhook of fires: failing since" in ready.body
        assert b"key=private" not in watched.ask("/watch?name=fires").body
        post(watched, "/watch", name="fires", action="test")
        test = page_of(watched, "fires")["test"]
        assert (test["taken"], test["problem"]) == (False, "status 503")
        failing.statuses[:] = []
        post(watched, "/watch", name="fires", action="test")
        assert page_of(watched, "fires")["test"]["taken"]
        assert failing.received[-1].json()["type"] == "test"


def test_dead_letters_are_shown_and_sent_again(tmp_path: Path) -> None:
    judge(tmp_path)
    with (
        receiving(500) as failing,
        serving(
            tmp_path,
            engine=True,
            token=TOKEN,
            watches=tmp_path / "watches",
            redis={"watches.attempts": 1},
        ) as served,
    ):
        post(served, "/watches", name="fires", q="пожар", webhook=failing.address)
        served.ask("/v1/items", report("new.example", "f1", FIRE, "10:00:00"), headers=BEARER)
        (letter,) = until(lambda: page_of(served, "fires")["dead_letters"])
        assert letter["attempts"] == 1
        assert "1 hit could not be sent" in send(served, "/watch?name=fires").body
        assert b"1 dead" in served.ask("/readyz").body
        post(served, "/watch", name="fires", action="again")
        first, second = failing.wait_for(2)
        assert (first.id, first.body) == (second.id, second.body)
        until(lambda: not page_of(served, "fires")["dead_letters"])


def test_a_change_while_a_page_is_read_is_on_the_next_one(
    watched: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(watched, "/watches", name="first", q="tram")
    post(watched, "/watches", name="second", q="tram")
    read = WatchStore.states

    def read_then_change(store: WatchStore, now: datetime) -> tuple[WatchState, ...]:
        states = read(store, now)
        store.delete("second")
        return states

    monkeypatch.setattr(WatchStore, "states", read_then_change)
    assert len(watched.ask("/watches.json").json()["watches"]) == 2
    monkeypatch.undo()
    (left,) = watched.ask("/watches.json").json()["watches"]
    assert left["name"] == "first"


def test_only_who_has_signed_in_makes_changes(watched: Served) -> None:
    form = {"name": "x", "q": "tram"}
    assert send(watched, "/watches", form, **OWN).status == 403
    cookie = session(watched)
    assert send(watched, "/watches", form, Cookie=cookie).status == 403, "another site's form"
    assert post(watched, "/watches", **form).status == 303
    assert post(watched, "/watches", **form).status == 400, "the name is taken"
    assert post(watched, "/watches", name="all").status == 400, "it lets everything through"
    assert post(watched, "/watches", name="all", q="the and").status == 400, "it finds nothing"
    assert 'name="action"' not in send(watched, "/watch?name=x").body
    assert 'name="action"' in send(watched, "/watch?name=x", Cookie=cookie).body
    assert send(watched, "/watch", {"name": "x", "action": "delete"}, **OWN).status == 403
    assert post(watched, "/watch", name="x", action="delete").status == 303
    assert send(watched, "/watch?name=x").status == 404


def test_a_refused_form_keeps_what_was_typed_and_says_why(watched: Served) -> None:
    reply = post(watched, "/watches", name="<trams>", q="the and", lang="en", least_sources="3")
    assert reply.status == 400
    assert "they are too common" in reply.body
    assert 'value="&lt;trams&gt;"' in reply.body
    assert 'value="the and"' in reply.body
    assert '<option value="en" selected>' in reply.body
    assert 'name="least_sources" value="3"' in reply.body
    assert watched.ask("/watches.json").json()["watches"] == []


def test_a_server_without_saved_searches_offers_none(archive_folder: Path) -> None:
    with serving(archive_folder) as served:
        assert "/watches" not in send(served, "/").body
        for path in ("/watches", "/watch?name=x", "/digest", "/feeds/watch/x.atom"):
            assert send(served, path).status == 404


def get(site: str, path: str) -> Reply:
    return send(Served(site, Path()), path)


def test_hits_are_a_feed_in_both_forms(site: str) -> None:
    name = WATCHES[0].name.replace(" ", "%20")
    atom = feedparser.parse(get(site, f"/feeds/watch/{name}.atom").body)
    assert not atom.bozo
    assert atom.feed.title == WATCHES[0].name
    assert atom.entries
    shown = json.loads(get(site, f"/feeds/watch/{name}.json").body)
    assert [one["id"] for one in shown["items"]] == [one.id for one in atom.entries]
    assert get(site, "/feeds/watch/none.atom").status == 404


def test_the_digest_of_a_day_has_the_hits_of_all_searches(site: str) -> None:
    digest = json.loads(get(site, "/digest.json").body)
    assert digest["total"] == sum(len(part["hits"]) for part in digest["parts"]) > 0
    assert WATCHES[0].name in [part["name"] for part in digest["parts"]]
    earlier = json.loads(get(site, "/digest.json?day=2024-02-29").body)
    assert (earlier["total"], earlier["after"]) == (0, "2024-03-01T00:00:00Z")
    assert get(site, "/digest?day=2024-02-30").status == 400
    feed = feedparser.parse(get(site, "/feeds/digest.atom").body)
    assert not feed.bozo


def test_the_digest_feed_reads_the_hits_of_each_search_once(archive_folder: Path) -> None:
    day, reads = datetime(2026, 3, 2, tzinfo=UTC), []
    with ArchiveReader(archive_folder / "news.archive", search_words()) as reader:
        hits = [
            StoredHit(
                id=f"h{number}",
                watch=f"search {number}",
                item=ItemRef(one.source, one.id),
                story=one.story,
                sources=1,
                hit_at=day,
            )
            for number, one in enumerate(reader.items().items)
        ]
        reader.give_way = lambda: reads.append(1)
        entry = digest_entry(reader, day, hits, "https://desk.example/")
    assert entry.text.count("\n- ") == len(hits) > 2
    assert len(reads) == len(hits)


def test_a_webhook_is_named_by_its_host_alone(site: str) -> None:
    for path in ("/watch?name=", "/watch.json?name="):
        body = get(site, path + quote(REFUSING.name)).body
        assert "desk.example" in body
        assert "private" not in body
