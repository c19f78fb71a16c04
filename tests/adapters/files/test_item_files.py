import json
from pathlib import Path

import pytest

from newsdedup import InvalidItem, ItemKey
from newsdedup.adapters.files.item_files import find_items, read_item_file
from newsdedup.adapters.files.lines import IDLE, Line
from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.json_object import LIMITS
from newsdedup.ports.errors import SourceUnusable


def file(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_file_holds_one_item_in_as_many_lines_as_it_likes(tmp_path):
    path = file(tmp_path, "one.json", json.dumps({"id": 1, "title": "Міст"}, indent=2))
    assert read_item_file(path, LIMITS).key == ItemKey("one", "1")


def test_of_plain_text_the_first_line_is_the_title(tmp_path):
    item = read_item_file(
        file(tmp_path, "one.txt", "\ufeff\nПожар в Туле\n\nСгорел склад.\n"), LIMITS
    )
    assert (item.title, item.text, item.key.id) == ("Пожар в Туле", "Сгорел склад.", "one.txt")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "{}"),
        ("a.json", '{"id":1,"title":"x"}\n{"id":2,"title":"y"}'),
        ("a.json", '{"newsdedup":"retract","id":1}'),
        ("a.txt", " \n "),
        ("a.txt", "\u200b\n<p></p>"),
        ("a.txt", b"\xcf\xee\xe6\xe0\xf0"),
        ("a.txt", "x" * (LIMITS.title_chars + 1)),
        ("a.txt", "x\n" + "y" * (LIMITS.text_chars + 1)),
    ],
)
def test_what_is_no_single_item_is_refused_with_the_name_of_the_file(tmp_path, name, content):
    with pytest.raises(InvalidItem, match=str(tmp_path / name)):
        read_item_file(file(tmp_path, name, content), LIMITS)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SourceUnusable, match="nowhere"):
        read_item_file(tmp_path / "nowhere", LIMITS)


def named(folder: Path, *names: str):
    lines = (folder / "items.jsonl").read_bytes().splitlines()
    records = [Line("items", n, 0, 0, data, len(data)) for n, data in enumerate(lines, 1)]
    return find_items(
        names, [IDLE, *records], lambda line: decode_item(line.data), where="items.jsonl"
    )


@pytest.fixture
def items(tmp_path) -> Path:
    lines = [
        {"source": "a", "id": "1", "title": "first version"},
        {"source": "b", "id": "1", "title": "another source"},
        {"source": "a", "id": "2", "title": "two"},
        {"newsdedup": "retract", "source": "a", "id": "3"},
        {"source": "a", "id": "1", "title": "second version"},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\n{broken\n"
    file(tmp_path, "items.jsonl", text)
    return tmp_path


def test_items_are_found_by_name_in_their_last_version(items):
    found = named(items, "a/1", "2")
    assert [item.title for item in found["a/1"]] == ["second version"]
    assert [item.title for item in found["2"]] == ["two"]


def test_an_id_of_two_sources_finds_both(items):
    assert [item.key.source for item in named(items, "1")["1"]] == ["a", "b"]


def test_a_name_that_is_not_there_names_the_nearest(items):
    with pytest.raises(SourceUnusable, match="did you mean a/1"):
        named(items, "2", "a/7")
