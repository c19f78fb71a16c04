import re

import pytest
from redis.asyncio.connection import parse_url

from newsdedup.adapters.redis.keys import Keys
from newsdedup.config import Settings, read_settings, settings_by_key
from newsdedup.config.addresses import (
    REDIS_OPTIONS,
    kafka_addresses,
    may_be_clustered,
    namespace_name,
    redis_url,
    topic_name,
)
from newsdedup.config.kinds import line_of_text
from newsdedup.ports.errors import SettingsInvalid


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a:9092", "a:9092"),
        (" a.example.org:9092 ,  b_1:9093", "a.example.org:9092,b_1:9093"),
        ("[::1]:9092,127.0.0.1:9092", "[::1]:9092,127.0.0.1:9092"),
        ("broker,[fe80::1]", "broker,[fe80::1]"),
    ],
)
def test_addresses_of_kafka_are_read_with_blanks_and_without_ports(
    written: str, meant: str
) -> None:
    assert kafka_addresses().parse(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", ",", "a:9092,", "a:9092,,b:9092", "a:x", "a:", ":9092", "a:0", "a:65536"),
        *("a b:9092", "kafka://a:9092", "a:9092/x", "::1:9092", "[::g]:9092", "[a]:9092", "a..b:1"),
        *("user:s3cret@a:9092", "x" * 64 + ":9092", "брокер:9092", "a:٩", ["a:9092"], 9092, None),
    ],
)
def test_what_is_no_address_of_kafka_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match="host:port, several with commas between them"):
        kafka_addresses().parse(written)


@pytest.mark.parametrize("name", ["news.raw", "News_RAW-1", "...", "0", "x" * 249])
def test_a_topic_is_called_as_kafka_allows_it(name: str) -> None:
    assert topic_name().parse(f" {name} ") == name


@pytest.mark.parametrize(
    "name", ["", " ", ".", "..", "a b", "a/b", "a:b", "новости", "x" * 250, "a\nb", 3, None]
)
def test_what_kafka_would_not_call_a_topic_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="1 to 249 letters"):
        topic_name().parse(name)


@pytest.mark.parametrize("name", ["news", "Sport-2.A", "новости", "a b|c", "x" * 100])
def test_a_namespace_may_hold_what_keys_may(name: str) -> None:
    assert namespace_name().parse(f" {name} ") == name
    assert Keys(name, 1).namespace == name


@pytest.mark.parametrize("name", ["", " ", "a{b", "a}b", "{}", "x" * 101, "a\nb", 3, None])
def test_a_namespace_that_would_break_the_hash_slot_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match=r"without \{ and \}"):
        namespace_name().parse(name)


def test_a_consumer_group_has_any_name_but_none() -> None:
    kind = settings_by_key()["kafka.group"].kind
    assert kind.parse("Новости, все") == "Новости, все"
    with pytest.raises(ValueError, match="1 to 1000 characters"):
        kind.parse(" ")
    assert line_of_text().parse(" ") == ""


VALUES = {"db": "0", "client_name": "worker-1", "ssl_cert_reqs": "none"}
"""Values of options that take no number; `1` is one of the form of all others."""
FRONTS = {"redis": "redis://h:6379", "rediss": "rediss://h", "unix": "unix:///run/redis.sock"}
PASSWORDS = (
    "redis://:s3cret@h:6379/0",
    "redis://user:s3cret@h:6379/0",
    "rediss://user@h:6379/s3cret",
    "s3cret@h:6379",
    "redis://h:6379/0?password=s3cret",
    "redis://h:6379/0?username=s3cret",
    "redis://h:6379/0?passwrod=s3cret",
    "rediss://h/0?ssl_password=s3cret",
    "unix://user:s3cret@/run/redis.sock",
    "redis://:s3cret%40h:6379/0",
)


@pytest.mark.parametrize("scheme", REDIS_OPTIONS)
def test_the_client_of_redis_takes_each_option_that_is_named(scheme: str) -> None:
    for name in REDIS_OPTIONS[scheme]:
        url = f"{FRONTS[scheme]}?{name}={VALUES.get(name, '1')}"
        assert redis_url().parse(url) == url
        assert name in parse_url(url)


