"""The image and the composition, as far as they can be judged without a container engine."""

import re

import pytest
import yaml

from cli.in_process import run
from deploying.files import (
    COMPOSE,
    DASHBOARDS,
    DOCKER,
    ROOT,
    checked,
    compose,
    duration,
    installed,
    taken,
)
from newsdedup import __version__
from newsdedup.adapters.redis.namespace import PERMISSIONS
from newsdedup.config import Settings

PINNED = re.compile(r"[\w./-]+:v?\d+\.\d+\.\d+(-[\w.-]+)?")


@pytest.mark.usefixtures("process")
def test_hadolint_has_nothing_to_say_about_the_dockerfile():
    assert checked(installed("hadolint"), DOCKER / "Dockerfile") == ""


def test_the_image_runs_without_root_and_installs_only_what_has_its_hash():
    lines = (DOCKER / "Dockerfile").read_text("utf-8").splitlines()
    last = max(n for n, line in enumerate(lines) if line.startswith("FROM"))
    assert "USER 65532:65532" in lines[last:]
    installs = [line for line in lines if "pip install" in line]
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)
    assert not any("curl" in line or "ADD " in line for line in lines)


@pytest.mark.usefixtures("process")
def test_the_composition_follows_its_specification():
    checked(installed("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", COMPOSE)


def test_every_image_is_pinned_by_version():
    services = compose()["services"]
    assert [s["image"] for s in services.values() if not PINNED.fullmatch(s["image"])] == []
    assert services["worker"]["image"] == f"newsdedup:{__version__}"


def test_every_port_is_bound_to_loopback():
    ports = [port for one in compose()["services"].values() for port in one.get("ports", ())]
    assert ports
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []


def test_no_password_stands_in_the_composition():
    described = compose()
    for name, secret in described["secrets"].items():
        assert secret == {"file": f"./secrets/{name}"}
    for ignoring in (".gitignore", ".dockerignore"):
        assert "/docker/secrets/" in (ROOT / ignoring).read_text("utf-8").splitlines()
    for service in described["services"].values():
        named = [name for name in service.get("environment", {}) if "PASSWORD" in name]
        assert [name for name in named if not name.endswith("_FILE")] == []


def test_what_is_read_only_is_given_its_secrets_as_mounted_files():
    described = compose()
    sealed = [one for one in described["services"].values() if one.get("read_only")]
    given = {name for one in sealed for name in one.get("secrets", ())}
    assert given
    assert [name for name in given if described["secrets"][name].keys() != {"file"}] == []


def test_users_are_numbers():
    users = [one["user"] for one in compose()["services"].values() if "user" in one]
    assert users
    assert [user for user in users if not re.fullmatch(r"\d+:\d+", user)] == []


def test_every_file_that_is_mounted_is_there():
    mounts = [mount for one in compose()["services"].values() for mount in one.get("volumes", ())]
    named = {mount.partition(":")[0] for mount in mounts}
    volumes = compose()["volumes"].keys()
    assert [name for name in named - volumes if not (DOCKER / name).exists()] == []


def test_the_worker_takes_the_settings_and_is_given_more_time_than_it_drains(tmp_path):
    worker = compose()["services"]["worker"]
    taken(worker["environment"], tmp_path)
    assert duration(worker["stop_grace_period"]) > Settings().worker.drain


@pytest.mark.parametrize("service", ["topics", "worker"])
def test_the_commands_of_the_composition_exist(service, tmp_path):
    done = run(*compose()["services"][service]["command"], "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_user_of_redis_may_do_what_a_worker_does_and_nothing_else():
    assert (DOCKER / "redis" / "permissions").read_text("utf-8").strip() == PERMISSIONS


def test_the_configuration_of_prometheus_is_valid(promtool):
    checked(promtool, "check", "config", DOCKER / "prometheus" / "prometheus.yml")


def test_grafana_is_given_a_source_of_data_that_its_dashboards_name():
    written = (DOCKER / "grafana/provisioning/datasources/prometheus.yaml").read_text("utf-8")
    (given,) = yaml.safe_load(written)["datasources"]
    for board in DASHBOARDS:
        named = set(re.findall(r'"uid": "([\w-]+)"', board.read_text("utf-8")))
        assert named == {given["uid"], f"newsdedup-{board.stem}"}
