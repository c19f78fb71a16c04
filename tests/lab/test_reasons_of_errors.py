"""What `lab score --errors` tells of a pair that was judged otherwise than people did."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode
from newsdedup_lab.score.disagreements import _TEXT_LIMIT

WORDS = (
    "bridge river mayor crown repair traffic harbour ferry canal lantern orchard saddle "
    "violin marble candle furnace anchor barley copper meadow thimble walnut"
)


def text_of(first: int, last: int) -> str:
    """Return a text of these words: of two, so many are shared as their ranges have in common."""
    return " ".join(f"The {word} was seen." for word in WORDS.split()[first:last])


def errors(folder: Path, texts: Mapping[str, str], pair: str, *arguments: str) -> dict:
    """Return the report of the one error; the items come an hour apart."""
    items = [
        {"id": name, "source": "north.example", "title": "", "text": text,
         "published_at": f"2026-03-02T{hour:02}:00:00Z"}
        for hour, (name, text) in enumerate(texts.items())
    ]  # fmt: skip
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, items)), "utf-8")
    (folder / "pairs.tsv").write_text(f"id1\tid2\tlabel\n{pair}\n", "utf-8")
    to = folder / "errors.jsonl"
    where = ["--items", str(folder / "items.jsonl"), "--pairs", str(folder / "pairs.tsv")]
    command = ["lab", "score", *where, "--rule", "terms", "--errors", str(to), *arguments]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == ExitCode.OK, result.output
    [found] = [json.loads(line) for line in to.read_text("utf-8").splitlines()]
    return found


def test_stories_do_not_chain(tmp_path: Path) -> None:
    # b shares 8 of 12 terms with a, and c with b: c has too little of a, and b is no leader.
    texts = {"a": text_of(0, 12), "b": text_of(4, 16), "c": text_of(8, 20)}
    found = errors(tmp_path, texts, "b\tc\tW")
    assert found["error"] == "missed"
    assert found["candidate"] is True
    assert found["why"] == (
        "they match, but the earlier one was given to north.example/a, which the later one does "
        "not match: it leads"
    )
    earlier, later = found["items"]
    assert (earlier["matched"], later["matched"]) == ("north.example/a", None)
    assert earlier["story"] != later["story"]


def test_the_later_one_matches_another_better(tmp_path: Path) -> None:
    texts = {"a": text_of(0, 12), "b": text_of(8, 20), "c": text_of(5, 17)}
    found = errors(tmp_path, texts, "a\tc\tW")
    assert found["why"].startswith("they match by ")
    assert "but the later one was given to north.example/b, which it matches by" in found["why"]
    assert found["items"][1]["matched"] == "north.example/b"


def test_what_does_not_match_is_reported_with_the_reasoning_of_the_rule(tmp_path: Path) -> None:
    found = errors(tmp_path, {"a": text_of(0, 12), "b": text_of(10, 22)}, "a\tb\tR")
    assert found["why"].startswith("they do not match (A is the earlier one): 2 of the 12")


def test_what_is_beyond_the_window_is_reported_so(tmp_path: Path) -> None:
    found = errors(
        tmp_path, {"a": text_of(0, 12), "b": text_of(0, 12)}, "a\tb\tR", "--window", "30m"
    )
    assert found["why"] == "they are further apart in time than the window"


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ("a\tb\tU", "the later one was given to the earlier one: they match"),
        ("b\tc\tU", "both were given to north.example/a"),
    ],
)
def test_false_duplicates_are_reported_with_their_leader(
    tmp_path: Path, pair: str, why: str
) -> None:
    texts = dict.fromkeys("abc", text_of(0, 12))
    assert errors(tmp_path, texts, pair)["why"] == why


def test_a_text_that_is_cut_shows_it(tmp_path: Path) -> None:
    text = text_of(0, 12)
    long = text + " " * (_TEXT_LIMIT - len(text) - 1) + "end and more"
    found = errors(tmp_path, {"a": text, "b": long}, "a\tb\tU")
    whole, cut = (item["text"] for item in found["items"])
    assert (whole, cut[-2:], len(cut)) == (text, "e…", _TEXT_LIMIT + 1)
