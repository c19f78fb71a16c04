"""Checking items against the state of a run, and keeping them in a run of the server."""

import json
import sqlite3
from contextlib import closing

import pytest

from cli.small_stream import FIRE, TRAM, report
from server.served import NEWS, TOKEN, Served, item_path, judge, serving

BEARER = {"Authorization": f"Bearer {TOKEN}"}
COPY = report("late.example", "c1", FIRE, "10:30:00")
FRESH = report(
    "late.example",
    "c2",
    ("Lighthouse of Sundholm sold", "The old lighthouse was sold to a choir for 3 crowns."),
    "11:30:00",
)


def results(served: Served, body: object, path: str = "/v1/check", **headers: str) -> list[dict]:
    answer = served.ask(path, body, headers=headers)
    assert answer.status == 200, answer.body
    return answer.json()["results"]


def test_a_copy_is_recognized_with_its_evidence(served: Served) -> None:
    (result,) = results(served, COPY)
    judgement = result["judgement"]
    assert (judgement["verdict"], judgement["relation"]) == ("duplicate", "reprint")
    assert judgement["story"]["original"] == {"source": "tula.example", "id": "r1"}
    assert judgement["matched"]["evidence"]["shared"]
    assert (result["known"], result["corrections"]) == (False, [])


@pytest.mark.parametrize("body", [b'{"title": "\\ud800"}', b'[{"title": "\\ud800"}]'])
def test_half_a_character_in_json_is_refused_with_what_is_wrong(served: Served, body) -> None:
    answer = served.ask("/v1/check", body)
    assert answer.status in (400, 422)
    assert "surrogate" in answer.json()["detail"]


def test_a_list_is_judged_item_by_item_each_as_if_it_came_alone(served: Served) -> None:
    first, second, third = results(served, [FRESH, {**FRESH, "id": "c3"}, {"title": " "}])
    assert first["judgement"]["verdict"] == second["judgement"]["verdict"] == "original"
    assert (third["refusal"]["code"], third["judgement"]) == ("no_text", None)


def test_a_batch_is_judged_against_itself_without_any_state(served: Served) -> None:
    items = [COPY, {**COPY, "id": "c4", "source": "other.example"}, FRESH]
    answers = results(served, items, "/v1/check?against=batch")
    assert [one["judgement"]["verdict"] for one in answers] == ["original", "duplicate", "original"]


def test_an_item_that_was_judged_before_has_its_published_verdict(served: Served) -> None:
    (result,) = results(served, NEWS[3])
    stored = served.ask(item_path(NEWS[3]["source"], NEWS[3]["id"])).json()["judgement"]
    assert result["known"]
    assert result["judgement"] == stored


def test_an_item_earlier_than_its_copies_would_correct_them(served: Served) -> None:
    (result,) = results(served, {**COPY, "published_at": "2026-11-02T05:00:00Z"})
    assert result["judgement"]["verdict"] == "original"
    corrected = {one["item"]["id"]: one["verdict"] for one in result["corrections"]}
    assert corrected == {"r1": "duplicate", "r2": "duplicate", "r3": "duplicate"}


def test_a_check_stores_nothing(served: Served) -> None:
    state = served.folder / "events.jsonl.state"
    before = state.read_bytes(), (served.folder / "events.jsonl").read_bytes()
    results(served, [COPY, FRESH])
    assert (state.read_bytes(), (served.folder / "events.jsonl").read_bytes()) == before
    assert not results(served, FRESH)[0]["known"]
    with closing(sqlite3.connect(f"file:{state}?mode=ro", uri=True)) as run:
        assert run.execute("SELECT count(*) FROM records").fetchone() == (len(NEWS),)


def test_a_check_follows_the_run_that_writes_the_state(tmp_path) -> None:
    judge(tmp_path, NEWS[:3])
    with serving(tmp_path, state=True) as served:
        assert results(served, FRESH)[0]["known"] is False
        judge(tmp_path, [FRESH])
        assert results(served, FRESH)[0]["known"] is True
        judge(tmp_path, [{"newsdedup": "retract", "source": "late.example", "id": "c2"}])
        assert results(served, FRESH)[0]["known"] is False


def test_a_state_of_other_settings_is_no_state_to_check_against(tmp_path) -> None:
    judge(tmp_path)
    with closing(sqlite3.connect(tmp_path / "events.jsonl.state")) as run, run:
        run.execute("UPDATE meta SET value = 'others' WHERE name = 'made_by'")
    with serving(tmp_path, state=True) as served:
        answer = served.ask("/v1/check", COPY)
    assert (answer.status, answer.json()["type"]) == (503, "urn:newsdedup:problem:unusable")
    assert "made with other settings" in answer.json()["detail"]


