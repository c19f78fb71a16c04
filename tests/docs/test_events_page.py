import contextlib
import io
import json
from pathlib import Path
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from docs.pages import blocks, cells, page, quoted
from newsdedup.cli.app import app
from newsdedup.core.events import Evidence, Judgement
from newsdedup.core.matching.verify.relations import REPRINT_RESEMBLANCE
from newsdedup.core.model import Relation
from schemas.generated import json_schemas

PAGE = "events.md"
EXAMPLES = [json.loads(block.text) for block in blocks(PAGE, "json")]
KINDS = {"item.judged", "verdict.corrected", "story.original_changed", "item.retracted"}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of events that the items of the page become."""
    folder = tmp_path_factory.mktemp("events")
    [items] = blocks(PAGE, "jsonl")
    (folder / "items.jsonl").write_text(items.text, "utf-8")
    to = folder / "events.jsonl"
    result = CliRunner().invoke(app, ["run", str(folder / "items.jsonl"), "--to", str(to)])
    assert result.exit_code == 0
    return to


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def without_weights(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event without what another background table or a new feature changes."""
    dedup = {name: value for name, value in event["dedup"].items() if name != "terms"}
    if dedup.get("matched"):
        evidence = {
            name: value for name, value in dedup["matched"]["evidence"].items() if name != "shared"
        }
        # A feature that the model does not weigh yet stands among the reasons and adds nothing.
        evidence["reasons"] = [each for each in evidence.get("reasons", ()) if each["logit"]]
        dedup["matched"] = {**dedup["matched"], "score": None, "evidence": evidence}
    return {**event, "dedup": dedup}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["dedup"]["event"])
def test_every_example_is_valid_under_the_schema_of_its_event(example: dict[str, Any]) -> None:
    schema = json_schemas()[example["dedup"]["event"]]
    Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
        example
    )


def test_every_event_has_an_example() -> None:
    assert {example["dedup"]["event"] for example in EXAMPLES} == KINDS
    assert {quoted(row[0])[0] for row in cells(PAGE, first="event")} == KINDS


def shortened(short: object, whole: object) -> bool:
    """Return whether one value is another one with parts left out, marked by three dots."""
    if isinstance(short, dict) and isinstance(whole, dict):
        return all(
            name == "..." or (name in whole and shortened(value, whole[name]))
            for name, value in short.items()
        )
    return short in ("...", whole)


def test_the_event_of_the_readme_is_one_of_the_page() -> None:
    (event,) = [json.loads(block.text) for block in blocks("../README.md", "json")]
    assert any(shortened(event, example) for example in EXAMPLES)


def test_the_examples_are_what_a_run_publishes(published: Path) -> None:
    said = {event["dedup"]["event_id"]: event for event in lines(published)}
    assert len(said) == 16
    for example in EXAMPLES:
        event = said[example["dedup"]["event_id"]]
        assert without_weights(example) == without_weights(event)


def test_a_consumer_that_keeps_the_highest_revision_knows_what_is_true(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(published.parent)
    [code], [listed] = blocks(PAGE, "python"), blocks(PAGE, "text")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code.text, PAGE, "exec"), {})  # noqa: S102  # the code of the page
    assert said.getvalue() == listed.text


def test_every_field_of_a_verdict_and_its_evidence_is_on_the_page() -> None:
    text = blocks_of_fields()
    assert text[0] == list(Judgement.__struct_fields__)
    assert text[1] == list(Evidence.__struct_fields__)


def test_relation_and_score_are_on_the_page_for_each_rule() -> None:
    verified, terms, fingerprint = cells(PAGE, first="rule")
    assert [quoted(row[0]) for row in (verified, terms, fingerprint)] == [
        ["verified"],
        ["terms"],
        [],
    ]
    assert f"by {REPRINT_RESEMBLANCE:.2f},".replace("0.", ".") in verified[2]
    assert {*quoted(verified[3]), "reprint", "rewrite", "none"} == set(get_args(Relation))
    assert quoted(terms[3]) == ["similar"]


def blocks_of_fields() -> list[list[str]]:
    """Return the names in the first column of each table of fields."""
    found: list[list[str]] = []
    for part in page(PAGE).split("| field | meaning |")[1:]:
        rows = [line for line in part.partition("\n\n")[0].splitlines() if line.startswith("| `")]
        found.append([name for row in rows for name in quoted(row.split("|")[1])])
    return found
