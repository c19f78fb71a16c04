import json
import os
from uuid import uuid4

import pytest
from redis import Redis
from redis.exceptions import ResponseError
from typer.testing import CliRunner

from newsdedup.adapters.kafka.admin import Permissions, TopicDescription
from newsdedup.adapters.redis.inspection import RedisFacts, RedisMemory
from newsdedup.adapters.redis.keys import FORMATS, NEWEST_FORMAT
from newsdedup.adapters.redis.namespace import LateItems
from newsdedup.bootstrap.servers import KafkaFacts, NamespaceFacts
from newsdedup.cli.app import app
from newsdedup.cli.checks import namespace, servers
from newsdedup.cli.errors import ExitCode
from newsdedup.config import Settings
from newsdedup.config.reading import read_settings
from runners.processes import run
from servers.fault_proxy import FaultProxy
from servers.fixtures import running
from servers.ports import HOST, free_ports
from servers.process import wait_until
from servers.redis_pair import RedisPair
from servers.redis_server import PERMISSIONS, RedisServer
from servers.wrong_clock import WrongClock

pytestmark = pytest.mark.usefixtures("redis_program")

SOUND = RedisFacts("7.2.5", RedisMemory(), appends=True)
MADE = NamespaceFacts("now", NEWEST_FORMAT.number, {}, {})
PUBLISHED = {"cleanup.policy": "compact,delete", "max.message.bytes": "1048588"}


def examined(*flags, **environ):
    variables = {f"NEWSDEDUP_{name.upper()}": value for name, value in environ.items()}
    result = CliRunner().invoke(app, ["doctor", "--worker", "--json", *flags], env=variables)
    found = {each["check"]: each for each in json.loads(result.stdout)["checks"]}
    return result, found


def named(kafka, redis):
    name = f"t{uuid4().hex[:12]}"
    topics = {f"kafka__{kind}": f"{name}.{kind}" for kind in ("input", "output", "dead")}
    servers = {"kafka__servers": kafka.address, "redis__url": redis.url}
    return {**servers, **topics, "redis__namespace": name}


def test_servers_are_examined_and_missing_topics_are_reported(kafka, redis):
    environ = named(kafka, redis)
    result, found = examined(**environ)
    assert result.exit_code == ExitCode.FAILED
    assert found["kafka"]["message"] == f"{kafka.address} answers, 1 broker"
    assert found[f"topic {environ['kafka__output']}"]["advice"] == "newsdedup topics create"
    assert found["redis"]["status"] == found["redis memory"]["status"] == "ok"
    assert found["redis persistence"]["message"] == "appendonly yes"
    assert found["clock"]["status"] == "ok"
    assert "that of its controller is" in found["clock of kafka"]["message"]
    assert "no authorizer" in found["permissions"]["message"]
    assert "not exist yet" in found[f"namespace {environ['redis__namespace']}"]["message"]
    variables = {f"NEWSDEDUP_{name.upper()}": value for name, value in environ.items()}
    assert CliRunner().invoke(app, ["topics", "create"], env=variables).exit_code == 0
    result, found = examined(**environ)
    assert result.exit_code == ExitCode.OK
    assert "4 partitions" in found[f"topic {environ['kafka__input']}"]["message"]


def test_a_namespace_of_other_settings_fails(kafka, redis):
    environ = named(kafka, redis)
    name = environ["redis__namespace"]
    with Redis.from_url(redis.url) as connected:
        connected.hset(f"{{{name}}}:meta", "made_by", "rule of long ago")
        connected.hset(f"{{{name}}}:meta", "format", "4")
    _, found = examined(**environ)
    assert found[f"namespace {name}"]["status"] == "fail"
    assert "rule of long ago" in found[f"namespace {name}"]["message"]


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        ("+info +select", "ok", "answers"),
        ("+select", "fail", "info"),
        ("+info", "fail", "select"),
    ],
)
def test_a_user_needs_more_for_the_doctor_and_for_another_database(
    kafka, redis, more, status, said
):
    environ = named(kafka, redis)
    user = name = environ["redis__namespace"]
    rules = f"on >secret ~{{{name}}}:* {PERMISSIONS} {more}"
    with Redis.from_url(redis.url) as connected:
        connected.execute_command("ACL", "SETUSER", user, *rules.split())
        try:
            _, found = examined(
                **environ
                | {"redis__url": redis.url.replace("/0", "/1")}
                | {"redis__username": user, "redis__password": "secret"}
            )
        finally:
            connected.acl_deluser(user)
    assert found["redis"]["status"] == status
    assert said in found["redis"]["message"]


