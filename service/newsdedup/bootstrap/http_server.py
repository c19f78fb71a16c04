"""Makes what the server serves: readers of the archive, its follower, and checkers of items."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newsdedup._version import __version__
from newsdedup.adapters.files.outputs import check_writable
from newsdedup.adapters.files.paths import free_by_name
from newsdedup.adapters.formats.item_json import title_of
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.sqlite.state_replica import StateReplica
from newsdedup.archive.reader import ArchiveReader
from newsdedup.bootstrap.record_outputs import KAFKA_SCHEME, open_record_output
from newsdedup.bootstrap.rules import item_analyzer, make_rule, stream_recorder
from newsdedup.bootstrap.runs import line_decoder, make_search_words, state_fingerprint
from newsdedup.bootstrap.watching import open_watcher
from newsdedup.config import Settings
from newsdedup.config.reading import read_secret
from newsdedup.core.model import NewsItem
from newsdedup.core.moments import MICROSECOND
from newsdedup.engine.comparison import ItemComparison, compared_item
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.engine.shared.engine import SharedEngine
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.runners.intake.engine_output import EngineOutput
from newsdedup.runners.intake.record_output import LinesFile
from newsdedup.server import checkers
from newsdedup.server.cached_answers import CachedAnswers
from newsdedup.server.change_feed import ChangeFeed
from newsdedup.server.editor_commands import EditorCommands
from newsdedup.server.reader_pool import Precedence, ReaderPool
from newsdedup.server.services import (
    FeedOverview,
    OpenRequests,
    RequestLimits,
    RequestRate,
    ServerServices,
)
from newsdedup.server.topic_follower import StoredOffsets, TopicBatch
from newsdedup.watches.watcher import Watcher

if TYPE_CHECKING:
    from newsdedup.server.request_metrics import RequestMetrics

_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_LEAST_TOKEN_CHARS: Final = 16
_SEARCHED_FORMS: Final = 2**15
"""Forms whose words are cached for searches: some 8 MB."""


@asynccontextmanager
async def open_services(
    settings: Settings,
    archive: Path,
    *,
    state: Path | None = None,
    redis: bool = False,
    output: EngineOutput | None = None,
    feeds: Path | None = None,
    kafka: bool = False,
    missing: Callable[[], list[str]] = list,
    files: Mapping[str, Path] | None = None,
    allow_private: bool = False,
) -> AsyncIterator[ServerServices]:
    """Yield what the server needs, and close it after the block.

    Items are checked and stored in the run behind `output`; without one they are only checked, in
    the file `state` of another run or, with `redis`, in the namespace of workers. `feeds` is the
    file of a feeder, whose feeds are shown. Feedback changes the run behind `output`, or, with
    `kafka`, goes to the input topic. `missing` returns reasons why the server is not ready. `files`
    are written by this process, keyed by what they hold: their free disk space is measured.
    Webhooks may be at addresses of this network if `allow_private`.
    Raise SourceUnusable if there is no archive, StateUnusable if it cannot be read,
    SettingsInvalid for a bad token file or a short token, SinkUnusable if feedback cannot be
    stored.
    """
    chosen = settings.server
    token = _read_token(chosen.token, chosen.token_file)
    words = await asyncio.to_thread(partial(make_search_words, cached=_SEARCHED_FORMS))
    await asyncio.to_thread(words.load)
    async with AsyncExitStack() as stack:
        precedence, open_reader = Precedence(), partial(ArchiveReader, archive, words)
        pool = ReaderPool(open_reader, threads=chosen.readers, precedence=precedence)
        stack.push_async_callback(pool.close)
        looking = ReaderPool(open_reader, threads=1)
        stack.push_async_callback(looking.close)
        # Here, so that a missing file ends the start and not the first request.
        await pool.run(lambda reader: reader.last_change())
        thread = checkers.JudgingThread(
            line_decoder(settings), partial(item_analyzer, settings), precedence
        )
        stack.push_async_callback(thread.close)
        checker: checkers.Checker | None = None
        keeper: checkers.EngineKeeper | None = None
        if output is not None:
            checker = keeper = checkers.EngineKeeper(output)
        elif state is not None:
            checker = replica_checker(settings, state, thread)
            stack.push_async_callback(checker.close)
        elif redis:
            checker = _shared_checker(settings, thread)
            stack.push_async_callback(checker.close)
        open_topic = partial(open_record_output, settings, f"{KAFKA_SCHEME}://")
        commands = EditorCommands(
            pool,
            keeper=keeper,
            open_topic=open_topic if kafka else None,
            file=LinesFile(check_writable(Path(chosen.feedback))) if chosen.feedback else None,
        )
        stack.push_async_callback(commands.close)
        watcher: Watcher | None = None
        if settings.watches.state:
            watching = open_watcher(settings, pool.run, allow_private=allow_private)
            watcher = await stack.enter_async_context(watching)
        changes, open_requests = ChangeFeed(pool), OpenRequests(chosen.requests)
        yield ServerServices(
            pool=pool,
            answers=CachedAnswers(pool, looking=looking),
            changes=changes,
            metrics=_request_metrics(
                pool, changes, open_requests, {"archive": archive, **(files or {})}, watcher
            ),
            checker=checker,
            keeper=keeper,
            feeds=None if feeds is None else FeedOverview(feeds),
            watcher=watcher,
            commands=commands,
            mutual_checker=checkers.MutualChecker(thread, partial(_empty_engine, settings)),
            compare=item_comparer(settings, thread),
            rate=RequestRate(chosen.rate),
            open_requests=open_requests,
            limits=RequestLimits(
                body_bytes=chosen.body_bytes,
                body_seconds=chosen.body_timeout.total_seconds(),
                batch=chosen.batch,
                proxies=chosen.proxies,
            ),
            token=token,
            host_names=_host_names(chosen.host, chosen.aliases),
            origins=frozenset(chosen.origins.split(",")) - {""},
            missing=missing,
        )


def _host_names(host: str, aliases: str) -> frozenset[str]:
    """Return the names in lower case that the server answers to; none if it answers to any."""
    names = {name.lower() for name in aliases.split(",") if name}
    if names or host in _LOOPBACK:
        names |= {host.lower(), *_LOOPBACK}
    # Without aliases a server elsewhere than at the loopback answers to any name.
    return frozenset(names)


def _read_token(value: str, file: str) -> str:
    """Return the token for writing, "" without one; raise SettingsInvalid for one that is short."""
    token = read_secret("server.token", value, file).strip()
    if 0 < len(token) < _LEAST_TOKEN_CHARS:
        where = f"server.token_file {file}" if file else "server.token"
        problem = f"the token has fewer than {_LEAST_TOKEN_CHARS} characters and could be guessed"
        raise SettingsInvalid(f"{where}: {problem}; `openssl rand -hex 32` makes a good one")
    return token


def replica_checker(
    settings: Settings, state: Path, thread: checkers.JudgingThread
) -> checkers.ReplicaChecker:
    """Return the checker of items against the state of a run with these settings, opened later."""
    rule, lateness = make_rule(settings), settings.rule.lateness // MICROSECOND

    def open_replica() -> StateReplica:
        return StateReplica(
            state,
            rule,
            made_by=state_fingerprint(settings, thread.analyzer.documents, rule),
            lateness=lateness,
            recorder=stream_recorder(rule),
        )

    def make_engine(replica: StateReplica) -> Deduplicate:
        return Deduplicate(
            rule=rule,
            store=replica.store,
            ledger=replica.ledger,
            lateness=lateness,
            bound=settings.run.cascade,
            watermark=replica.progress.watermark,
            recorder=replica.recorder,
        )

    return checkers.ReplicaChecker(state, thread, open_replica, make_engine)


def item_comparer(settings: Settings, thread: checkers.JudgingThread) -> checkers.CompareItems:
    """Return the function that compares two items by these settings; or raise SettingsInvalid."""
    rule = make_rule(settings)

    def compare(*items: NewsItem) -> ItemComparison:
        a, b = (compared_item(item, thread.analyzer, title=title_of(item)) for item in items)
        return ItemComparison(a, b, rule)

    return lambda a, b: thread.run(partial(compare, a, b))


def _shared_checker(settings: Settings, thread: checkers.JudgingThread) -> checkers.SharedChecker:
    """Return the checker of items against the configured namespace of Redis, never creating it."""
    # Here and not above: it needs what the extra `kafka` brings.
    from newsdedup.bootstrap.workers import namespace_session, shared_engine  # noqa: PLC0415

    @asynccontextmanager
    async def open_engine() -> AsyncIterator[SharedEngine]:
        known = await thread.run(lambda: thread.analyzer)
        async with namespace_session(settings, known=known, create=False) as session:
            yield shared_engine(settings, session, publishes=False)

    return checkers.SharedChecker(thread, open_engine)


def _request_metrics(
    pool: ReaderPool,
    changes: ChangeFeed,
    open_requests: OpenRequests,
    files: Mapping[str, Path],
    watcher: Watcher | None,
) -> "RequestMetrics | None":
    """Return the metrics of requests, None if prometheus-client is not installed.

    The free disk space at the paths of `files` is measured, too.
    """
    try:
        from newsdedup.adapters.metrics.catalogue import OPEN_REQUESTS, QUERIES_WAITING, STREAMS  # noqa: PLC0415
        from newsdedup.server.request_metrics import RequestMetrics  # noqa: PLC0415
    except ModuleNotFoundError:
        return None
    return RequestMetrics(
        release=__version__,
        gauges={
            OPEN_REQUESTS: lambda: open_requests.number,
            STREAMS: lambda: changes.streams,
            QUERIES_WAITING: lambda: pool.waiting,
        },
        watcher=watcher,
        free_bytes=partial(free_by_name, files),
    )


def _empty_engine(settings: Settings) -> Deduplicate:
    """Return an engine with an empty state in memory; raise SettingsInvalid without its model."""
    rule = make_rule(settings)
    return Deduplicate(
        rule=rule,
        store=MemoryStore(rule),
        ledger=MemoryLedger(),
        lateness=settings.rule.lateness // MICROSECOND,
        bound=settings.run.cascade,
        recorder=stream_recorder(rule, keeps=False),
    )


@asynccontextmanager
async def open_events(
    settings: Settings, stored: StoredOffsets, *, traced: bool
) -> AsyncIterator[AsyncIterator[TopicBatch]]:
    """Yield an endless iterator of batches of the output topic, from the stored offsets on.

    Partitions without one are read from their beginning. The events have their trace headers
    only if `traced`. Raise SourceUnusable if there is no such topic, Unavailable if the broker does
    not answer.
    """
    # Here and not above: they need what the extra `kafka` brings.
    from newsdedup.adapters.kafka.reader import follow_topic  # noqa: PLC0415
    from newsdedup.bootstrap.workers import kafka_access  # noqa: PLC0415

    async def batches() -> AsyncIterator[TopicBatch]:
        async for records in received:
            behind = {record.partition: record.offset + 1 for record in records}
            lines = [one.value for one in records if one.value is not None]
            yield TopicBatch(lines, behind, [one.traces for one in records] if traced else ())

    async with follow_topic(
        kafka_access(settings), settings.kafka.output, beginning=True, stored=stored
    ) as received:
        yield batches()
