"""The API over an archive of a real run."""

import gzip

import pytest

from server.served import NEWS, Served, item_path

FERRY = NEWS[-1]


def test_a_page_of_stories_leads_to_the_next_one_until_all_are_shown(served: Served) -> None:
    shown, cursor = [], ""
    for _ in range(len(NEWS)):
        page = served.ask(f"/v1/stories?limit=2&cursor={cursor}").json()
        shown += [story["id"] for story in page["stories"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert cursor is None
    everything = served.ask("/v1/stories?limit=200").json()["stories"]
    assert shown == [story["id"] for story in everything]
    assert len(shown) == len(set(shown)) == served.ask("/v1/stats").json()["stories"]


def test_a_story_shows_its_copies_in_the_order_of_time(served: Served) -> None:
    tram = served.ask("/v1/search?q=пожар").json()["items"][0]
    story = served.ask(f"/v1/stories/{tram['story']}").json()
    assert [(one["source"], one["verdict"]) for one in story["items"]] == [
        ("tula.example", "original"),
        ("copy.example", "duplicate"),
        ("retold.example", "duplicate"),
    ]
    assert story["summary"]["items"] == 3
    assert story["summary"]["original"] == {"source": "tula.example", "id": "r1"}


def test_an_item_whose_names_are_addresses_is_read_by_its_quoted_path(served: Served) -> None:
    answer = served.ask(item_path(FERRY["source"], FERRY["id"]))
    assert answer.status == 200
    assert answer.json()["summary"]["source"] == FERRY["source"]
    assert answer.json()["received"] == FERRY
    assert answer.json()["judgement"]["item"]["id"] == FERRY["id"]


def test_words_are_searched_in_any_form(served: Served) -> None:
    page = served.ask("/v1/search?q=тролейбус%20Полтавою").json()
    assert {item["id"] for item in page["items"]} == {"7"}
    assert page["matches"] == 2


def test_items_are_filtered_by_source_language_verdict_and_time(served: Served) -> None:
    def ids(query: str) -> list[str]:
        return [item["id"] for item in served.ask(f"/v1/items?{query}").json()["items"]]

    assert ids("source=west.example") == ["e1"]
    assert ids("lang=uk&verdict=duplicate") == ["7"]
    assert ids("since=2026-11-02T09:00:00Z&until=2026-11-02T10:00:00Z") == ["7"]
    assert ids("since=2026-11-02T11:00:00%2B02:00&until=2026-11-02T11:31:00+02:00") == ["7"]


def test_sources_volumes_and_stats_agree(served: Served) -> None:
    stats = served.ask("/v1/stats").json()
    sources = served.ask("/v1/sources").json()["sources"]
    points = served.ask("/v1/volumes?step=day").json()["points"]
    assert stats["items"] == len(NEWS)
    assert sum(source["items"] for source in sources) == len(NEWS)
    assert [point["total"] for point in points] == [len(NEWS)]
    one = served.ask("/v1/sources/copy.example").json()
    assert one["stats"]["copies_of_others"] == 1
    cells = served.ask("/v1/copies").json()["cells"]
    assert {"copy.example", "retold.example"} <= {cell["source"] for cell in cells}


@pytest.mark.parametrize("since", ["2026-11-02", "2026-11-02T00:00", "2026-11-02T02:00:00 02:00"])
def test_a_moment_is_a_day_or_a_time_which_without_a_zone_is_utc(served: Served, since) -> None:
    same = served.ask("/v1/items?since=2026-11-02T00:00:00Z").json()
    assert same["items"]
    assert served.ask(f"/v1/items?since={since.replace(' ', '%20')}").json() == same


def test_a_client_that_accepts_gzip_gets_the_same_answer_in_fewer_bytes(served: Served) -> None:
    for path in ("/v1/items", "/", "/now.json", "/openapi.json", "/static/pages.css"):
        plain = served.ask(path)
        packed = served.ask(path, headers={"Accept-Encoding": "br, gzip;q=0.5"})
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body
        assert len(packed.body) < len(plain.body) / 2
        assert "content-encoding" not in plain.headers
        for answer in (plain, packed):
            assert "Accept-Encoding" in answer.headers["vary"]


@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "gzip;q=0.000, *", "br", "x" * 5_000])
def test_a_client_that_accepts_no_gzip_gets_none(served: Served, accepted: str) -> None:
    answer = served.ask("/v1/items", headers={"Accept-Encoding": accepted})
    assert "content-encoding" not in answer.headers
    assert answer.json()["items"]


