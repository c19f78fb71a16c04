"""A real Redis Cluster on loopback: masters with a replica each."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from redis.exceptions import RedisError

from servers.certificates import Certificates
from servers.ports import HOST, free_ports
from servers.process import START_SECONDS, ServerFailed, ServerProcess, wait_until
from servers.redis_server import RedisServer

SLOTS: Final = 16_384
SETTINGS: Final = {
    "cluster-enabled": "yes",
    "cluster-node-timeout": "2000",
    # A replica stays with its shard: who follows whom is then known after every fail-over.
    "cluster-allow-replica-migration": "no",
    # A replica takes over however long it had not heard of its master: there is only one.
    "cluster-replica-validity-factor": "0",
}


class Known(NamedTuple):
    """What one node knows of another."""

    id: str
    port: int
    flags: frozenset[str]
    master: str
    slots: tuple[str, ...]


class RedisCluster:
    """Servers that share the slots; options are those of `RedisServer`."""

    def __init__(
        self,
        folder: Path,
        *,
        masters: int = 3,
        password: str | None = None,
        users: Mapping[str, str] | None = None,
        certificates: Certificates | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self._masters = masters
        self._made = False
        # All at once: ports chosen one by one could be the same while nobody listens there.
        ports = free_ports(4 * masters)
        self._buses = ports[2 * masters :]
        self.nodes = tuple(
            RedisServer(
                folder / f"node-{number}",
                port=port,
                password=password,
                users=users,
                certificates=certificates,
                settings={**SETTINGS, "cluster-port": str(bus), **(settings or {})},
            )
            for number, (port, bus) in enumerate(zip(ports, self._buses, strict=False), start=1)
        )

    @property
    def processes(self) -> tuple[ServerProcess, ...]:
        """Its processes."""
        return tuple(node.process for node in self.nodes)

    @property
    def url(self) -> str:
        """Where the first node listens; a client learns the others from it."""
        return self.nodes[0].url

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the nodes listen."""
        return tuple(node.address for node in self.nodes)

    def start(self, *, within: float = START_SECONDS) -> None:
        """Start all nodes, with the data they had; return when every slot is served and copied."""
        for node in self.nodes:
            node.launch()
        for node in self.nodes:
            node.wait(within=within)
        if not self._made:
            self._make(within)
            self._made = True
        self.wait(within=within)

    def stop(self) -> None:
        """Stop all nodes in order."""
        for node in self.nodes:
            node.stop()

    def kill(self) -> None:
        """Stop all nodes as kill -9 does."""
        for node in self.nodes:
            node.kill()

    def wait(self, *, within: float = START_SECONDS) -> None:
        """Return when all nodes that run agree that all is well, each replica up to date."""
        wait_until(self.whole, what="the nodes of the cluster agree", within=within)

    def whole(self) -> bool:
        """Return whether all nodes that run agree who serves what and who follows whom."""
        running = self.running()
        ports = {node.port for node in running}
        views = {view(node, ports) for node in running}
        return (
            len(views) == 1
            and serving(views.pop()) <= ports
            and all(state(node) == "ok" and up_to_date(node) for node in running)
        )

    def running(self) -> list[RedisServer]:
        """Return the nodes whose process runs."""
        return [node for node in self.nodes if node.process.alive]

    def masters(self) -> list[RedisServer]:
        """Return the running nodes that serve slots, once they agree who does."""
        masters = serving(self._known())
        return [node for node in self.running() if node.port in masters]

    def replicas_of(self, master: RedisServer) -> list[RedisServer]:
        """Return the running nodes that follow a master now."""
        known = self._known()
        name = next(one.id for one in known if one.port == master.port)
        following = {one.port for one in known if one.master == name}
        return [node for node in self.running() if node.port in following]

    def master_of(self, key: str) -> RedisServer:
        """Return the node that serves a key now."""
        slot = int(self.running()[0].ask("CLUSTER", "KEYSLOT", key))
        for known in self._known():
            if any(holds(slots, slot) for slots in known.slots):
                return next(node for node in self.nodes if node.port == known.port)
        raise ServerFailed(f"nobody serves slot {slot}")

    def _known(self) -> list[Known]:
        return known_to(self.running()[0])

    def _make(self, within: float) -> None:
        masters, replicas = self.nodes[: self._masters], self.nodes[self._masters :]
        for number, master in enumerate(masters):
            first = SLOTS * number // len(masters)
            last = SLOTS * (number + 1) // len(masters) - 1
            # Nodes with one number in common would have to agree on a new one later.
            master.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            master.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
        first_node, *others = self.nodes
        for node, bus in zip(others, self._buses[1:], strict=True):
            first_node.ask("CLUSTER", "MEET", HOST, node.port, bus)
        wait_until(
            lambda: all(len(known_to(node)) == len(self.nodes) for node in self.nodes),
            what="the nodes of the cluster know each other",
            within=within,
        )
        for master, replica in zip(masters, replicas, strict=True):
            replica.ask("CLUSTER", "REPLICATE", str(master.ask("CLUSTER", "MYID")))


def state(node: RedisServer) -> str:
    """Return what a node says of the cluster, nothing while it does not answer."""
    try:
        said = dict(line.split(":") for line in str(node.ask("CLUSTER", "INFO")).splitlines())
    except (RedisError, OSError):
        return ""
    return said["cluster_state"]


def up_to_date(node: RedisServer) -> bool:
    """Return whether a node is a master, or hears of all that its master writes."""
    replication = node.info("replication")
    return replication.get("role") == "master" or replication.get("master_link_status") == "up"


def view(node: RedisServer, running: Collection[int]) -> frozenset[Known]:
    """Return what a node knows of those that run or serve; flags differ with who looks."""
    return frozenset(
        one._replace(flags=frozenset())
        for one in known_to(node)
        if one.slots or one.port in running
    )


def serving(known: Iterable[Known]) -> set[int]:
    """Return the ports of those that serve slots."""
    return {one.port for one in known if one.slots}


def known_to(node: RedisServer) -> list[Known]:
    """Return what a node knows of itself and of those that answered it, if it answers."""
    try:
        lines = [line.split() for line in str(node.ask("CLUSTER", "NODES")).splitlines()]
    except (RedisError, OSError):
        return []
    known = [
        Known(
            id=line[0],
            port=int(line[1].partition("@")[0].rpartition(":")[2]),
            flags=frozenset(line[2].split(",")),
            master=line[3],
            slots=tuple(line[8:]),
        )
        for line in lines
    ]
    return [one for one in known if "handshake" not in one.flags]


def holds(slots: str, slot: int) -> bool:
    """Return whether a range such as 0-5460 holds a slot; slots on the move do not count."""
    if slots.startswith("["):
        return False
    first, _, last = slots.partition("-")
    return int(first) <= slot <= int(last or first)
