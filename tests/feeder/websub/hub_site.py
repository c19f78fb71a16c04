"""A site of the test with feeds and their WebSub hub, over real HTTP on one port of its own."""

import asyncio
import hmac
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
from aiohttp import web

CHALLENGE = "a challenge of the hub"


@dataclass
class Push:
    """What a hub sends to a callback."""

    body: bytes = b"whatever"
    method: str = "sha256"
    signature: str | None = None
    """Instead of the right one; "" for none."""
    secret: str | None = None


class HubSite:
    """Feeds by path, and a hub at /hub that does what it is set to do."""

    def __init__(self):
        self.port = 0
        self.feeds: dict[str, str] = {}
        self.links: dict[str, str] = {}
        """Link headers by path."""
        self.visits: list[str] = []
        self.requests: list[dict[str, str]] = []
        """The forms that the hub got."""
        self.status = 202
        self.location = ""
        self.gone = False
        """Whether the hub closes connections without an answer."""
        self.verifies = True
        self.lease = 864_000
        self.answers: list[tuple[int, str, str]] = []
        """Status, media type and body of the answers to verifications."""
        self.on_visit = None
        self.verified = asyncio.Event()
        """Set by the first answer to a verification."""
        self._tasks: list[asyncio.Task] = []

    def at(self, path, host="news.example"):
        return f"http://{host}:{self.port}{path}"

    def offer(self, path, body, *, hub="/hub", self_link=None):
        """Serve a feed that names its hub and itself in Link headers."""
        self.feeds[path] = body
        own = self.at(path) if self_link is None else self_link
        self.links[path] = f'<{hub}>; rel="hub", <{own}>; rel=self'

    async def drained(self):
        """Return when all verifications are answered."""
        tasks, self._tasks = self._tasks, []
        await asyncio.gather(*tasks)

    async def ask(self, callback, **query):
        """Return status, media type and body of a GET of a callback."""
        async with (
            aiohttp.ClientSession() as session,
            session.get(callback, params=query) as answer,
        ):
            return answer.status, answer.content_type, await answer.text()

    async def verify(self, form, **changed):
        query = {
            "hub.mode": "subscribe",
            "hub.topic": form["hub.topic"],
            "hub.challenge": CHALLENGE,
            "hub.lease_seconds": str(self.lease),
        }
        query = {name: value for name, value in {**query, **changed}.items() if value is not None}
        return await self.ask(form["hub.callback"], **query)

    async def push(self, push=None, *, form=None, callback=None):
        """Return the status of the answer to a push to the last subscription, or another one."""
        push, form = push or Push(), form or self.requests[-1]
        secret = form["hub.secret"] if push.secret is None else push.secret
        signature = push.signature
        if signature is None:
            signature = (
                f"{push.method}={hmac.new(secret.encode(), push.body, push.method).hexdigest()}"
            )
        headers = {"X-Hub-Signature": signature} if signature else {}
        async with (
            aiohttp.ClientSession() as session,
            session.post(
                callback or form["hub.callback"],
                data=push.body,
                headers={**headers, "Content-Type": "application/rss+xml"},
            ) as answer,
        ):
            return answer.status

    async def serve_feed(self, request):
        self.visits.append(request.path)
        if self.on_visit is not None:
            await self.on_visit()
        body = self.feeds.get(request.path)
        if body is None:
            return web.Response(status=404)
        links = self.links.get(request.path)
        return web.Response(text=body, headers={"Link": links} if links else {})

    async def serve_hub(self, request):
        assert request.content_type == "application/x-www-form-urlencoded"
        form = dict(await request.post())
        self.requests.append(form)
        if self.gone:
            request.transport.abort()
            return web.Response()
        if self.location:
            headers = {"Location": self.location}
            self.location = ""
            return web.Response(status=307, headers=headers)
        if self.status == 202 and self.verifies:

            async def verify():
                self.answers.append(await self.verify(form))
                self.verified.set()

            self._tasks.append(asyncio.create_task(verify()))
        return web.Response(status=self.status, text="as the test asks")


@asynccontextmanager
async def hub_site():
    site = HubSite()
    app = web.Application()
    app.add_routes(
        [
            web.post("/hub", site.serve_hub),
            web.post("/other", site.serve_hub),
            web.get("/{path:.*}", site.serve_feed),
        ]
    )
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    server = web.TCPSite(runner, "127.0.0.1", 0)
    await server.start()
    site.port = runner.addresses[0][1]
    try:
        yield site
    finally:
        await runner.cleanup()
