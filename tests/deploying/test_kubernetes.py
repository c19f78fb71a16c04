"""The manifests, put together by kubectl and checked by the schemas of Kubernetes."""

import lzma
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import py3langid
import pytest
import yaml
from py3langid.langid import MODEL_FILE

from cli.in_process import run
from deploying.composition import OWN_PORTS
from deploying.custom_resources import FORMS, problems
from deploying.files import ALERTS, K8S, ROOT, checked, compose, duration, taken
from newsdedup import __version__

pytestmark = pytest.mark.usefixtures("kubectl")

VERSION = "1.32"
OVERLAYS = ("base", "dev", "production", "keda")
"""`keda` is production with the other way of scaling."""
SERVICES = {"worker": "newsdedup", "feeder": "newsdedup-feeder", "server": "newsdedup-server"}
WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob")


@pytest.fixture(scope="module", autouse=True)
def copied(tmp_path_factory) -> Path:
    """Let `keda` be production with one line changed, in a copy of the folder."""
    folder = tmp_path_factory.mktemp("k8s") / "k8s"
    shutil.copytree(K8S, folder)
    chosen = folder / "production" / "kustomization.yaml"
    text = chosen.read_text("utf-8")
    assert text.count("../components/scaling-adapter") == 1
    chosen.write_text(text.replace("scaling-adapter", "scaling-keda"), "utf-8")
    FOLDERS["keda"] = folder / "production"
    return folder


FOLDERS = {name: K8S / name for name in OVERLAYS}


@cache
def manifests(overlay: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(checked("kubectl", "kustomize", FOLDERS[overlay])))


def all_of(overlay: str, kind: str) -> list[dict[str, Any]]:
    return [each for each in manifests(overlay) if each["kind"] == kind]


def one(overlay: str, kind: str, name: str = "newsdedup") -> dict[str, Any]:
    (found,) = (each for each in all_of(overlay, kind) if each["metadata"]["name"] == name)
    return found


def settings_of(overlay: str) -> dict[str, str]:
    (found,) = (
        each["data"]
        for each in all_of(overlay, "ConfigMap")
        if each["metadata"]["name"].startswith("newsdedup-settings")
    )
    return found


def pods(overlay: str) -> dict[str, dict[str, Any]]:
    """Return the template of the pods of every workload by its name."""
    return {
        each["metadata"]["name"]: each["spec"]["template"]
        for each in manifests(overlay)
        if each["kind"] in WORKLOADS
    }


def pod(overlay: str, name: str) -> dict[str, Any]:
    return pods(overlay)[name]["spec"]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_manifest_follows_its_schema(overlay):
    for manifest in manifests(overlay):
        kind = manifest["apiVersion"], manifest["kind"]
        if kind in FORMS:
            assert problems(manifest, FORMS[kind]) == []
        else:
            kubernetes_validate.validate(manifest, VERSION, strict=True)


def test_a_field_that_an_operator_would_ignore_is_noticed():
    monitor = one("production", "PodMonitor")
    kind = monitor["apiVersion"], monitor["kind"]
    wrong = {**monitor["spec"], "endpoints": []}
    assert problems({"spec": wrong}, FORMS[kind]) != []


def test_an_installation_has_all_its_parts():
    names = {
        overlay: {(m["kind"], m["metadata"]["name"]) for m in manifests(overlay)}
        for overlay in OVERLAYS
    }
    for overlay in OVERLAYS:
        assert {("Deployment", name) for name in SERVICES.values()} <= names[overlay]
        assert {("PodDisruptionBudget", "newsdedup"), ("Service", "newsdedup-server")} <= names[
            overlay
        ]
    assert {("Deployment", "kafka"), ("Deployment", "redis"), ("Job", "newsdedup-topics")} <= names[
        "dev"
    ]
    operated = {("PodMonitor", "newsdedup"), ("PrometheusRule", "newsdedup")}
    jobs = {("Job", "newsdedup-topics"), ("Job", "newsdedup-acls")}
    assert operated | jobs | {("HorizontalPodAutoscaler", "newsdedup")} <= names["production"]
    assert names["production"] ^ names["keda"] == {
        ("HorizontalPodAutoscaler", "newsdedup"),
        ("ScaledObject", "newsdedup"),
        ("TriggerAuthentication", "newsdedup-kafka"),
    }


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_whatever_selects_pods_selects_some_of_them(overlay):
    labels = [template["metadata"]["labels"] for template in pods(overlay).values()]
    selectors = [m["spec"]["selector"]["matchLabels"] for m in all_of(overlay, "Deployment")]
    selectors += [
        m["spec"]["selector"]["matchLabels"] for m in all_of(overlay, "PodDisruptionBudget")
    ]
    selectors += [m["spec"]["selector"] for m in all_of(overlay, "Service")]
    policies = [m["spec"]["podSelector"] for m in all_of(overlay, "NetworkPolicy")]
    selectors += [policy["matchLabels"] for policy in policies if "matchLabels" in policy]
    assert len(selectors) >= 8
    lost = [s for s in selectors if not any(s.items() <= label.items() for label in labels)]
    assert lost == []
    for template in pods(overlay).values():
        for spread in template["spec"].get("topologySpreadConstraints", ()):
            own = template["metadata"]["labels"]
            assert spread["labelSelector"]["matchLabels"].items() <= own.items()


