"""A rule on trial: its namespace, and what it needs to judge beside the real one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from newsdedup.bootstrap.analyses import item_analyzer
from newsdedup.bootstrap.workers import NamespaceSession, namespace_session, shared_engine
from newsdedup.config import Settings, build_settings, settings_by_key
from newsdedup.runners.worker.shadow import Shadow

NAME = "rule.name"


@asynccontextmanager
async def open_shadow(settings: Settings, beside: NamespaceSession) -> AsyncIterator[Shadow | None]:
    """Open the namespace of the rule that the settings put on trial, if they do.

    It reads by the words of the namespace that is really worked on.
    """
    name = settings.worker.shadow
    if not name:
        yield None
        return
    trial = judged_by(settings, name)
    known = beside.analyzer
    own = f"{settings.redis.namespace}.shadow-{name}"
    async with namespace_session(trial, name=own, known=known) as opened:
        yield Shadow(
            name,
            shared_engine(trial, opened, publishes=False),
            item_analyzer(trial, known.table, known.documents),
        )


def judged_by(settings: Settings, name: str) -> Settings:
    """Return the same settings with another rule."""
    values = {key: setting.value_in(settings) for key, setting in settings_by_key().items()}
    return build_settings({**values, NAME: name})
