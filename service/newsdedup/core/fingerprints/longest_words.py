from dataclasses import dataclass
from hashlib import md5
from math import nextafter
from typing import ClassVar
from zlib import crc32

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method, cut
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint

_WORD_BYTES = 4
"""Bytes of the CRC32 of a word."""
_TEXT_BYTES = 16
"""Bytes of the MD5 of the text, which comes first."""


@dataclass(frozen=True, slots=True)
class LongestWords(Method):
    """The CRC32 of the 15 longest words of 4 letters and more (CopyWatcher, paper 001).

    The match is shared / min(n, m), of two shared words and more; the same text, by MD5, matches
    with 1. Our reading: distinct lemmas, equal lengths by alphabet, the MD5 of all words.

    Keys are the MD5 and the rarest of the words: as many as pairs of equally long signatures at
    the threshold cannot all miss, and `spare` more. A pair whose signatures differ by more than
    `spare` words may be missed. With all words as keys, any long word would make many
    candidates (the paper: on large collections let them share more than 5).
    """

    words: int = 15
    least: int = 2
    spare: int = 3
    name: str = "longest_words"
    threshold: ClassVar[float] = nextafter(0.8, 1.0)
    exact: ClassVar[bool] = False

    def sign(self, prepared: PreparedText, corpus: CorpusStats) -> Fingerprint:
        """Return the MD5 of all words and the CRC32 of the longest ones, the rarest first.

        NO_FINGERPRINT for a document without words.
        """
        if not prepared.words:
            return NO_FINGERPRINT
        longest = sorted(set(prepared.words), key=lambda word: (-len(word), word))[: self.words]
        rare = [crc32(word.encode()) for word in corpus.rarest_first(longest)]
        words = [crc.to_bytes(_WORD_BYTES, "little") for crc in dict.fromkeys(rare)]
        whole = md5(" ".join(prepared.words).encode(), usedforsecurity=False).digest()
        parts = [whole, *words[: self._key_count(len(words))]]
        return Fingerprint(self.keys_of(parts, corpus), whole + b"".join(words))

    def _key_count(self, count: int) -> int:
        """Return how many words of a signature of `count` words are keys, the rarest; 0 of one.

        So many that two equally long signatures that match share a key, and `spare` more, but at
        most count - least + 1. Signatures whose lengths differ by more than `spare` may match
        without sharing a key. `count` is 1 or more.
        """
        shared = next(some for some in range(1, count + 1) if some / count >= self.threshold)
        return min(count - self.least + 1, count - shared + 1 + self.spare)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return the share of shared words in the shorter signature; 1 for equal texts."""
        if not left.body or not right.body:
            return 0.0
        if left.body[:_TEXT_BYTES] == right.body[:_TEXT_BYTES]:
            return 1.0
        one, other = [set(cut(each.body[_TEXT_BYTES:], _WORD_BYTES)) for each in (left, right)]
        shared = len(one & other)
        return shared / min(len(one), len(other)) if shared >= self.least else 0.0