def test_workers_are_spread_over_nodes_and_zones():
    spreads = pod("production", "newsdedup")["topologySpreadConstraints"]
    keys = {spread["topologyKey"] for spread in spreads}
    assert keys == {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_pod_is_under_a_policy_for_both_directions(overlay):
    for template in pods(overlay).values():
        labels = template["metadata"]["labels"]
        directions = {
            direction
            for policy in all_of(overlay, "NetworkPolicy")
            if policy["spec"]["podSelector"].get("matchLabels", {"": ""}).items() <= labels.items()
            for direction in policy["spec"]["policyTypes"]
        }
        assert directions == {"Ingress", "Egress"}


def test_a_feeder_reaches_the_web_and_no_address_within_the_cluster():
    policy = one("production", "NetworkPolicy", "newsdedup-feeder")["spec"]
    (rule,) = policy["egress"]
    assert {port["port"] for port in rule["ports"]} == {80, 443}
    inside = {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"}
    assert set(rule["to"][0]["ipBlock"]["except"]) == inside


@pytest.mark.parametrize("overlay", ["dev", "production", "keda"])
def test_a_namespace_takes_only_pods_that_meet_the_restricted_standard(overlay):
    (namespace,) = all_of(overlay, "Namespace")
    labels = namespace["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    placed = {m["metadata"]["namespace"] for m in manifests(overlay) if m["kind"] != "Namespace"}
    assert placed == {namespace["metadata"]["name"]}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_pods_meet_the_restricted_standard(overlay):
    for name, template in pods(overlay).items():
        described = template["spec"]
        assert described["securityContext"]["runAsNonRoot"] is True, name
        assert described["securityContext"]["runAsUser"] > 0, name
        assert described["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault", name
        assert described["automountServiceAccountToken"] is False, name
        assert not {"hostNetwork", "hostPID", "hostIPC"} & described.keys(), name
        assert not any("hostPath" in volume for volume in described.get("volumes", ())), name
        for container in described["containers"] + described.get("initContainers", []):
            allowed = container["securityContext"]
            assert allowed["allowPrivilegeEscalation"] is False, name
            assert allowed["capabilities"] == {"drop": ["ALL"]}, name
            assert "privileged" not in allowed, name
            # Kafka's image writes its configuration into itself.
            assert allowed.get("readOnlyRootFilesystem", False) is (name != "kafka"), name


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_container_is_pinned_and_bounded(overlay):
    for name, template in pods(overlay).items():
        for container in template["spec"]["containers"]:
            image = container["image"]
            assert overlay == "base" or re.fullmatch(r"[\w./-]+:\d+\.\d+\.\d+(-\w+)?", image), image
            assert {"cpu", "memory"} <= container["resources"]["requests"].keys(), name
            assert "memory" in container["resources"]["limits"], name
        for volume in template["spec"].get("volumes", ()):
            assert "emptyDir" not in volume or "sizeLimit" in volume["emptyDir"], name


@pytest.mark.parametrize("workload", ["newsdedup", "newsdedup-server"])
def test_the_temporary_folder_has_room_for_the_tables_of_languages_twice(workload):
    with lzma.open(Path(py3langid.__file__).parent / MODEL_FILE) as tables:
        unpacked = tables.seek(0, os.SEEK_END)
    [folder] = [
        volume["emptyDir"]
        for volume in pods("base")[workload]["spec"]["volumes"]
        if volume["name"] == "tmp"
    ]
    size = re.fullmatch(r"(\d+)([MG])i", folder["sizeLimit"])
    # A worker and its helper unpack them at the same time.
    assert int(size[1]) * {"M": 2**20, "G": 2**30}[size[2]] > 2 * unpacked


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_no_pod_gets_variables_that_are_named_for_services(overlay):
    # KAFKA_PORT of a service `kafka` would be a setting of Kafka's image.
    links = {
        name: template["spec"]["enableServiceLinks"] for name, template in pods(overlay).items()
    }
    assert set(links.values()) == {False}


@pytest.mark.parametrize("overlay", ["dev", "production", "keda"])
def test_our_image_is_the_one_of_this_version(overlay):
    images = {
        container["image"]
        for template in pods(overlay).values()
        for container in template["spec"]["containers"]
        if "newsdedup" in container["image"]
    }
    (image,) = images
    assert image.endswith(f"newsdedup:{__version__}")


def test_the_images_of_others_are_those_of_the_composition():
    for name in ("kafka", "redis"):
        (container,) = pod("dev", name)["containers"]
        assert container["image"] == compose()["services"][name]["image"]
    given = {one["name"]: one["value"] for one in pod("dev", "kafka")["containers"][0]["env"]}
    written = compose()["services"]["kafka"]["environment"]
    listening = {name for name in written if "LISTENER" in name}
    assert {n: v for n, v in given.items() if n not in listening} == {
        n: v for n, v in written.items() if n not in listening
    }


@pytest.mark.parametrize("service", SERVICES)
def test_probes_ask_what_a_service_answers(service):
    (container,) = pod("base", SERVICES[service])["containers"]
    alive = "/healthz" if service == "server" else "/livez"
    ready = "/healthz" if service == "server" else "/readyz"
    kinds = {"startup": alive, "liveness": alive, "readiness": ready}
    port = "http" if service == "server" else "metrics"
    for kind, path in kinds.items():
        assert container[f"{kind}Probe"]["httpGet"] == {"path": path, "port": port}
    number = int(OWN_PORTS[service])
    assert container["ports"] == [{"name": port, "containerPort": number}]
    variables = {one["name"]: one["value"] for one in container.get("env", ())}
    assert variables.get(f"NEWSDEDUP_{service.upper()}__PORT", "9464") == str(number)


@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.parametrize("service", SERVICES)
def test_a_service_is_started_as_it_understands(overlay, service, tmp_path):
    (container,) = pod(overlay, SERVICES[service])["containers"]
    environment = settings_of(overlay)
    environment |= {one["name"]: one["value"] for one in container.get("env", ())}
    made = taken(environment, tmp_path)
    grace = pod(overlay, SERVICES[service])["terminationGracePeriodSeconds"]
    longest = {"worker": "drain", "feeder": "timeout"}.get(service)
    assert longest is None or grace > duration(made[service][longest]).total_seconds()
    assert run(*container["args"], "--help", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("name", ["newsdedup-feeder", "newsdedup-server"])
def test_a_service_with_a_volume_of_its_own_has_one_replica(name):
    described = one("production", "Deployment", name)["spec"]
    assert (described["replicas"], described["strategy"]) == (1, {"type": "Recreate"})
    claims = [
        volume["persistentVolumeClaim"]["claimName"]
        for volume in described["template"]["spec"]["volumes"]
        if "persistentVolumeClaim" in volume
    ]
    (claim,) = claims
    assert one("production", "PersistentVolumeClaim", claim)["spec"]["accessModes"] == [
        "ReadWriteOnce"
    ]


def test_the_monitor_finds_the_ports_and_names_the_jobs_of_alerts_and_dashboards():
    monitor = one("production", "PodMonitor")["spec"]
    wanted = monitor["selector"]["matchLabels"].items()
    scraped = {
        template["metadata"]["labels"][monitor["jobLabel"]]: port["name"]
        for template in pods("production").values()
        if wanted <= template["metadata"]["labels"].items()
        for container in template["spec"]["containers"]
        for port in container.get("ports", ())
    }
    assert scraped.keys() == set(SERVICES.values())
    endpoints = monitor["podMetricsEndpoints"]
    assert {endpoint["port"] for endpoint in endpoints} == set(scraped.values())
    assert {endpoint["path"] for endpoint in endpoints} == {"/metrics"}


def test_the_alerts_are_those_of_the_composition():
    script = [sys.executable, ROOT / "scripts" / "alerts", "--check"]
    assert subprocess.run(script, check=False).returncode == 0
    groups = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    assert one("production", "PrometheusRule")["spec"]["groups"] == groups


def test_the_number_of_workers_is_left_to_the_autoscaler():
    scaler = one("production", "HorizontalPodAutoscaler")["spec"]
    assert scaler["scaleTargetRef"]["name"] == SERVICES["worker"]
    scaled = one("keda", "ScaledObject")["spec"]
    assert scaled["scaleTargetRef"] == {"name": SERVICES["worker"]}
    for overlay in ("production", "keda"):
        assert "replicas" not in one(overlay, "Deployment")["spec"]


def test_the_autoscaler_asks_for_a_metric_that_a_worker_shows(scrape):
    scaler = one("production", "HorizontalPodAutoscaler")["spec"]
    asked = {metric["pods"]["metric"]["name"] for metric in scaler["metrics"]}
    assert asked
    assert asked <= scrape.samples.keys()


def test_both_ways_of_scaling_go_by_the_same_metrics_and_go_down_slowly(tmp_path):
    adapter = one("production", "HorizontalPodAutoscaler")["spec"]
    keda = one("keda", "ScaledObject")["spec"]
    limits = adapter["minReplicas"], adapter["maxReplicas"]
    assert limits == (keda["minReplicaCount"], keda["maxReplicaCount"])
    behavior = keda["advanced"]["horizontalPodAutoscalerConfig"]["behavior"]
    assert behavior == adapter["behavior"]
    (trigger,) = keda["triggers"]
    (metric,) = adapter["metrics"]
    assert trigger["metadata"]["lagThreshold"] == metric["pods"]["target"]["averageValue"]
    made = taken(settings_of("keda"), tmp_path)
    kafka = made["kafka"]
    read = trigger["metadata"]["topic"], trigger["metadata"]["consumerGroup"]
    assert read == (kafka["input"], kafka["group"])
    mechanisms = {"SCRAM-SHA-256": "scram_sha256", "SCRAM-SHA-512": "scram_sha512"}
    assert trigger["metadata"]["sasl"] == mechanisms[kafka["mechanism"]]
    assert (kafka["security"], trigger["metadata"]["tls"]) == ("SASL_SSL", "enable")
    from_env = trigger["metadata"]["bootstrapServersFromEnv"]
    login = one("keda", "TriggerAuthentication", trigger["authenticationRef"]["name"])["spec"]
    assert {from_env, login["env"][0]["name"]} <= settings_of("keda").keys()


def test_there_are_as_many_partitions_as_there_may_be_workers(tmp_path):
    (container,) = pod("production", "newsdedup-topics")["containers"]
    assert run(*container["args"], "--help", cwd=tmp_path).returncode == 0
    given = dict(zip(container["args"][2::2], container["args"][3::2], strict=True))
    scaler = one("production", "HorizontalPodAutoscaler")["spec"]
    assert given == {"--partitions": str(scaler["maxReplicas"])}


def test_topics_are_made_with_the_settings_and_the_image_of_the_workers():
    (job,), (worker,) = (
        pod("production", name)["containers"] for name in ("newsdedup-topics", "newsdedup")
    )
    for name in ("image", "envFrom"):
        assert job[name] == worker[name]


def test_pods_that_wait_do_not_hold_up_the_draining_of_a_node():
    budget = one("base", "PodDisruptionBudget")["spec"]
    assert budget["unhealthyPodEvictionPolicy"] == "AlwaysAllow"


@pytest.mark.parametrize("overlay", ["base", "production", "keda"])
def test_passwords_are_files_of_a_secret_that_is_not_here(overlay):
    files = [value for name, value in settings_of(overlay).items() if "PASSWORD" in name]
    assert files
    for service in SERVICES.values():
        (container,) = pod(overlay, service)["containers"]
        mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        assert [name for name in files if not name.startswith(f"{mounts['passwords']}/")] == []
    assert all_of(overlay, "Secret") == []
    secrets = {
        volume["secret"]["secretName"]
        for template in pods(overlay).values()
        for volume in template["spec"]["volumes"]
        if "secret" in volume
    }
    assert secrets <= {"newsdedup-passwords", "newsdedup-kafka-admin"}


def test_what_is_for_trying_needs_no_secret_and_lets_in_nobody_else():
    assert [value for name, value in settings_of("dev").items() if "PASSWORD" in name] == [""]
    for name in (*SERVICES.values(), "newsdedup-topics"):
        volumes = pod("dev", name)["volumes"]
        assert all(v["secret"]["optional"] for v in volumes if "secret" in v)
    for name in ("kafka", "redis"):
        policy = one("dev", "NetworkPolicy", name)["spec"]
        senders = [sender for rule in policy["ingress"] for sender in rule["from"]]
        assert all(sender.keys() == {"podSelector"} for sender in senders)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_volume_that_is_mounted_is_described(overlay):
    config_maps = {each["metadata"]["name"] for each in all_of(overlay, "ConfigMap")}
    claims = {each["metadata"]["name"] for each in all_of(overlay, "PersistentVolumeClaim")}
    for name, template in pods(overlay).items():
        volumes = {volume["name"]: volume for volume in template["spec"].get("volumes", ())}
        for container in template["spec"]["containers"]:
            assert {mount["name"] for mount in container["volumeMounts"]} == volumes.keys(), name
        for volume in volumes.values():
            assert volume.get("configMap", {"name": min(config_maps)})["name"] in config_maps
            claim = volume.get("persistentVolumeClaim")
            assert claim is None or claim["claimName"] in claims