def test_a_redis_that_evicts_and_keeps_nothing_is_found_out(kafka, tmp_path):
    forgetful = RedisServer(
        tmp_path, settings={"maxmemory-policy": "allkeys-lru", "appendonly": "no"}
    )
    forgetful.start()
    try:
        _, found = examined(**named(kafka, forgetful))
    finally:
        forgetful.stop()
    assert found["redis memory"]["status"] == "fail"
    assert found["redis memory"]["advice"] == "CONFIG SET maxmemory-policy noeviction"
    assert found["redis persistence"]["status"] == "warn"


def test_a_redis_that_takes_no_writes_fails(kafka, tmp_path):
    pair = RedisPair(tmp_path)
    with running(pair, tmp_path):
        environ = named(kafka, pair)
        assert examined(**environ)[1]["redis"]["status"] == "ok"
        replica = examined(**environ | {"redis__url": pair.replica.url})[1]["redis"]
        pair.master.ask("CONFIG", "SET", "min-replicas-to-write", "2")
        lonely = examined(**environ)[1]["redis"]
    assert (replica["status"], lonely["status"]) == ("fail", "fail")
    assert "it is a replica" in replica["message"]
    assert "NOREPLICAS" in lonely["message"]


def test_a_redis_that_wants_another_password_is_told_apart(kafka, tmp_path):
    locked = RedisServer(tmp_path, password=uuid4().hex)
    with running(locked, tmp_path):
        found = [
            examined(**named(kafka, locked) | given)[1]["redis"]
            for given in ({}, {"redis__password": "another"})
        ]
    assert [one["status"] for one in found] == ["fail"] * 2
    assert all("see redis.username, and redis.password" in one["message"] for one in found)


def test_every_master_that_holds_a_shard_is_examined(kafka, redis_cluster):
    environ = {**named(kafka, redis_cluster), "redis__cluster": "true", "redis__shards": "3"}
    _, found = examined(**environ)
    assert found["redis memory"]["status"] == "ok"
    master = redis_cluster.master_of(f"{{{environ['redis__namespace']}|1}}:meta")
    master.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    try:
        _, found = examined(**environ)
    finally:
        master.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    assert "allkeys-lru" in found["redis memory"]["message"]
    assert found["redis memory"]["status"] == "fail"


def test_servers_that_are_not_there_fail_and_say_so():
    ports = free_ports(2)
    result, found = examined(
        kafka__servers=f"127.0.0.1:{ports[0]}", redis__url=f"redis://127.0.0.1:{ports[1]}/0"
    )
    assert result.exit_code == ExitCode.FAILED
    assert found["kafka"]["status"] == found["redis"]["status"] == "fail"
    assert "sqlite" in found


def test_servers_that_fall_silent_hold_up_nobody(kafka, redis):
    environ = named(kafka, redis)
    with FaultProxy(int(kafka.address.partition(":")[2])) as way, FaultProxy(redis.port) as other:
        way.silence()
        other.silence()
        addresses = {
            "kafka__servers": f"{HOST}:{way.port}",
            "redis__url": f"redis://{HOST}:{other.port}/0",
        }
        result, found = examined("--within", "1s", **environ | addresses)
    assert result.exit_code == ExitCode.FAILED
    assert found["kafka"]["message"] == "kafka: no answer within 1 s"
    assert found["redis"]["message"] == "redis: no answer within 1 s"


@pytest.mark.usefixtures("process")
def test_a_name_server_that_is_silent_does_not_hold_up_the_end(tmp_path):
    silent = "import socket, time\nsocket.getaddrinfo = lambda *_, **__: time.sleep(600)\n"
    (tmp_path / "sitecustomize.py").write_text(silent)
    servers = ("--kafka", "kafka.example:9092", "--redis", "redis://redis.example:6379/0")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = run(
        *("doctor", "--worker", "--json", "--within", "1s", *servers),
        cwd=tmp_path,
        PYTHONPATH=path,
    )
    assert done.returncode == ExitCode.FAILED
    found = {one["check"]: one for one in json.loads(done.stdout)["checks"]}
    assert found["kafka"]["message"] == found["redis"]["message"] == "no answer within 1 s"


