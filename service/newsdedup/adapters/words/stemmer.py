from functools import cached_property

import Stemmer


class SnowballStemmer:
    """Stems by Snowball (PyStemmer), for English and for any other language it knows."""

    def __init__(self, algorithm: str = "english") -> None:
        self._algorithm = algorithm

    @cached_property
    def _stemmer(self) -> "Stemmer.Stemmer":
        # Its own cache is off: the vocabulary above it is the bounded one.
        return Stemmer.Stemmer(self._algorithm, 0)

    @property
    def version(self) -> str:
        """Return the algorithm and the version of the library."""
        return f"snowball {self._algorithm} {Stemmer.version()}"

    def lemma(self, form: str) -> str:
        """Return the stem of a lower-case form; a stem is never empty."""
        stem: str = self._stemmer.stemWord(form)
        return stem or form
