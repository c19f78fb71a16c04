"""Checks of the doctor that may hang, at a server or a dead disk: all under one deadline."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final

from newsdedup.cli.checks.installation import Finding
from newsdedup.cli.environment import start_thread

GRACE_SECONDS: Final = 2.0
"""How much longer than its own deadline a probe may take to give up in order."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A check that may hang, and the findings that its result gives."""

    check: str
    ask: Callable[[], Any]
    findings: Callable[[Any], Iterable[Finding]]
    advice: str
    """What to do if there is no answer."""


def run_probes(probes: Sequence[Probe], *, seconds: float) -> Iterator[Finding]:
    """Run all probes at once and yield their findings in order, up to 2 s after the deadline.

    A probe fails if it has no answer after `seconds`, or if it raises a NewsdedupError. Each runs
    in a thread of its own, for which the process does not wait at its exit.
    """
    from newsdedup.ports.errors import NewsdedupError

    until = monotonic() + seconds + GRACE_SECONDS
    answers: list[Future[Any]] = [Future() for _ in probes]
    for probe, answer in zip(probes, answers, strict=True):
        start_thread(probe.check, partial(_ask, probe, answer))
    for probe, answer in zip(probes, answers, strict=True):
        wait([answer], max(0.0, until - monotonic()))
        if not answer.done():
            yield Finding(probe.check, "fail", f"no answer within {seconds:g} s", probe.advice)
            continue
        try:
            yield from probe.findings(answer.result())
        except NewsdedupError as error:
            yield Finding(probe.check, "fail", str(error), probe.advice)


def _ask(probe: Probe, answer: "Future[Any]") -> None:
    """Set the answer to what the probe returns or raises."""
    try:
        answer.set_result(probe.ask())
    except Exception as error:  # noqa: BLE001  (raised again where the answer is read)
        answer.set_exception(error)
