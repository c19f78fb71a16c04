import asyncio
from typing import TYPE_CHECKING

from newsdedup.cli.environment import load_settings
from newsdedup.cli.options import Config, Json, NamespaceOption, Redis
from newsdedup.cli.output import print_json
from newsdedup.cli.registry import command

if TYPE_CHECKING:
    from newsdedup.config import Settings


@command(
    "newsdedup upgrade",
    "newsdedup upgrade --redis redis://cache:6379/0 --namespace sport",
)
def upgrade_state(
    *,
    redis: Redis = None,
    namespace: NamespaceOption = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Let workers write the state in Redis in the format of this release, which is smaller.

    Run it when no worker of the release before runs any more, nor is to be put back: those cannot
    read what is written after. Workers write in the new format once they are started anew; what is
    stored stays as it is and is read. Nothing changes for a state that has the format already.
    """
    settings = load_settings(config, {"redis.url": redis, "redis.namespace": namespace})
    before, now = asyncio.run(_upgrade(settings))
    if json:
        print_json({"namespace": settings.redis.namespace, "before": before, "now": now})
    elif before == now:
        print(f"namespace {settings.redis.namespace}: has format {now} already")
    else:
        print(
            f"namespace {settings.redis.namespace}: format {before} -> {now}; start the workers "
            "anew, one by one"
        )


async def _upgrade(settings: "Settings") -> tuple[str, str]:
    """Upgrade the namespace; return its formats before and now."""
    from newsdedup.bootstrap.workers import upgrade_format

    return await upgrade_format(settings)
