"""Feedback of editors over the API: it changes stories, and is stored as labelled pairs."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.small_stream import TRAM, report, written
from newsdedup import InvalidItem, ItemKey
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.cli.app import app
from newsdedup.core.moments import to_datetime
from newsdedup.core.stories.commands import Merge, Pin, Split
from newsdedup.server.editor_commands import Feedback, encode_feedback
from newsdedup_lab.collections.pairs import index_names, read_pair_file
from server.served import NEWS, TOKEN, Answer, Served, item_path, judge, serving

pytestmark = pytest.mark.usefixtures("long")

BEARER = {"Authorization": f"Bearer {TOKEN}"}
AT = datetime(2026, 11, 3, 12, tzinfo=UTC)
FIRST = {"source": "tula.example", "id": "r1"}
COPY = {"source": "copy.example", "id": "r2"}
TRAM_ITEM = {"source": "west.example", "id": "e1"}


def give(served: Served, kind: str, item: object, other: object, **headers: str) -> Answer:
    body = {"kind": kind, "item": item, "other": other}
    return served.ask("/v1/feedback", body, headers=headers or BEARER)


def summary(served: Served, item: dict[str, str]) -> dict:
    return served.ask(item_path(item["source"], item["id"])).json()["summary"]


def problem(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json()["type"].rpartition(":")[2]


@contextmanager
def serving_editors(folder: Path) -> Iterator[Served]:
    """Serve an engine whose feedback is stored, in an empty folder."""
    judge(folder)
    feedback = str(folder / "feedback.jsonl")
    with serving(folder, engine=True, token=TOKEN, feedback=feedback) as server:
        yield server


@pytest.fixture
def editing(tmp_path: Path) -> Iterator[Served]:
    with serving_editors(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give one server to the tests whose feedback is refused: nothing changes in it."""
    with serving_editors(tmp_path_factory.mktemp("refusing")) as server:
        yield server


def test_a_split_is_in_the_events_then_in_the_archive_and_stored_as_a_pair(editing: Served) -> None:
    answer = give(editing, "not_duplicate", COPY, FIRST)
    assert answer.status == 200, answer.body
    result = answer.json()
    assert (result["outcome"], result["stored"]) == ("acted", True)
    assert [one["item"] for one in result["judgements"]] == [COPY]
    last = json.loads((editing.folder / "events.jsonl").read_bytes().splitlines()[-1])["dedup"]
    assert (last["event"], last["item"], last["verdict"], last["decided_by"]) == (
        "verdict.corrected",
        COPY,
        "original",
        "editor",
    )
    assert summary(editing, COPY)["verdict"] == "original"
    assert summary(editing, COPY)["story"] != summary(editing, FIRST)["story"]
    (pair,) = read_pair_file(editing.folder / "feedback.jsonl").pairs
    assert (pair.left, pair.right, pair.duplicate) == ("copy.example/r2", "tula.example/r1", False)
    keys = index_names(ItemKey(one["source"], one["id"]) for one in NEWS).resolve_pair(pair)
    assert keys == (ItemKey(**COPY), ItemKey(**FIRST))


def test_the_later_word_of_an_editor_stands_in_the_stories_and_in_the_pairs(
    editing: Served,
) -> None:
    assert give(editing, "not_duplicate", COPY, FIRST).status == 200
    assert give(editing, "same_story", COPY, FIRST).status == 200
    assert summary(editing, COPY)["story"] == summary(editing, FIRST)["story"]
    (pair,) = read_pair_file(editing.folder / "feedback.jsonl").pairs
    assert pair.duplicate


def test_another_original_is_chosen_and_decides_no_pair(editing: Served) -> None:
    assert give(editing, "wrong_original", COPY, FIRST).json()["outcome"] == "acted"
    assert summary(editing, FIRST)["original"] == COPY
    stored = read_pair_file(editing.folder / "feedback.jsonl")
    assert (stored.pairs, stored.left_out) == ((), {"dup ?": 1})


def test_the_file_of_feedback_is_an_input_of_a_run(editing: Served, tmp_path: Path) -> None:
    give(editing, "not_duplicate", COPY, FIRST)
    give(editing, "same_story", TRAM_ITEM, FIRST)
    stored = (editing.folder / "feedback.jsonl").read_bytes().splitlines()
    again = tmp_path / "again"
    again.mkdir()
    judge(again, [*NEWS, *map(json.loads, stored)])
    with serving(again) as server:
        for item in (COPY, FIRST, TRAM_ITEM):
            assert summary(server, item)["verdict"] == summary(editing, item)["verdict"]
        assert summary(server, TRAM_ITEM)["story"] == summary(server, FIRST)["story"]


def test_the_lab_scores_the_rule_by_the_file_of_feedback(editing: Served, tmp_path: Path) -> None:
    give(editing, "not_duplicate", COPY, FIRST)
    give(editing, "same_story", COPY, FIRST)
    give(editing, "not_duplicate", TRAM_ITEM, FIRST)
    give(editing, "wrong_original", COPY, FIRST)
    items = written(tmp_path / "items.jsonl", NEWS)
    pairs = editing.folder / "feedback.jsonl"
    done = CliRunner().invoke(
        app, ["lab", "score", "--items", str(items), "--pairs", str(pairs), "--json", "--quiet"]
    )
    assert done.exit_code == 0, done.output
    stats = json.loads(done.stdout)
    # The copy is a duplicate by the last word, and by the rule.
    assert (stats["pairs"], stats["found"], stats["pairs_without_items"]) == (2, 1, 0)
    assert stats["pairs_left_out"] == {"dup ?": 1, "repeated": 1}


