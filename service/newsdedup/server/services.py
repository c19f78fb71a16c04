"""What the handlers of the server work with; each finds it in its application."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from newsdedup.server.entity_tags import EntityTags
from newsdedup.server.reader_pool import ReaderPool


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerServices:
    """What an application serves, made by bootstrap and closed there."""

    pool: ReaderPool
    tags: EntityTags


SERVICES: Final = web.AppKey("SERVICES", ServerServices)


def services_of(request: web.Request) -> ServerServices:
    """Return the services of the application that got a request."""
    return request.app[SERVICES]
