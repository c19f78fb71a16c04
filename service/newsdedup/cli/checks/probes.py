"""Checks of the doctor that may hang, at a server or a dead disk: all under one deadline."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from newsdedup.cli.checks.installation import Finding
from newsdedup.cli.environment import start_thread

GRACE_SECONDS: Final = 2.0
"""How much longer than its own deadline a probe may take to give up in order."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question that may never be answered, and the findings that an answer gives."""

    check: str
    ask: Callable[[], Any]
    findings: Callable[[Any], Iterable[Finding]]
    advice: str
    """What to do if there is no answer."""


@dataclass(slots=True)
class _Attempt:
    """A probe on a thread of its own, which no exit of the process waits for."""

    probe: Probe
    answer: Any = None
    error: Exception | None = None
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = start_thread(self.probe.check, self._ask)

    def _ask(self) -> None:
        try:
            self.answer = self.probe.ask()
        except Exception as error:  # noqa: BLE001  (raised again where the answer is read)
            self.error = error


def run_probes(probes: Sequence[Probe], *, seconds: float) -> Iterator[Finding]:
    """Yield the findings of all probes in their order, at most some seconds after the deadline.

    One that has no answer after `seconds`, or that raises a NewsdedupError, fails.
    """
    from newsdedup.ports.errors import NewsdedupError

    until = monotonic() + seconds + GRACE_SECONDS
    for attempt in [_Attempt(probe) for probe in probes]:
        attempt.thread.join(max(0.0, until - monotonic()))
        probe = attempt.probe
        if attempt.thread.is_alive():
            yield Finding(probe.check, "fail", f"no answer within {seconds:g} s", probe.advice)
            continue
        try:
            if attempt.error is not None:
                raise attempt.error
            yield from probe.findings(attempt.answer)
        except NewsdedupError as error:
            yield Finding(probe.check, "fail", str(error), probe.advice)
