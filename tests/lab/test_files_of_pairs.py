"""Labelled pairs as files tell them: what is understood, what is left out, what is refused."""

import json
from pathlib import Path

import pytest

from newsdedup import ItemKey
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.collections.pairs import PairFile, read_labelled_pairs, read_pair_file
from newsdedup_lab.collections.truths import planted_stories


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "pairs.tsv"


def read(index: Path, text: str | bytes) -> PairFile:
    index.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_pair_file(index)


def refusal(index: Path, text: str | bytes) -> str:
    with pytest.raises(SourceUnusable) as refused:
        read(index, text)
    return str(refused.value).removeprefix(f"{index}: ")


def test_what_says_nothing_about_copies_is_left_out_and_counted(index: Path) -> None:
    rows = "a b ? W\na c 0 U\na d ? X\na e  N\na f  OK\na g\na h  X\n"
    found = read(index, f"id1 id2 dup label\n{rows}".replace(" ", "\t"))
    assert [(one.right, one.duplicate, one.label) for one in found.pairs] == [
        ("c", False, "U"),
        ("e", False, "N"),
    ]
    assert found.left_out == {"dup ?": 2, "label OK": 1, "no label": 1, "label X": 1}
    assert read_labelled_pairs(index) == list(found.pairs)


def test_the_word_of_one_labeller_alone_says_nothing(index: Path) -> None:
    found = read(index, "id1\tid2\tdup\tlabel_a\na\tb\t\tW\na\tc\t1\tR\n")
    assert [(one.right, one.label) for one in found.pairs] == [("c", "R")]
    assert found.left_out == {"no label": 1}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("byte_order_mark", ["", "\ufeff"])
def test_files_of_any_system_are_read(index: Path, end: str, byte_order_mark: str) -> None:
    lines = ["id1 \tid2\tdup\tweight", "", ' "a\tb"c\t1 \t 2.5', "d\te\t0\t0", ""]
    one, other = read(index, byte_order_mark + end.join(lines)).pairs
    assert (one.left, one.right, one.duplicate, one.weight) == ('"a', 'b"c', True, 2.5)
    assert (other.duplicate, other.weight) == (False, 0.0)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("c\td\tyes\t\t", "line 3: dup yes is not known: one of 1, 0, ?"),
        ("c\td\t\tr\t", "line 3: label r is not known: one of R, W, U, P, S, T, N, BAD, OK, X"),
        ("c\td\t\tduplicate\t", "line 3: label duplicate is not known"),
        ("c\td\t1\t\t-3", "line 3: weight -3: a weight is 0 or more, and at most 1e+15"),
        ("c\td\t1\t\tnan", "line 3: weight nan: a weight is 0 or more, and at most 1e+15"),
        ("c\td\t1\t\tinf", "line 3: weight inf: a weight is 0 or more, and at most 1e+15"),
        ("c\td\t1\t\t1e308", "line 3: weight 1e308: a weight is 0 or more, and at most 1e+15"),
        ("c\td\t1\t\t1,5", "line 3: weight 1,5 is no number such as 1.5"),
        ("c\td\t1\t\t2\tmore", "line 3: holds 6 values, but 5 are named"),
        ("c\t\t1\t\t", "line 3: id1 or id2 is empty"),
        ("c\tc\t1\t\t", "line 3: c stands alongside itself"),
        ("b\ta\t0\t\t", "line 3: b and a are duplicates here or in line 2, not both"),
    ],
)
def test_a_line_that_is_not_understood_is_refused(index: Path, row: str, reason: str) -> None:
    header = "id1\tid2\tdup\tlabel\tweight\na\tb\t1\t\t\n"
    assert refusal(index, f"{header}{row}\n").startswith(reason)


