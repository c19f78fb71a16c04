import os
import signal
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from newsdedup.config import Configuration, read_settings, settings_file


def load_configuration(
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
    return read_settings({**common, **(flags or {})}, os.environ, settings_file(config, os.environ))


FAILPOINT_VARIABLE = "NEWSDEDUP_FAILPOINT"
"""`after_output:3` kills the process, as kill -9 does, when it passes that point a third time;
`after_output:3:raise` raises an error that nobody foresaw, `after_output:3:stop` stops the process
there until it is continued, so that something can happen to its servers at that very moment."""


def failpoint(environ: Mapping[str, str]) -> Callable[[str], None]:
    """Return what is called at every failpoint; it does nothing unless the variable is set."""
    point, nth, how = [*environ.get(FAILPOINT_VARIABLE, "").split(":"), "", ""][:3]
    passed: Counter[str] = Counter()

    def fail(name: str) -> None:
        passed[name] += 1
        if name != point or passed[name] != int(nth or 1):
            return
        if how == "raise":
            raise RuntimeError(f"failpoint {name}")
        os.kill(os.getpid(), signal.SIGSTOP if how == "stop" else signal.SIGKILL)

    return fail
