"""An item for which a step raises a bug costs itself in a request, and the server goes on."""

import json
from pathlib import Path

import pytest

from runners.planted_bugs import QUOTED, TRIGGER, planted
from server.served import NEWS, TOKEN, judge, serving

BEARER = {"Authorization": f"Bearer {TOKEN}"}
FRESH = [
    {"source": "late.example", "id": f"f{n}", "title": title, "text": title}
    for n, title in enumerate(["Lighthouse sold to a choir", "Ferry stops for the winter"])
]
BAD = {**FRESH[0], "id": TRIGGER, "title": f"Strange words {TRIGGER}"}


def outcomes(answer) -> list[str | None]:
    """Return the code of refusal, None for a verdict, of each result."""
    assert answer.status == 200, answer.body
    assert QUOTED.encode() not in answer.body
    refusals = [one.get("refusal") for one in answer.json()["results"]]
    return [one and one["code"] for one in refusals]


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("path", ["/v1/check", "/v1/check?against=batch", "/v1/items"])
@pytest.mark.parametrize("bug", ["analyze", "decide", "render"])
def test_an_item_of_a_list_that_raises_is_refused_and_the_others_are_judged(
    tmp_path: Path, bug: str, path: str
) -> None:
    judge(tmp_path, NEWS[:3])
    with serving(tmp_path, engine=True, token=TOKEN) as served, planted(bug):
        answer = served.ask(path, [FRESH[0], BAD, FRESH[1]], headers=BEARER)
        assert outcomes(answer) == [None, "internal_error", None]
        alone = served.ask(path, BAD, headers=BEARER)
        assert alone.status == 500
        assert alone.json()["type"] == "urn:newsdedup:problem:internal-error"
    if path == "/v1/items":
        dead_letters = (tmp_path / "events.jsonl.dlq").read_bytes().splitlines()
        assert [json.loads(one)["code"] for one in dead_letters] == ["internal_error"] * 2


def test_a_check_against_the_state_of_a_run_goes_on(tmp_path: Path) -> None:
    judge(tmp_path, NEWS[:3])
    with serving(tmp_path, state=True) as served, planted("compare"):
        answer = served.ask("/v1/check", [FRESH[0], {**NEWS[0], "id": TRIGGER}, FRESH[1]])
        assert outcomes(answer) == [None, "internal_error", None]
