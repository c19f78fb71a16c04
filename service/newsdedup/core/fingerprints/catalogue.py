"""The catalogue of all methods: a line each, from which settings, help, tables and tests derive.

It imports no method, so that the command line knows the names without waiting for numpy;
`load_methods` imports those that it returns.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from newsdedup.core.fingerprints.method import Method
    from newsdedup.core.words.background import Pivots


class CatalogueLine(NamedTuple):
    """Where a method is defined, and its number in narrow tables."""

    number: str
    """A0 to A12 as in paper 000, others by their initials."""
    module: str
    """In this folder."""
    factory: str
    """A class or function of the module that returns the method with its default parameters."""


METHODS: Mapping[str, CatalogueLine] = {
    "md5": CatalogueLine("A0", "md5", "Md5"),
    "md5_body": CatalogueLine("A0b", "md5", "md5_of_body"),
    "md5_lead": CatalogueLine("A0l", "md5", "md5_of_lead"),
    "tf": CatalogueLine("A1", "heavy_words", "tf"),
    "tf_idf": CatalogueLine("A2", "heavy_words", "tf_idf"),
    "tf_ridf": CatalogueLine("A3", "heavy_words", "tf_ridf"),
    "long_sent": CatalogueLine("A4", "heavy_words", "LongSent"),
    "heavy_sent": CatalogueLine("A5", "heavy_words", "HeavySent"),
    "megashingles": CatalogueLine("A6", "shingles", "Megashingles"),
    "megashingles_84": CatalogueLine("A6f", "shingles", "megashingles_84"),
    "lex_rand": CatalogueLine("A7", "word_lists", "LexRand"),
    "i_match": CatalogueLine("A7i", "word_lists", "i_match"),
    "log_shingles": CatalogueLine("A8", "shingles", "LogShingles"),
    "descr_words": CatalogueLine("A9", "descr_words", "DescrWords"),
    "opt_freq": CatalogueLine("A10", "heavy_words", "opt_freq"),
    "decomposition": CatalogueLine("A11s", "shingles", "Decomposition"),
    "three_plus_five": CatalogueLine("A12", "longest_words", "ThreePlusFive"),
    "terms12": CatalogueLine("T12", "heavy_words", "Terms12"),
    "longest_words": CatalogueLine("LW", "longest_words", "LongestWords"),
    "simhash": CatalogueLine("SH", "simhash", "Simhash"),
    "simhash_tf_idf": CatalogueLine("SHw", "simhash", "simhash_tf_idf"),
    "minhash": CatalogueLine("MH", "shingles", "Minhash"),
    "pugh_lists": CatalogueLine("PL", "word_lists", "PughLists"),
    "synonym_jaccard": CatalogueLine("SJ", "synonym_jaccard", "SynonymJaccard"),
}
"""In the order of tables and charts; settings list the names alphabetically."""


def load_methods(
    names: Iterable[str] = tuple(METHODS), *, pivots: "Pivots | None" = None
) -> "dict[str, Method]":
    """Return the methods of these names, by name, with the parameters of their papers.

    Without pivots `descr_words` signs nothing. Raise KeyError for a name that is not in METHODS.
    """
    found: dict[str, Method] = {}
    for name in names:
        line = METHODS[name]
        factory = getattr(import_module(f"{__package__}.{line.module}"), line.factory)
        found[name] = factory(pivots=pivots) if pivots and name == "descr_words" else factory()
    return found
