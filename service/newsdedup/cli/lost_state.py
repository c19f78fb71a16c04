"""What all commands say where Redis has lost the state of the workers, and the command to run."""

import shlex
from pathlib import Path
from typing import Final

from newsdedup.config import Configuration, Settings, settings_by_key

_REBUILD_SETTINGS: Final = (
    "kafka.servers",
    "redis.url",
    "redis.namespace",
    "rule.name",
    "rule.window",
)
"""The settings that `newsdedup rebuild` takes as flags."""
_FLAG_ORIGIN: Final = "flag "


def describe_loss(settings: Settings) -> str:
    """Return what is wrong, on one line."""
    return (
        f"redis holds no state in namespace {settings.redis.namespace!r}, but the group "
        f"{settings.kafka.group!r} has committed records of {settings.kafka.input!r}: redis has "
        "lost the state, or the namespace is new"
    )


def rebuild_advice(configuration: Configuration, config: Path | None) -> str:
    """Return what to do, on one line; `config` is the settings file that the command line named."""
    return f"stop all workers, run `{rebuild_command(configuration, config)}`, start the workers"


def rebuild_command(configuration: Configuration, config: Path | None) -> str:
    """Return the command that restores the state for a process with these settings.

    It repeats what came from flags; what came from the environment or the settings file of the
    folder is read again. Without --since it reads all that the output topic keeps, and so lacks
    nothing however long the stream stood still.
    """
    known = settings_by_key()
    words = ["newsdedup", "rebuild"]
    if config is not None:
        words += ["--config", str(config)]
    for key in _REBUILD_SETTINGS:
        if configuration.origins[key].startswith(_FLAG_ORIGIN):
            words += [known[key].flag, str(known[key].shown(configuration.settings))]
    return shlex.join(words)
