import ast
import json
import re
from pathlib import Path

import pytest

from docs.pages import blocks, cells, page, quoted
from newsdedup import InvalidItem, NewsItem
from newsdedup.adapters.formats.item_json import FOREIGN_FIELDS, decode_item
from newsdedup.adapters.formats.json_object import LIMITS, date_field
from newsdedup.adapters.metrics.catalogue import DEAD_LETTER_CODES
from newsdedup.config import Settings, settings_by_key
from newsdedup.ports.isolation import INTERNAL_ERROR

PAGE = "items.md"
SOURCE = Path(__file__).parents[2] / "service" / "newsdedup"
OF_TABLES = {"bad_csv", "command"}
OF_REPLAY = {"not_a_dead_letter", "cut"}
OF_REBUILD = {"not_an_event"}
OF_IMPORTS = {"bad_page"}
OF_CHECKS = {"no_item"}
EXAMPLES, COMMANDS = (block.text.splitlines() for block in blocks(PAGE, "jsonl"))
DATES, DEAD_LETTER = (block.text for block in blocks(PAGE, "json"))


def raised() -> set[str]:
    """Return the codes with which records are refused anywhere."""
    trees = [ast.parse(path.read_text("utf-8")) for path in SOURCE.rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [call for call in calls if ast.unparse(call.func) in ("InvalidItem", "Rejection")]
    return {call.args[0].value for call in named if isinstance(call.args[0], ast.Constant)}


def test_every_field_is_on_the_page():
    fields = [quoted(row[0])[0] for row in cells(PAGE, first="field")]
    known = set(NewsItem.__slots__) - {"key", "unread_dates"} | {"id", "source"}
    assert set(fields) == known


def test_the_names_of_other_formats_are_those_that_are_read():
    lines = page(PAGE).splitlines()
    start = lines.index("| field | also read |")
    rows = [line.strip("|").split("|") for line in lines[start + 2 :] if line.startswith("| `")]
    listed = {quoted(row[0])[0]: quoted(row[1]) for row in rows[: len(FOREIGN_FIELDS)]}
    assert listed == {own: [name for name, _ in names] for own, names in FOREIGN_FIELDS.items()}


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_is_an_item(line: str):
    assert isinstance(decode_item(line.encode()), NewsItem)


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_a_command(line: str):
    assert not isinstance(decode_item(line.encode()), NewsItem)


@pytest.mark.parametrize("date", DATES.splitlines())
def test_every_date_is_read(date: str):
    read = date_field({"at": json.loads(date)}, "at")
    assert read is not None
    assert read.date().isoformat() == "2026-03-02"


def test_the_dead_letter_is_what_a_run_would_write():
    dead_letter = json.loads(DEAD_LETTER)
    with pytest.raises(InvalidItem) as refused:
        decode_item(dead_letter["text"].encode())
    assert (refused.value.code, str(refused.value)) == (dead_letter["code"], dead_letter["reason"])
    assert dead_letter["size"] == len(dead_letter["text"].encode())


def test_every_code_is_on_the_page_or_belongs_to_what_reads_no_stream():
    rows = [*cells(PAGE, first="code"), *cells(PAGE, first="code in Kafka")]
    listed = {quoted(row[0])[0] for row in rows}
    of_others = OF_TABLES | OF_REPLAY | OF_REBUILD | OF_IMPORTS | OF_CHECKS
    assert (raised() - of_others) | {INTERNAL_ERROR} == listed
    assert set(DEAD_LETTER_CODES) == listed


def test_the_limits_are_those_that_hold():
    listed = [int(re.sub(r"\D", "", row[1])) for row in cells(PAGE, first="of")]
    assert listed == [
        LIMITS.line_bytes,
        LIMITS.title_chars,
        LIMITS.text_chars,
        LIMITS.depth,
        LIMITS.id_chars,
        LIMITS.url_chars,
        LIMITS.links,
    ]
    settings = [name for row in cells(PAGE, first="of") for name in quoted(row[2])]
    assert set(settings) == {key for key in settings_by_key() if key.startswith("limits.")}
    assert Settings().limits.line_bytes == LIMITS.line_bytes
