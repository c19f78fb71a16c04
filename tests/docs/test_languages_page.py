import contextlib
import io
import re
from pathlib import Path
from typing import Any

from docs.pages import blocks, page, quoted
from newsdedup.adapters.words.lemmatizers import shipped_lemmas
from newsdedup.adapters.words.package_data import (
    load_stop_words,
    shipped_background,
    shipped_overrides,
    shipped_stop_words,
)
from newsdedup.core.document import WITHOUT_NAMES
from newsdedup.core.words.lemmas import LISTS_FOR
from newsdedup.core.words.pairs import PAIRED
from newsdedup.data.languages import LANGUAGE_ROWS

PAGE = "languages.md"
PROMISED = re.compile(r"print\(.*\)  # (.+)$", re.MULTILINE)
PACKAGE = Path(__file__).parents[2] / "service" / "newsdedup"


def row(start: str) -> list[str]:
    [line] = [line for line in page(PAGE).splitlines() if line.startswith(f"| {start}")]
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


HEADING = next(line for line in page(PAGE).splitlines() if line.startswith("| |"))
LANGUAGES = quoted(HEADING)


def test_the_table_has_the_languages_of_the_shipped_background():
    assert set(LANGUAGES) == set(shipped_background().counts)


def test_the_table_says_which_languages_have_what():
    lemmatizers = shipped_lemmas().lemmatizers
    assert ["stay" not in cell for cell in row("words become |")] == [
        lang in lemmatizers for lang in LANGUAGES
    ]
    assert [bool(cell) for cell in row("corrected by hand")] == [
        bool(shipped_overrides().get(lang)) for lang in LANGUAGES
    ]
    assert ["own list" in cell for cell in row("stop words")] == [
        lang in shipped_stop_words().lists for lang in LANGUAGES
    ]
    assert LISTS_FOR["uk"] == ("uk", "ru")
    assert set(LISTS_FOR["other"]) >= set(shipped_stop_words().lists)


def test_every_file_that_the_page_names_exists():
    named = {name for name in quoted(page(PAGE)) if re.fullmatch(r"(core|adapters|data)/\S+", name)}
    named = {name.replace("*", "ru").replace("LANG", "uk") for name in named}
    assert {name for name in named if not (PACKAGE / name).exists()} == set()


def test_the_code_of_the_page_runs_and_prints_what_it_says():
    names: dict[str, Any] = {}
    for block in blocks(PAGE, "python"):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block.text, PAGE, "exec"), names)  # noqa: S102  # the code of the page
        assert said.getvalue().splitlines() == PROMISED.findall(block.text)


def test_the_page_says_what_becomes_of_the_words_of_each_language():
    rows = LANGUAGE_ROWS.values()
    plain = {"he", "vi"}
    assert quoted(row("words become stems")[0]) == [one.code for one in rows if one.stemmer]
    assert quoted(row("words keep their first")[0]) == [one.code for one in rows if one.beginning]
    assert quoted(row("words become pairs")[0]) == sorted(PAIRED)
    assert {one.code for one in rows if not one.stemmer and not one.beginning} == PAIRED | plain
    assert set(quoted(row("names are recognized")[0])) == LANGUAGE_ROWS.keys() - WITHOUT_NAMES


def test_the_languages_that_the_pages_count_are_those_of_the_table():
    assert f"{len(LANGUAGE_ROWS)}\nhave [a line" in page(PAGE)
    assert f"compares {len(LANGUAGE_ROWS)} languages more" in page("../README.md")


def test_the_stop_words_of_each_language_are_a_file_that_says_where_they_come_from():
    folder = PACKAGE / "data" / "stopwords"
    assert {file.stem for file in folder.iterdir()} == LANGUAGE_ROWS.keys() - {"km", "lo", "my"}
    for file in folder.iterdir():
        head, _, words = file.read_text("utf-8").partition("\n\n")
        assert all(line.startswith("# ") for line in head.splitlines())
        assert words.split() == sorted(set(words.split()))
        assert load_stop_words(file.stem)
