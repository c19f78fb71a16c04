"""Metrics and health over HTTP, at a port of their own.

/livez answers as long as the event loop runs: a process that waits for a server must not be killed
for that. /readyz answers 503, with a line for each reason, while the process is not ready.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from newsdedup.adapters.http.serving import serve_app

_EXPOSITION: Final = "text/plain; version=0.0.4; charset=utf-8"


class _Answers:
    def __init__(self, scrape: Callable[[], bytes], missing: Callable[[], list[str]]) -> None:
        self._scrape = scrape
        self._missing = missing

    async def livez(self, _: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def readyz(self, _: web.Request) -> web.Response:
        """Answer 200 if the process is ready, else 503 with a line for each reason."""
        missing = self._missing()
        lines = "".join(f"{line}\n" for line in missing or ["ready"])
        return web.Response(status=503 if missing else 200, text=lines)

    async def metrics(self, _: web.Request) -> web.Response:
        return web.Response(body=self._scrape(), headers={"Content-Type": _EXPOSITION})


@asynccontextmanager
async def serve_health(
    host: str,
    port: int,
    *,
    setting: str,
    scrape: Callable[[], bytes],
    missing: Callable[[], list[str]],
) -> AsyncIterator[None]:
    """Serve /metrics, /livez and /readyz while a block runs.

    `scrape` returns the metrics, `missing` the reasons why the process is not ready. Raise
    SettingsInvalid, which names the `setting` of the port, if the port is taken.
    """
    answers = _Answers(scrape, missing)
    app = web.Application()
    app.add_routes(
        [
            web.get("/livez", answers.livez),
            web.get("/readyz", answers.readyz),
            web.get("/metrics", answers.metrics),
        ]
    )

    def refusal(reason: str) -> str:
        return (
            f"{setting} {port}: metrics and health cannot be told at {host}:{port} ({reason}); "
            "choose another port with --port, or --port 0 for none"
        )

    async with serve_app(app, host, port, refusal=refusal):
        yield
