import os
from collections.abc import Mapping
from pathlib import Path

from newsdedup.config import Configuration, read, settings_file


def configured(
    config: Path | None = None,
    *,
    state: str | None = None,
    window: str | None = None,
    rule: str | None = None,
    helpers: int | None = None,
    flags: Mapping[str, object] | None = None,
) -> Configuration:
    """Return the settings of this process: the only place that looks at its environment.

    `flags` are those that few commands have, by the keys of their settings.
    """
    common = {"run.state": state, "rule.window": window, "rule.name": rule, "run.helpers": helpers}
    return read({**common, **(flags or {})}, os.environ, settings_file(config, os.environ))
