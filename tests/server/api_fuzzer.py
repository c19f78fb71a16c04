"""Holds a server to the description of its API, by requests that schemathesis makes of it."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from server.pages.invented_news import invented_items
from server.pages.invented_watches import watches_file
from server.served import TOKEN, judge, serving

EXPECTED: Final = """\
[[operations]]
include-name = "POST /v1/feedback"
checks.positive_data_acceptance.expected-statuses = ["2xx", 422]
checks.negative_data_rejection.expected-statuses = [400, 401, 413, 415, 422]

[[operations]]
include-name-regex = "^POST /v1/(check|items)$"
checks.positive_data_acceptance.expected-statuses = ["2xx", 422]
checks.negative_data_rejection.expected-statuses = [200, 400, 401, 413, 415, 422]

[[operations]]
include-name = "GET /v1/stories"
checks.positive_data_acceptance.expected-statuses = ["2xx", 400]
"""
"""What no schema says: which dates are absurd, how long a body may be, of which order a cursor is.

Items are read liberally: a date of another type costs the date, a name that is not needed may be
longer than it may be where it is.
"""
DESCRIPTION: Final = """\
Send requests that the description of the API suggests, one following from the other, to a server
with an engine, a token and saved searches. The exit code is 1 if an answer is none that the
description allows.
"""


def fuzz(address: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Fuzz the API of a server with the token of tests; `options` are those of schemathesis."""
    chosen = folder / "schemathesis.toml"
    chosen.write_text(EXPECTED, "utf-8")
    command = [sys.executable, "-m", "schemathesis.cli", f"--config-file={chosen}", "run"]
    # A stream has no end: the fuzzer would wait for it.
    fixed = ["--exclude-path=/v1/events", "--checks=all", "--no-color"]
    token = ["-H", f"Authorization: Bearer {TOKEN}"]
    return subprocess.run(
        [*command, f"{address}/openapi.json", *fixed, *options, *token],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `scripts/fuzz --api`; return its exit code."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz --api", description=DESCRIPTION)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long [%(default)s]")
    parser.add_argument("--seed", type=int, help="that of an earlier run")
    chosen = parser.parse_args(arguments)
    seconds = max(1, round(60 * chosen.minutes))
    options = ["--phases=stateful", f"--max-time={seconds}", "--continue-on-failure"]
    if chosen.seed is not None:
        options.append(f"--seed={chosen.seed}")
    with TemporaryDirectory() as name:
        folder = Path(name)
        judge(folder, invented_items())
        with serving(folder, engine=True, token=TOKEN, watches=watches_file(folder)) as server:
            done = fuzz(server.address, folder, *options)
    sys.stdout.write(done.stdout)
    return done.returncode
