"""A web site of the test with feeds, served from a thread on a port of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class FeedSite:
    """Bodies by path, which a test may change; every body has an ETag of its own."""

    bodies: dict[str, str] = field(default_factory=dict)
    statuses: list[tuple[str, int]] = field(default_factory=list)
    """Path and status of each request."""
    gone: set[str] = field(default_factory=set)
    """Paths that are answered by 410."""
    busy: set[str] = field(default_factory=set)
    """Paths that are answered by 429, with the wish for a pause of ten minutes."""
    address: str = ""

    def at(self, path: str) -> str:
        return self.address + path


@contextmanager
def feed_site(**bodies: str) -> Iterator[FeedSite]:
    """Yield a site that serves each body at its name, `rss` at /rss."""
    site = FeedSite({f"/{name}": body for name, body in bodies.items()})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            body = site.bodies.get(self.path)
            tag = "" if body is None else f'"{sha256(body.encode()).hexdigest()}"'
            unchanged = tag and self.headers.get("If-None-Match") == tag
            status = 404 if body is None else 304 if unchanged else 200
            if self.path in site.gone:
                status = 410
            if self.path in site.busy:
                status = 429
            site.statuses.append((self.path, status))
            content = (body or "").encode() if status == 200 else b""
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "600")
            if tag:
                self.send_header("ETag", tag)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def rss(*entries: str, title: str = "Velna Herald", site: str = "https://herald.example/") -> str:
    """Return a feed of entries that are written "id: title: text"."""
    items = []
    for entry in entries:
        name, headline, text = entry.split(": ", 2)
        items.append(
            f"<item><guid isPermaLink='false'>{name}</guid><title>{headline}</title>"
            f"<link>{site}{name}</link><pubDate>Mon, 02 Mar 2026 10:00:00 GMT</pubDate>"
            f"<description>{text}</description></item>"
        )
    return (
        f"<rss version='2.0'><channel><title>{title}</title><link>{site}</link>"
        f"{''.join(items)}</channel></rss>"
    )
