"""The web application: which middlewares each request passes, and which paths there are."""

from aiohttp import web

from newsdedup.server.http_errors import answer_errors
from newsdedup.server.response_headers import add_security_headers
from newsdedup.server.services import SERVICES, ServerServices


def make_app(services: ServerServices) -> web.Application:
    """Return the application; pages are added to it by `add_pages` (server/pages)."""
    app = web.Application(middlewares=[answer_errors])
    app[SERVICES] = services
    app.on_response_prepare.append(add_security_headers)
    return app
