"""Words that are left out, because any text has them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import xxhash

from newsdedup.core.model import Language
from newsdedup.data import lang as tables

MINIMUM_LENGTH = 3
"""Shorter words are left out: abbreviations of two letters (ЕС, UK) are in every text of their
topic, and single letters are initials. Paper 000 leaves out words of three letters too; measured
in docs/decisions/0003-background-and-weights.md."""


@dataclass(frozen=True, slots=True)
class StopWords:
    """The words of each language that occur in any text, whatever it is about."""

    lists: Mapping[Language, Collection[str]] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """Return a hash of the lists of all languages."""
        lines = [f"{lang} {' '.join(sorted(self.lists[lang]))}" for lang in sorted(self.lists)]
        return xxhash.xxh3_64_hexdigest("\n".join(lines).encode())

    def stops(self, form: str, lemma: str, lang: Language) -> bool:
        """Return whether a word is left out: too short, without letters, or a listed stop word.

        A word is listed by its form or its lemma; `lang` is the language of the document, which
        chooses the lists (LISTS_FOR).
        """
        if len(form) < MINIMUM_LENGTH or not (form.isalpha() or any(map(str.isalpha, form))):
            return True
        lists = [self.lists.get(one, ()) for one in LISTS_FOR[lang]]
        return any(form in listed or lemma in listed for listed in lists)


LISTS_FOR: Mapping[Language, tuple[Language, ...]] = {
    lang: (lang, *sorted(tables.words("language.quoted", folders=[lang])))
    for lang in tables.LANGUAGE_FOLDERS
} | {"other": tables.LANGUAGE_FOLDERS}
"""By language of a document, whose lists count: its own and of the languages that it quotes."""
