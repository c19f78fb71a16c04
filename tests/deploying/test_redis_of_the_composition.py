"""The Redis of the composition, started for real, without its container."""

import json

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError

from deploying.composition import PASSWORD, redis_node
from deploying.files import DOCKER, compose
from runners.processes import run
from runners.streaming import Stream
from servers.note import command_of
from servers.ports import HOST, free_ports

NEWS = {"id": "1", "source": "wire", "title": "Bridge opened", "text": "The bridge is open."}


@pytest.fixture
def guarded(tmp_path):
    """Return the port and the process of a Redis started by the script of the composition."""
    (port,) = free_ports(1)
    with redis_node(tmp_path / "redis", port, REDIS_NAMESPACE="news sport") as pid:
        yield port, pid


def test_it_lets_in_the_worker_of_the_composition_and_nobody_else(guarded, kafka, redis, tmp_path):
    port, pid = guarded
    settings = {
        name.removeprefix("NEWSDEDUP_"): value
        for name, value in compose()["services"]["worker"]["environment"].items()
    }
    stream = Stream(kafka, redis, tmp_path)
    settings |= {
        "KAFKA__SERVERS": kafka.address,
        "REDIS__URL": f"redis://{HOST}:{port}/0",
        "REDIS__PASSWORD_FILE": str(tmp_path / "redis" / "password"),
    }
    stream.produce([NEWS])
    with stream.worker(runner="aiokafka", **settings):
        stream.judged(1)
    looked = run("doctor", "--worker", "--json", cwd=tmp_path, **stream.environment(**settings))
    findings = {one["check"]: one["status"] for one in json.loads(looked.stdout)["checks"]}
    assert {"redis", "redis memory", "redis persistence"} <= findings.keys()
    assert "state folder" not in findings  # a worker makes none, and may write nowhere
    assert findings["redis"] == findings["redis memory"] == "ok"
    with Redis(host=HOST, port=port, username="newsdedup", password=PASSWORD) as client:
        for refused in (("CONFIG", "GET", "*"), ("FLUSHALL",), ("GET", "others")):
            with pytest.raises(NoPermissionError):
                client.execute_command(*refused)
        for namespace in ("news", "sport"):
            assert client.execute_command("HLEN", f"{{{namespace}}}:records") == 0
    assert "redis-server" in command_of(pid)
    assert PASSWORD not in command_of(pid)


def test_it_has_the_settings_that_the_page_asks_for():
    lines = (DOCKER / "redis" / "redis.conf").read_text("utf-8").splitlines()
    settings = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    assert settings["maxmemory-policy"] == "noeviction"
    assert settings["appendonly"] == "yes"
    assert settings["lazyfree-lazy-expire"] == "yes"
    assert int(settings["set-max-intset-entries"]) > 512
