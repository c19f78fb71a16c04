"""What clients of servers repeat in an outage does not fill the log."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.usefixtures("process")

BEGIN = """
import logging
from newsdedup.cli import environment
environment.begin_logging("info", quiet=False)
client = logging.getLogger("aiokafka")
"""


def logged(*statements: str) -> list[str]:
    """Return the lines that a process logs by these statements, without their times."""
    program = [sys.executable, "-c", "\n".join([BEGIN, *statements])]
    done = subprocess.run(program, capture_output=True, check=True, text=True)
    return [line.partition(" level=")[2] for line in done.stderr.splitlines()]


def test_a_warning_of_a_client_is_logged_once_a_minute():
    repeated = "for number in range(1_000): client.error('No way to node %s: %s', 1, number)"
    assert logged(
        repeated,
        "client.warning('Heartbeat failed')",
        "environment._REPEAT_SECONDS = 0.0",
        "client.error('No way to node %s: %s', 1, 1_000)",
    ) == [
        "ERROR logger=aiokafka No way to node 1: 0",
        "WARNING logger=aiokafka Heartbeat failed",
        "ERROR logger=aiokafka No way to node 1: 1000",
    ]


def test_every_line_of_newsdedup_and_every_event_of_a_client_is_logged():
    lines = logged(
        "for number in range(3): logging.getLogger('newsdedup.worker').warning('waiting')",
        "for number in range(3): client.info('Joined the group')",
    )
    assert len(lines) == 6
