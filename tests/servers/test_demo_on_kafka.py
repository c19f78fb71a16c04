import os
import re
import subprocess
from pathlib import Path

import pytest

from newsdedup.synthetic.stream import demo_stream

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

SCRIPT = Path(__file__).parents[2] / "scripts" / "demo"


def test_the_demo_on_kafka_shows_what_came_out_and_leaves_nothing(tmp_path: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NEWSDEDUP")}
    environ = {**clean, "TMPDIR": str(tmp_path), "NEWSDEDUP_RULE__NAME": "terms"}
    done = subprocess.run(
        [SCRIPT, "--kafka"],
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
        env=environ,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    (told,) = re.findall(
        r"^\d+ events: (\d+) originals, (\d+) duplicates", done.stderr, re.MULTILINE
    )
    items = [planted.item for planted in demo_stream()]
    unique = {(item["source"], item["id"]) for item in items}
    # A record that comes again may get its corrected verdict, which is told apart.
    assert len(unique) <= sum(map(int, told)) <= len(items)
    assert done.stdout.count("  item.judged  ") == sum(map(int, told))
    assert "0 letters" in done.stdout
    assert list(tmp_path.iterdir()) == []
