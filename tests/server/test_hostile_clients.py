"""Clients that send too much, too slowly, or what makes no sense."""

import gzip
from datetime import timedelta

import pytest

from server.served import NEWS, Served, serving


@pytest.fixture(scope="module")
def limited(archive_folder):
    with serving(
        archive_folder, body_bytes=2_000, batch=3, rate=2, aliases="news.example", proxies=1
    ) as server:
        yield server


def sent_from(client: str) -> dict[str, str]:
    return {"X-Forwarded-For": f"10.0.0.9, {client}"}


def test_a_body_beyond_the_limit_is_refused(limited: Served) -> None:
    body = b'{"title": "' + b"x" * 3_000 + b'"}'
    answer = limited.ask("/v1/check?against=batch", body, headers=sent_from("192.0.2.1"))
    assert (answer.status, answer.json()["type"]) == (413, "urn:newsdedup:problem:too-large")


def test_a_list_beyond_the_limit_is_refused(limited: Served) -> None:
    answer = limited.ask("/v1/check?against=batch", [{}] * 4, headers=sent_from("192.0.2.5"))
    assert (answer.status, answer.json()["type"]) == (422, "urn:newsdedup:problem:bad-batch")


def test_a_packed_body_is_measured_unpacked(limited: Served) -> None:
    body = gzip.compress(b'{"title": "' + b"x" * 5_000_000 + b'"}')
    headers = {"Content-Encoding": "gzip", **sent_from("192.0.2.2")}
    assert limited.ask("/v1/check?against=batch", body, headers=headers).status in (400, 413)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[1", 400),
        (b"\xff", 400),
        (b"[" * 1_500, 400),
        (b"1", 422),
        (b"null", 422),
        (b'"text"', 422),
        (b"[]", 422),
        (b'{"newsdedup": "retract", "source": "a", "id": "b"}', 200),
        (b'{"title": "\\ud800"}', 400),
        (b'{"title": 5}', 422),
        (b'{"title": "a", "links": "soon"}', 422),
        (b'{"title": "a", "published_at": "soon"}', 200),
    ],
)
def test_a_body_that_is_no_item_gets_a_problem(served: Served, body: bytes, status: int) -> None:
    answer = served.ask("/v1/check?against=batch", body)
    assert answer.status == status, answer.body
    if status != 200:
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_body_that_is_not_called_json_is_refused(served: Served) -> None:
    answer = served.ask("/v1/check", b"{}", headers={"Content-Type": "text/plain"})
    assert (answer.status, answer.json()["type"]) == (415, "urn:newsdedup:problem:no-json")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/items/%ff/%fe",
        "/v1/items/a/%00",
        "/v1/items//1",
        "/v1/stories/%F0%9F%A6%86",
        "/v1/items/..%2f..%2fetc/passwd",
        "/v1/search?q=%ff%fe",
        "/v1/search?q=%22%20OR%20NEAR(a%20b)%20*",
        "/v1/search?q=" + "-" * 400,
        "/v1/stories?cursor=8000000000000000",
        "/v1/stories?source=" + "x" * 2_000,
        "/v1/stories?since=0001-01-01T00:00:00%2B14:00&until=9999-12-31T23:59:59-14:00",
        "/v1/events?after=-1",
        "/feeds/originals.atom?q=%00%01",
        "/v1/sources?since=9999-12-31T23:59:59-14:00",
        "/v1/volumes?until=0001-01-01T00:00:00%2B14:00",
    ],
)
def test_a_strange_address_is_answered_in_order(served: Served, path: str) -> None:
    answer = served.ask(path)
    assert answer.status in (200, 400, 404), answer.body
    if answer.status != 200:
        assert answer.headers["content-type"] == "application/problem+json"


def test_hostile_texts_come_back_as_data(served: Served) -> None:
    title = NEWS[-1]["title"]
    answer = served.ask("/v1/search?q=ferry")
    assert [item["title"] for item in answer.json()["items"]] == [title]
    assert answer.headers["content-type"] == "application/json"
    atom = served.ask("/feeds/originals.atom").body.decode()
    assert "<script>" not in atom
    assert "\x1b" not in atom


def test_a_client_that_asks_too_often_is_asked_to_wait(limited: Served) -> None:
    headers = sent_from("192.0.2.3")
    answers = [limited.ask("/v1/stats", headers=headers) for _ in range(30)]
    refused = [answer for answer in answers if answer.status == 429]
    assert refused
    assert refused[0].json()["type"] == "urn:newsdedup:problem:too-many-requests"
    assert int(refused[0].headers["retry-after"]) >= 1
    assert limited.ask("/v1/stats", headers=sent_from("192.0.2.4")).status == 200
    assert limited.ask("/healthz", headers=headers).status == 200


def test_clients_of_one_network_of_ipv6_are_one(limited: Served) -> None:
    answers = [
        limited.ask("/v1/stats", headers=sent_from(f"2001:db8::{number:x}")).status
        for number in range(1, 30)
    ]
    assert 429 in answers


def test_a_name_that_is_not_the_servers_is_refused(limited: Served) -> None:
    def status(host: str) -> int:
        return limited.ask("/healthz", headers={"Host": host}).status

    assert [status(host) for host in ("news.example", "localhost:80", "[::1]:80")] == [200] * 3
    assert status("evil.example") == 421


