"""Passwords come from files, open a broker with TLS, and are seen nowhere."""

import json
from pathlib import Path
from uuid import uuid4

import pytest

from runners.processes import run
from runners.streaming import Stream, ended
from servers.fixtures import running
from servers.kafka_broker import KafkaBroker, Scram

pytestmark = pytest.mark.usefixtures("kafka_program", "redis_program")

USER = "worker"


@pytest.fixture(scope="module")
def password() -> str:
    return f"secret{uuid4().hex}"


@pytest.fixture(scope="module")
def secured(tmp_path_factory, certificates, password):
    folder = tmp_path_factory.mktemp("secured")
    broker = KafkaBroker(folder / "kafka", scram=Scram(certificates, {USER: password}))
    with running(broker, folder):
        yield broker


@pytest.fixture
def stream(secured, redis, tmp_path) -> Stream:
    return Stream(secured, redis, tmp_path)


@pytest.mark.parametrize("runner", ["faust", "aiokafka"])
def test_a_worker_logs_in_with_a_password_that_nobody_sees(
    stream, certificates, tmp_path, password, runner
):
    stream.produce([{"source": "a", "id": "1", "title": "bridge opened over the river"}])
    (tmp_path / "password").write_text(f"{password}\n")
    settings = {
        "kafka__servers": stream.kafka.secure_address,
        "kafka__security": "SASL_SSL",
        "kafka__username": USER,
        "kafka__password_file": str(tmp_path / "password"),
        "kafka__ca_file": str(certificates.ca),
    }
    with stream.worker(runner=runner, run__log="debug", warm=False, **settings) as process:
        stream.judged(1)
        process_folder = Path(f"/proc/{process.pid}")
        assert password not in (process_folder / "cmdline").read_text()
        assert password not in (process_folder / "environ").read_text()
        assert ended(process) == 0, stream.logs()
    assert stream.logs() != ""
    assert password not in stream.logs()


def test_a_password_file_that_is_not_there_is_said(redis, tmp_path):
    settings = {
        "NEWSDEDUP_REDIS__URL": redis.url,
        "NEWSDEDUP_REDIS__NAMESPACE": f"t{uuid4().hex}",
        "NEWSDEDUP_KAFKA__PASSWORD_FILE": str(tmp_path / "nowhere"),
    }
    done = run("worker", "--port", "0", "--rule", "terms", cwd=tmp_path, **settings)
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert f"kafka.password_file {tmp_path / 'nowhere'}" in said
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def login(certificates, password) -> dict[str, str]:
    return {"USERNAME": USER, "PASSWORD": password, "CA_FILE": str(certificates.ca)}


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"PASSWORD": "wrong"}, "invalid credentials"),
        ({"CA_FILE": ""}, "CERTIFICATE_VERIFY_FAILED"),
    ],
    ids=["password", "certificate"],
)
def test_the_doctor_says_why_kafka_refuses_it(wrong, reason, secured, login, tmp_path):
    kafka = {"SERVERS": secured.secure_address, "SECURITY": "SASL_SSL", **login, **wrong}
    settings = {f"NEWSDEDUP_KAFKA__{name}": value for name, value in kafka.items()}
    done = run("doctor", "--worker", "--json", cwd=tmp_path, **settings)
    told = done.stdout.decode()
    (finding,) = [one for one in json.loads(told)["checks"] if one["check"] == "kafka"]
    assert (finding["status"], reason in finding["message"]) == ("fail", True), finding
    assert login["PASSWORD"] not in told + done.stderr.decode()
