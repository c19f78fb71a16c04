"""What workers and the doctor answer between blows, compared with what was done to them."""

import json
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, Final

from typer.testing import CliRunner

from newsdedup.cli.app import app
from runners.processes import run
from runners.scraped import Probe
from runners.streaming import Stream
from servers.process import ServerFailed, wait_until

SOON_SECONDS: Final = 30.0
"""Twice `redis.timeout` are 2 s here: a machine that other work keeps busy takes longer."""
_RECOVERY_SECONDS: Final = 120.0
_WITHIN: Final = "2s"
_REFUSED_CLOCK: Final = 3_600
_NOTED_CLOCK: Final = 60
Findings = Mapping[str, Mapping[str, Any]]


class Inquiry:
    """Asks `/readyz` of workers and `newsdedup doctor`, and keeps the answers that are not true."""

    def __init__(
        self, stream: Stream, *, workers: int, soon_seconds: float = SOON_SECONDS, **settings: str
    ) -> None:
        """Ask so many workers, and a doctor with their `settings`."""
        self.probes = [Probe() for _ in range(workers)]
        """Where each worker answers."""
        self.asked = 0
        self.disagreements: list[str] = []
        self._stream = stream
        self._settings = settings
        self._soon_seconds = soon_seconds

    def silent(self, server: str, *, workers: Collection[int], **settings: str) -> None:
        """Expect that workers are not ready for want of a server, and that the doctor says so.

        `settings` are those of the doctor, where it must take another way than all others.
        """
        for number in workers:
            line = f"waiting for {server}"
            self._expect(
                lambda number=number, line=line: line in self._ready(number).text.splitlines(),
                f"{server} is silent, and worker {number} is not {line!r}",
            )
        self._expect(
            lambda: self._status(server, **settings) == (1, "fail"),
            f"{server} is silent, and the doctor does not say so",
        )

    def unwritable(self) -> None:
        """Expect that the doctor says that Redis could not write to its disk."""
        self._expect(
            lambda: self._status("redis persistence") == (1, "fail"),
            "the disk of Redis is full, and the doctor does not say so",
        )

    def wrong_clock(self, seconds: int, environ: Mapping[str, str]) -> None:
        """Expect that a doctor with that clock warns of it, and fails where Kafka refuses it."""
        if abs(seconds) < _NOTED_CLOCK:
            return
        refused = seconds >= _REFUSED_CLOCK
        statuses = {"clock": "warn", "clock of kafka": "fail" if refused else "warn"}

        def found() -> bool:
            _, findings = self._doctor(environ)
            return {
                name: findings[name]["status"] for name in statuses if name in findings
            } == statuses

        self._expect(found, f"a clock is {seconds} s off, and the doctor does not say so")

    def sound(self, *, workers: Collection[int]) -> None:
        """Expect that workers are ready, and that nothing fails for the doctor."""
        for number in workers:
            self._expect(
                lambda number=number: self._ready(number).status == 200,
                f"all is well, and worker {number} is not ready",
                within=_RECOVERY_SECONDS,
            )
        self._expect(
            lambda: self._doctor()[0] == 0,
            "all is well, and something fails for the doctor",
            within=_RECOVERY_SECONDS,
        )

    def _expect(
        self, true: Callable[[], bool], otherwise: str, *, within: float | None = None
    ) -> None:
        """Wait until an answer is true; note it where it never is."""
        self.asked += 1
        with suppress(ServerFailed):
            wait_until(true, what=otherwise, within=within or self._soon_seconds)
            return
        ready = [self._ready(number).text for number in range(len(self.probes))]
        code, findings = self._doctor()
        bad = {name: one["message"] for name, one in findings.items() if one["status"] != "ok"}
        self.disagreements.append(f"{otherwise}: /readyz {ready}, doctor {code} {bad}")

    def _ready(self, number: int) -> Any:
        """Return the answer to /readyz; of one that is stopped there is none."""
        return self.probes[number].ask("/readyz", timeout=5)

    def _status(self, check: str, **settings: str) -> tuple[int, str]:
        """Return the exit code of the doctor, and what it says of one check."""
        code, findings = self._doctor(**settings)
        return code, findings[check]["status"] if check in findings else ""

    def _doctor(self, environ: Mapping[str, str] | None = None, **settings: str) -> Any:
        """Return the exit code of the doctor and its findings by check.

        With variables of its own, as of another clock, it runs as a process.
        """
        words = ("doctor", "--worker", "--json", "--within", _WITHIN)
        chosen = self._stream.environment(**{**self._settings, **settings})
        if environ is None:
            left = {name: None for name in os.environ if name.startswith("NEWSDEDUP")}
            done = CliRunner().invoke(app, words, env={**left, **chosen})
            code, out = done.exit_code, done.stdout
        else:
            ended = run(*words, cwd=self._stream.folder, **chosen, **environ)
            code, out = ended.returncode, ended.stdout.decode()
        findings = json.loads(out)["checks"] if out else []
        return code, {one["check"]: one for one in findings}