@pytest.mark.parametrize(
    "url",
    [
        "redis://h",
        "redis://h_1.example.org:6379/",
        "rediss://[::1]:6380/3",
        "unix:///a/b.sock?db=2",
    ],
)
def test_a_url_of_redis_is_kept_as_it_is(url: str) -> None:
    assert redis_url().parse(f" {url} ") == url


@pytest.mark.parametrize(
    "written",
    [
        *("", "localhost", "localhost:6379", "http://h:6379", "REDIS://h", "redis:/h", "redis://"),
        *("redis://:6379/0", "redis://h:x/0", "redis://h:0/0", "redis://h:65536", "redis://h/x"),
        *("redis://h/0/1", "redis://h/0#1", "redis://a..b", "redis://[::g]/0", "redis://h /0"),
        *("unix://run/redis.sock", "unix://", "redis://h?", "redis://h?db", "redis://h?db=x"),
        *("redis://h?decode_responses=true", "redis://h?ssl_cert_reqs=none", 6379, None),
        *("rediss://h?ssl_cert_reqs=no", "unix:///a?socket_keepalive=true", "redis://h?db=1&"),
        *PASSWORDS,
    ],
)
def test_what_is_no_url_of_redis_is_refused(written: object) -> None:
    with pytest.raises(ValueError, match=re.escape(redis_url().expected)):
        redis_url().parse(written)


@pytest.mark.parametrize("url", PASSWORDS)
@pytest.mark.parametrize("raw", [str, lambda url: [url]], ids=["text", "list"])
def test_a_password_in_an_address_is_refused_and_not_repeated(url: str, raw: type) -> None:
    with pytest.raises(SettingsInvalid) as refused:
        read_settings({"redis.url": raw(url), "kafka.servers": raw(url)}, {}, None)
    said = str(refused.value)
    assert "redis.url = ******** (flag --redis)" in said
    assert "kafka.servers = ******** (flag --kafka)" in said
    assert "redis.username, redis.password and redis.password_file" in said
    assert "s3cret" not in said


@pytest.mark.parametrize(
    ("url", "may"),
    [
        *(("redis://h", True), ("redis://h:6379/", True), ("rediss://[::1]:6379/00", True)),
        *(("redis://h/1?db=0", True), ("redis://h/0?db=1", False), ("redis://h/1", False)),
        ("unix:///a/b.sock", False),
    ],
)
def test_a_cluster_has_one_database_and_is_on_no_socket(url: str, may: bool) -> None:
    assert may_be_clustered(url) is may
    flags = {"redis.url": url, "redis.cluster": "true"}
    if may:
        assert read_settings(flags, {}, None).settings.redis.url == url
        return
    with pytest.raises(SettingsInvalid) as refused:
        read_settings(flags, {}, None)
    assert f"redis.cluster = true (flag redis.cluster) and redis.url = {url}" in str(refused.value)


def test_a_wrong_url_is_no_contradiction_too() -> None:
    with pytest.raises(SettingsInvalid, match="1 setting is wrong"):
        read_settings({"redis.url": "h", "redis.cluster": "true"}, {}, None)
    assert may_be_clustered(Settings().redis.url)


@pytest.mark.parametrize(
    "proxy",
    ["http://proxy.example:3128", "http://reader:hu:sh@proxy.example:3128/", "http://[::1]"],
)
def test_a_proxy_may_need_a_user(proxy: str) -> None:
    assert read_settings({"feeder.proxy": proxy}, {}, None).settings.feeder.proxy == proxy


@pytest.mark.parametrize(
    "proxy", ["reader:hush@proxy.example:3128", "socks5://reader:hush@proxy", "http://proxy:99999"]
)
def test_what_is_no_address_of_a_proxy_is_refused_and_not_shown(proxy: str) -> None:
    with pytest.raises(
        SettingsInvalid, match=r"feeder\.proxy = \*{8} .*http://host:port"
    ) as refused:
        read_settings({"feeder.proxy": proxy}, {}, None)
    assert "hush" not in str(refused.value)
