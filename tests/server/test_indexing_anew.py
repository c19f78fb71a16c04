"""What a server shows while the words of its archive are indexed anew after an upgrade."""

import asyncio
import json
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from cli import in_process
from newsdedup.archive.search_words import SearchWords
from newsdedup.bootstrap.http_server import open_services
from newsdedup.cli.serve_indexing import index_archive
from newsdedup.config import build_settings
from newsdedup.core.model import Language, NewsItem
from newsdedup.server.app import listen, make_app
from runners.processes import started
from server.served import NEWS, Answer, Served, judge, serving
from servers.process import wait_until

SECONDS = 60.0
PATHS = ("/readyz", "/search?q=ferry", "/v1/search?q=ferry", "/")


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """Return a folder with an archive whose words an earlier version has indexed."""
    with closing(sqlite3.connect(judge(tmp_path))) as connection, connection:
        connection.execute("UPDATE meta SET value = 'of earlier' WHERE name = 'words'")
    return tmp_path


def test_pages_and_searches_are_served_while_words_are_indexed(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = threading.Event(), list[Answer]()
    of_item = SearchWords.of_item

    def when_asked(words: SearchWords, item: NewsItem, lang: Language, *, source: int) -> str:
        assert asked.wait(SECONDS)
        return of_item(words, item, lang, source=source)

    monkeypatch.setattr(SearchWords, "of_item", when_asked)
    settings, archive = build_settings({"server.port": 0}), older / "news.archive"

    def ask(address: str) -> None:
        answers.extend([Served(address, older).ask(path) for path in PATHS])
        answers.append(Served(address, older).ask("/v1/check", {"title": "Ferry"}))
        asked.set()

    @asynccontextmanager
    async def serve(missing: Callable[[], list[str]]) -> AsyncIterator[None]:
        async with (
            open_services(settings, archive, missing=missing) as services,
            listen(make_app(services), settings.server.host, 0) as address,
        ):
            asking = asyncio.create_task(asyncio.to_thread(ask, address))
            yield
            await asking

    asyncio.run(index_archive(settings, archive, serve))
    ready, page, found, front, check = answers
    assert (ready.status, ready.body) == (
        503,
        f"archive: the words of 0 of {len(NEWS)} items are indexed anew\n".encode(),
    )
    assert b"indexed by an earlier version" in page.body
    assert (found.json()["index_share"], len(found.json()["items"])) == (0, 1)
    assert front.status == 200
    assert (check.status, b"are indexed anew" in check.body) == (503, True)
    with serving(older) as served:
        assert served.ask("/readyz").body == b"ready\n"
        assert b"indexed by an earlier version" not in served.ask("/search?q=ferry").body
        assert served.ask("/v1/search?q=ferry").json()["index_share"] == 1
    asyncio.run(index_archive(settings, archive, serve))  # nothing is left to do: it returns


def doctor(folder: Path) -> dict[str, str]:
    """Return what `newsdedup doctor` finds out about the archive of a folder."""
    checked = in_process.run("doctor", "--archive", "news.archive", "--json", cwd=folder)
    findings = json.loads(checked.stdout)["checks"]
    return next(one for one in findings if one["check"] == "archive")


def test_who_only_reads_an_older_archive_hears_what_indexes_it(older: Path) -> None:
    with serving(older) as served:
        answer = served.ask("/readyz")
        assert answer.status == 200
        assert b"newsdedup archive --to FILE" in answer.body
    finding = doctor(older)
    assert finding["status"] == "warn"
    assert f"of {len(NEWS)} items 0 are indexed anew" in finding["message"]
    indexed = in_process.run("archive", "--to", "news.archive", cwd=older)
    assert f"the words of {len(NEWS)} items are indexed anew" in indexed.stderr.decode()
    assert doctor(older)["status"] == "ok"
    with serving(older) as served:
        assert served.ask("/readyz").body == b"ready\n"


@pytest.mark.usefixtures("process")
def test_the_command_indexes_words_before_its_engine_takes_items(older: Path) -> None:
    log = older / "serve.log"
    arguments = ("serve", "--archive", "news.archive", "--events", "events.jsonl", "--port", "0")
    with log.open("wb") as output:
        process = started(*arguments, cwd=older, environ={}, output=output)

    def addresses() -> list[str]:
        return re.findall("serving news.archive at (http://[0-9.:]+[0-9])", log.read_text("utf-8"))

    try:
        wait_until(lambda: len(addresses()) == 2, what="both servers", within=SECONDS)
        assert Served(addresses()[1], older).ask("/readyz").body == b"ready\n"
    finally:
        process.kill()
        process.communicate(timeout=30)
    assert f"of {len(NEWS)} items are indexed anew" in log.read_text("utf-8")
    assert f"indexed_words items={len(NEWS)}" in log.read_text("utf-8")
    assert doctor(older)["status"] == "ok"