def test_a_redis_whose_disk_is_full_fails(kafka, tmp_path):
    full = RedisServer(tmp_path)
    with running(full, tmp_path), Redis.from_url(full.url) as connected:
        full.process.fill_disk()
        connected.set("large", "x" * 1_000_000)
        wait_until(lambda: refused(connected), what="it refuses what it cannot store")
        _, found = examined(**named(kafka, full))
        full.process.free_disk()
    assert found["redis persistence"]["status"] == "fail"
    assert "free space" in found["redis persistence"]["advice"]


def refused(connected):
    try:
        connected.set("small", "x")
    except ResponseError:
        return True
    return False


def test_the_clock_of_kafka_may_be_unknown_or_wrong():
    assert servers.check_kafka_clock(None).status == "ok"
    assert servers.check_kafka_clock(-90).status == "warn"
    assert "90.0 s behind" in servers.check_kafka_clock(-90).message


def test_a_group_whose_coordinator_is_away_is_warned_of():
    *_, last = servers.check_permissions(Settings(), Permissions(authorizer=True))
    assert (last.check, last.status) == ("permissions", "warn")


def test_an_old_redis_fails():
    first, *_ = servers._check_redis(SOUND._replace(version="6.2.14"))
    assert (first.check, first.status) == ("redis", "fail")


@pytest.mark.parametrize(
    ("name", "settings", "replication", "status", "said"),
    [
        ("news.deduped", {}, 3, "ok", "compact,delete"),
        ("news.deduped", {"cleanup.policy": "delete"}, 3, "warn", "does not keep"),
        ("news.deduped", {"max.message.bytes": "1000"}, 3, "warn", "dead letter"),
        (
            "news.deduped",
            {"retention.ms": "5400000"},
            3,
            "warn",
            "keeps 1.5 h of the window of 72 h",
        ),
        ("news.deduped", {"retention.ms": "-1"}, 3, "ok", "compact,delete"),
        ("news.deduped", {}, 1, "warn", "are lost with one broker"),
        ("news.raw", {"min.insync.replicas": "1"}, 3, "warn", "what only one replica has"),
        ("news.raw", {"min.insync.replicas": "1"}, 2, "ok", "replication 2"),
        ("news.dlq", {}, 3, "ok", "compact,delete"),
        (
            "news.dlq",
            {"cleanup.policy": "delete"},
            3,
            "warn",
            "dead letters of withdrawn items stay",
        ),
        ("news.raw", {"cleanup.policy": "delete", "max.message.bytes": "9"}, 3, "ok", "delete"),
    ],
)
def test_a_topic_is_compared_with_what_is_written_to_it(name, settings, replication, status, said):
    facts = KafkaFacts(3, {name: TopicDescription(4, replication)}, {name: PUBLISHED | settings})
    found = servers.check_topic(Settings(), name, facts)
    assert found.status == status
    assert said in found.message


def test_one_broker_can_hold_one_replica():
    one = KafkaFacts(1, {"news.deduped": TopicDescription(4, 1)}, {"news.deduped": PUBLISHED})
    assert servers.check_topic(Settings(), "news.deduped", one).status == "ok"


def test_a_namespace_of_these_settings_is_gone_on_with():
    assert namespace.check_namespace(Settings(), MADE, made_by="now").status == "ok"


@pytest.mark.parametrize(
    ("seconds", "status", "said"), [(0.2, "ok", "ahead"), (-90, "warn", "90.0 s behind")]
)
def test_clocks_that_differ_by_a_minute_are_warned_of(seconds, status, said):
    found = servers.compare_clocks("clock", "that of Redis", seconds)
    assert found.status == status
    assert said in found.message


@pytest.mark.parametrize("number", FORMATS)
def test_a_namespace_that_may_be_upgraded_is_reported(number):
    facts = MADE._replace(format=number)
    found = namespace.check_namespace(Settings(), facts, made_by="now")
    assert found.status == ("ok" if number in "789" else "warn")
    assert ("newsdedup upgrade" in found.advice) == (found.status == "warn")


