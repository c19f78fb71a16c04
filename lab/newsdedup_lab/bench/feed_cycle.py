"""Two cycles of the command `newsdedup feed` over many feeds of a site in a process of its own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from newsdedup.ports.errors import Unavailable
from newsdedup_lab.bench.feed_site import FeedSiteProcess, SitePlan, feed_site_process

_HOSTS: Final = 20
_ENTRIES: Final = 20
_LOOK_EVERY: Final = 0.05
_CHANGED: Final = 50
"""Every so many feeds have a new entry in the second cycle."""


def measure_feed_cycles(feeds: int, *, say: Callable[[str], None]) -> dict[str, Any]:
    """Return the costs of a first and a second cycle over `feeds` feeds on 20 hosts.

    Each cycle is a process of its own. Measured are `seconds` from its start to its end, those of
    the processor, its peak of memory in MiB, what it prints, and `server`, what the site received:
    the most requests to one host at once and within a second.
    """
    plan = SitePlan(feeds=feeds, hosts=min(_HOSTS, feeds), entries=_ENTRIES)
    measurements: dict[str, Any] = {"feeds": feeds, "hosts": plan.hosts, "entries": plan.entries}
    with TemporaryDirectory() as name, feed_site_process(plan) as site:
        folder = Path(name)
        (folder / "list.txt").write_text("\n".join(site.addresses()) + "\n", encoding="utf-8")
        measurements["first"] = _cycle(folder, site)
        say(f"first cycle: {measurements['first']}")
        site.publish(_CHANGED)
        measurements["second"] = _cycle(folder, site)
        say(f"second cycle: {measurements['second']}")
        with (folder / "items.jsonl").open("rb") as lines:
            ids = {(item["source"], item["id"]) for item in map(json.loads, lines)}
    measurements["items"] = len(ids)
    measurements["items_published"] = feeds * plan.entries + len(range(0, feeds, _CHANGED))
    return measurements


def _cycle(folder: Path, site: FeedSiteProcess) -> dict[str, Any]:
    """Run the command once over all feeds and return its measurements.

    Raise Unavailable if it fails.
    """
    arguments = ["feed", "list.txt", "--once", "--all", "--allow-private", "--to", "items.jsonl"]
    command = [sys.executable, "-P", "-m", "newsdedup", *arguments, "--json"]
    began = time.monotonic()
    with (folder / "measurements.json").open("wb") as out, (folder / "errors").open("wb") as errors:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=errors)  # noqa: S603 - our own
        peak = done = 0
        while not done:
            peak = max(peak, _peak_mib(process.pid))
            time.sleep(_LOOK_EVERY)
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        reason = (folder / "errors").read_text(encoding="utf-8")[-500:]
        raise Unavailable(f"newsdedup feed ended with {process.returncode}: {reason}")
    return {
        "seconds": round(time.monotonic() - began, 1),
        "processor_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_mib": peak,
        "command": json.loads((folder / "measurements.json").read_bytes()),
        "server": site.visits(),
    }


def _peak_mib(number: int) -> int:
    """Return the most memory that a process has had so far; 0 if it has ended.

    The usage of a child that has ended counts the memory of its parent at the fork, too.
    """
    try:
        status = Path(f"/proc/{number}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    peaks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(peaks[0]) // 1024 if peaks else 0
