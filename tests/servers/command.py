"""What scripts/servers does."""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from servers import note
from servers.kafka_broker import KafkaBroker
from servers.process import ServerFailed
from servers.redis_cluster import RedisCluster
from servers.redis_server import RedisServer

Server = KafkaBroker | RedisServer | RedisCluster
Addresses = Mapping[str, Mapping[str, Any]]

GRACE_SECONDS: Final = 15.0
VARIABLES: Final = {
    ("kafka", "servers"): "NEWSDEDUP_KAFKA__SERVERS",
    ("redis", "url"): "NEWSDEDUP_REDIS__URL",
}


def main() -> int:
    """Do what the arguments say; return the exit code."""
    # A shell starts what it runs in the background with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, terminated)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # A terminal that is closed; anyone who is started with nohup is to outlive it.
        signal.signal(signal.SIGHUP, terminated)
    arguments = parser().parse_args()
    try:
        return int(arguments.do(arguments))
    except ServerFailed as failure:
        sys.stderr.write(f"scripts/servers: {failure}\n")
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def terminated(number: int, _: object) -> NoReturn:
    """Leave by way of every `finally`."""
    sys.exit(128 + number)


def parser() -> argparse.ArgumentParser:
    """Return what reads the arguments."""
    which = argparse.ArgumentParser(add_help=False)
    which.add_argument("--kafka", action="store_true")
    redis = which.add_mutually_exclusive_group()
    redis.add_argument("--redis", action="store_true", help="without any: Kafka and Redis")
    redis.add_argument("--redis-cluster", action="store_true")
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument("--dir", type=Path, required=True)
    parsed = argparse.ArgumentParser(prog="scripts/servers")
    forms = parsed.add_subparsers(required=True)
    one = forms.add_parser("start", parents=[which, where], help="start, print addresses, leave")
    one.add_argument("--json", action="store_true", help="not as lines for a shell")
    one.set_defaults(do=start)
    one = forms.add_parser("stop", parents=[where], help="stop them, remove their data")
    one.set_defaults(do=stop)
    one = forms.add_parser("run", parents=[which], help="run a command alongside them")
    one.add_argument("command", nargs=argparse.REMAINDER, metavar="[--] COMMAND ...")
    one.set_defaults(do=run)
    return parsed


def start(arguments: argparse.Namespace) -> int:
    """Start servers and leave them running."""
    folder = arguments.dir.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ServerFailed(f"{folder} is not empty: stop what runs there, or name another folder")
    chosen = servers(arguments, folder)
    with ExitStack() as stack:
        # It was empty: without a note of what runs, nobody could stop or start anything there.
        stack.callback(note.clear, folder)
        addresses = started(chosen, stack)
        processes = [process for server in chosen.values() for process in server.processes]
        note.write(folder, processes)
        for process in processes:
            process.release()
        stack.pop_all()
    variables = environment(addresses)
    lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    shown = (
        json.dumps({**addresses, "environment": variables}) if arguments.json else "\n".join(lines)
    )
    sys.stdout.write(f"{shown}\n")
    return 0


def stop(arguments: argparse.Namespace) -> int:
    """Stop what runs in a folder."""
    note.stop(arguments.dir.resolve())
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Run a command with the addresses of the servers; return its exit code."""
    command = arguments.command[arguments.command[:1] == ["--"] :]
    if not command:
        raise ServerFailed("no command to run")
    with tempfile.TemporaryDirectory(prefix="newsdedup-servers-") as folder, ExitStack() as stack:
        addresses = started(servers(arguments, Path(folder)), stack)
        return accompany(command, {**os.environ, **environment(addresses)})


def servers(arguments: argparse.Namespace, folder: Path) -> dict[str, Server]:
    """Return the servers asked for, by the name under which their addresses are printed."""
    redis = arguments.redis or arguments.redis_cluster
    chosen: dict[str, Server] = {}
    if arguments.redis_cluster:
        chosen["redis"] = RedisCluster(folder / "redis-cluster")
    elif arguments.redis or not arguments.kafka:
        chosen["redis"] = RedisServer(folder / "redis")
    if arguments.kafka or not redis:
        chosen["kafka"] = KafkaBroker(folder / "kafka")
    return chosen


def started(chosen: Mapping[str, Server], stack: ExitStack) -> Addresses:
    """Start servers, to be stopped by the stack, and return where they are."""
    for server in chosen.values():
        stack.callback(server.stop)
        server.start()
    return {name: addresses(server) for name, server in chosen.items()}


def addresses(server: Server) -> Mapping[str, Any]:
    """Return where a server is reached."""
    if isinstance(server, KafkaBroker):
        return {"servers": server.address}
    if isinstance(server, RedisCluster):
        return {"url": server.url, "nodes": server.addresses}
    return {"url": server.url}


def environment(addresses: Addresses) -> dict[str, str]:
    """Return the variables that tell newsdedup where its servers are."""
    return {
        variable: addresses[server][name]
        for (server, name), variable in VARIABLES.items()
        if server in addresses
    }


def accompany(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Run a command to its end, and end it if we are stopped."""
    try:
        child = subprocess.Popen(command, env=dict(variables))
    except OSError as error:
        raise ServerFailed(f"cannot run {command[0]}: {error.strerror}") from error
    try:
        code = child.wait()
    except KeyboardInterrupt:
        # Ctrl-C reached the command as well, which may need its time.
        with suppress(subprocess.TimeoutExpired):
            child.wait(GRACE_SECONDS)
        raise
    finally:
        end(child)
    return code if code >= 0 else 128 - code


def end(child: subprocess.Popen[bytes]) -> None:
    """End a command that may have ended, by force if it must be."""
    try:
        child.terminate()
        child.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    finally:
        child.kill()
        child.wait()


if __name__ == "__main__":
    sys.exit(main())
