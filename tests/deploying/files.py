"""The files by which newsdedup is deployed, and how they are looked at."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import yaml

from cli.in_process import run
from newsdedup.config import kinds

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
PROMETHEUS = DOCKER / "prometheus"
K8S = ROOT / "k8s"
COMPOSE = DOCKER / "compose.yaml"
CLUSTER = DOCKER / "compose.cluster.yaml"
DASHBOARDS = sorted((DOCKER / "grafana" / "dashboards").glob("*.json"))
ALERTS = PROMETHEUS / "alerts.yml"


def compose(*overlays: Path) -> dict[str, Any]:
    """Return the composition, with other files laid over it as Compose does."""
    described = yaml.safe_load(COMPOSE.read_text("utf-8"))
    for overlay in overlays:
        described = overlaid(described, yaml.safe_load(overlay.read_text("utf-8")))
    return described


def overlaid(under: Any, over: Any, name: str = "") -> Any:
    """Return two values as Compose merges them: maps by name, lists joined, commands replaced."""
    if isinstance(under, dict) and isinstance(over, dict):
        one_side = {**over, **under}
        both = {key: overlaid(under[key], over[key], key) for key in under.keys() & over.keys()}
        return one_side | both
    if isinstance(under, list) and isinstance(over, list) and name not in ("command", "test"):
        return [*under, *(one for one in over if one not in under)]
    return over


def checked(*command: str | Path, stdin: str | None = None) -> str:
    """Return what a command says; it must succeed."""
    done = subprocess.run(
        list(map(str, command)), input=stdin, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(name: str) -> Path:
    """Return a program that came with the development packages."""
    return Path(sys.executable).parent / name


def taken(settings: Mapping[str, str], folder: Path) -> dict[str, Any]:
    """Return the settings that newsdedup makes of an environment; unknown names are errors."""
    done = run("config", "show", "--json", cwd=folder, **settings)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def duration(text: str) -> timedelta:
    return kinds.duration().parse(text)


def panels(dashboard: Path) -> list[dict[str, Any]]:
    """Return the panels of a dashboard, rows included."""
    return json.loads(dashboard.read_text("utf-8"))["panels"]


def panel_queries() -> Iterator[tuple[str, str]]:
    """Yield every query of the dashboards with the dashboard and the panel that contain it."""
    for dashboard in DASHBOARDS:
        for panel in panels(dashboard):
            for target in panel.get("targets", ()):
                yield f"{dashboard.stem}: {panel['title']}", target["expr"]


def substituted(query: str, *, interval: str = "5m") -> str:
    """Return a query as Grafana sends it, with the jobs that its variables have at first."""
    values = {"$__rate_interval": interval, "$__range": "1h", "$job": "newsdedup"}
    values |= {"$feeder": "newsdedup-feeder", "$server": "newsdedup-server"}
    for name, value in values.items():
        query = query.replace(name, value)
    return query


def alert_rules() -> list[dict[str, Any]]:
    """Return our alerts as they are written, in their order."""
    groups = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    return [rule for group in groups for rule in group["rules"]]


def expressions() -> Iterator[str]:
    """Yield every query of the dashboards and of the alerts."""
    yield from (query for _, query in panel_queries())
    yield from (rule["expr"] for rule in alert_rules())
