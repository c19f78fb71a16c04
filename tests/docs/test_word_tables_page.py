import re
import tomllib
from pathlib import Path

from docs.pages import cells, quoted
from newsdedup.data import lang

PACKAGE = Path(lang.__file__).parents[2]
FILES = sorted({file.stem for file in Path(lang.__file__).parent.rglob("*.toml")})
READ = re.compile(rf"[\"']((?:{'|'.join(FILES)})\.[a-z_]+)[\"']")
SHARED = {"times.hour_forms", "times.late_hour_forms", "counterparts.pairs"}
"""Tables whose rows may share words."""


def tables() -> dict[str, list[object]]:
    listed: dict[str, list[object]] = {}
    for language in lang.FOLDERS:
        for file in sorted((Path(lang.__file__).parent / language).glob("*.toml")):
            for key, table in tomllib.loads(file.read_text("utf-8")).items():
                listed.setdefault(f"{file.stem}.{key}", []).append(table)
    return listed


def test_the_page_explains_every_table_and_no_other():
    explained = [quoted(row[0])[0] for row in cells("word-tables.md", first="table")]
    assert sorted(explained) == sorted(tables())


def test_the_code_reads_every_table_and_no_other():
    sources = [file.read_text("utf-8") for file in PACKAGE.rglob("*.py")]
    assert {name for source in sources for name in READ.findall(source)} == set(tables())


def test_all_languages_write_a_table_alike_and_no_word_stands_in_two_rows():
    for name, parts in tables().items():
        kinds = {isinstance(part, dict) for part in parts}
        assert len(kinds) == 1, name
        assert lang.words(name) if kinds == {False} else name in SHARED or lang.meanings(name)


def test_words_are_in_lower_case_with_a_plain_apostrophe():
    for name, parts in tables().items():
        for part in parts:
            for listed in part.values() if isinstance(part, dict) else [part]:
                text = listed if isinstance(listed, str) else " ".join(listed)
                assert text == text.lower() or name == "units.names"
                assert "’" not in text, name
