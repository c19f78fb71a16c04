"""The image and the composition, as far as they can be judged without a container engine."""

import re

import pytest
import yaml

from cli.in_process import run
from deploying.composition import OWN_PORTS
from deploying.files import (
    CLUSTER,
    COMPOSE,
    DASHBOARDS,
    DOCKER,
    K8S,
    ROOT,
    checked,
    compose,
    duration,
    installed,
    taken,
)
from newsdedup import __version__

PINNED = re.compile(r"[\w./-]+:v?\d+\.\d+\.\d+(-[\w.-]+)?")
OWN = ("topics", "worker", "feeder", "server")
"""The services of our image."""


@pytest.mark.usefixtures("process")
def test_hadolint_has_nothing_to_say_about_the_dockerfile():
    assert checked(installed("hadolint"), DOCKER / "Dockerfile") == ""


def test_the_image_runs_without_root_and_installs_only_what_has_its_hash():
    lines = (DOCKER / "Dockerfile").read_text("utf-8").splitlines()
    last = max(n for n, line in enumerate(lines) if line.startswith("FROM"))
    assert "USER 65532:65532" in lines[last:]
    installs = [line for line in lines if "pip install" in line]
    assert installs
    assert all("--require-hashes" in line or "--no-deps" in line for line in installs)
    assert not any("curl" in line or "ADD " in line for line in lines)


def test_a_release_can_pin_the_images_that_it_is_made_of():
    text = (DOCKER / "Dockerfile").read_text("utf-8")
    defaults = dict(re.findall(r"^ARG (BUILD_IMAGE|BASE_IMAGE)=(\S+)$", text, re.MULTILINE))
    assert [image for image in defaults.values() if not PINNED.fullmatch(image)] == []
    taken_from = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert taken_from == [f"${{{name}}}" for name in defaults]


