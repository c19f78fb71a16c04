"""Whether two documents of a collection are the same text, letter by letter."""

from newsdedup.lab.collections.shelf import DocumentStore
from newsdedup.lab.similarities.text import SAME_TEXT, text_similarity


class TextComparer:
    """Compares texts; the one that was named first last time is kept at hand."""

    def __init__(self, shelf: DocumentStore) -> None:
        self._shelf = shelf
        self._letters = shelf.index.letters
        self._kept: tuple[int, str] = (-1, "")

    def similarity(self, left: int, right: int, *, least: float = 0.0) -> float:
        """Return 2 * LCS / (n + m) exactly, 0 below the least.

        Of texts so unlike in length that not even all of the shorter would be enough, nothing is
        read.
        """
        one, other = self._letters[left], self._letters[right]
        if 2 * min(one, other) < least * (one + other):
            return 0.0
        if self._kept[0] != left:
            self._kept = (left, self._shelf.text(left))
        return text_similarity(self._kept[1], self._shelf.text(right), least=least)

    def same(self, left: int, right: int) -> bool:
        """Return whether the texts are the same by 80 % and more."""
        return self.similarity(left, right, least=SAME_TEXT) >= SAME_TEXT
