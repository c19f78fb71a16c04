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
from newsdedup.config.kinds import Duration

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
PROMETHEUS = DOCKER / "prometheus"
K8S = ROOT / "k8s"
COMPOSE = DOCKER / "compose.yaml"
DASHBOARD = DOCKER / "grafana" / "dashboards" / "newsdedup.json"
ALERTS = PROMETHEUS / "alerts.yml"


def compose() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text("utf-8"))


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
    return Duration().parse(text)


def expressions() -> Iterator[str]:
    """Yield every query of the dashboard and of the alerts."""
    board = json.loads(DASHBOARD.read_text("utf-8"))
    for panel in board["panels"]:
        for target in panel.get("targets", ()):
            yield target["expr"]
    for group in yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]:
        for rule in group["rules"]:
            yield rule["expr"]
