from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.environment import load_configuration
from newsdedup.cli.errors import ExitCode
from newsdedup.cli.options import Config, Json, Kafka, NamespaceOption, Redis, State, option
from newsdedup.cli.output import print_json, printable_line, stdout_console
from newsdedup.cli.registry import command
from newsdedup.config import Settings

if TYPE_CHECKING:
    from newsdedup.cli.checks.installation import Finding

_Worker = Annotated[
    bool, typer.Option("--worker", help="Also check Kafka, its topics and Redis, for a worker.")
]
_Archive = Annotated[
    Path | None, option("--archive", "FILE", "Also check this archive. [default: none]")
]
_COLOURS = {"ok": "green", "warn": "yellow", "fail": "bold red"}


@command(
    "newsdedup doctor",
    "newsdedup doctor --state news.state --json",
    "newsdedup doctor --archive news.archive",
    "newsdedup doctor --worker --kafka broker:9092 --redis redis://cache:6379/0",
)
def run_doctor(
    *,
    worker: _Worker = False,
    kafka: Kafka = None,
    redis: Redis = None,
    namespace: NamespaceOption = None,
    state: State = None,
    archive: _Archive = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Check that newsdedup can work here.

    Each line says ok, warn or fail, and what to do. The exit code is 1 if anything failed.
    """
    from newsdedup.cli.checks.installation import worst_status

    flags = {"kafka.servers": kafka, "redis.url": redis, "redis.namespace": namespace}
    findings = _run_checks(config, state, flags, worker=worker)
    if archive is not None:
        from newsdedup.cli.checks.archives import check_archive_file

        findings += check_archive_file(archive)
    worst = worst_status(findings)
    if json:
        print_json({"status": worst, "checks": [asdict(finding) for finding in findings]})
    else:
        _show(findings)
    if worst == "fail":
        raise typer.Exit(ExitCode.FAILED)


def _run_checks(
    config: Path | None, state: str | None, flags: Mapping[str, object], *, worker: bool
) -> "list[Finding]":
    """Return all findings; wrong settings are the first one, and the rest goes by the defaults."""
    from newsdedup.cli.checks.installation import Finding, check_installation, check_surroundings
    from newsdedup.cli.checks.servers import check_servers
    from newsdedup.ports.errors import SettingsInvalid

    try:
        configuration = load_configuration(config, {"run.state": state, **flags})
    except SettingsInvalid as error:
        settings = Settings()
        first = Finding("settings", "fail", str(error), "correct them; docs/settings.md has all")
    else:
        settings = configuration.settings
        origins = sorted(
            {origin for origin in configuration.origins.values() if origin != "default"}
        )
        first = Finding("settings", "ok", ", ".join(origins) or "all as by default")
    servers = check_servers(settings) if worker else ()
    return [first, *check_installation(settings), *check_surroundings(settings), *servers]


def _show(findings: "list[Finding]") -> None:
    """Print a line for each finding, and what to do below it."""
    console = stdout_console()
    width = max(len(finding.check) for finding in findings)
    for finding in findings:
        console.print(f"{finding.status:<4}", style=_COLOURS[finding.status], end="  ")
        first, *rest = [printable_line(line) for line in finding.message.splitlines()] or [""]
        lines = [f"{finding.check:<{width}}  {first}", *(" " * 8 + line for line in rest)]
        if finding.advice:
            lines.append(" " * 8 + f"-> {finding.advice}")
        console.print("\n".join(lines), soft_wrap=True)
