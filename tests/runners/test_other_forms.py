"""Arrays of JSON and tables of CSV as inputs of a run: read, resumed, killed, and grown."""

import csv
import gzip
import io
import json
import signal
from pathlib import Path

import pytest

from cli.in_process import run
from runners import processes

ITEMS = [
    {
        "id": str(number),
        "source": "port.example",
        "title": f"Ferry {number} to the island of Velna runs again",
        "text": f'The "ferry" {number}\nhas room for {number + 40} cars, and runs daily.',
        "published_at": f"2026-11-20T10:{number:02}:00Z",
        "desk": "sea",
    }
    for number in range(12)
]


def table(items, delimiter=","):
    written = io.StringIO()
    writer = csv.DictWriter(written, list(ITEMS[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(items)
    return written.getvalue().encode()


LINES = "".join(json.dumps(item) + "\n" for item in ITEMS).encode()
FORMS = {
    "array.json": json.dumps(ITEMS).encode(),
    "pretty.json": json.dumps(ITEMS, indent=2).encode(),
    "objects.json": "\n".join(json.dumps(item, indent=2) for item in ITEMS).encode(),
    "items.csv": table(ITEMS),
    "items.tsv": table(ITEMS, "\t"),
    "packed.csv.gz": gzip.compress(table(ITEMS, ";")),
}
SMALL = {"NEWSDEDUP_RUN__BATCH": "5"}


def ran(folder: Path, name: str, **variables):
    done = run("run", name, "--to", "out.jsonl", "--json", cwd=folder, **SMALL, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def judged_items(folder: Path):
    """Return the items that were judged, with their verdicts, in the order of the output."""
    lines = (folder / "out.jsonl").read_bytes().splitlines()
    return [
        ({name: said[name] for name in ITEMS[0]}, said["dedup"]["verdict"])
        for said in map(json.loads, lines)
    ]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """What a run says of the items one a line."""
    folder = tmp_path_factory.mktemp("lines")
    (folder / "items.jsonl").write_bytes(LINES)
    ran(folder, "items.jsonl")
    return judged_items(folder)


@pytest.mark.parametrize("name", FORMS)
def test_items_in_another_form_get_the_same_verdicts_and_are_read_once(tmp_path, name, verdicts):
    (tmp_path / name).write_bytes(FORMS[name])
    stats = ran(tmp_path, name)
    assert (stats["judged"], stats["dead_letters"], stats["half_written"]) == (12, 0, 0)
    assert judged_items(tmp_path) == verdicts
    assert ran(tmp_path, name)["lines"] == 0
    assert judged_items(tmp_path) == verdicts


@pytest.mark.usefixtures("process")
@pytest.mark.parametrize(
    ("name", "at"),
    [
        *(("array.json", at) for at in ("before_output", "after_output", "after_sync")),
        ("items.csv", "after_output"),
        ("items.csv", "after_commit"),
        ("packed.csv.gz", "after_output"),
    ],
)
def test_a_run_killed_anywhere_goes_on_behind_the_last_item(tmp_path, name, at, verdicts):
    (tmp_path / name).write_bytes(FORMS[name])
    words = ("run", name, "--to", "out.jsonl", "--quiet")
    died = processes.run(*words, cwd=tmp_path, NEWSDEDUP_FAILPOINT=f"{at}:3", **SMALL)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert ran(tmp_path, name)["lines"] < 12
    assert judged_items(tmp_path) == verdicts


@pytest.mark.usefixtures("long")
@pytest.mark.parametrize("form", ["array.json", "pretty.json", "items.csv"])
def test_a_file_that_grows_is_read_on_wherever_its_writer_was(tmp_path, form, verdicts):
    content = FORMS[form]
    file = tmp_path / form
    # The header of a table is whole before the first item.
    for end in range(200, len(content), 211):
        # A row that ends within its last cell cannot be distinguished from a whole one.
        if form == "items.csv" and b"\n" not in content[:end].rpartition(b"Z,")[2]:
            continue
        file.write_bytes(content[:end])
        ran(tmp_path, form)
    file.write_bytes(content)
    ran(tmp_path, form)
    assert judged_items(tmp_path) == verdicts
    assert not (tmp_path / "out.jsonl.dlq").exists()


def test_a_last_row_without_a_line_end_is_judged_once(tmp_path):
    file = tmp_path / "items.csv"
    file.write_bytes(table(ITEMS[:2]).rstrip(b"\n"))
    assert ran(tmp_path, file.name)["judged"] == 2
    file.write_bytes(table(ITEMS[:3]))
    assert ran(tmp_path, file.name)["judged"] == 1
    assert [item["id"] for item, _ in judged_items(tmp_path)] == ["0", "1", "2"]


def test_a_bad_row_and_a_bad_element_are_dead_letters_with_their_position(tmp_path):
    (tmp_path / "items.csv").write_bytes(b"id,title\n1,Ferry runs\n2,a,b,c\n3,\n4,Tram runs\n")
    assert ran(tmp_path, "items.csv")["dead_letters_by_reason"] == {"bad_csv": 1, "no_text": 1}
    dead_letters = [
        json.loads(one) for one in (tmp_path / "out.jsonl.dlq").read_bytes().splitlines()
    ]
    assert [(one["line"], one["offset"], one["text"]) for one in dead_letters] == [
        (3, 22, "2,a,b,c"),
        (4, 30, '{"id":"3"}'),
    ]
    (tmp_path / "array.json").write_bytes(b'[{"id": 5, "title": "Bus runs"}, 7, {"id": 8}]')
    assert ran(tmp_path, "array.json")["dead_letters_by_reason"] == {"no_text": 1, "not_object": 1}
    dead_letters = [
        json.loads(one) for one in (tmp_path / "out.jsonl.dlq").read_bytes().splitlines()
    ]
    assert [(one["line"], one["offset"]) for one in dead_letters[2:]] == [(2, 33), (3, 36)]


@pytest.mark.parametrize("name", ["array.json", "items.csv"])
def test_standard_input_is_read_in_these_forms_too(tmp_path, name, verdicts):
    done = run("run", "-", "--to", "out.jsonl", cwd=tmp_path, stdin=FORMS[name], **SMALL)
    assert done.returncode == 0, done.stderr
    assert judged_items(tmp_path) == verdicts


def test_an_input_of_which_nothing_can_be_read_is_refused_and_nothing_is_written(tmp_path):
    (tmp_path / "out.jsonl").write_bytes(b"")
    (tmp_path / "good.jsonl").write_bytes(LINES)
    (tmp_path / "bad.jsonl").write_bytes(LINES.decode().encode("utf-16"))
    done = run("run", "good.jsonl", "bad.jsonl", "--to", "out.jsonl", "--fresh", cwd=tmp_path)
    assert done.returncode == 65
    assert done.stderr.decode() == (
        "newsdedup: bad.jsonl looks like UTF-16, not UTF-8: convert it with "
        "`iconv -f utf-16 -t utf-8 bad.jsonl > bad.utf8.jsonl`\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("bad.jsonl", "good.jsonl", "out.jsonl")
    ]


def test_a_table_without_columns_of_news_is_refused_with_the_command_that_maps_them(tmp_path):
    (tmp_path / "news.csv").write_bytes(b"nr,kopf\n1,Ferry\n")
    done = run("run", "news.csv", "--to", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 65
    assert b"newsdedup import table news.csv --map title=COLUMN,text=COLUMN" in done.stderr
    assert not (tmp_path / "out.jsonl.dlq").exists()


def test_finished_collections_are_refused_alike_and_arrays_are_read(tmp_path):
    (tmp_path / "bad.jsonl").write_bytes(LINES.decode().encode("utf-16"))
    done = run("dedup", "bad.jsonl", "--to", "result/", cwd=tmp_path)
    assert (done.returncode, b"iconv -f utf-16" in done.stderr) == (65, True)
    (tmp_path / "array.json").write_bytes(FORMS["array.json"])
    done = run("dedup", "array.json", "--to", "result/", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == 12
