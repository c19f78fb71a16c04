"""The services of the composition as processes of this machine, each with its own environment.

What its file says is taken as it is; only addresses, folders and ports are replaced by those of the
test. A process gets the variables of the image and of its service and no other.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import AuthenticationError, RedisError

from deploying.files import DOCKER, duration
from feeder.feed_site import FeedSite
from runners.scraped import Probe
from servers.ports import HOST
from servers.process import ServerProcess

IMAGE_PYTHON = os.environ.get("IMAGE_PYTHON")
"""By hand: the Python of an installation by the steps of the Dockerfile; else that of here."""
PYTHON = IMAGE_PYTHON or sys.executable
PASSWORD = "of a test #1"  # noqa: S105 - it guards nothing
NODE_PASSWORD = 'of "nodes" \\x20'  # noqa: S105 - it guards nothing
PORTS = {"worker": "NEWSDEDUP_WORKER__PORT", "feeder": "NEWSDEDUP_FEEDER__PORT"}
PORTS |= {"server": "NEWSDEDUP_SERVER__PORT"}
OWN_PORTS = {"worker": "9464", "feeder": "9465", "server": "8080"}
HOSTS = ("NEWSDEDUP_WORKER__HOST", "NEWSDEDUP_FEEDER__HOST", "NEWSDEDUP_SERVER__HOST")


def image_variables() -> dict[str, str]:
    """Return what the Dockerfile sets in its last stage, but for PATH."""
    text = (DOCKER / "Dockerfile").read_text("utf-8").rpartition("\nFROM ")[2]
    lines = text.replace("\\\n", " ").splitlines()
    declared = " ".join(line.removeprefix("ENV ") for line in lines if line.startswith("ENV "))
    variables = dict(re.findall(r"(\w+)=(\S+)", declared))
    return {name: value for name, value in variables.items() if name != "PATH"}


def health_command() -> list[str]:
    """Return the command of the image's HEALTHCHECK, with the file and the Python of here."""
    text = (DOCKER / "Dockerfile").read_text("utf-8")
    (written,) = re.findall(r"^HEALTHCHECK .*\\\n\s*CMD (\[.*\])$", text, re.MULTILINE)
    program, script = json.loads(written)
    assert program == "python"
    return [PYTHON, str(DOCKER / Path(script).name)]


class Composition:
    """Services of a composition; `replaced` are texts of its file and what stands for them here."""

    def __init__(
        self, services: Mapping[str, Any], folder: Path, replaced: Mapping[str, str]
    ) -> None:
        self._services, self._folder, self._replaced = services, folder, replaced
        self.ports: dict[str, int] = {}

    def here(self, name: str) -> dict[str, Any]:
        """Return a service with everything replaced."""
        text = json.dumps(self._services[name])
        texts = {"/var/lib/newsdedup": str(self._folder / name), **self._replaced}
        for written, here in texts.items():
            text = text.replace(written, here)
        return json.loads(text)

    def environment(self, name: str) -> dict[str, str]:
        """Return all variables that a process of a service gets."""
        variables = {**image_variables(), **self.here(name)["environment"]}
        if IMAGE_PYTHON is None and "PYTHONPATH" in os.environ:
            variables["PYTHONPATH"] = os.environ["PYTHONPATH"]
        variables |= dict.fromkeys(HOSTS, HOST)
        if name in self.ports:
            port = str(self.ports[name])
            variables[PORTS[name]] = port
            variables["HEALTH_URL"] = variables["HEALTH_URL"].replace(OWN_PORTS[name], port)
        return variables

    def run(self, name: str) -> str:
        """Run the command of a service to its end, which must be in order; return its output."""
        done = subprocess.run(
            [PYTHON, "-m", "newsdedup", *self.here(name)["command"]],
            cwd=self._folder,
            env=self.environment(name),
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def running(self, name: str, *arguments: str, number: int = 1) -> Iterator[None]:
        """Run a service alongside a block; at its end it must stop in order within its time."""
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        log = self._folder / f"{name}-{number}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [PYTHON, "-m", "newsdedup", *self.here(name)["command"], *arguments],
                cwd=folder,
                env=self.environment(name),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
            try:
                yield
                process.send_signal(signal.SIGTERM)
                grace = duration(self._services[name]["stop_grace_period"])
                assert process.wait(grace.total_seconds()) == 0, log.read_text("utf-8")
            finally:
                process.kill()
                process.wait()

    def pages(self) -> Probe:
        """Return the port of the server."""
        probe = Probe()
        probe.port = self.ports["server"]
        return probe

    def health(self, name: str) -> int:
        """Return the exit code of the health check in the environment of a service."""
        done = subprocess.run(
            health_command(), env=self.environment(name), capture_output=True, check=False
        )
        return done.returncode


def archived(probe: Probe) -> int:
    """Return how many items a server shows."""
    answer = probe.ask("/v1/items")
    return len(json.loads(answer.text)["items"]) if answer.status == 200 else 0


def list_feeds(folder: Path, site: FeedSite) -> None:
    """Write the list of the feeder: one feed of a site."""
    (folder / "feeds" / "feeds.txt").write_text(f"{site.at('/herald')}\n", "utf-8")


@contextmanager
def redis_node(folder: Path, port: int, *arguments: str, **variables: str) -> Iterator[int]:
    """Run a Redis by the script of the composition; yield the number of its process."""
    folder.mkdir(parents=True)
    password = folder / "password"
    password.write_text(PASSWORD, "utf-8")
    server = ServerProcess("Redis", folder)
    own = {"REDIS_PASSWORD_FILE": str(password), "REDIS_MEMORY": str(folder), **variables}
    given = [f"{name}={value}" for name, value in own.items()]
    start = [str(shutil.which("sh")), str(DOCKER / "redis" / "start.sh")]
    listens = ["--dir", str(folder), "--port", str(port), "--bind", HOST]
    server.launch([str(shutil.which("env")), *given, *start, *listens, *arguments])
    server.wait(lambda: asks_for_password(port))
    try:
        yield server.pid
    finally:
        server.stop()


def asks_for_password(port: int) -> bool:
    """Return whether a Redis answers, and lets in nobody without a password."""
    try:
        with Redis(host=HOST, port=port) as client:
            client.ping()
    except AuthenticationError:
        return True
    except RedisError:
        return False
    return False
