import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from newsdedup.cli.app import app
from newsdedup.cli.errors import ExitCode

pytestmark = pytest.mark.usefixtures("long")

DICTIONARY = """UTF-8
пожар|1
(синоним)|возгорание|огонь
сообщить|1
(синоним)|рассказать|заявить
"""
FOUR = ["all", "band", "all synonyms", "band synonyms"]


def lab(*args: object) -> Result:
    return CliRunner().invoke(app, ["lab", *map(str, args)])


def measurements(folder: Path) -> dict:
    return json.loads((folder / "synonyms.json").read_text("utf-8"))["measurements"]


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    assert lab("generate", "--items", 150, "--out", folder / "made.jsonl").exit_code == 0
    (folder / "th.dat").write_text(DICTIONARY, "utf-8")
    return folder


@pytest.fixture(scope="module")
def studied(made: Path) -> Path:
    out = made / "reports"
    truth = ("--truth", made / "made.jsonl.truth.tsv", "--most", 60)
    result = lab("synonyms", made / "made.jsonl", *truth, "--synonyms", made / "th.dat",
               "--out", out)  # fmt: skip
    assert result.exit_code == ExitCode.OK, result.output
    assert result.stdout.strip() == str(out / "synonyms.html")
    return out


def test_four_variants_are_compared_over_a_planted_truth(studied: Path) -> None:
    found = measurements(studied)
    assert list(found["curves"]) == FOUR
    assert found["truth"]["kind"] == "planted"
    assert found["documents"] <= 60
    for curves in found["curves"].values():
        recall = curves["all, pairs"]["recall"]
        assert recall[0] == 1.0
        assert recall == sorted(recall, reverse=True)
    assert found["words"]["dictionary"] == 6
    assert 0 < found["words"]["with_synonyms"] <= 6


def test_synonyms_never_lower_a_coefficient(studied: Path) -> None:
    documents = measurements(studied)["of_documents"]
    for plain, coupled in (("all", "all synonyms"), ("band", "band synonyms")):
        assert documents[coupled]["all"]["noise"] >= documents[plain]["all"]["noise"]
        assert documents[coupled]["all"]["coefficient"] >= documents[plain]["all"]["coefficient"]


def test_the_page_shows_what_the_authors_print_next_to_what_was_found(studied: Path) -> None:
    page = (studied / "synonyms.html").read_text("utf-8")
    assert "Neelova, Sychugov (2009)" in page
    assert "5 to 10 %" in page
    assert "20% to 30%" in page
    assert page.count("<svg") == 7


def test_what_the_folder_keeps_is_not_done_again(made: Path, studied: Path) -> None:
    truth = ("--truth", made / "made.jsonl.truth.tsv", "--most", 60)
    whole = (made / "made.jsonl", *truth, "--out", studied)
    again = lab("synonyms", *whole, "--synonyms", made / "th.dat")
    assert again.stderr.count("kept in") == 8
    other = made / "other.dat"
    other.write_text(DICTIONARY.replace("огонь", "пламя"), "utf-8")
    changed = lab("synonyms", *whole, "--synonyms", other)
    assert changed.stderr.count("kept in") == 2  # truth and documents


def test_without_a_dictionary_two_variants_are_left(made: Path, tmp_path: Path) -> None:
    result = lab("synonyms", made / "made.jsonl", "--most", 30, "--out", tmp_path, "--json")
    assert result.exit_code == ExitCode.OK, result.output
    assert json.loads(result.stdout)["measurements"] == str(tmp_path / "synonyms.json")
    found = measurements(tmp_path)
    assert (list(found["curves"]), found["truth"]["kind"]) == (FOUR[:2], "texts")
    assert "No dictionary of synonyms was given" in (tmp_path / "synonyms.html").read_text("utf-8")


def test_labelled_pairs_are_all_compared(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    said = ["Мост открыт после ремонта", "Мост открыт после большого ремонта", "Пожар в городе"]
    items.write_text(
        "".join(
            json.dumps({"source": "s", "id": str(n), "text": text}) + "\n"
            for n, text in enumerate(said)
        )
    )
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("id1\tid2\tdup\n0\t1\t1\n1\t2\t0\n")
    result = lab("synonyms", items, "--pairs", pairs, "--out", tmp_path, "--lowest", 0)
    assert result.exit_code == ExitCode.OK, result.output
    curves = measurements(tmp_path)["curves"]["all"]["all, pairs"]
    # Shared: 4 of 5 words.
    assert [curves["recall"][at] for at in (80, 81)] == [1.0, 0.0]
    assert curves["best"] == 0.01
    # Labelled pairs are all there is: nothing stands for pairs of the collection.
    assert "all, collection" not in measurements(tmp_path)["curves"]["all"]


def test_items_without_duplicates_are_refused(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    items.write_text('{"id": "1", "text": "Мост открыт"}\n{"id": "2", "text": "Пожар погашен"}\n')
    refused = lab("synonyms", items, "--out", tmp_path)
    assert refused.exit_code == ExitCode.INPUT_MISSING
    assert "no two of the items are duplicates" in refused.stderr


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        (("--pairs", "a.tsv", "--truth", "b.tsv"), ExitCode.USAGE, "only one truth"),
        (("--lowest", 9, "--highest", 8), ExitCode.USAGE, "no word is left"),
        (("--synonyms", "none.dat"), ExitCode.INPUT_MISSING, "none.dat"),
    ],
)
def test_a_wrong_question_is_refused(made: Path, tmp_path: Path, options, code, reason) -> None:
    truth = () if "--pairs" in options else ("--truth", made / "made.jsonl.truth.tsv")
    refused = lab("synonyms", made / "made.jsonl", *truth, *options, "--out", tmp_path)
    assert refused.exit_code == code
    assert reason in refused.stderr