def test_without_an_engine_feedback_is_only_stored(archive_folder: Path, tmp_path: Path) -> None:
    index = tmp_path / "feedback.jsonl"
    index.write_bytes(b'{"newsdedup": "split", "item": {"sou')  # of a process that was killed
    with serving(archive_folder, state=True, token=TOKEN, feedback=str(index)) as server:
        result = give(server, "not_duplicate", COPY, FIRST).json()
        assert (result["outcome"], result["stored"], result["judgements"]) == ("stored", True, [])
        assert "no engine" in result["reason"]
        assert summary(server, COPY)["verdict"] == "duplicate"
    assert [one.duplicate for one in read_pair_file(index).pairs] == [False]


def test_without_a_file_feedback_is_applied_and_not_stored(tmp_path: Path) -> None:
    judge(tmp_path)
    with serving(tmp_path, engine=True, token=TOKEN) as server:
        result = give(server, "not_duplicate", COPY, FIRST).json()
    assert (result["outcome"], result["stored"]) == ("acted", False)


def test_without_a_file_and_an_engine_no_feedback_is_taken(archive_folder: Path) -> None:
    with serving(archive_folder, token=TOKEN) as server:
        assert problem(give(server, "same_story", COPY, FIRST)) == (503, "no-feedback")


def test_what_the_engine_no_longer_knows_is_stored_with_its_reason(tmp_path: Path) -> None:
    archived, empty = tmp_path / "archived", tmp_path / "empty"
    for folder, items in ((archived, NEWS), (empty, [report("a.example", "1", TRAM, "09:00:00")])):
        folder.mkdir()
        judge(folder, items)
    (empty / "news.archive").write_bytes((archived / "news.archive").read_bytes())
    chosen = {"engine": True, "token": TOKEN}
    with serving(empty, **chosen) as server:
        assert problem(give(server, "not_duplicate", COPY, FIRST)) == (422, "unknown-item")
    with serving(empty, feedback=str(tmp_path / "f.jsonl"), **chosen) as server:
        result = give(server, "not_duplicate", COPY, FIRST).json()
    assert (result["outcome"], result["stored"]) == ("stored", True)
    assert "nothing is kept of item 'r2'" in result["reason"]


def test_only_the_token_gives_feedback(refusing: Served, served: Served) -> None:
    for headers in ({"X-None": ""}, {"Authorization": "Bearer no"}, {"Cookie": f"token={TOKEN}"}):
        assert problem(give(refusing, "same_story", COPY, FIRST, **headers)) == (401, "no-token")
    assert problem(give(served, "same_story", COPY, FIRST)) == (403, "read-only")
    assert not (refusing.folder / "feedback.jsonl").exists()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"{", (400, "bad-json")),
        (b"\xff", (400, "bad-json")),
        ([], (400, "bad-request")),
        ({"kind": "retract", "item": COPY, "other": FIRST}, (400, "bad-request")),
        ({"kind": "same_story", "item": COPY}, (400, "bad-request")),
        ({"kind": "same_story", "item": COPY, "other": {**FIRST, "x": 1}}, (400, "bad-request")),
        (
            {"kind": "same_story", "item": COPY, "other": {"source": "a", "id": "x" * 2_001}},
            (400, "bad-request"),
        ),
        ({"kind": "same_story", "item": COPY, "other": COPY}, (422, "bad-field")),
        (
            {"kind": "same_story", "item": COPY, "other": {"source": "no.example", "id": "1"}},
            (422, "unknown-item"),
        ),
        (
            {"kind": "same_story", "item": COPY, "other": {"source": "a", "id": "\0"}},
            (422, "bad-field"),
        ),
    ],
)
def test_hostile_feedback_is_refused_and_not_stored(
    body: object, expected: tuple[int, str], refusing: Served
) -> None:
    answer = refusing.ask("/v1/feedback", body, headers=BEARER)
    assert problem(answer) == expected
    assert not (refusing.folder / "feedback.jsonl").exists()


def test_a_file_that_cannot_be_written_stops_the_start(archive_folder: Path, tmp_path) -> None:
    index = tmp_path / "none" / "feedback.jsonl"
    with (
        pytest.raises(Exception, match="cannot be written"),
        serving(archive_folder, token=TOKEN, feedback=str(index)),
    ):
        pass


def test_a_line_is_the_command_that_a_run_reads() -> None:
    one, other = ItemKey("a/b", 'x"\n'), ItemKey("", "1")
    commands = {
        kind: decode_item(encode_feedback(Feedback(kind, one, other), AT))
        for kind in ("not_duplicate", "same_story", "wrong_original")
    }
    assert isinstance(commands["not_duplicate"], Split)
    assert isinstance(commands["same_story"], Merge)
    assert isinstance(commands["wrong_original"], Pin)
    assert {command.key for command in commands.values()} == {one}
    assert commands["same_story"].other == other
    assert {to_datetime(command.at) for command in commands.values()} == {AT}


def test_a_line_is_bounded_and_one_line() -> None:
    long, other = ItemKey("s" * 2_000, "x\n" * 1_000), ItemKey("a", "b")
    assert b"\n" not in encode_feedback(Feedback("same_story", long, other), AT)
    one, another = (ItemKey(character * 2_000, character * 2_000) for character in "\x01\x02")
    with pytest.raises(InvalidItem, match="too long together"):
        encode_feedback(Feedback("same_story", one, another), AT)
