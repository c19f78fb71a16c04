import os
from pathlib import Path

from newsdedup.config import Configuration, read, settings_file


def configured(
    config: Path | None = None,
    *,
    state: str | None = None,
    window: str | None = None,
    rule: str | None = None,
    helpers: int | None = None,
) -> Configuration:
    """Return the settings of this process: the only place that looks at its environment."""
    flags = {"run.state": state, "rule.window": window, "rule.name": rule, "run.helpers": helpers}
    return read(flags, os.environ, settings_file(config, os.environ))
