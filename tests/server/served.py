"""A real server on a free port, in a thread of the test, over an archive of a real run."""

import asyncio
import json
import socket
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote, urlsplit

from cli.small_stream import REPORTS, report
from newsdedup.adapters.files.lines import Line
from newsdedup.bootstrap.http_server import open_services
from newsdedup.bootstrap.runs import RunPaths, open_run
from newsdedup.config import Settings, build_settings
from newsdedup.runners.intake.engine_output import EngineOutput
from newsdedup.runners.intake.record_output import record_lines
from newsdedup.server.app import listen, make_app

TOKEN = "correct horse battery"  # noqa: S105 - of the tests alone
WEBHOOK_SECRET = "whsec_aW52ZW50ZWQgZm9yIHRlc3RzIG9ubHk="  # noqa: S105 - of the tests alone
ALLOWED = "/?&=%:+-*[]"
"""What stays as it is where a test writes an address."""
SCRIPT = (
    "<script>alert(1)</script> Ferry of Kallavesi stops",
    "The ferry across the lake stopped on Monday <img src=x onerror=alert(1)>, the port said.",
)
NEWS = (
    *REPORTS,
    report("https://ferry.example/a b", "https://ferry.example/news/1?x=%2F", SCRIPT, "12:00:00"),
)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Served:
    """A running server and the files it serves."""

    address: str
    folder: Path

    def ask(
        self,
        path: str,
        body: object = None,
        *,
        method: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        parts = urlsplit(self.address)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        sent = dict(headers or {})
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        try:
            kind = method or ("GET" if data is None else "POST")
            connection.request(kind, quote(path, safe=ALLOWED), data, sent)
            got = connection.getresponse()
            return Answer(got.status, {k.lower(): v for k, v in got.getheaders()}, got.read())
        finally:
            connection.close()

    def connect(self) -> socket.socket:
        parts = urlsplit(self.address)
        return socket.create_connection((parts.hostname, parts.port), timeout=60)


def indexes(folder: Path) -> RunPaths:
    return RunPaths(
        to=str(folder / "events.jsonl"),
        state=folder / "events.jsonl.state",
        dead=folder / "events.jsonl.dlq",
        archive=folder / "news.archive",
    )


def lines_of(items: object) -> list[Line]:
    return record_lines([json.dumps(item, ensure_ascii=False).encode() for item in items])


def judge(folder: Path, items: object = NEWS) -> Path:
    """Judge items by a run that keeps an archive; return the archive."""
    job = open_run(Settings(), indexes(folder))
    try:
        job.begin()
        for _ in job.take(lines_of(items)):
            pass
    finally:
        job.close()
    return folder / "news.archive"


@contextmanager
def serving(
    folder: Path,
    *,
    state: bool = False,
    engine: bool = False,
    redis: Mapping[str, Any] | None = None,
    feeds: Path | None = None,
    watches: Path | None = None,
    archive: str = "news.archive",
    **chosen: Any,
) -> Iterator[Served]:
    """Serve the archive of a folder; `chosen` are settings of the section `server`."""
    own = {f"server.{name}": value for name, value in chosen.items()}
    if watches is not None:
        own |= {"watches.state": str(watches), "watches.secret": WEBHOOK_SECRET}
    settings = build_settings({"server.port": 0, "server.rate": 0, **own, **(redis or {})})
    ready: Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        stop = asyncio.Event()
        async with AsyncExitStack() as stack:
            output = None
            if engine:
                opening = partial(open_run, settings, indexes(folder))
                output = await EngineOutput.open(opening, observe=lambda _: None)
                stack.push_async_callback(output.close)
            services = await stack.enter_async_context(
                open_services(
                    settings,
                    folder / archive,
                    state=folder / "events.jsonl.state" if state else None,
                    output=output,
                    redis=redis is not None,
                    feeds=feeds,
                    allow_private=True,
                )
            )
            address = await stack.enter_async_context(
                listen(make_app(services), settings.server.host, settings.server.port)
            )
            ready.set_result((address, asyncio.get_running_loop(), stop))
            await stop.wait()

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    address, loop, stop = ready.result(60)
    try:
        yield Served(address, folder)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)
        assert not thread.is_alive()


def item_path(source: str, item_id: str) -> str:
    return f"/v1/items/{quote(source, safe='')}/{quote(item_id, safe='')}"
