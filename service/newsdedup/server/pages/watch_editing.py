"""Making and deleting saved searches, testing their webhooks, sending dead letters again."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from typing import Final

from aiohttp import web

from newsdedup.server.access import require_own_page, require_session
from newsdedup.server.http_errors import RequestRefused
from newsdedup.server.operations import read_form
from newsdedup.server.pages.editing import own_page, see_other
from newsdedup.server.pages.links import watch_url
from newsdedup.server.pages.watches import RefusedWatch, read_watch_data, watch_rows
from newsdedup.server.services import services_of
from newsdedup.watches.watch import Watch, WatchInvalid, check_watch
from newsdedup.watches.watch_store import WatchStore
from newsdedup.watches.watcher import Watcher

_LIST: Final = "/watches"


def add_watch_editing(app: web.Application) -> None:
    """Add what the forms of the pages of saved searches do."""
    app.router.add_post(_LIST, _make)
    app.router.add_post("/watch", _change)


async def _make(request: web.Request) -> web.Response:
    """Answer POST /watches: store a search, and lead to its page.

    A search that means nothing or whose name is taken is answered by the form as it was filled in,
    with the reason. Raise RequestRefused for a form of another site and a user who has not signed
    in.
    """
    watcher, form = await _editor_form(request)
    try:
        watch = await _add(watcher, form)
    except WatchInvalid as error:
        data = await read_watch_data(watcher, _LIST, {})
        rows = watch_rows(data.states)
        view = RefusedWatch(watches=rows, typed=form, problem=str(error))
        response = own_page(request, "watches.html", view, _LIST)
        response.set_status(HTTPStatus.BAD_REQUEST)
        return response
    return see_other(watch_url(watch.name))


async def _add(watcher: Watcher, form: Mapping[str, str]) -> Watch:
    """Store the search of a form and return it; raise WatchInvalid for one that cannot be kept."""
    sources = form.get("least_sources", "").strip() or "1"
    if not (sources.isascii() and sources.isdigit() and len(sources) < 6):
        raise WatchInvalid("the least number of sources is a whole number")
    watch = Watch(
        name=form.get("name", ""),
        q=form.get("q", ""),
        source=form.get("source", ""),
        lang=form.get("lang", ""),
        least_sources=int(sources),
        copies_of=form.get("copies_of", ""),
        webhook=form.get("webhook", ""),
    )
    watch = check_watch(watch)
    await watcher.check_words(watch)
    await watcher.store.run(partial(WatchStore.add, watch=watch, now=datetime.now(UTC)))
    return watch


async def _change(request: web.Request) -> web.Response:
    """Answer POST /watch: delete a search, test its webhook or send its dead letters again.

    Raise RequestRefused as `_make` does, and for a search that does not exist.
    """
    watcher, form = await _editor_form(request)
    name = form.get("name", "")
    watches = await watcher.store.run(WatchStore.watches)
    watch = next((one for one in watches if one.name == name), None)
    if watch is None:
        raise RequestRefused("not-found", "there is no saved search of this name")
    match form.get("action"):
        case "delete":
            if not await watcher.store.run(partial(WatchStore.delete, name=name)):
                detail = "this search is in watches.file, from which it has to be removed"
                raise RequestRefused("bad-form", detail)
            watcher.wake()
            return see_other(_LIST)
        case "test" if watch.webhook:
            await watcher.test(watch)
        case "again":
            again = partial(WatchStore.send_again, watch=name, now=datetime.now(UTC))
            await watcher.store.run(again)
            watcher.wake()
        case _:
            raise RequestRefused("bad-form", "this form names nothing to do")
    return see_other(watch_url(name))


async def _editor_form(request: web.Request) -> tuple[Watcher, Mapping[str, str]]:
    """Return the watcher and the form of an editor; raise RequestRefused for anybody else."""
    require_own_page(request)
    require_session(request)
    watcher = services_of(request).watcher
    if watcher is None:
        detail = "this server has no saved searches: watches.state names no file"
        raise RequestRefused("not-found", detail, status=HTTPStatus.NOT_FOUND)
    return watcher, await read_form(request)
