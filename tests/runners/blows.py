"""Faults of workers, their servers, network and clocks, and how they come back.

docs/reliability.md describes each blow. What takes a worker from the others without ending it (it
is stopped, or does not reach the broker) lasts until they have done its work and the next blow is
struck. So it comes back as a zombie: it believes that it has its partitions still, and may have a
batch in hand that others have judged.
"""

import random
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self

from runners.inquiry import Inquiry
from runners.older_release import environment_of
from runners.processes import run
from runners.streaming import Stream, ended
from runners.struck_servers import StruckServers
from servers.process import ServerFailed, ServerProcess, wait_until

SESSION: Final = "6s"
"""So soon Kafka gives the partitions of a worker that was killed or stopped to another one.

With less a busy machine takes workers for dead that load their dictionaries, again and again."""
REDIS_TIMEOUT: Final = "1s"
PATIENCE_SECONDS: Final = 300
"""So long workers may take on a machine that much other work keeps busy."""
NOTICE_SECONDS: Final = 12.0
"""A worker that has nothing to write at this moment does not notice that a server is silent."""
_NOTICED: Final = ("waiting server=", "not_committed_yet")
_NAMES: Final = {"broker": "kafka", "redis": "redis"}
"""What workers and the doctor call a victim."""
_CLOCKS: Final = (-30 * 86_400, -7_200, -5, 0, 5, 1_800, 7_200)
"""The seconds by which the clock of a worker may be wrong."""
_REFUSED_CLOCK: Final = 3_600
"""From this on Kafka refuses what a worker writes, by default."""


class Blow(NamedTuple):
    """One fault: what is done to whom."""

    deed: Literal["kill", "cut", "stop", "part", "fill", "replace", "turn"]
    victim: Literal["worker", "broker", "redis", "clock"]


BLOWS: Final[dict[str, tuple[Blow, ...]]] = {
    "workers": (Blow("kill", "worker"),),
    "broker": (Blow("kill", "broker"),),
    "redis": (Blow("kill", "redis"),),
    "power": (Blow("cut", "redis"),),
    "stops": (Blow("stop", "worker"), Blow("stop", "broker"), Blow("stop", "redis")),
    "network": (Blow("part", "broker"), Blow("part", "redis")),
    "disks": (Blow("fill", "broker"), Blow("fill", "redis")),
    "failover": (Blow("replace", "redis"),),
    "clocks": (Blow("turn", "clock"),),
}