@pytest.mark.parametrize("host", ["10.1.2.3:8080", "[2001:db8::1]:8080"])
def test_probes_and_scrapes_may_name_the_server_by_any_address(limited: Served, host: str) -> None:
    def status(path: str) -> int:
        return limited.ask(path, headers={"Host": host}).status

    assert [status(path) for path in ("/healthz", "/readyz", "/metrics")] == [200] * 3
    assert status("/v1/stats") == 421


def test_a_client_that_sends_its_body_too_slowly_is_cut_off(archive_folder) -> None:
    with serving(archive_folder, body_timeout=timedelta(milliseconds=50)) as served:
        with served.connect() as slow:
            slow.sendall(
                b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            )
            assert slow.recv(1_000).startswith(b"HTTP/1.1 408 ")
        assert served.ask("/healthz").status == 200


def test_what_is_no_http_ends_its_connection_alone(served: Served) -> None:
    with served.connect() as one:
        one.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
        assert one.recv(1_000).startswith(b"HTTP/1.0 400 ")
    assert served.ask("/v1/stats").status == 200


def test_no_other_site_may_read_answers_unless_it_is_named(archive_folder, served: Served) -> None:
    origin = {"Origin": "https://app.example"}
    assert "access-control-allow-origin" not in served.ask("/v1/stats", headers=origin).headers
    with serving(archive_folder, origins="https://app.example") as shared:
        answer = shared.ask("/v1/stats", headers=origin)
        assert answer.headers["access-control-allow-origin"] == "https://app.example"
        other = shared.ask("/v1/stats", headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in other.headers
        asked = {**origin, "Access-Control-Request-Method": "POST"}
        before = shared.ask("/v1/check", method="OPTIONS", headers=asked)
        assert (before.status, before.headers["access-control-allow-methods"]) == (204, "GET, POST")


@pytest.fixture(scope="module")
def nameless(archive_folder):
    """Serve under any name, as a server of every address does by default."""
    with serving(archive_folder, host="0.0.0.0") as server:  # noqa: S104 - what is tested
        yield server


def status_of(served: Served, request: bytes) -> bytes:
    """Return the status of the answer to these bytes, some of which no library would send."""
    with served.connect() as connection:
        connection.sendall(request)
        return connection.recv(100).split()[1]


@pytest.mark.parametrize("path", [b"/v1/stats", b"/feeds/originals.atom", b"/healthz"])
@pytest.mark.parametrize(
    "host", [b'a"b', b"a b", b"\xff", b"a:99999", b"a:b", b"", b"[:::::]", b"a%22", b":80"]
)
def test_a_host_header_that_names_no_host_is_refused(
    nameless: Served, path: bytes, host: bytes
) -> None:
    request = b"GET %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (path, host)
    assert status_of(nameless, request) == b"400"


@pytest.mark.parametrize("host", [b"news.example", b"my_news:8080", b"[::1]", b"[::1]:80", b"a:"])
def test_a_server_without_names_answers_to_any_host(nameless: Served, host: bytes) -> None:
    request = b"GET /feeds/originals.atom HTTP/1.1\r\nHost: %s\r\n\r\n" % host
    assert status_of(nameless, request) == b"200"


def test_a_request_without_a_host_header_is_answered(nameless: Served) -> None:
    """HTTP/1.0 has none: checks of health are made that way."""
    assert status_of(nameless, b"GET /readyz HTTP/1.0\r\n\r\n") == b"200"


TEXTS = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data"
STRANGE_PART = (
    b'--x\r\nContent-Disposition: form-data; name="a"\r\n'
    b"Content-Transfer-Encoding: nope\r\n\r\n1\r\n--x--\r\n"
)


@pytest.mark.parametrize("path", ["/check", "/sign-in"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (TEXTS, b"a=\xff"),
        (f"{TEXTS}; charset=nope", b"a=b"),
        (f"{TEXTS}; charset=base64", b"a=b"),
        (PARTS, b"x"),
        (f"{PARTS}; boundary=x", b"nothing"),
        (f"{PARTS}; boundary={'x' * 90}", b"nothing"),
        (f"{PARTS}; boundary=x", b"--x\r\n\r\nnameless\r\n--x--\r\n"),
        (f"{PARTS}; boundary=x", STRANGE_PART),
    ],
)
def test_a_form_that_is_not_what_its_headers_say_is_refused(
    served: Served, path: str, kind: str, body: bytes
) -> None:
    headers = {"Content-Type": kind, "Sec-Fetch-Site": "same-origin"}
    answer = served.ask(path, body, headers=headers)
    assert (answer.status, answer.json()["type"]) == (400, "urn:newsdedup:problem:bad-form")


@pytest.mark.parametrize("packed", ["gzip", "deflate", "br", "zstd"])
def test_a_body_that_is_not_packed_as_it_says_is_refused(served: Served, packed: str) -> None:
    headers = {"Content-Encoding": packed}
    answer = served.ask("/v1/check?against=batch", b'{"title": "a"}', headers=headers)
    assert (answer.status, answer.json()["type"]) == (400, "urn:newsdedup:problem:bad-body")


def test_a_form_that_is_not_packed_as_it_says_is_refused(served: Served) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Type": TEXTS}
    assert served.ask("/check", b"a=b", headers=headers).status == 400
