import asyncio
import os
from contextlib import AsyncExitStack, suppress

from newsdedup.cli import environment, options
from newsdedup.cli.registry import command
from newsdedup.config import Settings


@command(
    "newsdedup worker",
    "newsdedup worker --kafka broker:9092 --redis redis://cache:6379/0",
    "newsdedup worker --runner aiokafka --rule terms --namespace sport --port 0",
    "NEWSDEDUP_REDIS__PASSWORD_FILE=/run/secrets/redis newsdedup worker",
)
def run_worker(
    *,
    runner: options.Runner = None,
    kafka: options.Kafka = None,
    redis: options.Redis = None,
    namespace: options.NamespaceOption = None,
    rule: options.RuleOption = None,
    window: options.Window = None,
    helpers: options.Helpers = None,
    port: options.Port = None,
    shadow_rule: options.ShadowRule = None,
    log: options.Log = None,
    config: options.Config = None,
    quiet: options.Quiet = False,
) -> None:
    """Judge the items of a Kafka topic, with the state in Redis, until stopped.

    Start up to as many workers as the topic has partitions: they share the work. A crash loses
    nothing: an item is acknowledged after its events are published, and an item that comes twice
    gets the same event with the same id. SIGTERM finishes the current batch. Passwords come from
    the environment, the settings file or separate files (docs/settings.md), never from flags.
    """
    environment.exit_at_signals()
    flags: dict[str, object] = {"redis.url": redis, "redis.namespace": namespace}
    flags |= {"rule.name": rule, "rule.window": window, "run.helpers": helpers, "run.log": log}
    flags |= {"worker.runner": runner, "worker.port": port, "worker.shadow": shadow_rule}
    flags["kafka.servers"] = kafka
    configuration = environment.load_configuration(config, flags)
    from newsdedup.ports.errors import StateLost

    settings = configuration.settings
    environment.begin_logging(settings.run.log, quiet=quiet)
    try:
        with suppress(asyncio.CancelledError):  # stopped before the work began
            asyncio.run(_work(settings))
    except StateLost as error:
        from newsdedup.cli.checks.namespace import describe_loss, rebuild_advice

        advice = rebuild_advice(configuration, config)
        raise StateLost(f"{describe_loss(settings)}\n-> {advice}") from error


async def _work(settings: Settings) -> None:
    """Open telemetry, servers and state in this order, and work until SIGTERM or SIGINT.

    A signal that comes while they are opened cancels the opening.
    """
    from newsdedup._version import __version__
    from newsdedup.bootstrap import observation
    from newsdedup.bootstrap.tracing import open_tracer
    from newsdedup.bootstrap.workers import make_loop, make_worker, open_namespaces
    from newsdedup.runners.worker.service import Deadlines, serve, wait_for_server

    chosen = settings.worker
    deadlines = Deadlines(
        drain=chosen.drain.total_seconds(),
        stall=chosen.stall.total_seconds(),
        orphans=chosen.orphans.total_seconds(),
    )
    environment.cancel_at_signals()
    async with AsyncExitStack() as stack:
        tracer = stack.enter_context(open_tracer(os.environ, service="newsdedup-worker"))
        telemetry = await stack.enter_async_context(
            observation.open_telemetry(settings, release=__version__)
        )
        await observation.wait_for_redis(settings, telemetry)
        await observation.wait_for_topics(settings, telemetry)
        # Redis may fall silent, or be full, after it has answered.
        opened, shadow = await wait_for_server(
            "redis", lambda: stack.enter_async_context(open_namespaces(settings)), telemetry
        )
        working = make_worker(
            settings,
            opened,
            shadow=shadow,
            telemetry=telemetry,
            tracer=tracer,
            fail=environment.KillAtFailpoint(),
        )
        try:
            await serve(
                make_loop(settings, opened, working),
                working,
                deadlines,
                companions=observation.companions(settings, opened, telemetry),
            )
        finally:
            await working.close()
