"""What the job of the manifests lets the user of newsdedup do is what its services need."""

import asyncio
import json
import re
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from typer.testing import CliRunner

from deploying.composition import PASSWORD, Composition, archived, list_feeds, redis_node
from deploying.files import K8S, compose
from feeder.feed_site import feed_site
from feeder.scraped_feeder import HERALD
from newsdedup.adapters.kafka.client import KafkaAccess
from newsdedup.cli.app import app
from runners.collecting import collecting
from runners.streaming import Stream
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker, Scram
from servers.kafka_rights import AUTHORIZER, EVERYBODY, grant, revoke
from servers.ports import HOST, free_ports
from servers.process import wait_until

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

USER = "newsdedup"
PATIENT = "patient"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory, certificates):
    """Return a broker that lets users in by password, who may do nothing yet."""
    folder = tmp_path_factory.mktemp("guarded")
    settings = {"authorizer.class.name": AUTHORIZER, "super.users": EVERYBODY}
    password = PASSWORD.replace(" ", "-")
    scram = Scram(certificates, {USER: password, PATIENT: password})
    broker = KafkaBroker(folder / "kafka", scram=scram, settings=settings)
    with running(broker, folder):
        yield broker


def granted(folder: Path) -> list[dict[str, list[str]]]:
    """Return the options of each call of Kafka's tool by the script of the job."""
    script = (K8S / "components" / "acls" / "allow.sh").read_text("utf-8")
    (tool,) = set(re.findall(r"/opt/\S+", script))
    (folder / "allow.sh").write_text(script.replace(tool, "echo"), "utf-8")
    shutil.copy(K8S / "components" / "acls" / "acls.txt", folder)
    command = [shutil.which("sh"), folder / "allow.sh", "broker:9093", USER]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    calls = []
    for line in done.stdout.splitlines():
        options: dict[str, list[str]] = {}
        for name, value in re.findall(r"--(\S+)(?: (?!--)(\S+))?", line):
            options.setdefault(name, []).append(value)
        calls.append(options)
    return calls


def test_the_rights_of_the_job_are_enough_for_every_service(guarded, certificates, tmp_path):
    port, worker, feeder, server = free_ports(4)
    for made in ("secrets", "feeds", "acls"):
        (tmp_path / made).mkdir()
    (tmp_path / "secrets" / "redis_password").write_text(PASSWORD, "utf-8")
    (tmp_path / "secrets" / "kafka").write_text(PASSWORD.replace(" ", "-"), "utf-8")
    login = {
        "NEWSDEDUP_KAFKA__SECURITY": "SASL_SSL",
        "NEWSDEDUP_KAFKA__USERNAME": USER,
        "NEWSDEDUP_KAFKA__PASSWORD_FILE": str(tmp_path / "secrets" / "kafka"),
        "NEWSDEDUP_KAFKA__CA_FILE": str(certificates.ca),
        "NEWSDEDUP_REDIS__ITEMS": "1000",
    }
    services = {
        name: {**one, "environment": {**one["environment"], **login}}
        for name, one in compose()["services"].items()
        if name in ("topics", "worker", "feeder", "server")
    }
    services["replay"] = services["topics"] | {"command": ["dlq", "replay", "topic:news.dlq"]}
    texts = {
        "kafka:9092": guarded.secure_address,
        "redis://redis:6379/0": f"redis://{HOST}:{port}/0",
        "/run/secrets": str(tmp_path / "secrets"),
        "/etc/newsdedup/feeds": str(tmp_path / "feeds"),
    }
    composition = Composition(services, tmp_path, texts)
    composition.ports = {"worker": worker, "feeder": feeder, "server": server}
    with pytest.raises(AssertionError, match="TopicAuthorizationFailed"):
        composition.run("topics")
    asyncio.run(grant(guarded.address, granted(tmp_path / "acls")))
    composition.run("topics")
    pages = composition.pages()
    with ExitStack() as stack:
        site = stack.enter_context(feed_site(herald=HERALD))
        list_feeds(tmp_path, site)
        stack.enter_context(redis_node(tmp_path / "redis", port))
        stack.enter_context(composition.running("worker"))
        stack.enter_context(composition.running("feeder", "--allow-private"))
        stack.enter_context(composition.running("server"))
        wait_until(lambda: archived(pages) == 2, what="two items are in the archive")
    composition.run("replay")


