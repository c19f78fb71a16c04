import asyncio

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Json, NamespaceOption, Redis
from newsdedup.cli.output import print_json
from newsdedup.cli.registry import command


@command("newsdedup upgrade", "newsdedup upgrade --redis redis://cache:6379/0 --namespace sport")
def upgrade_state(
    *,
    redis: Redis = None,
    namespace: NamespaceOption = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Let workers write the state in Redis in the format of this release, which is smaller.

    Run it when no worker of the earlier release runs any more, nor will be put back: such workers
    cannot read the new format. Workers write it once they are restarted; what is stored already
    stays as it is and remains readable. A state that has the format already does not change.
    """
    from newsdedup.bootstrap.workers import upgrade_format

    settings = load_settings(config, {"redis.url": redis, "redis.namespace": namespace})
    name, (before, now) = settings.redis.namespace, asyncio.run(upgrade_format(settings))
    if json:
        print_json({"namespace": name, "before": before, "now": now})
    elif before == now:
        print(f"namespace {name}: has format {now} already")
    else:
        print(f"namespace {name}: format {before} -> {now}; restart the workers, one by one")
