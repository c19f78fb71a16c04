"""Kafka and Redis for a measurement: those of the settings, or temporary ones of a checkout."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from newsdedup.adapters.redis.calls import Calls
from newsdedup.config import Configuration, Settings
from newsdedup.ports.errors import SettingsInvalid, Unavailable

_SCRIPT = Path(__file__).parents[3] / "scripts" / "servers"
_SETTING_KEYS = {"kafka": "kafka.servers", "redis": "redis.url"}


@contextmanager
def open_servers(
    configuration: Configuration, *wanted: str, cluster: bool = False, script: Path = _SCRIPT
) -> Iterator[Settings]:
    """Yield settings with addresses of the `wanted` servers ("kafka", "redis").

    A server whose address no setting names is started by `script`, in a temporary folder, and
    stopped at the end; with `cluster`, Redis is started as a cluster of three masters. Raise
    SettingsInvalid as `servers_to_start` does, and Unavailable if the script fails.
    """
    missing = servers_to_start(configuration, *wanted, script=script)
    if not missing:
        yield configuration.settings
        return
    with TemporaryDirectory(prefix="newsdedup-bench-") as folder:
        try:
            flags = [f"--{name}" for name in missing]
            if cluster:
                flags = [flag.replace("--redis", "--redis-cluster") for flag in flags]
            yield _with_addresses(configuration.settings, _start(script, folder, flags))
        finally:
            subprocess.run([script, "stop", "--dir", folder], check=False, capture_output=True)  # noqa: S603 - ours


def servers_to_start(
    configuration: Configuration, *wanted: str, script: Path = _SCRIPT
) -> list[str]:
    """Return which of the wanted servers no setting names.

    Raise SettingsInvalid if there are any and the script does not exist, as outside of a checkout.
    """
    missing = [name for name in wanted if configuration.origins[_SETTING_KEYS[name]] == "default"]
    if missing and not script.exists():
        names = " and ".join(_SETTING_KEYS[name] for name in missing)
        raise SettingsInvalid(
            f"{names}: not set, and servers can be started only in a checkout of newsdedup: name "
            "those to use (--kafka-servers, --redis-url, the settings file or the environment)"
        )
    return missing


def _start(script: Path, folder: str, flags: list[str]) -> dict[str, dict[str, str]]:
    """Start the servers that the flags name in a folder; return by name how to reach each.

    Raise Unavailable with what the script wrote to standard error if it fails.
    """
    done = subprocess.run(  # noqa: S603 - our own script
        [script, "start", *flags, "--json", "--dir", folder],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise Unavailable(f"scripts/servers: {done.stderr.strip()}")
    addresses: dict[str, dict[str, str]] = json.loads(done.stdout)
    return addresses


def _with_addresses(settings: Settings, addresses: dict[str, dict[str, str]]) -> Settings:
    """Return the settings with the addresses of Kafka and Redis that `addresses` has."""
    if "kafka" in addresses:
        settings = replace(
            settings, kafka=replace(settings.kafka, servers=addresses["kafka"]["servers"])
        )
    if "redis" in addresses:
        started = addresses["redis"]
        redis = replace(settings.redis, url=started["url"], cluster="nodes" in started)
        settings = replace(settings, redis=redis)
    return settings


async def delete_namespace(calls: Calls, name: str) -> None:
    """Delete the keys of namespace `name`, and all others that begin with it; other keys stay."""
    for pattern in (f"{{{name}}}:*", f"{{{name}|*}}:*", f"{name}*"):
        cursor = b"0"
        while True:
            cursor, names = await calls.command("SCAN", cursor, "MATCH", pattern, "COUNT", 1_000)
            if names:
                await calls.command("UNLINK", *names)
            if int(cursor) == 0:
                break
