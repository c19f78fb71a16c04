from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.config import Configuration, Settings, read_settings, settings_by_key
from newsdedup.config.kinds import MASK
from newsdedup.config.reading import settings_file
from newsdedup.core.matching.index_keys import HITS
from newsdedup.core.matching.rules import TermsRule
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.moments import MICROSECOND
from newsdedup.core.stories.judge import CASCADE_BOUND
from newsdedup.core.words.weights import SIGNATURE_SIZE
from newsdedup.engine.deduplicate import LATENESS

KEYS = list(settings_by_key())
OTHERS = {
    "rule.name": "terms",
    "rule.window": "24h",
    "rule.lateness": "2h",
    "rule.duplicate": "7",
    "rule.similar": "4",
    "rule.terms": "13",
    "rule.prefer": "recall",
    "rule.model": "own.json",
    "rule.fingerprints": "long_sent,md5",
    "run.state": "other.state",
    "run.batch": "64",
    "run.idle_flush": "1s",
    "run.helpers": "1",
    "run.cascade": "99",
    "run.log": "debug",
    "limits.line_bytes": "4MiB",
    "limits.title_chars": "500",
    "limits.text_chars": "5000",
    "limits.depth": "9",
    "words.cache_forms": "1000",
    "words.background": "own.zst",
    "sources.zone": "Asia/Colombo",
    "sources.zones": "daily.example=Europe/Kyiv,visti.example=UTC",
    "kafka.servers": "broker-1:9092,broker-2:9092",
    "kafka.input": "items",
    "kafka.output": "events",
    "kafka.dead": "dead_letters",
    "kafka.group": "others",
    "kafka.security": "SASL_SSL",
    "kafka.mechanism": "PLAIN",
    "kafka.username": "reader",
    "kafka.password": "********",
    "kafka.password_file": "kafka.password",
    "kafka.ca_file": "ca.pem",
    "kafka.message_bytes": "2MiB",
    "redis.url": "rediss://redis-1:6379/0",
    "redis.cluster": "true",
    "redis.namespace": "sport",
    "redis.username": "worker",
    "redis.password": "********",
    "redis.password_file": "redis.password",
    "redis.ca_file": "ca.pem",
    "redis.timeout": "1s",
    "redis.items": "1000",
    "redis.shards": "4",
    "worker.runner": "faust",
    "worker.batch": "64",
    "worker.linger": "5ms",
    "worker.drift": "6h",
    "worker.idle": "2s",
    "worker.session": "30s",
    "worker.drain": "1m",
    "worker.stall": "10m",
    "worker.orphans": "1m",
    "worker.host": "127.0.0.2",
    "worker.port": "8080",
    "worker.shadow": "terms",
    "archive.keep": "2160h",
    "feeder.state": "mine.feeds",
    "feeder.contact": "https://aggregator.example/about",
    "feeder.shortest": "1m",
    "feeder.longest": "12h",
    "feeder.visits": "8",
    "feeder.host_visits": "1",
    "feeder.host_rate": "2",
    "feeder.body_bytes": "2MiB",
    "feeder.timeout": "20s",
    "feeder.horizon": "720h",
    "feeder.proxy": "http://reader:hush@proxy.example:3128",
    "feeder.host": "127.0.0.2",
    "feeder.port": "8081",
    "feeder.websub": "https://news.example/hubs",
    "feeder.websub_host": "127.0.0.3",
    "feeder.websub_port": "8082",
    "server.host": "127.0.0.2",
    "server.port": "8081",
    "server.aliases": "news.example,www.news.example",
    "server.origins": "https://app.example",
    "server.token": "********",
    "server.token_file": "server.token",
    "server.feedback": "feedback.jsonl",
    "server.readers": "8",
    "server.requests": "20",
    "server.rate": "5",
    "server.proxies": "1",
    "server.body_bytes": "1MiB",
    "server.body_timeout": "5s",
    "server.batch": "10",
    "watches.state": "news.watches",
    "watches.file": "watches.toml",
    "watches.secret": "********",
    "watches.secret_file": "secret",
    "watches.attempts": "3",
    "watches.retry": "5s",
    "watches.keep": "168h",
}
"""A value for every setting that, but for the only rule there is, is not its default."""


def toml(folder: Path, text: str) -> Path:
    path = folder / "newsdedup.toml"
    path.write_text(text, encoding="utf-8")
    return path


def shown(found: Configuration, key: str) -> str:
    return str(settings_by_key()[key].shown(found.settings))


def test_without_anything_all_is_by_default() -> None:
    found = read_settings({}, {}, None)
    assert found.settings == Settings()
    assert dict(found.origins) == dict.fromkeys(KEYS, "default")


