"""Opens archives, with the words by which they are searched."""

from pathlib import Path

from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.adapters.words.package_data import shipped_background
from newsdedup.archive.reader import ArchiveReader
from newsdedup.archive.search_words import SearchWords


def open_archive_reader(path: Path, words: SearchWords | None = None) -> ArchiveReader:
    """Return a reader of an archive, for one thread; the caller closes it.

    Readers should share their words, which take some 60 MB. Raise SourceUnusable if there is no
    such file, StateUnusable if it cannot be read.
    """
    return ArchiveReader(path, words or make_search_words())


def make_search_words() -> SearchWords:
    """Return the words of the languages that the package ships.

    The configured background table has no part in them: it would tie an archive to it.
    """
    return SearchWords(shipped_vocabulary(shipped_background()))