def test_the_doctor_says_which_permission_a_worker_lacks(guarded, certificates):
    topics = {f"kafka.{kind}": f"doctor.{kind}" for kind in ("input", "output", "dead")}
    variables = {
        **{f"NEWSDEDUP_{name.upper().replace('.', '__')}": one for name, one in topics.items()},
        "NEWSDEDUP_KAFKA__GROUP": "doctors",
        "NEWSDEDUP_KAFKA__SECURITY": "SASL_SSL",
        "NEWSDEDUP_KAFKA__USERNAME": PATIENT,
        "NEWSDEDUP_KAFKA__PASSWORD": PASSWORD.replace(" ", "-"),
        "NEWSDEDUP_KAFKA__CA_FILE": str(certificates.ca),
        "NEWSDEDUP_REDIS__URL": f"redis://{HOST}:{free_ports(1)[0]}/0",
    }
    commands = {"topics": ["topics", "create", "--kafka", guarded.address]}
    commands["doctor"] = ["doctor", "--worker", "--json", "--kafka", guarded.secure_address]

    def call(name, **more):
        return CliRunner().invoke(app, commands[name], env=variables | more)

    def findings():
        return {one["check"]: one for one in json.loads(call("doctor").stdout)["checks"]}

    assert call("topics", NEWSDEDUP_KAFKA__SECURITY="PLAINTEXT").exit_code == 0
    found = findings()
    assert found["kafka"]["status"] == "ok"
    assert "cannot see it" in found["topic doctor.input"]["message"]
    assert found["permissions group doctors"]["status"] == "fail"
    assert (
        "may do nothing, a worker needs Read" in found["permissions topic doctor.input"]["message"]
    )
    assert "describe the cluster" in found["clock of kafka"]["message"]
    wanted = []
    for check, one in found.items():
        if check.startswith("permissions"):
            assert one["status"] == "fail"
            options: dict[str, list[str]] = {}
            for name, value in re.findall(r"--(\S+) (?!--)(\S+)", one["advice"]):
                options.setdefault(name, []).append(value)
            wanted.append(options)
    asyncio.run(grant(guarded.address, wanted))
    found = findings()
    assert {one["status"] for check, one in found.items() if check.startswith("perm")} == {"ok"}
    assert found["permissions topic doctor.output"]["message"] == "this user may Describe, Write"
    assert "may not read its settings" in found["topic doctor.dead"]["message"]


@pytest.mark.parametrize(
    ("runner", "kind"), [("aiokafka", "group"), ("aiokafka", "topic"), ("faust", "group")]
)
def test_a_worker_whose_rights_are_taken_goes_on_when_they_are_given_again(
    guarded, certificates, tmp_path, runner, kind
):
    stream = Stream(guarded, None, tmp_path, partitions=1)
    access = KafkaAccess(
        guarded.secure_address,
        security="SASL_SSL",
        username=PATIENT,
        password=PASSWORD.replace(" ", "-"),
        ca_file=str(certificates.ca),
    )
    who = {"allow-principal": [f"User:{PATIENT}"], "operation": ["Read", "Describe"]}
    rights = {"group": {"group": [stream.name]} | who, "topic": {"topic": [stream.input]} | who}

    async def judged():
        await grant(guarded.address, rights.values())
        async with (
            AIOKafkaProducer(bootstrap_servers=guarded.address) as producer,
            collecting(stream, runner=runner, session_seconds=1.5, access=access) as it,
        ):
            await producer.send_and_wait(stream.input, b"first")
            await it.until(lambda: it.values == [b"first"])
            await revoke(guarded.address, [rights[kind]])
            await it.until(lambda: "AuthorizationFailed" in "".join(it.reasons))
            await grant(guarded.address, [rights[kind]])
            await producer.send_and_wait(stream.input, b"second")
            await it.until(lambda: b"second" in it.values)

    asyncio.run(judged())