def test_a_file_that_is_no_state_is_named_without_an_option_that_the_server_lacks(tmp_path) -> None:
    judge(tmp_path)
    (tmp_path / "events.jsonl.state").write_text("Ferries of Kallavesi, a list\n")
    with serving(tmp_path, state=True) as server:
        answer = server.ask("/v1/check", TRAM)
    assert answer.status == 503
    assert "is no database" in answer.json()["detail"]
    assert "--fresh" not in answer.json()["detail"]


def test_without_a_state_a_check_says_what_is_missing(archive_folder) -> None:
    with serving(archive_folder) as served:
        answer = served.ask("/v1/check", COPY)
        assert (answer.status, answer.json()["type"]) == (503, "urn:newsdedup:problem:no-state")
        assert "--state" in answer.json()["detail"]
        assert served.ask("/v1/check?against=batch", COPY).status == 200


def test_what_is_kept_is_in_the_events_and_in_the_archive(keeping: Served) -> None:
    item = report("kept.example", "k1", TRAM, "13:00:00")
    (result,) = results(keeping, item, "/v1/items", **BEARER)
    assert result["judgement"]["verdict"] == "duplicate"
    last = (keeping.folder / "events.jsonl").read_bytes().splitlines()[-1]
    assert json.loads(last)["dedup"] == result["judgement"]
    assert keeping.ask(item_path("kept.example", "k1")).json()["judgement"] == result["judgement"]
    (again,) = results(keeping, item, "/v1/items", **BEARER)
    assert (again["known"], again["judgement"]) == (True, result["judgement"])


def test_a_withdrawn_item_is_gone(keeping: Served) -> None:
    item = report("kept.example", "gone/1", FRESH["title"].partition("|")[::2], "14:00:00")
    results(keeping, item, "/v1/items", **BEARER)
    assert keeping.ask(item_path("kept.example", "gone/1")).status == 200
    command = {"newsdedup": "retract", "source": "kept.example", "id": "gone/1"}
    (result,) = results(keeping, command, "/v1/items", **BEARER)
    assert result["retracted"]
    answer = keeping.ask(item_path("kept.example", "gone/1"))
    assert (answer.status, answer.json()["type"]) == (410, "urn:newsdedup:problem:retracted")


def test_an_editors_word_corrects_the_archive(keeping: Served) -> None:
    items = [report(f"{name}.example", "split", FIRE, "15:00:00") for name in ("one", "two")]
    results(keeping, items, "/v1/items", **BEARER)
    command = {"newsdedup": "split", "item": {"source": "two.example", "id": "split"}}
    command["at"] = "2026-11-02T16:00:00Z"
    (result,) = results(keeping, command, "/v1/items", **BEARER)
    assert [one["item"]["source"] for one in result["corrections"]] == ["two.example"]
    detail = keeping.ask(item_path("two.example", "split")).json()
    assert (detail["judgement"]["decided_by"], detail["summary"]["verdict"]) == (
        "editor",
        "original",
    )
    assert len(detail["corrections"]) == 1


def test_a_check_sees_what_was_kept_just_before(keeping: Served) -> None:
    item = {**FRESH, "source": "seen.example"}
    results(keeping, item, "/v1/items", **BEARER)
    (result,) = results(keeping, {**item, "published_at": "2026-11-02T12:00:00Z", "id": "copy"})
    assert result["judgement"]["story"]["original"]["source"] == "seen.example"


def test_a_pretty_printed_item_is_kept_as_one_line(keeping: Served) -> None:
    item = report("kept.example", "pretty", TRAM, "16:00:00")
    body = json.dumps(item, indent=2).replace("\n", "\r\n").encode()
    results(keeping, body, "/v1/items", **BEARER)
    lines = (keeping.folder / "events.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines if '"pretty"' in line] == ["pretty"]


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}]
)
def test_nothing_is_kept_without_the_token(keeping: Served, headers: dict[str, str]) -> None:
    answer = keeping.ask("/v1/items", COPY, headers=headers)
    assert (answer.status, answer.json()["type"]) == (401, "urn:newsdedup:problem:no-token")
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_server_without_a_token_takes_no_writes(served: Served) -> None:
    answer = served.ask("/v1/items", COPY, headers=BEARER)
    assert (answer.status, answer.json()["type"]) == (403, "urn:newsdedup:problem:read-only")
