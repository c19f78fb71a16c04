"""How fast a server answers alongside a writer: first answers, answers under load, memory."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final
from urllib.request import Request, urlopen

from newsdedup.watches.watch import Watch
from newsdedup.watches.watch_store import WatchStore
from newsdedup_lab.bench.later_events import later_events
from newsdedup_lab.bench.page_paint import paint_pages
from newsdedup_lab.bench.served_archive import PacedWriter, ServedArchive, served_archive
from newsdedup_lab.bench.server_load import LoadPlan, read_server
from newsdedup_lab.bench.server_requests import SAVED_SEARCHES, RequestKind, request_kinds

AIM_MS: Final = 100.0
"""Of the 95th percentile of any answer; of checks see CHECK_AIM_MS."""
CHECK_AIM_MS: Final = 30.0
_TIMEOUT_SECONDS: Final = 120.0
_KEEP: Final = timedelta(days=30)
"""How long hits of saved searches are kept."""
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedPlan:
    """The archive to serve, and how it is read and written."""

    load: LoadPlan
    archive: Path
    state: Path | None
    """Without one no items are checked."""
    rate: int
    """Events written in a second."""


async def measure_server(plan: SpeedPlan, folder: Path, say: Say) -> dict[str, Any]:
    """Serve an archive, which is written meanwhile, and return the measurements.

    Logs go into the folder. Raise what opening the archive raises, SourceUnusable if the server
    does not start.
    """
    with served_archive(plan.archive, _options(plan, folder), folder / "serve.log") as server:
        say(f"{server.address}, ready after {server.ready_seconds:.1f} s")
        stats = _ask(server, "/v1/stats")
        ready = server.memory()
        kinds = request_kinds(lambda path: _ask(server, path), checks=plan.state is not None)
        say("asking for each once")
        first = {kind.name: _first(server, kind) for kind in kinds}
        used, began = server.processor_seconds(), perf_counter()
        own = process_time()
        with _writer(plan, stats, folder) as writer:
            rows = await read_server(
                server.address,
                kinds,
                plan.load,
                progress=lambda answers: say(f"{perf_counter() - began:.0f} s, {answers} answers"),
            )
            own = (process_time() - own) / (perf_counter() - began)
            used = (server.processor_seconds() - used) / (perf_counter() - began)
            loaded = server.memory()
        return {
            "load_average": round(os.getloadavg()[0], 1),
            "items": stats["items"],
            "bytes_per_item": round(stats["size_bytes"] / max(1, stats["items"])),
            "readers": plan.load.readers,
            "pause": plan.load.pause,
            "seconds": plan.load.seconds,
            "ready_seconds": round(server.ready_seconds, 1),
            "memory_ready_mib": asdict(ready),
            "memory_mib": asdict(loaded),
            "processor_share": round(used, 2),
            "readers_processor_share": round(own, 2),
            "written_per_second": round(writer.rate) if writer else 0,
            "answers_per_second": round(rows[0].answers / plan.load.seconds, 1),
            "first_ms": first,
            "answers": [asdict(row) for row in rows],
        }


def measure_paint(
    plan: SpeedPlan, chromium: str, folder: Path, say: Say
) -> list[dict[str, float | str]]:
    """Return the first paint and the weight of each page; see `paint_pages`."""
    with served_archive(plan.archive, _options(plan, folder), folder / "serve.log") as server:
        kinds = request_kinds(lambda path: _ask(server, path), checks=False)
        say("opening each page in Chromium")
        return [one._asdict() for one in paint_pages(server.address, kinds, chromium)]


def shown_paint(paints: Sequence[Mapping[str, Any]]) -> str:
    """Return first paints and weights as a table."""
    lines = [f"{'page':28}{'first paint, ms':>16}{'weight, bytes':>16}"]
    lines += [f"{one['name']:28}{one['first_paint_ms']:16.0f}{one['bytes']:16,}" for one in paints]
    return "\n".join(lines)


def shown_speed(speed: Mapping[str, Any]) -> str:
    """Return the measurements as tables, with a note where an aim is missed."""
    memory = speed["memory_mib"]
    lines = [
        f"load average of the machine at the end {speed['load_average']}",
        f"{speed['items']:,} items, {speed['bytes_per_item']:,} bytes each",
        f"ready after {speed['ready_seconds']} s",
        f"{speed['readers']} readers, {speed['pause']} s pause, {speed['seconds']:.0f} s",
        f"{speed['answers_per_second']} answers a second by {speed['processor_share']} processors",
        f"the readers themselves took {speed['readers_processor_share']}",
        f"{speed['written_per_second']} events written in a second",
        f"memory {memory['resident']:.0f} MiB, {memory['own']:.0f} without pages of files",
        f"{'ms':28}{'answers':>9}{'first':>9}{'p50':>9}{'p95':>9}{'p99':>9}{'worst':>9}",
    ]
    for row in speed["answers"]:
        name = row["name"]
        first = speed["first_ms"].get(name)
        note = "  misses" if name != "all" and row["p95"] > aim_of(name) else ""
        failed = f"  {row['failed']} failed" if row["failed"] else ""
        lines.append(
            f"{name:28}{row['answers']:9}{'' if first is None else f'{first:.0f}':>9}"
            f"{row['p50']:9.0f}{row['p95']:9.0f}{row['p99']:9.0f}{row['worst']:9.0f}{note}{failed}"
        )
    return "\n".join(lines)


def aim_of(name: str) -> float:
    """Return the aim of the 95th percentile of a kind of answer, in ms."""
    return CHECK_AIM_MS if name == "POST /v1/check" else AIM_MS


def _options(plan: SpeedPlan, folder: Path) -> list[str]:
    """Return the options of a server with saved searches that does not limit its clients."""
    settings, watches = folder / "server-speed.toml", folder / "server-speed.watches"
    settings.write_text("[server]\nrate = 0\n", "utf-8")
    with WatchStore(watches, keep=_KEEP) as store:
        for name in SAVED_SEARCHES:
            store.add(Watch(name=name, q=name), datetime.now(UTC))
    state = [] if plan.state is None else ["--state", str(plan.state)]
    return ["--config", str(settings), "--watches", str(watches), *state]


def _writer(
    plan: SpeedPlan, stats: Mapping[str, Any], folder: Path
) -> PacedWriter | nullcontext[None]:
    """Return what writes events alongside the readers, all later than those of the archive."""
    if not plan.rate:
        return nullcontext()
    first, last = (_day(stats[name]) for name in ("first_at", "last_at"))
    shift = timedelta(days=last - first + 1)
    events = later_events(plan.archive, shift=shift, prefix=f"{stats['change']}-")
    return PacedWriter(plan.archive, events, plan.rate, folder / "writer.log")


def _day(moment: str) -> int:
    """Return the number of the day of a moment in ISO 8601."""
    return date.fromisoformat(moment[:10]).toordinal()


def _first(server: ServedArchive, kind: RequestKind) -> float:
    """Return how long the first answer of a kind takes, in ms."""
    began = perf_counter()
    body = kind.bodies[0] if kind.bodies else None
    _send(server, kind.paths[0], body)
    return round(1_000 * (perf_counter() - began), 1)


def _ask(server: ServedArchive, path: str) -> Any:
    """Return the decoded JSON of a path of the server."""
    return json.loads(_send(server, path, None))


def _send(server: ServedArchive, path: str, body: bytes | None) -> bytes:
    """Send a request, a POST if there is a body; return the body of the answer."""
    headers = {"Content-Type": "application/json", "Accept": "text/html,application/json"}
    request = Request(server.address + path, body, headers)  # noqa: S310 - our own server
    with urlopen(request, timeout=_TIMEOUT_SECONDS) as response:  # noqa: S310
        return bytes(response.read())
