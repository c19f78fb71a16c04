"""Deaths on demand: the tests of recovery let the process be killed where it hurts most."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Mapping

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
