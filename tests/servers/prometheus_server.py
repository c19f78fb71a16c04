"""A real Prometheus that scrapes what a test runs."""

import json
import math
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from servers.ports import HOST, free_ports
from servers.process import ServerProcess

SCRAPE_SECONDS: Final = 1


def scraping(targets: Mapping[str, int]) -> dict[str, Any]:
    """Return the configuration that scrapes, for each job, the port of its process."""
    return {
        "global": {"scrape_interval": f"{SCRAPE_SECONDS}s"},
        "scrape_configs": [
            {"job_name": job, "static_configs": [{"targets": [f"{HOST}:{port}"]}]}
            for job, port in targets.items()
        ],
    }


class PrometheusServer:
    """A Prometheus with a configuration, as its file would have it."""

    def __init__(self, program: str, folder: Path, configuration: Mapping[str, Any]) -> None:
        (self.port,) = free_ports(1)
        self._process = ServerProcess("Prometheus", folder)
        self._program, self._folder = program, folder
        self._configuration = dict(configuration)

    def start(self) -> None:
        """Start it, and return when it answers queries."""
        configuration = self._folder / "prometheus.yml"
        configuration.write_text(yaml.safe_dump(self._configuration), "utf-8")
        self._process.launch(
            [
                self._program,
                f"--config.file={configuration}",
                f"--storage.tsdb.path={self._folder / 'data'}",
                f"--web.listen-address={HOST}:{self.port}",
            ]
        )
        self._process.wait(self._ready)

    def stop(self) -> None:
        self._process.stop()

    def query(self, expression: str) -> list[float]:
        """Return the value of each series of an expression now; AssertionError if it is refused."""
        encoded = urllib.parse.urlencode({"query": expression})
        try:
            answer = self._get(f"/api/v1/query?{encoded}")
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(error.read().decode()) from error
        return [float(one["value"][1]) for one in answer["data"]["result"]]

    def stats(self, expression: str) -> list[float]:
        """Return the values of an expression that are numbers: 0 / 0 is none."""
        return [value for value in self.query(expression) if math.isfinite(value)]

    def _ready(self) -> bool:
        try:
            self._get("/api/v1/query?query=1")
        except OSError:
            return False
        return True

    def _get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://{HOST}:{self.port}{path}", timeout=60) as answer:
            return json.load(answer)
