from pathlib import Path

import pytest

from newsdedup.core.fingerprints.synonym_jaccard import build_synonyms
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.synonyms.mythes_file import read_synonyms

SAID = """UTF-8
завод|2
(синоним)|фабрика|производство|цех с трубой
(антоним)|пустырь
Щенок|1
(сходный термин)|собака
"""


def written(folder: Path, data: bytes) -> Path:
    path = folder / "th.dat"
    path.write_bytes(data)
    return path


def test_each_line_of_synonyms_is_a_row_with_its_word(tmp_path: Path) -> None:
    found = read_synonyms(written(tmp_path, SAID.encode()), str)
    assert found == build_synonyms([("завод", "фабрика", "производство"), ("щенок", "собака")])


def test_words_are_read_by_their_lemmas(tmp_path: Path) -> None:
    found = read_synonyms(written(tmp_path, SAID.encode()), lambda form: form[:3])
    assert found == build_synonyms([("зав", "фаб", "про"), ("щен", "соб")])


def test_the_first_line_names_the_encoding(tmp_path: Path) -> None:
    other = SAID.replace("UTF-8", "KOI8-R").encode("koi8-r")
    assert read_synonyms(written(tmp_path, other), str) == read_synonyms(
        written(tmp_path, SAID.encode()), str
    )


@pytest.mark.parametrize("data", [b"no-such-encoding\nword|1\n", b"UTF-8\n\xff\xfe|1\n", b"\xff\n"])
def test_what_is_no_dictionary_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(SourceUnusable, match="no dictionary"):
        read_synonyms(written(tmp_path, data), str)


def test_a_missing_dictionary_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceUnusable, match="cannot be read"):
        read_synonyms(tmp_path / "none.dat", str)
