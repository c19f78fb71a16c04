from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsdedup.feeder.fetching.address_guard import (
    DEFAULT_PORTS,
    admits_all,
    check_address,
    is_public,
    ports_of,
)
from newsdedup.feeder.fetching.answers import FetchError

INSIDE = [
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",  # noqa: S104 - nothing is bound
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.31.255.255",
    "192.168.0.1",
    "198.19.0.1",
    "224.0.0.251",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fec0::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:0:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::1",
    "2002:a00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "100::1",
]
OUTSIDE = ["1.1.1.1", "172.32.0.1", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"]


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_inside_is_not_public(address):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", OUTSIDE)
def test_an_address_of_the_internet_is_public(address):
    assert is_public(ip_address(address))


@given(st.ip_addresses(v=4))
def test_what_python_calls_private_is_never_public(address):
    assert not (is_public(address) and (address.is_private or address.is_multicast))


@given(st.ip_addresses(v=6))
def test_what_python_calls_private_in_ipv6_is_never_public(address):
    inside = address.is_private or address.is_multicast or address.is_link_local
    assert not (is_public(address) and inside)


@given(st.ip_addresses(v=4), st.sampled_from([0xFFFF << 32, 0x64FF9B << 96]))
def test_an_ipv4_address_within_ipv6_is_judged_as_itself(address, prefix):
    within = IPv6Address(prefix | int(address))
    assert is_public(within) == is_public(IPv4Address(address))


@pytest.mark.parametrize(
    "address",
    [
        "ftp://news.example/feed",
        "file:///etc/passwd",
        "gopher://news.example/",
        "//news.example/feed",
        "news.example/feed",
        "http://",
        "http:///feed",
        "http://user:password@news.example/",
        "http://user@news.example/",
        "http://news.example:22/",
        "http://news.example:99999/",
        "http://[::1]/",
        "http://127.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://news.example/" + "a" * 3_000,
        "",
    ],
)
def test_an_address_that_must_not_be_fetched_is_refused(address):
    with pytest.raises(FetchError) as caught:
        check_address(address, ports=DEFAULT_PORTS, admits=is_public)
    assert caught.value.kind == "address"
    assert "password@" not in str(caught.value)


def test_a_port_is_admitted_if_the_feed_names_it():
    ports = ports_of("http://news.example:8080/feed")
    assert ports == {80, 443, 8080}
    url = check_address("http://other.example:8080/feed#top", ports=ports, admits=is_public)
    assert str(url) == "http://other.example:8080/feed"


def test_allow_private_admits_loopback():
    assert check_address("http://127.0.0.1/", ports=DEFAULT_PORTS, admits=admits_all)


@given(st.text(max_size=60))
def test_no_text_breaks_the_guard(text):
    try:
        url = check_address(text, ports=DEFAULT_PORTS, admits=is_public)
    except FetchError:
        return
    assert url.scheme in ("http", "https")
    assert url.host