def test_the_image_says_what_it_is_and_starts_without_a_shell():
    text = (DOCKER / "Dockerfile").read_text("utf-8").rpartition("\nFROM ")[2]
    labels = dict(re.findall(r'org\.opencontainers\.image\.([\w.]+)="([^"]*)"', text))
    assert labels["version"] == __version__
    assert labels["licenses"] == "Apache-2.0"
    assert {"title", "description", "revision", "base.name"} <= labels.keys()
    started = re.findall(r"^(?:ENTRYPOINT|CMD|  CMD) (.*)$", text, re.MULTILINE)
    assert len(started) == 3
    assert all(command.startswith("[") for command in started)
    assert "RUN" not in text


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize("file", [COMPOSE, CLUSTER], ids=lambda path: path.stem)
def test_the_compositions_follow_their_specification(file):
    checked(installed("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", file)


def test_every_image_is_pinned_by_version():
    services = compose(CLUSTER)["services"]
    assert [s["image"] for s in services.values() if not PINNED.fullmatch(s["image"])] == []
    own = {services[name]["image"] for name in OWN}
    assert own == {f"newsdedup:{__version__}"}


def test_every_port_is_bound_to_loopback():
    services = compose(CLUSTER)["services"]
    ports = [port for one in services.values() for port in one.get("ports", ())]
    assert ports
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []


def test_no_password_stands_in_the_compositions():
    described = compose(CLUSTER)
    for name, secret in described["secrets"].items():
        assert secret == {"file": f"./secrets/{name}"}
    for ignoring in (".gitignore", ".dockerignore"):
        assert "/docker/secrets/" in (ROOT / ignoring).read_text("utf-8").splitlines()
    for service in described["services"].values():
        named = [name for name in service.get("environment", {}) if "PASSWORD" in name]
        assert [name for name in named if not name.endswith("_FILE")] == []


def test_what_is_read_only_is_given_its_secrets_as_mounted_files():
    described = compose(CLUSTER)
    sealed = [one for one in described["services"].values() if one.get("read_only")]
    given = {name for one in sealed for name in one.get("secrets", ())}
    assert given
    assert [name for name in given if described["secrets"][name].keys() != {"file"}] == []


@pytest.mark.parametrize("service", OWN)
def test_our_services_are_sealed(service):
    described = compose(CLUSTER)["services"][service]
    assert described["read_only"] is True
    assert described["cap_drop"] == ["ALL"]
    assert described["security_opt"] == ["no-new-privileges:true"]


def test_users_are_numbers():
    services = compose(CLUSTER)["services"].values()
    users = [one["user"] for one in services if "user" in one]
    assert users
    assert [user for user in users if not re.fullmatch(r"\d+:\d+", user)] == []


def test_every_file_that_is_mounted_is_there():
    described = compose(CLUSTER)
    mounts = [mount for one in described["services"].values() for mount in one.get("volumes", ())]
    named = {mount.partition(":")[0] for mount in mounts}
    volumes = described["volumes"].keys()
    assert [name for name in named - volumes if not (DOCKER / name).exists()] == []
    assert volumes <= named


def test_a_feeder_writes_to_the_servers_and_the_topic_of_the_settings():
    (feeder,) = (
        one
        for one in yaml.safe_load_all((K8S / "base" / "feeder.yaml").read_text("utf-8"))
        if one["kind"] == "Deployment"
    )
    (container,) = feeder["spec"]["template"]["spec"]["containers"]
    for command in (compose()["services"]["feeder"]["command"], container["args"]):
        assert command[command.index("--to") + 1] == "kafka://"


@pytest.mark.parametrize("overlay", [(), (CLUSTER,)], ids=["compose", "cluster"])
@pytest.mark.parametrize(("service", "time"), [("worker", "drain"), ("feeder", "timeout")])
def test_a_service_takes_its_settings_and_is_given_more_time_than_it_ends_in(
    overlay, service, time, tmp_path
):
    described = compose(*overlay)["services"][service]
    made = taken(described["environment"], tmp_path)
    assert duration(described["stop_grace_period"]) > duration(made[service][time])


def test_the_server_answers_to_the_names_by_which_it_is_asked(tmp_path):
    described = compose()["services"]["server"]
    names = taken(described["environment"], tmp_path)["server"]["aliases"].split(",")
    assert names == ["localhost", "127.0.0.1", "server"]


@pytest.mark.parametrize("service", OWN)
def test_the_commands_of_the_composition_exist(service, tmp_path):
    done = run(*compose()["services"][service]["command"], "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_prometheus_scrapes_each_service_at_its_own_port():
    described = yaml.safe_load((DOCKER / "prometheus" / "prometheus.yml").read_text("utf-8"))
    jobs = {job["job_name"]: job for job in described["scrape_configs"]}
    (workers,) = jobs.pop("newsdedup")["dns_sd_configs"]
    assert workers == {**workers, "names": ["worker"], "port": int(OWN_PORTS["worker"])}
    targets = {name: job["static_configs"][0]["targets"] for name, job in jobs.items()}
    assert targets == {
        f"newsdedup-{name}": [f"{name}:{OWN_PORTS[name]}"] for name in ("feeder", "server")
    }
    for name in ("feeder", "server"):
        environment = compose()["services"][name]["environment"]
        assert environment[f"NEWSDEDUP_{name.upper()}__PORT"] == OWN_PORTS[name]
        assert f":{OWN_PORTS[name]}/" in environment["HEALTH_URL"]


def test_the_configuration_of_prometheus_is_valid(promtool):
    checked(promtool, "check", "config", DOCKER / "prometheus" / "prometheus.yml")


def test_grafana_is_given_a_source_of_data_that_its_dashboards_name():
    written = (DOCKER / "grafana/provisioning/datasources/prometheus.yaml").read_text("utf-8")
    (given,) = yaml.safe_load(written)["datasources"]
    for dashboard in DASHBOARDS:
        named = set(re.findall(r'"uid": "([\w-]+)"', dashboard.read_text("utf-8")))
        assert named == {given["uid"], f"newsdedup-{dashboard.stem}"}
