"""A real Kafka of one node, broker and controller in one process."""

import base64
import shutil
import socket
import struct
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from servers.certificates import Certificates
from servers.fault_proxy import FaultProxy
from servers.jars import cached, jars
from servers.ports import HOST, free_ports
from servers.process import START_SECONDS, STOP_SECONDS, ServerFailed, ServerProcess

HEAP: Final = "-Xmx512m"
# Quick to start: no broker of the tests lives long enough for the better compiler to pay.
JAVA: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
LOGGING: Final = (
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
    # Hundreds of lines with every setting would hide what the log is read for.
    "-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common.config=warn",
)
SETTINGS: Final = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
    # Lets tests choose sessions short enough to see a dead member leave soon.
    "group.min.session.timeout.ms": "1000",
    # A killed broker may register again when its last session is over, after 9 s by default.
    "broker.session.timeout.ms": "4000",
    "broker.heartbeat.interval.ms": "1000",
    "offsets.topic.num.partitions": "4",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "4",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "log.cleaner.dedupe.buffer.size": str(8 << 20),
    # Lets tests see what compaction removes.
    "log.cleaner.backoff.ms": "1000",
}
API_VERSIONS: Final = struct.pack(">hhih", 18, 0, 1, -1)
"""The request every broker answers: key 18, version 0, correlation 1, no name of the client."""


@dataclass(frozen=True, slots=True)
class Scram:
    """A second listener: SASL_SSL with SCRAM-SHA-512, and the passwords of those it lets in."""

    certificates: Certificates
    passwords: Mapping[str, str]


class KafkaBroker:
    """A broker whose port and data stay the same however often it is stopped or killed.

    Who comes through one of `proxies` is sent there again; the broker listens where they lead to.
    `options` are those of Java.
    """

    def __init__(
        self,
        folder: Path,
        *,
        scram: Scram | None = None,
        proxies: Sequence[FaultProxy] = (),
        settings: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ) -> None:
        self.process = ServerProcess("Kafka", folder)
        self._options = options
        self._folder = folder
        self._scram = scram
        self._proxies = proxies
        self._settings = settings or {}
        self._port, self._controller, self._secure = free_ports(3)

    @property
    def processes(self) -> tuple[ServerProcess, ...]:
        """Its one process."""
        return (self.process,)

    @property
    def address(self) -> str:
        """Where it is reached without password: what clients call bootstrap servers."""
        return f"{HOST}:{self._port}"

    @property
    def secure_address(self) -> str:
        """Where it is reached by SASL_SSL, if it was made with `scram`."""
        return f"{HOST}:{self._secure}"

    def start(self, *, within: float = START_SECONDS) -> None:
        """Start it, with the data it had; return when it answers."""
        properties = self._folder / "server.properties"
        if not properties.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            properties.write_text(self._properties(), "utf-8")
            self._format(properties)
        command = [*java(), HEAP, *LOGGING, *self._options, "kafka.Kafka", properties]
        self.process.launch(command)
        self.process.wait(self.answers, within=within)

    def stop(self, *, within: float = STOP_SECONDS) -> None:
        """Stop it in order."""
        self.process.stop(within=within)

    def kill(self) -> None:
        """Stop it as kill -9 does."""
        self.process.kill()

    def restart(self) -> None:
        """Stop it in order and start it again."""
        self.stop()
        self.start()

    def answers(self) -> bool:
        """Return whether it handles requests, which it does once it may lead partitions."""
        try:
            with socket.create_connection((HOST, self._port), timeout=5) as connection:
                connection.sendall(struct.pack(">i", len(API_VERSIONS)) + API_VERSIONS)
                return len(connection.recv(4)) > 0
        except OSError:
            return False

    def _properties(self) -> str:
        listeners = [f"PLAINTEXT://{HOST}:{self._port}", f"CONTROLLER://{HOST}:{self._controller}"]
        settings = {
            **SETTINGS,
            "controller.quorum.bootstrap.servers": f"{HOST}:{self._controller}",
            "log.dirs": str(self._folder / "data"),
        }
        if self._scram is not None:
            listeners.append(f"SASL_SSL://{HOST}:{self._secure}")
            settings |= secured(self._scram.certificates)
        protocols = ["PLAINTEXT:PLAINTEXT", "CONTROLLER:PLAINTEXT", "SASL_SSL:SASL_SSL"]
        shown = [one for one in listeners if not one.startswith("CONTROLLER")]
        for number, proxy in enumerate(self._proxies):
            protocols.append(f"PROXY{number}:PLAINTEXT")
            listeners.append(f"PROXY{number}://{HOST}:{proxy.target}")
            shown.append(f"PROXY{number}://{HOST}:{proxy.port}")
        settings |= {
            "listeners": ",".join(listeners),
            "advertised.listeners": ",".join(shown),
            "listener.security.protocol.map": ",".join(protocols),
        }
        return "".join(f"{key}={value}\n" for key, value in {**settings, **self._settings}.items())

    def _format(self, properties: Path) -> None:
        """Prepare the folder of the data, with those who may log in."""
        cluster = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        passwords = self._scram.passwords if self._scram is not None else {}
        users = [
            part
            for name, password in passwords.items()
            for part in ("--add-scram", f"SCRAM-SHA-512=[name={name},password={password}]")
        ]
        tool = [*java(), *LOGGING, "kafka.tools.StorageTool", "format", "--standalone"]
        command = [*tool, f"--cluster-id={cluster}", "--config", str(properties), *users]
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        if done.returncode != 0:
            properties.unlink()
            raise ServerFailed(f"Kafka's storage could not be made:\n{done.stdout}{done.stderr}")


def java() -> list[str]:
    """Return the beginning of a command that runs a class of Kafka."""
    program = shutil.which("java")
    if program is None:
        raise ServerFailed("java is not installed; scripts/provision installs it")
    archive = class_archive()
    classes = [f"-XX:SharedArchiveFile={archive}"] if archive.exists() else []
    return [program, *JAVA, *classes, "-cp", str(jars() / "*")]


def class_archive() -> Path:
    """Return the path of the classes that Java has read once, which may be missing."""
    return cached().with_suffix(".jsa")


def secured(certificates: Certificates) -> dict[str, str]:
    """Return the settings of the listener with password and TLS."""
    module = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
    return {
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config": module,
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(certificates.bundle),
    }
