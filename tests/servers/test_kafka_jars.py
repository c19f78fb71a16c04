"""The jars of Kafka are those that were asked for, or there are none."""

import hashlib
from pathlib import Path

import pytest

from servers import class_archive, jars
from servers.process import ServerFailed

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

SUMS = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("one.jar", "two.jar")}


def test_every_jar_has_one_checksum_and_is_there() -> None:
    sums = jars.expected()
    assert len(sums) == len(jars.SUMS.read_text().splitlines())
    assert {len(checksum) for checksum in sums.values()} == {64}
    assert {path.name for path in jars.jars().iterdir()} == set(sums)


def test_a_jar_that_is_missing_changed_or_added_is_named(tmp_path: Path) -> None:
    for name in SUMS:
        (tmp_path / name).write_text(name)
    assert jars.differences(tmp_path, SUMS) == []
    (tmp_path / "one.jar").write_text("changed")
    (tmp_path / "two.jar").unlink()
    (tmp_path / "three.jar").touch()
    assert jars.differences(tmp_path, SUMS) == ["one.jar", "three.jar", "two.jar"]


def test_without_jars_it_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ServerFailed, match="run scripts/provision"):
        jars.jars()
    jars.cached().mkdir(parents=True)
    with pytest.raises(ServerFailed, match="kafka-clients"):
        jars.jars()


def test_java_takes_the_classes_that_were_read_at_the_provision() -> None:
    assert class_archive.is_usable()
