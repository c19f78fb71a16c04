import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Annotated

from newsdedup.cli import options
from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import option, parse_duration
from newsdedup.cli.output import counted, print_json, stderr_console
from newsdedup.cli.registry import command
from newsdedup.cli.shown.progress import RunProgress

_Since = Annotated[
    timedelta | None,
    option(
        "--since",
        "DURATION",
        "Read only what was published this long ago or later: at least rule.window and "
        "rule.lateness, plus any time without workers. [default: all that the topic keeps]",
        parser=parse_duration,
    ),
]


@command(
    "newsdedup rebuild",
    "newsdedup rebuild --since 4d",
    "newsdedup rebuild --kafka broker:9092 --redis redis://cache:6379/0 --namespace sport",
)
def rebuild_state(
    *,
    kafka: options.Kafka = None,
    redis: options.Redis = None,
    namespace: options.NamespaceOption = None,
    rule: options.RuleOption = None,
    window: options.Window = None,
    since: _Since = None,
    config: options.Config = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Restore the state in Redis from the output topic, after Redis has lost all of it.

    Stop the workers first and start them afterwards: they continue at their committed offsets, and
    later revisions count as newer. This restores the verdicts, stories and texts of the window, but
    not what was learned about the sources, nor corrections by editors that no verdict shows.
    """
    flags = {"kafka.servers": kafka, "redis.url": redis, "redis.namespace": namespace}
    settings = load_settings(config, flags | {"rule.name": rule, "rule.window": window})
    counts: Counter[str] = Counter()

    async def rebuild(progress: RunProgress) -> None:
        from newsdedup.bootstrap.workers import namespace_session, restore_namespace

        moment = None if since is None else datetime.now(UTC) - since
        async with namespace_session(settings) as opened:
            async for batch in restore_namespace(settings, opened, since=moment):
                counts.update(batch)
                progress.advance(items=batch["records"], duplicates=0)

    with RunProgress(stderr_console(), quiet=quiet) as progress:
        asyncio.run(rebuild(progress))
    if json:
        print_json(dict(sorted(counts.items())))
        return
    print(
        f"restored from {counted(counts['records'], 'record')}: "
        f"{counted(counts['item.judged'], 'judgement')}, "
        f"{counted(counts['verdict.corrected'], 'correction')}, "
        f"{counted(counts['item.retracted'], 'retraction')}"
    )
