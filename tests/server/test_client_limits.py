"""Whom a request is counted for."""

import pytest

from newsdedup.server.client_limits import client_network


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("192.0.2.7:5555", "192.0.2.7"),
        ("[::ffff:192.0.2.7]:5555", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2:3::4]:5555", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2:3::4]", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_a_client_is_one_however_a_proxy_writes_its_address(address: str, client: str) -> None:
    assert client_network(address) == client
