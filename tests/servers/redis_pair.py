"""A Redis with a replica that may take over, reached at one address as a managed one is."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from servers.fault_proxy import FaultProxy
from servers.ports import HOST
from servers.process import START_SECONDS, ServerFailed, ServerProcess, wait_until
from servers.redis_server import RedisServer

_LOST_BYTES: Final = 20_000
"""What the old master still takes, if clients write so much in time."""
_LAG_SECONDS: Final = 5.0


class RedisPair:
    """A master and its replica; its `proxies` lead to whichever is the master."""

    def __init__(self, folder: Path) -> None:
        for name in ("one", "other"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.master, self.replica = RedisServer(folder / "one"), RedisServer(folder / "other")
        self.proxies: Sequence[FaultProxy] = ()

    @property
    def process(self) -> ServerProcess:
        """The process of the master."""
        return self.master.process

    @property
    def url(self) -> str:
        """Where the master listens now."""
        return self.master.url

    @property
    def written(self) -> int:
        """The bytes of the append-only file of the master."""
        return self.master.written

    def start(self, *, within: float = START_SECONDS) -> None:
        """Start what does not run; return when the replica has its master's data."""
        for server in (self.master, self.replica):
            if not server.process.alive:
                server.start(within=within)
        self._follow()

    def stop(self) -> None:
        """Stop both in order."""
        self.replica.stop()
        self.master.stop()

    def kill(self) -> None:
        """Stop the master as kill -9 does."""
        self.master.kill()

    def lose_writes(self, *, after: int) -> None:
        """Stop the master as kill -9 does, and let it have lost what it wrote after a size."""
        self.master.lose_writes(after=after)

    def fail_over(self) -> None:
        """Let the replica take over while the master still takes writes; then kill the master.

        So the last writes are lost, which clients saw succeed. What was the master follows.
        """
        self.replica.ask("REPLICAOF", "NO", "ONE")
        lost = self.master.written + _LOST_BYTES
        with suppress(ServerFailed):
            wait_until(lambda: self.written > lost, what="more is written", within=_LAG_SECONDS)
        self.master.kill()
        self.master, self.replica = self.replica, self.master
        for proxy in self.proxies:
            proxy.aim(self.master.port)
        self.start()

    def ask(self, *command: str | int) -> Any:
        """Return the answer of the master to a command."""
        return self.master.ask(*command)

    def info(self, section: str) -> Mapping[str, Any]:
        """Return a section of INFO of the master, empty while it does not answer."""
        return self.master.info(section)

    def _follow(self) -> None:
        self.replica.ask("REPLICAOF", HOST, self.master.port)
        wait_until(
            lambda: self.replica.info("replication").get("master_link_status") == "up",
            what="the replica has the data of its master",
        )