def deal_blows(what: Sequence[str], count: int, lot: random.Random) -> list[Blow]:
    """Return so many blows in an order drawn by lot, about equally many of each kind."""
    kinds = [blow for name in what for blow in BLOWS[name]]
    rounds = -(-count // len(kinds))
    return [blow for _ in range(rounds) for blow in lot.sample(kinds, len(kinds))][:count]


class Victims:
    """The workers of a stream, and the servers that they need; use it as a context manager."""

    def __init__(
        self,
        stream: Stream,
        servers: StruckServers,
        *,
        runner: str,
        rule: str,
        lot: random.Random,
        older: Path | None = None,
    ) -> None:
        self._stream = stream
        self._servers = servers
        self._settings = {"runner": runner, "rule__name": rule}
        self._lot = lot
        self._alive = ExitStack()
        self._workers: list[subprocess.Popen[bytes]] = []
        self._absent: list[Callable[[], object]] = []
        """What brings back workers that are stopped or cut off."""
        self.inquiry = Inquiry(stream, workers=len(servers.workers), rule__name=rule)
        """What workers and the doctor answered."""
        self._away: dict[Callable[[], object], int] = {}
        """By what brings it back, the number of a worker that is stopped or cut off."""
        self._strikes: Counter[Blow] = Counter()
        self._written = 0
        """Bytes that Redis had written at the end of the last blow."""
        count = len(servers.workers)
        self._packages = [older if number < (count + 1) // 2 else None for number in range(count)]
        """By worker the package of an older release, None for today's."""

    def __enter__(self) -> Self:
        # The first makes the namespace, in the format of the oldest that will work with it.
        for number in range(len(self._servers.workers)):
            self._workers.append(self._started(number))
            if self._packages[number]:
                self._stream.await_namespace()
        return self

    def __exit__(self, *_: object) -> None:
        self.bring_back()
        self._alive.close()

    def strike(self, blow: Blow) -> None:
        """Strike, let the victim come back, and bring back whom earlier blows took away.

        Workers and the doctor are asked while it lasts and afterwards.
        """
        earlier = list(self._absent)
        self._strikes[blow] += 1
        self._strike(blow)
        self._written = self._servers.redis.written
        self.bring_back(earlier)
        self.inquiry.sound(workers=self._present())

    def bring_back(self, absent: Sequence[Callable[[], object]] | None = None) -> None:
        """Bring back workers that are stopped or cut off, all of them unless some are given."""
        for come_back in list(self._absent) if absent is None else absent:
            if come_back in self._absent:
                self._absent.remove(come_back)
                self._away.pop(come_back, None)
                come_back()

    def _present(self) -> list[int]:
        """Return the numbers of the workers that are neither stopped nor cut off."""
        return [n for n in range(len(self._workers)) if n not in self._away.values()]

    def _of_today(self) -> list[int]:
        """Return the present workers of this release: an older one may answer otherwise."""
        return [number for number in self._present() if not self._packages[number]]

    def _strike(self, blow: Blow) -> None:
        kafka, redis = self._servers.kafka, self._servers.redis
        server = kafka if blow.victim == "broker" else redis
        match blow.deed, blow.victim:
            case "kill", "worker":
                self._kill_worker()
            case "stop", "worker":
                self._stop_worker()
            case "part", "broker":
                self._part_from_broker()
            case "part", "redis":
                self._part_from_redis()
            case "stop", _:
                send = server.process.signal
                self._hold_back(
                    lambda: send(signal.SIGSTOP),
                    lambda: send(signal.SIGCONT),
                    lambda: self.inquiry.silent(_NAMES[blow.victim], workers=self._of_today()),
                )
            case "fill", "broker":
                self._fill_disk_of_broker(server.process)
            case "fill", "redis":
                self._hold_back(
                    server.process.fill_disk, server.process.free_disk, self._ask_of_full_disk
                )
            case "replace", _:
                redis.fail_over()
            case "turn", _:
                self._turn_clock()
            case _:
                self._kill_server(blow)

    def upgrade(self) -> None:
        """Replace the workers of the older release one by one, then raise the namespace.

        Raise AssertionError if one does not end in order, or the namespace cannot be raised.
        """
        self.bring_back()
        for number in [number for number, one in enumerate(self._packages) if one]:
            self._packages[number] = None
            self._replace_in_order(number)
        done = run("upgrade", cwd=self._stream.folder, **self._stream.environment())
        if done.returncode:
            raise AssertionError(f"the namespace is not upgraded: {done.stderr.decode()}")
        for number in range(len(self._workers)):
            self._replace_in_order(number)

    def _replace_in_order(self, number: int) -> None:
        """End a worker by SIGTERM and start another one."""
        self.check()
        if code := ended(self._workers[number]):
            raise AssertionError(f"a worker did not end in order: {code}\n{self._stream.logs()}")
        self._workers[number] = self._started(number)

    def check(self) -> None:
        """Raise AssertionError if a worker has ended by itself."""
        codes = [worker.poll() for worker in self._workers]
        if any(code is not None for code in codes):
            raise AssertionError(f"a worker ended by itself: {codes}\n{self._stream.logs()}")

    def end(self) -> None:
        """End all workers by SIGTERM; raise AssertionError if one does not end in order."""
        self.bring_back()
        self.check()
        codes = [ended(worker) for worker in self._workers]
        if any(codes):
            raise AssertionError(f"a worker did not end in order: {codes}\n{self._stream.logs()}")

    def _started(self, number: int) -> subprocess.Popen[bytes]:
        """Start a worker that ends with this block at the latest."""
        met = self._servers.workers[number]
        worker = self._stream.worker(
            worker__port=str(self.inquiry.probes[number].port),
            worker__session=SESSION,
            redis__timeout=REDIS_TIMEOUT,
            environ={**met.clock.environment, **environment_of(self._packages[number])},
            **met.settings,
            **self._settings,
        )
        process: subprocess.Popen[bytes] = self._alive.enter_context(worker)
        return process

    def _turn_clock(self) -> None:
        """Let the clock of a worker jump; back again where the broker refuses its records."""
        clock = self._lot.choice(self._servers.workers).clock
        seconds = self._lot.choice(_CLOCKS)
        ask = partial(self.inquiry.wrong_clock, seconds, clock.environment)
        if seconds < _REFUSED_CLOCK:
            clock.turn(seconds)
            ask()
        else:
            self._hold_back(lambda: clock.turn(seconds), lambda: clock.turn(0), ask)

    def _kill_server(self, blow: Blow) -> None:
        """Kill a server, let it have lost its last writes if it is cut, and start it again."""
        server = self._servers.kafka if blow.victim == "broker" else self._servers.redis
        if blow.deed == "cut":
            redis = self._servers.redis
            redis.lose_writes(after=self._written or redis.written)
        server.kill()
        self._ask_of_dead(blow)
        server.start()

    def _ask_of_dead(self, blow: Blow) -> None:
        """Ask while a server is down, at every second blow of a kind: the others are over soon."""
        if self._strikes[blow] % 2:
            self.inquiry.silent(_NAMES[blow.victim], workers=self._of_today())

    def _ask_of_full_disk(self) -> None:
        """Ask once Redis has noticed that its disk is full: it may have had nothing to write."""
        if self._servers.redis.info("persistence").get("aof_last_write_status") == "err":
            self.inquiry.unwritable()

    def _kill_worker(self) -> None:
        number = self._lot.randrange(len(self._workers))
        victim = self._workers[number]
        victim.kill()
        victim.wait()
        self._workers[number] = self._started(number)

    def _stop_worker(self) -> None:
        """Stop a worker, and return when the others have done its work."""
        number = self._lot.randrange(len(self._workers))
        victim = self._workers[number]
        self._take_away(
            number,
            lambda: victim.send_signal(signal.SIGSTOP),
            lambda: victim.send_signal(signal.SIGCONT),
        )

    def _part_from_broker(self) -> None:
        """Cut a worker off from the broker, and return when the others have done its work."""
        number = self._lot.randrange(len(self._workers))
        met = self._servers.workers[number]
        self._take_away(number, met.kafka.silence, met.kafka.well)
        self._ask_of_parted("kafka", number)

    def _part_from_redis(self) -> None:
        """Cut a worker off from Redis until it notices."""
        number = self._lot.randrange(len(self._workers))
        met = self._servers.workers[number]
        ask = partial(self._ask_of_parted, "redis", number)
        self._hold_back(met.redis.silence, met.redis.well, ask)

    def _ask_of_parted(self, server: str, number: int) -> None:
        """Ask a worker that is cut off from a server, and a doctor who takes its way."""
        stopped = number in self._away.values() and server == "redis"
        asked = [] if stopped or self._packages[number] else [number]
        self.inquiry.silent(server, workers=asked, **self._servers.workers[number].settings)

    def _take_away(
        self, number: int, take: Callable[[], object], come_back: Callable[[], object]
    ) -> None:
        self.bring_back()
        take()
        self._absent.append(come_back)
        self._away[come_back] = number
        wait_until(
            self._stream.all_committed,
            what="the others do the work of an absent worker",
            within=PATIENCE_SECONDS,
        )

    def _hold_back(
        self,
        hold: Callable[[], object],
        let_go: Callable[[], object],
        ask: Callable[[], object],
    ) -> None:
        """Hold back a server until a worker notices, if one does in time, and then `ask`."""
        before = self._noticed()
        hold()
        try:
            with suppress(ServerFailed):
                wait_until(
                    lambda: self._noticed() > before,
                    what="a worker notices",
                    within=NOTICE_SECONDS,
                )
            ask()
        finally:
            let_go()

    def _fill_disk_of_broker(self, broker: ServerProcess) -> None:
        """Fill the disk of the broker, which ends it, and start it on a disk with space."""
        broker.fill_disk()
        wait_until(lambda: not broker.alive, what="the broker ends, for its disk is full")
        self._ask_of_dead(Blow("fill", "broker"))
        self._servers.kafka.start()

    def _noticed(self) -> int:
        """Return how often workers have written that a server does not answer."""
        logs = self._stream.logs()
        return sum(logs.count(line) for line in _NOTICED)
