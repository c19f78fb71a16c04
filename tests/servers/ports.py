"""Ports of the loopback interface that nobody uses."""

import socket
from pathlib import Path
from random import SystemRandom
from typing import Final

HOST: Final = "127.0.0.1"
LOWEST: Final = 20_000
EPHEMERAL: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_ports(count: int) -> list[int]:
    """Return as many ports, below those that the system gives to clients.

    While a server is down a client could otherwise be given its port, and the server could not come
    back; one that tries to connect to the port could even be connected to itself.
    """
    found: list[int] = []
    tries = SystemRandom().sample(range(LOWEST, first_ephemeral()), k=1_000)
    while len(found) < count:
        port = tries.pop()
        if is_free(port):
            found.append(port)
    return found


def first_ephemeral() -> int:
    """Return the lowest port that the system gives to a client that does not choose."""
    lowest = int(EPHEMERAL.read_text().split()[0]) if EPHEMERAL.exists() else 32_768
    return lowest if lowest >= LOWEST + 2_000 else 32_768


def is_free(port: int) -> bool:
    """Return whether a server could listen there."""
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((HOST, port))
        except OSError:
            return False
        return True
