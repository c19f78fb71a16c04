import os
import re
import subprocess
from pathlib import Path

import pytest

from newsdedup.synthetic.stream import demo_stream

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program", "prometheus", "promtool")

SCRIPT = Path(__file__).parents[2] / "scripts" / "demo"


def test_the_demo_of_three_workers_shows_what_came_out_and_what_was_watched_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NEWSDEDUP")}
    environ = {**clean, "TMPDIR": str(tmp_path), "NEWSDEDUP_RULE__NAME": "terms"}
    done = subprocess.run(
        [SCRIPT, "--kafka", "--workers", "3"],
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
        env=environ,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    (shown,) = re.findall(
        r"^\d+ items: (\d+) originals, (\d+) duplicates", done.stdout, re.MULTILINE
    )
    items = [planted.item for planted in demo_stream()]
    unique = {(item["source"], item["id"]) for item in items}
    assert sum(map(int, shown)) == len(unique)
    assert "The largest stories\n" in done.stdout
    assert "item.judged" not in done.stdout
    assert "0 dead letters" in done.stdout
    counts = re.findall(r'^  \{worker="([123])"\} => (\d+)$', done.stdout, re.MULTILINE)
    assert {number for number, _ in counts} == {"1", "2", "3"}
    assert sum(int(count) for _, count in counts) >= len(items)
    assert "Firing alerts\n  {} => 0\n" in done.stdout
    assert list(tmp_path.iterdir()) == []