@pytest.mark.parametrize(("number", "advice"), [("1", "newsdedup rebuild"), ("99", "use that one")])
def test_a_namespace_whose_format_no_worker_of_this_version_reads_is_a_failure(number, advice):
    facts = MADE._replace(format=number)
    finding = namespace.check_namespace(Settings(), facts, made_by="now")
    assert (finding.status, f"has format {number}" in finding.message) == ("fail", True)
    assert advice in finding.advice


def test_a_lost_state_may_be_that_another_program_has_used_the_group():
    configuration = read_settings({}, {}, None)
    assert "name another group in kafka.group" in namespace.rebuild_advice(configuration, None)


def test_a_redis_that_is_nearly_full_is_warned_of_and_a_full_one_fails(kafka, tmp_path):
    own = RedisServer(tmp_path)
    with running(own, tmp_path):
        _, found = examined(**named(kafka, own))
        assert found["redis memory"]["message"].startswith("maxmemory no limit")
        used = own.info("memory")["used_memory"]
        for limit, status, said in ((1.1, "warn", "when full"), (0.9, "fail", "takes no more")):
            own.ask("CONFIG", "SET", "maxmemory", round(used * limit))
            _, found = examined(**named(kafka, own))
            assert found["redis memory"]["status"] == status
            assert said in found["redis memory"]["message"]
            assert "% used" in found["redis memory"]["message"]


@pytest.mark.usefixtures("process", "faketime")
@pytest.mark.parametrize(
    ("seconds", "found_of_kafka"),
    [(-600, ("warn", "s ahead")), (7_200, ("fail", "Kafka refuses events"))],
)
def test_a_clock_that_is_off_is_found_by_those_of_both_servers(
    kafka, redis, tmp_path, seconds, found_of_kafka
):
    clock, (status, said) = WrongClock(tmp_path / "clock"), found_of_kafka
    clock.turn(seconds)
    variables = {f"NEWSDEDUP_{name.upper()}": value for name, value in named(kafka, redis).items()}
    done = run("doctor", "--worker", "--json", cwd=tmp_path, **variables, **clock.environment)
    found = {one["check"]: one for one in json.loads(done.stdout)["checks"]}
    assert found["clock"]["status"] == "warn"
    assert found["clock of kafka"]["status"] == status
    assert said in found["clock of kafka"]["message"]


def test_what_a_group_has_committed_may_be_unknown(kafka, redis):
    group = namespace.check_progress(Settings(), MADE._replace(committed=None, unknown="refused"))
    assert (group.status, "refused" in group.message) == ("warn", True)
    environ = named(kafka, redis) | {"kafka__servers": f"{HOST}:{free_ports(1)[0]}"}
    _, found = examined("--within", "2s", **environ)
    assert "is not known" in found["group"]["message"]
    assert found[f"namespace {environ['redis__namespace']}"]["status"] == "ok"


def test_records_that_were_deleted_unread_are_warned_of():
    facts = MADE._replace(stored={"news.raw/0": 5, "news.raw/1": 9})
    facts = facts._replace(committed=facts.stored, first={"news.raw/0": 1_239, "news.raw/1": 3})
    group = namespace.check_progress(Settings(), facts)
    assert (group.status, "1,234 records that newsdedup has not" in group.message) == ("warn", True)


def test_committed_offsets_that_have_expired_are_warned_of():
    facts = MADE._replace(stored={"news.raw/0": 5, "other.raw/0": 7}, committed={})
    group = namespace.check_progress(Settings(), facts)
    assert (group.status, "holds 5 records" in group.message) == ("warn", True)
    group = namespace.check_progress(Settings(), facts._replace(stored={"other.raw/0": 7}))
    assert group.status == "ok"


def test_late_items_are_reported_with_their_partitions():
    late = {
        LateItems("news.raw", "3", "lateness"): 1_200,
        LateItems("news.raw", "3", "window"): 34,
        LateItems("news.raw", "0", "window"): 1,
    }
    found = namespace.check_late(MADE._replace(late=late))
    assert found.status == "warn"
    assert found.message == (
        "1,235 items came too late, 35 of them after what they could match had left the window: "
        "news.raw/3: 1,234, news.raw/0: 1"
    )
    assert namespace.check_late(MADE).status == "ok"
