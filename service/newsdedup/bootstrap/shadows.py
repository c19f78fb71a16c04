"""A rule on trial: its namespace, and what it needs to judge beside the real one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from newsdedup.bootstrap.analyses import analyze
from newsdedup.bootstrap.tables import background
from newsdedup.bootstrap.workers import namespace, served
from newsdedup.config import Settings, built, catalogue
from newsdedup.runners.shadow import Shadow

NAME = "rule.name"


@asynccontextmanager
async def shadow(settings: Settings) -> AsyncIterator[Shadow | None]:
    """Open the namespace of the rule that the settings put on trial, if they do."""
    name = settings.worker.shadow
    if not name:
        yield None
        return
    trial = judged_by(settings, name)
    async with namespace(trial, name=f"{settings.redis.namespace}.shadow-{name}") as opened:
        yield Shadow(
            name,
            served(trial, opened, publishes=False),
            analyze(trial, background(trial)),
        )


def judged_by(settings: Settings, name: str) -> Settings:
    """Return the same settings with another rule."""
    values = {key: setting.of(settings) for key, setting in catalogue().items()}
    return built({**values, NAME: name})
