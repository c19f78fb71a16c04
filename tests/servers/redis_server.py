"""A real Redis: alone, as a replica, or as a node of a cluster."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from servers.certificates import Certificates
from servers.ports import HOST, free_ports
from servers.process import START_SECONDS, STOP_SECONDS, ServerFailed, ServerProcess, wait_until

_DOCKER: Final = Path(__file__).parents[2] / "docker" / "redis"
PERMISSIONS: Final = (_DOCKER / "permissions").read_text("utf-8").strip()
"""What a worker needs, in the form of ACL SETUSER."""
CLUSTER_PERMISSIONS: Final = (_DOCKER / "cluster_permissions").read_text("utf-8").strip()
"""What the client of a Redis Cluster needs besides."""
OLDEST: Final = (7, 0)
SETTINGS: Final = {
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "daemonize": "no",
    # The process keeps the command line that started it, by which it is known again.
    "set-proc-title": "no",
    # Else a replica that has just got its data writes it first and forgets that it was to stop.
    "shutdown-on-sigterm": "force",
    "repl-diskless-sync-delay": "0",
    "repl-ping-replica-period": "1",
}


class RedisServer:
    """A server whose port and data stay the same however often it is stopped or killed.

    `password` is that of the user `default`; `users` gives the rules of others by their names, as
    ACL SETUSER takes them; `settings` takes anything of redis.conf, `maxmemory` for example. With
    `certificates` it speaks TLS only.
    """

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        password: str | None = None,
        users: Mapping[str, str] | None = None,
        certificates: Certificates | None = None,
        replica_of: "RedisServer | None" = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.process = ServerProcess("Redis", folder)
        self.port = free_ports(1)[0] if port is None else port
        self.certificates = certificates
        self._folder = folder
        self._password = password
        self._users = users or {}
        self._master = replica_of
        self._settings = settings or {}

    @property
    def processes(self) -> tuple[ServerProcess, ...]:
        """Its one process."""
        return (self.process,)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"{HOST}:{self.port}"

    @property
    def url(self) -> str:
        """The address where it listens, without the password."""
        return f"{'redis' if self.certificates is None else 'rediss'}://{self.address}/0"

    def launch(self) -> None:
        """Start it, with the data it had, without waiting for it to serve."""
        configuration = self._folder / "redis.conf"
        if not configuration.exists():
            (self._folder / "data").mkdir(parents=True, exist_ok=True)
            configuration.write_text(self._configuration(), "utf-8")
        self.process.launch([program(), configuration])

    def wait(self, *, within: float = START_SECONDS) -> None:
        """Return when it answers and has read its data."""
        self.process.wait(self.answers, within=within)

    def start(self, *, within: float = START_SECONDS) -> None:
        """Start it, with the data it had; return when it answers."""
        self.launch()
        self.wait(within=within)

    def stop(self, *, within: float = STOP_SECONDS) -> None:
        """Stop it in order."""
        self.process.stop(within=within)

    def kill(self) -> None:
        """Stop it as kill -9 does."""
        self.process.kill()

    @property
    def written(self) -> int:
        """The bytes of its append-only file."""
        return self._append_only_file().stat().st_size

    def lose_writes(self, *, after: int) -> None:
        """Stop it as kill -9 does and cut its append-only file to a size that it once had.

        So ends a machine that loses power: what was not synced yet is gone.
        """
        self.kill()
        os.truncate(self._append_only_file(), after)

    def restart(self) -> None:
        """Stop it in order and start it again."""
        self.stop()
        self.start()

    def ask(self, *command: str | int) -> Any:
        """Return the answer to a command, texts as `str`; the user is `default`."""
        authority = None if self.certificates is None else str(self.certificates.ca)
        with Redis(
            host=HOST,
            port=self.port,
            password=self._password,
            socket_timeout=10,
            decode_responses=True,
            ssl=authority is not None,
            ssl_ca_certs=authority,
            retry=Retry(NoBackoff(), 0),
        ) as client:
            return client.execute_command(*command)

    def answers(self) -> bool:
        """Return whether it runs and has read its data."""
        try:
            return bool(self.ask("PING"))
        except (RedisError, OSError):
            return False

    def wait_for_master(self, *, within: float = START_SECONDS) -> None:
        """Return when this replica has its master's data and the master counts it as online."""
        wait_until(
            self._follows,
            what=f"{self.address} follows its master",
            within=within,
        )

    def _append_only_file(self) -> Path:
        """The file that it appends to now; it changes where the log is rewritten."""
        (path,) = self._folder.glob("data/appendonlydir/*.incr.aof")
        return path

    def _follows(self) -> bool:
        # The replica says "up" as soon as it has the data; only what its master has heard from it
        # makes it a replica that may take over.
        if self._master is None or self.info("replication").get("master_link_status") != "up":
            return False
        known = self._master.info("replication").values()
        replicas = [replica for replica in known if isinstance(replica, dict)]
        return any(
            replica["port"] == self.port and replica["state"] == "online" for replica in replicas
        )

    def wait_until_written(self, *, within: float = START_SECONDS) -> None:
        """Return when all that it has taken is in its files, which outlive kill -9.

        It answers before, if what it wrote earlier is on its way to a slow disk just then.
        """
        wait_until(
            lambda: self.info("persistence").get("aof_buffer_length") == 0,
            what=f"{self.address} has written what it received",
            within=within,
        )

    def info(self, section: str) -> Mapping[str, Any]:
        """Return a section of INFO, empty while the server does not answer."""
        try:
            return dict(self.ask("INFO", section))
        except (RedisError, OSError):
            return {}

    def _configuration(self) -> str:
        settings = {**SETTINGS, "bind": HOST, "dir": str(self._folder / "data")}
        settings |= {**self._ports(), **self._passwords(), **self._settings}
        if self._master is not None:
            settings["replicaof"] = f"{HOST} {self._master.port}"
        lines = [f"{name} {quoted(name, value)}\n" for name, value in settings.items()]
        return "".join([*lines, *(f"user {name} {rules}\n" for name, rules in self._users.items())])

    def _ports(self) -> dict[str, str]:
        if self.certificates is None:
            return {"port": str(self.port)}
        return {
            "port": "0",
            "tls-port": str(self.port),
            "tls-cert-file": str(self.certificates.certificate),
            "tls-key-file": str(self.certificates.key),
            "tls-ca-cert-file": str(self.certificates.ca),
            "tls-auth-clients": "no",
            "tls-replication": "yes",
            "tls-cluster": "yes",
        }

    def _passwords(self) -> dict[str, str]:
        if self._password is None:
            return {}
        return {"requirepass": self._password, "masterauth": self._password}


def quoted(name: str, value: str) -> str:
    """Return a value as redis.conf has it: one argument in quotes, lists as they are."""
    lists = name in ("replicaof", "save", "rename-command", "client-output-buffer-limit")
    return value if lists and value else json.dumps(value)


def program() -> str:
    """Return the server, which must be new enough."""
    found = shutil.which("redis-server")
    if found is None:
        raise ServerFailed("redis-server is not installed; scripts/provision installs it")
    said = subprocess.run([found, "--version"], capture_output=True, check=True, text=True).stdout
    version = re.search(r"v=(\d+)\.(\d+)", said)
    if version is None or tuple(map(int, version.groups())) < OLDEST:
        raise ServerFailed(f"Redis 7.0 or later is needed; this is {said.strip()}")
    return found