def test_a_short_answer_is_not_compressed(served: Served) -> None:
    answer = served.ask("/v1/stats", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in answer.headers


def test_who_has_the_newest_answer_gets_304(served: Served) -> None:
    first = served.ask("/v1/stories?limit=1")
    tag = first.headers["etag"]
    again = served.ask("/v1/stories?limit=1", headers={"If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == tag
    other = served.ask("/v1/stories?limit=1", headers={"If-None-Match": 'W/"another"'})
    assert other.status == 200


def test_a_head_request_has_the_headers_of_a_get(served: Served) -> None:
    assert served.ask("/v1/stats", method="HEAD").status == 200
    assert served.ask("/v1/stats", method="HEAD").body == b""


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/nothing", 404, None),
        ("/v1/stories/none", 404, "not-found"),
        (item_path("no.example", "1"), 404, "not-found"),
        ("/v1/sources/no.example", 404, "not-found"),
        ("/feeds/story/none.atom", 404, "not-found"),
        ("/v1/stories?limit=0", 400, "bad-request"),
        ("/v1/stories?limit=many", 400, "bad-request"),
        ("/v1/stories?cursor=zz", 400, "bad-request"),
        ("/v1/stories?lang=xx", 400, "bad-request"),
        ("/v1/stories?since=yesterday", 400, "bad-request"),
        ("/v1/stories?since=2026-02-30", 400, "bad-request"),
        ("/v1/stories?limit=1&limit=2", 400, "bad-request"),
        ("/v1/stories?unknown=1", 400, "bad-request"),
        ("/v1/search", 400, "bad-request"),
        ("/v1/volumes?step=year", 400, "bad-request"),
    ],
)
def test_a_request_that_cannot_be_answered_gets_a_problem(
    served: Served, path: str, status: int, code: str | None
) -> None:
    answer = served.ask(path)
    assert (answer.status, answer.headers["content-type"]) == (status, "application/problem+json")
    problem = answer.json()
    assert problem["status"] == status
    assert problem["type"] == (f"urn:newsdedup:problem:{code}" if code else "about:blank")
    assert problem["detail"]
    assert problem["instance"].startswith(("/v1/", "/feeds/"))


def test_a_method_that_a_path_does_not_take_gets_405(served: Served) -> None:
    answer = served.ask("/v1/stories", {})
    assert (answer.status, answer.headers["allow"]) == (405, "GET,HEAD")
    assert answer.json()["title"] == "Method Not Allowed"


def test_every_answer_forbids_browsers_what_it_does_not_need(served: Served) -> None:
    for path in ("/v1/stats", "/v1/nothing", "/feeds/originals.atom", "/healthz", "/openapi.json"):
        headers = served.ask(path).headers
        assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
        assert headers["server"] == "newsdedup"


def test_the_server_is_alive_and_ready_and_counts_its_requests(served: Served) -> None:
    assert served.ask("/healthz").body == b"alive\n"
    assert served.ask("/readyz").body == b"ready\n"
    served.ask("/v1/stats")
    metrics = served.ask("/metrics").body.decode()
    assert 'newsdedup_server_requests_total{method="GET",path="/v1/stats",status="200"}' in metrics
    assert "newsdedup_server_request_seconds_bucket" in metrics