def test_the_defaults_are_those_of_the_engine() -> None:
    settings = Settings()
    rule = TermsRule()
    assert settings.rule.name == VerifiedRule.name
    assert settings.rule.duplicate == rule.duplicate
    assert settings.rule.similar == rule.similar
    assert settings.rule.window // MICROSECOND == rule.window
    assert settings.rule.lateness // MICROSECOND == LATENESS
    assert settings.rule.terms == SIGNATURE_SIZE
    assert settings.run.cascade == CASCADE_BOUND


def test_no_threshold_can_be_set_that_the_rule_would_refuse() -> None:
    assert settings_by_key()["rule.similar"].kind.expected.startswith(
        f"a whole number from {HITS} "
    )


@pytest.mark.parametrize("key", KEYS)
def test_every_setting_is_read_from_each_layer_and_knows_its_origin(
    key: str, tmp_path: Path
) -> None:
    setting, value = settings_by_key()[key], OTHERS[key]
    section, name = key.split(".")
    file = toml(tmp_path, f'[{section}]\n{name} = "{value}"\n')
    expected = {
        "flag " + (setting.flag or key): read_settings({key: value}, {}, None),
        f"environment {setting.variable}": read_settings({}, {setting.variable: value}, None),
        str(file): read_settings({}, {}, file),
    }
    for origin, found in expected.items():
        assert setting.value_in(found.settings) == setting.kind.parse(value)
        assert shown(found, key) == (MASK if setting.secret else value)
        assert dict(found.origins) == dict.fromkeys(KEYS, "default") | {key: origin}


@given(
    st.sampled_from(["rule.window", "rule.lateness"]),
    st.lists(st.integers(min_value=1, max_value=800), min_size=3, max_size=3, unique=True),
    st.sets(st.sampled_from(["flag", "environment", "file"])),
)
def test_flags_win_over_environment_over_file_over_defaults(
    tmp_path_factory: pytest.TempPathFactory, key: str, hours: list[int], given_in: set[str]
) -> None:
    setting = settings_by_key()[key]
    flag, variable, line = (f"{n}h" for n in hours)
    section, name = key.split(".")
    file = toml(tmp_path_factory.mktemp("settings"), f'[{section}]\n{name} = "{line}"\n')
    found = read_settings(
        {key: flag if "flag" in given_in else None},
        {setting.variable: variable} if "environment" in given_in else {},
        file if "file" in given_in else None,
    )
    ranking = [("flag", flag), ("environment", variable), ("file", line)]
    first = next((value for layer, value in ranking if layer in given_in), None)
    assert shown(found, key) == (first or setting.kind.plain(setting.default))


def test_numbers_in_a_settings_file_need_no_quotes(tmp_path: Path) -> None:
    file = toml(tmp_path, "rule.duplicate = 7\n[run]\nbatch = 64\n")
    found = read_settings({}, {}, file).settings
    assert (found.rule.duplicate, found.run.batch) == (7, 64)


def test_a_settings_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = toml(tmp_path, '\ufeff[rule]\nwindow = "1h"\n')
    assert read_settings({}, {}, file).settings.rule.window == timedelta(hours=1)


def test_what_kubernetes_adds_for_a_service_of_our_name_is_left_alone() -> None:
    names = [
        "NEWSDEDUP_SERVICE_HOST",
        "NEWSDEDUP_SERVICE_PORT",
        "NEWSDEDUP_SERVICE_PORT_HTTP",
        "NEWSDEDUP_PORT",
        "NEWSDEDUP_PORT_80_TCP",
        "NEWSDEDUP_PORT_80_TCP_ADDR",
        "NEWSDEDUP_WEB_PORT_9092_UDP_PROTO",
    ]
    assert read_settings({}, dict.fromkeys(names, "tcp://10.0.0.1:80"), None).settings == Settings()


def test_variables_of_others_are_left_alone() -> None:
    environ = {"NEWSDEDUP_CONFIG": "x", "NEWSDEDUP_DEBUG": "1", "PATH": "/", "_NEWSDEDUP_X": ""}
    assert read_settings({}, environ, None).settings == Settings()


def test_the_settings_file_is_the_flags_then_the_variables_then_that_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    variable = {"NEWSDEDUP_CONFIG": "variable.toml"}
    assert settings_file(None, {}) is None
    toml(tmp_path, "")
    assert settings_file(None, {}) == Path("newsdedup.toml")
    assert settings_file(None, {"NEWSDEDUP_CONFIG": ""}) == Path("newsdedup.toml")
    assert settings_file(None, variable) == Path("variable.toml")
    assert settings_file(Path("flag.toml"), variable) == Path("flag.toml")
