from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from newsdedup.cli import options
from newsdedup.cli.environment import load_configuration
from newsdedup.cli.errors import ExitCode
from newsdedup.cli.invocation import as_called
from newsdedup.cli.options import option, parse_duration, switch
from newsdedup.cli.output import print_json, printable_line, stdout_console
from newsdedup.cli.registry import command
from newsdedup.config import read_settings

_Worker = Annotated[
    bool, switch("--worker", "Also check Kafka, its topics and Redis, for a worker.")
]
_Archive = Annotated[
    Path | None, option("--archive", "FILE", "Also check this archive. [default: none]")
]
_Output = Annotated[
    Path | None, option("--to", "FILE", "Also check the disk of this output. [default: none]")
]
_Within = Annotated[
    str, option("--within", "DURATION", "How long servers and disks may take. [default: 10s]")
]
_COLOURS = {"ok": "green", "warn": "yellow", "fail": "bold red"}


@command(
    "newsdedup doctor",
    "newsdedup doctor --state news.state --json",
    "newsdedup doctor --archive news.archive --feeds newsdedup.feeds",
    "newsdedup doctor --worker --kafka broker:9092 --redis redis://cache:6379/0 --within 5s",
)
def run_doctor(
    *,
    worker: _Worker = False,
    kafka: options.Kafka = None,
    redis: options.Redis = None,
    namespace: options.NamespaceOption = None,
    rule: options.RuleOption = None,
    window: options.Window = None,
    state: options.State = None,
    archive: _Archive = None,
    feeds: options.Feeds = None,
    to: _Output = None,
    within: _Within = "10s",
    config: options.Config = None,
    json: options.Json = False,
) -> None:
    """Check whether newsdedup can work here.

    Each line says ok, warn or fail, and what to do. The exit code is 1 if a check failed. Servers
    and disks are checked at the same time; one that does not answer in time has failed.
    """
    from newsdedup.cli.checks import installation
    from newsdedup.cli.checks.files import file_probes
    from newsdedup.cli.checks.servers import server_probes
    from newsdedup.ports.errors import SettingsInvalid

    seconds = parse_duration(within).total_seconds()
    flags = {"kafka.servers": kafka, "redis.url": redis, "redis.namespace": namespace}
    flags |= {"rule.name": rule, "rule.window": window, "run.state": state, "feeder.state": feeds}
    try:
        configuration = load_configuration(config, flags)
        origins = sorted({*configuration.origins.values()} - {"default"})
        first = installation.Finding("settings", "ok", ", ".join(origins) or "all as by default")
    except SettingsInvalid as error:
        configuration = read_settings({}, {}, None)
        advice = "correct them; docs/settings.md has all"
        first = installation.Finding("settings", "fail", str(error), advice)
    settings = configuration.settings
    named = feeds is not None
    probes = [*file_probes(settings, archive=archive, output=to, feeds=named, state=not worker)]
    if worker:
        probes += server_probes(configuration, config, seconds=seconds)
    findings = [first, *installation.check_installation(settings)]
    findings += installation.run_probes(probes, seconds=seconds)
    worst = installation.worst_status(findings)
    if json:
        print_json({"status": worst, "checks": [asdict(finding) for finding in findings]})
    else:
        console = stdout_console()
        width = max(len(finding.check) for finding in findings)
        for finding in findings:
            console.print(f"{finding.status:<4}", style=_COLOURS[finding.status], end="  ")
            first_line, *rest = map(printable_line, finding.message.splitlines() or [""])
            lines = [f"{finding.check:<{width}}  {first_line}", *(" " * 8 + line for line in rest)]
            if finding.advice:
                lines.append(" " * 8 + as_called(f"-> {finding.advice}"))
            console.print("\n".join(lines), soft_wrap=True)
    if worst == "fail":
        raise typer.Exit(ExitCode.FAILED)
