"""Options of `bench` that contradict each other are refused before anything is measured."""

import pytest
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--parts", "dense"], "--parts: only with --suite"),
        (["--suite", "--kafka"], "choose what is measured with --parts"),
        (["--suite", "--parts", "memory"], "the suite has no part memory"),
        (["--workers", "2"], "--workers: only with --kafka"),
        (["--workers", "2", "--kafka", "--rate", "20"], "and without --rate"),
        (["--workers", "two", "--kafka"], "expected whole numbers"),
        (["--shards", "2", "--kafka"], "--shards: only with --workers"),
        (["--suite", "--workers", "2"], "choose what is measured with --parts"),
        (["--peers", "semhash"], "no peer is called semhash"),
        (["--bodies", "feeds"], "--bodies: only with --feeds"),
        (["--suite", "--feeds", "5"], "choose what is measured with --parts"),
        (["--feeds", "5", "--bodies", "nowhere"], "there is no folder nowhere"),
        (["--dense", "72h", "--kafka"], "--dense: with --redis or in memory"),
        (["--dense", "72h"], "no item has a time of publication"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_measured_is_refused(tmp_path, options, message):
    items = tmp_path / "items.jsonl"
    items.write_text('{"id": "1", "source": "s", "title": "A bridge is open"}\n')
    refused = CliRunner().invoke(app, ["bench", str(items), *options])
    assert refused.exit_code in (ExitCode.USAGE, ExitCode.INPUT_MISSING)
    assert message in " ".join(refused.stderr.split())
