"""Faults of workers and their servers: who is killed or stopped, and how they come back.

A kill is SIGKILL; a server is started again on its data. A cut is that of the power: Redis is
killed and has lost all that it wrote since the blow before, more than the second that appendfsync
everysec allows. A stop is SIGSTOP until SIGCONT: of a server until a worker notices; of a worker
until the others have done its work and the next blow is struck. So it wakes as a zombie: it
believes that it has its partitions still, and may have a batch in hand that others have judged.
"""

import os
import random
import signal
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Final, Literal, NamedTuple, Self

from runners.streaming import PATIENCE_SECONDS, Stream, ended
from servers.process import ServerFailed, wait_until

SESSION: Final = "3s"
"""So soon Kafka gives the partitions of a worker that was killed or stopped to another one."""
REDIS_TIMEOUT: Final = "1s"
NOTICE_SECONDS: Final = 12.0
"""A worker that has nothing to write at this moment does not notice that a server is silent."""
_NOTICED: Final = ("waiting server=", "not_committed_yet")


class Blow(NamedTuple):
    """One fault: what is done to whom."""

    deed: Literal["kill", "cut", "stop"]
    victim: Literal["worker", "broker", "redis"]


BLOWS: Final[dict[str, tuple[Blow, ...]]] = {
    "workers": (Blow("kill", "worker"),),
    "broker": (Blow("kill", "broker"),),
    "redis": (Blow("kill", "redis"),),
    "power": (Blow("cut", "redis"),),
    "stops": (Blow("stop", "worker"), Blow("stop", "broker"), Blow("stop", "redis")),
}


def deal_blows(what: Sequence[str], count: int, lot: random.Random) -> list[Blow]:
    """Return so many blows in an order drawn by lot, about equally many of each kind."""
    kinds = [blow for name in what for blow in BLOWS[name]]
    rounds = -(-count // len(kinds))
    return [blow for _ in range(rounds) for blow in lot.sample(kinds, len(kinds))][:count]


class Victims:
    """The workers of a stream, its broker and its Redis; use it as a context manager."""

    def __init__(
        self, stream: Stream, *, workers: int, runner: str, rule: str, lot: random.Random
    ) -> None:
        self._stream = stream
        self._settings = {"runner": runner, "rule__name": rule}
        self._count = workers
        self._lot = lot
        self._alive = ExitStack()
        self._workers: list[subprocess.Popen[bytes]] = []
        self._stopped: list[subprocess.Popen[bytes]] = []
        self._written = 0
        """Bytes that Redis had written at the end of the last blow."""

    def __enter__(self) -> Self:
        self._workers = [self._started() for _ in range(self._count)]
        return self

    def __exit__(self, *_: object) -> None:
        self.wake()
        self._alive.close()

    def strike(self, blow: Blow) -> None:
        """Strike, let the victim come back, and wake the workers that earlier blows stopped."""
        asleep = list(self._stopped)
        redis = self._stream.redis
        server = self._stream.kafka if blow.victim == "broker" else redis
        if blow.victim == "worker":
            self._kill_worker() if blow.deed == "kill" else self._stop_worker()
        elif blow.deed == "stop":
            self._stop_server(server.process.pid)
        else:
            if blow.deed == "cut":
                redis.lose_writes(after=self._written or redis.written)
            server.kill()
            server.start()
        self._written = redis.written
        self.wake(asleep)

    def wake(self, workers: Sequence[subprocess.Popen[bytes]] | None = None) -> None:
        """Let stopped workers go on, all of them unless some are given."""
        for worker in list(self._stopped) if workers is None else workers:
            if worker in self._stopped:
                self._stopped.remove(worker)
                worker.send_signal(signal.SIGCONT)

    def check(self) -> None:
        """Raise AssertionError if a worker has ended by itself."""
        codes = [worker.poll() for worker in self._workers]
        if any(code is not None for code in codes):
            raise AssertionError(f"a worker ended by itself: {codes}\n{self._stream.logs()}")

    def end(self) -> None:
        """End all workers by SIGTERM; raise AssertionError if one does not end in order."""
        self.wake()
        self.check()
        codes = [ended(worker) for worker in self._workers]
        if any(codes):
            raise AssertionError(f"a worker did not end in order: {codes}\n{self._stream.logs()}")

    def _started(self) -> subprocess.Popen[bytes]:
        """Start a worker that ends with this block at the latest."""
        worker = self._stream.worker(
            worker__session=SESSION, redis__timeout=REDIS_TIMEOUT, **self._settings
        )
        process: subprocess.Popen[bytes] = self._alive.enter_context(worker)
        return process

    def _kill_worker(self) -> None:
        number = self._lot.randrange(len(self._workers))
        victim = self._workers[number]
        victim.kill()
        victim.wait()
        if victim in self._stopped:
            self._stopped.remove(victim)
        self._workers[number] = self._started()

    def _stop_worker(self) -> None:
        """Stop a worker, and return when the others have done its work."""
        victim = self._lot.choice(self._workers)
        self.wake()
        victim.send_signal(signal.SIGSTOP)
        self._stopped.append(victim)
        wait_until(
            self._stream.all_committed,
            what="the others do the work of a stopped worker",
        )

    def _stop_server(self, pid: int) -> None:
        """Stop a server until a worker notices."""
        before = self._noticed()
        os.killpg(pid, signal.SIGSTOP)
        try:
            with suppress(ServerFailed):
                wait_until(
                    lambda: self._noticed() > before,
                    what="a worker notices",
                    within=NOTICE_SECONDS,
                )
        finally:
            os.killpg(pid, signal.SIGCONT)

    def _noticed(self) -> int:
        """Return how often workers have written that a server does not answer."""
        logs = self._stream.logs()
        return sum(logs.count(line) for line in _NOTICED)
