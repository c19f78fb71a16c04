import contextlib
import io
import re
from pathlib import Path
from typing import Any

from docs.pages import blocks, page, quoted
from newsdedup.adapters.words.lemmatizers import shipped_lemmas
from newsdedup.adapters.words.package_data import (
    shipped_background,
    shipped_overrides,
    shipped_stop_words,
)
from newsdedup.core.text.language import detect_language
from newsdedup.core.words.lemmas import LISTS_FOR

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
    assert ["stay" not in cell for cell in row("words become")] == [
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


def test_what_the_page_calls_other_is_other():
    for text in (
        "Брэсцкія рэстаўратары адкрылі мост праз раку, паведаміў мэр горада ў панядзелак",
        "Мостът над реката беше открит след ремонта, съобщи кметът на града във вторник",
        "Die Brücke über den Fluss ist nach der Sanierung wieder für den Verkehr geöffnet",
        "El puente sobre el río se abrió al tráfico después de la reparación, dijo la alcaldesa",
        "Қалада көпір жөндеуден кейін ашылды, деп хабарлады әкім дүйсенбі күні",
    ):
        assert detect_language(text) == "other"
