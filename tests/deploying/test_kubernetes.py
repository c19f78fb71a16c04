"""The manifests, put together by kubectl and held against the schemas of Kubernetes."""

import re
from functools import cache
from typing import Any

import kubernetes_validate
import pytest
import yaml

from cli.in_process import run
from deploying.files import K8S, checked, duration, taken
from newsdedup import __version__

pytestmark = pytest.mark.usefixtures("kubectl")

VERSION = "1.32"
FOREIGN = {"ServiceMonitor"}
"""Kinds that operators bring; Kubernetes itself has no schema of them."""


@cache
def manifests(overlay: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(checked("kubectl", "kustomize", K8S / overlay)))


def one(overlay: str, kind: str) -> dict[str, Any]:
    (found,) = [each for each in manifests(overlay) if each["kind"] == kind]
    return found


def pod(overlay: str, kind: str = "Deployment") -> dict[str, Any]:
    return one(overlay, kind)["spec"]["template"]["spec"]


@pytest.mark.parametrize("overlay", ["base", "production"])
def test_every_manifest_follows_its_schema(overlay):
    for manifest in manifests(overlay):
        if manifest["kind"] not in FOREIGN:
            kubernetes_validate.validate(manifest, VERSION, strict=True)


def test_an_installation_has_all_its_parts():
    base = {"ServiceAccount", "ConfigMap", "Service", "Deployment"}
    base |= {"PodDisruptionBudget", "NetworkPolicy"}
    assert {each["kind"] for each in manifests("base")} == base
    production = {each["kind"] for each in manifests("production")}
    assert production == {*base, "Job", "HorizontalPodAutoscaler", "ServiceMonitor"}


@pytest.mark.parametrize("overlay", ["base", "production"])
def test_whatever_selects_pods_selects_the_workers(overlay):
    labels = one(overlay, "Deployment")["spec"]["template"]["metadata"]["labels"]
    assert labels
    assert one(overlay, "Deployment")["spec"]["selector"]["matchLabels"] == labels
    assert one(overlay, "Service")["spec"]["selector"] == labels
    assert one(overlay, "PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    assert one(overlay, "NetworkPolicy")["spec"]["podSelector"]["matchLabels"] == labels


def test_the_monitor_finds_the_service_and_its_port():
    monitor, service = (
        one("production", "ServiceMonitor")["spec"],
        one("production", "Service"),
    )
    wanted = monitor["selector"]["matchLabels"]
    assert wanted.items() <= service["metadata"]["labels"].items()
    named = {port["name"] for port in service["spec"]["ports"]}
    assert {endpoint["port"] for endpoint in monitor["endpoints"]} <= named
    assert {endpoint["path"] for endpoint in monitor["endpoints"]} == {"/metrics"}


def test_the_number_of_workers_is_left_to_the_autoscaler():
    scaler = one("production", "HorizontalPodAutoscaler")["spec"]
    target = one("production", "Deployment")
    assert scaler["scaleTargetRef"]["name"] == target["metadata"]["name"]
    assert "replicas" not in target["spec"]


def test_the_autoscaler_asks_for_a_metric_that_a_worker_tells(scrape):
    scaler = one("production", "HorizontalPodAutoscaler")["spec"]
    asked = {metric["pods"]["metric"]["name"] for metric in scaler["metrics"]}
    assert asked
    assert asked <= scrape.samples.keys()


def test_there_are_as_many_partitions_as_there_may_be_workers(tmp_path):
    (container,) = pod("production", "Job")["containers"]
    assert run(*container["args"], "--help", cwd=tmp_path).returncode == 0
    given = dict(zip(container["args"][2::2], container["args"][3::2], strict=True))
    scaler = one("production", "HorizontalPodAutoscaler")["spec"]
    assert given == {"--partitions": str(scaler["maxReplicas"])}


def test_topics_are_made_with_the_settings_and_the_image_of_the_workers():
    (job,), (worker,) = (pod("production", kind)["containers"] for kind in ("Job", "Deployment"))
    for name in ("image", "envFrom", "volumeMounts"):
        assert job[name] == worker[name]


def test_pods_that_wait_do_not_hold_up_the_draining_of_a_node():
    budget = one("base", "PodDisruptionBudget")["spec"]
    assert budget["unhealthyPodEvictionPolicy"] == "AlwaysAllow"


@pytest.mark.parametrize(
    ("overlay", "kind"),
    [("base", "Deployment"), ("production", "Deployment"), ("production", "Job")],
)
def test_the_pods_meet_the_restricted_standard(overlay, kind):
    described = pod(overlay, kind)
    assert described["securityContext"]["runAsNonRoot"] is True
    assert described["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
    assert described["automountServiceAccountToken"] is False
    for container in described["containers"]:
        allowed = container["securityContext"]
        assert allowed["allowPrivilegeEscalation"] is False
        assert allowed["readOnlyRootFilesystem"] is True
        assert allowed["capabilities"] == {"drop": ["ALL"]}


def test_probes_ask_what_a_worker_answers():
    (container,) = pod("base")["containers"]
    asked = {name: container[f"{name}Probe"]["httpGet"] for name in ("liveness", "readiness")}
    assert asked["liveness"] == {"path": "/livez", "port": "metrics"}
    assert asked["readiness"] == {"path": "/readyz", "port": "metrics"}
    assert container["ports"] == [{"name": "metrics", "containerPort": 9464}]


@pytest.mark.parametrize("overlay", ["base", "production"])
def test_a_worker_takes_the_settings_and_is_given_more_time_than_it_drains(overlay, tmp_path):
    settings = one(overlay, "ConfigMap")["data"]
    made = taken(settings, tmp_path)
    grace = pod(overlay)["terminationGracePeriodSeconds"]
    assert grace > duration(made["worker"]["drain"]).total_seconds()


@pytest.mark.parametrize("overlay", ["base", "production"])
def test_passwords_are_files_of_a_secret_that_is_not_here(overlay):
    settings = one(overlay, "ConfigMap")["data"]
    mount = pod(overlay)["containers"][0]["volumeMounts"][0]["mountPath"]
    files = [value for name, value in settings.items() if "PASSWORD" in name]
    assert files
    assert [name for name in files if not name.startswith(f"{mount}/")] == []
    assert "Secret" not in {each["kind"] for each in manifests(overlay)}


def test_the_image_is_pinned_to_this_version():
    image = pod("production")["containers"][0]["image"]
    assert re.fullmatch(rf"[\w./-]+:{re.escape(__version__)}", image)
