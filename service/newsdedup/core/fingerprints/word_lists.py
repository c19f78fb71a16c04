"""A7, I-Match and Pugh: lists of words; documents with one list in common are alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import ClassVar

from xxhash import xxh3_64_digest, xxh3_64_intdigest, xxh3_128_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method, equal_share
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.weights import idf

LIST_BYTES = 8
"""Bytes of the hash of a list."""


def sign_lists(
    method: Method, lists: Iterable[Iterable[str]], corpus: CorpusStats | None = None
) -> Fingerprint:
    """Return a 64-bit hash of each list of words, 0 for an empty list.

    Each hash other than 0 is a key together with its index. NO_FINGERPRINT if all lists are empty.
    A method that reads the corpus passes it.
    """
    texts = [" ".join(words) for words in lists]
    hashes = [xxh3_64_digest(words.encode()) if words else bytes(LIST_BYTES) for words in texts]
    filed = [b"%d " % at + one for at, one in enumerate(hashes) if any(one)]
    if not filed:
        return NO_FINGERPRINT
    return Fingerprint(method.keys_of(filed, corpus), b"".join(hashes))


_DRAW_BITS = 12
"""Bits of one draw: a share of words is removed to within 1 in 4096."""
_DRAWS = 128 // _DRAW_BITS
"""Draws that one hash of a word gives."""


@dataclass(frozen=True, slots=True)
class LexRand(Method):
    """A7: I-Match over a lexicon and over random parts of it (Kolcz et al. 2004, paper 000).

    I-Match: the hash of the distinct words of the text that are in the lexicon, in alphabetical
    order. Each of the further lexicons leaves out about 30 % of the words, drawn by hash, so the
    draw needs no list. Equal signatures under one lexicon make duplicates. After n words were
    changed, one of K further signatures is as before with probability 1 - (1 - p^n)^K.

    Our reading, where the paper gives no bounds: the lexicon holds the words whose idf is from
    0.2 to 0.8 of ln N (Chowdhury et al. 2002 measure idf so), and a signature needs 5 words.
    Without further lexicons it is the plain I-Match.
    """

    lexicons: int = 10
    removed: float = 0.3
    lowest: float = 0.2
    highest: float = 0.8
    least: int = 5
    seed: int = 1
    name: str = "lex_rand"
    exact: ClassVar[bool] = True

    @property
    def version(self) -> str:
        """Return the parameters as text: lexicons, share removed, bounds, least words, seed."""
        return (
            f"1/{self.lexicons}/{self.removed:g}/{self.lowest:g}-{self.highest:g}"
            f"/{self.least}/{self.seed}"
        )

    @property
    def threshold(self) -> float:
        """Return the match from which on documents are duplicates: one of all signatures."""
        return 1 / (1 + self.lexicons)

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return a hash of the words under each lexicon, the main one first; 0 for too few."""
        words = [word for word in sorted(set(prepared.words)) if self.holds(word, corpus)]
        if len(words) < self.least:
            return sign_lists(self, [], corpus)
        parts = [words]
        for first in range(0, self.lexicons, _DRAWS):
            parts += self._parts(words, first)
        return sign_lists(self, [part if len(part) >= self.least else [] for part in parts], corpus)

    def holds(self, word: str, corpus: CorpusStats) -> bool:
        """Return whether the idf of a word, as a share of ln N, lies within the bounds."""
        df, _, documents = corpus.frequency(word)
        if documents == 1:
            return False
        share = round(idf(df=df, documents=documents) / log(documents), 6)
        return self.lowest <= share <= self.highest

    def _parts(self, words: Sequence[str], first: int) -> list[list[str]]:
        """Return the words of up to ten further lexicons, from number `first` on."""
        limit = round(self.removed * (1 << _DRAW_BITS))
        drawn = [xxh3_128_intdigest(word.encode(), self.seed + first) for word in words]
        mask = (1 << _DRAW_BITS) - 1
        return [
            [word for word, draw in zip(words, drawn, strict=True) if draw >> at & mask >= limit]
            for at in range(0, _DRAW_BITS * min(_DRAWS, self.lexicons - first), _DRAW_BITS)
        ]

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of equal hashes, lexicon by lexicon, where either document has one."""
        return equal_share(left, right, width=LIST_BYTES)


@dataclass(frozen=True, slots=True)
class PughLists(Method):
    """The words dealt by hash into lists; two documents with an equal list (Pugh, paper 000).

    A word put for another spoils two lists at most. The lists of one number are compared. Our
    reading, where the paper gives no numbers: 8 lists, and one of fewer than 3 words is not signed,
    for it says too little.
    """

    lists: int = 8
    least: int = 3
    name: str = "pugh_lists"
    exact: ClassVar[bool] = True

    @property
    def threshold(self) -> float:
        """Return the match from which on documents are duplicates: one of all lists."""
        return 1 / self.lists

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Deal distinct words into lists by hash; return a hash of each, 0 for one of too few."""
        dealt: list[list[str]] = [[] for _ in range(self.lists)]
        for word in sorted(set(prepared.words)):
            dealt[xxh3_64_intdigest(word.encode()) % self.lists].append(word)
        return sign_lists(self, [words if len(words) >= self.least else [] for words in dealt])

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of equal lists among the positions where either document has one."""
        return equal_share(left, right, width=LIST_BYTES)


def i_match() -> LexRand:
    """Return the method I-Match, without further lexicons (Chowdhury et al. 2002)."""
    return LexRand(lexicons=0, name="i_match")