def test_a_pair_that_is_there_again_counts_once(index: Path) -> None:
    found = read(index, "id1\tid2\tlabel\na\tb\tR\nb\ta\tW\na\tb\tR\na\tc\tN\n")
    assert [(one.left, one.right, one.label) for one in found.pairs] == [
        ("a", "b", "R"),
        ("a", "c", "N"),
    ]
    assert found.left_out == {"repeated": 2}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty: it holds no pairs, and no line that names columns"),
        ("\ufeff\n", "is empty: it holds no pairs, and no line that names columns"),
        ("id1\tid2\tdup\n", "holds no pairs"),
        ("left\tright\n1\t2\n", "needs columns id1, id2, and dup or label; found left, right"),
        (
            "id1,id2,dup\na,b,1\n",
            "needs columns id1, id2, and dup or label; found id1,id2,dup: there must be tabs {}",
        ),
        ("x" * 201, f"needs columns id1, id2, and dup or label; found {'x' * 200}…"),
        ('[{"id1": "a", "id2": "b"}]', "line 1: is no JSON object: one pair on each line"),
        (
            "id1\tid2\tdup\na\tb\t1\nпожар\tc\t1\n".encode("cp1251"),
            "line 3: is not UTF-8 (byte 0xef): save the file as UTF-8",
        ),
        ("id1\tid2\n".encode("utf-16"), "line 1: is not UTF-8 (byte 0xff): save the file as UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_tells_why(index: Path, text: str | bytes, reason: str) -> None:
    assert refusal(index, text) == reason.format("between the values, not ','")


def test_a_truth_is_read_alike(index: Path) -> None:
    index.write_text('\ufeffsource\tid\tstory\ns\t"a\tx\n', "utf-8")
    assert planted_stories(index) == {ItemKey("s", '"a'): "x"}
    index.write_text("source\tid\tstory\n", "utf-8")
    with pytest.raises(SourceUnusable, match="holds no items"):
        planted_stories(index)


def lines(*words: str) -> str:
    """Return JSON lines of feedback, each word as ONE OTHER DUP."""
    rows = [dict(zip(("id1", "id2", "dup"), word.split(), strict=True)) for word in words]
    return "".join(json.dumps({"newsdedup": "split", "at": "", **row}) + "\n" for row in rows)


def test_of_json_lines_the_last_word_on_a_pair_stands(index: Path) -> None:
    found = read(index, "\ufeff\n" + lines("a b 0", "a c 1", "b a 1", "a c ?"))
    assert [(one.left, one.right, one.duplicate) for one in found.pairs] == [
        ("a", "c", True),
        ("b", "a", True),
    ]
    assert found.left_out == {"dup ?": 1, "repeated": 1}


def test_json_lines_may_hold_numbers_and_what_is_no_pair(index: Path) -> None:
    rows = '{"id1": 1, "id2": "2", "dup": true, "weight": 2.5, "lang": "uk"}\n{"title": "x"}\n'
    (pair,) = read(index, rows).pairs
    assert (pair.left, pair.right, pair.duplicate, pair.weight) == ("1", "2", True, 2.5)
    assert pair.columns == (("lang", "uk"),)
    assert read(index, rows).left_out == {"no pair": 1}


def test_items_in_place_of_pairs_are_told_which_fields_are_missing(index: Path) -> None:
    items = '{"id": "1", "title": "x"}\n{"id": "2", "title": "y"}\n'
    assert refusal(index, items) == (
        "needs the fields id1, id2, and dup or label; no line has id1 or id2"
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id1": "a", "id2": "b"', "line 2: is no JSON: "),
        ('["a", "b", 1]', "line 2: is no JSON object"),
        ("[" * 5_000, "line 2: is no JSON: "),
        ('{"id1": "a", "id2": ["b"], "dup": 1}', "line 2: id2 is neither text nor number"),
        ('{"id1": "a", "dup": 1}', "line 2: id1 or id2 is empty"),
        ('{"id1": "a", "id2": "b", "dup": 2}', "line 2: dup 2 is not known: one of 1, 0, ?"),
        ('{"id1": "a", "id2": "a", "dup": 1}', "line 2: a stands alongside itself"),
    ],
)
def test_a_json_line_that_is_not_understood_is_refused(index: Path, line: str, reason: str) -> None:
    assert refusal(index, f"{lines('a b 1')}{line}\n").startswith(reason)
