"""Methods of the longest words and sentences: CopyWatcher (paper 001) and A12 (paper 000)."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import md5
from math import nextafter
from struct import Struct
from typing import ClassVar
from zlib import crc32

from xxhash import xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method, cut
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


SENTENCES = 3
WORDS = 5
LAYOUT = Struct(f"<II{SENTENCES}Q{WORDS}Q")
"""Length, number of sentences, signatures of sentences and of words; 0 stands for none."""


@dataclass(frozen=True, slots=True)
class ThreePlusFive(Method):
    """A12: the three longest sentences, the five longest words, two lengths (paper 000).

    Duplicates have the same longest sentence or, with more than five sentences each, two of the
    three in common; two of the five words; lengths, in words of 3 letters and more, whose ratio is
    at most 1.15; numbers of sentences whose ratio is at most 1.20. Equal lengths are ordered by
    signature. The keys are the signatures of the sentences.

    Our reading: a repeated sentence counts once; a sentence is as long as it has words; a
    document with a single word needs that one; the chains of the paper are what the keys find.
    """

    length_ratio: float = 1.15
    sentence_ratio: float = 1.20
    shared_words: int = 2
    many: int = 5
    name: str = "three_plus_five"
    threshold: ClassVar[float] = 1.0
    exact: ClassVar[bool] = True

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return lengths, longest sentences and words, hashed; NO_FINGERPRINT without sentences."""
        if not prepared.sentences:
            return NO_FINGERPRINT
        sentences = _longest(
            ((len(words), " ".join(words)) for words in set(prepared.sentences)), SENTENCES
        )
        words = _longest(((len(word), word) for word in set(prepared.words)), WORDS)
        body = LAYOUT.pack(prepared.length, len(prepared.sentences), *sentences, *words)
        filed = [signature.to_bytes(8, "little") for signature in sentences if signature]
        return Fingerprint(self.keys_of(filed), body)

    def match(self, left: Fingerprint, right: Fingerprint) -> float:
        """Return 1 if both lengths are near and enough words and sentences are shared, else 0."""
        if not left.body or not right.body:
            return 0.0
        length, number, *signatures = LAYOUT.unpack(left.body)
        other_length, other_number, *other_signatures = LAYOUT.unpack(right.body)
        fewest = min(number, other_number)
        if max(length, other_length) > self.length_ratio * min(length, other_length):
            return 0.0
        if max(number, other_number) > self.sentence_ratio * fewest:
            return 0.0
        words = set(signatures[SENTENCES:]) - {0}
        other_words = set(other_signatures[SENTENCES:]) - {0}
        if len(words & other_words) < min(self.shared_words, max(len(words), len(other_words))):
            return 0.0
        sentences = signatures[:SENTENCES]
        shared = (set(sentences) - {0}).intersection(other_signatures[:SENTENCES])
        two_of_three = fewest > self.many and len(shared) >= 2
        return float(sentences[0] == other_signatures[0] or two_of_three)


def _longest(texts: Iterable[tuple[int, str]], count: int) -> list[int]:
    """Return hashes of the `count` longest texts, equal lengths by hash, filled up with 0."""
    ranked = sorted((-length, xxh3_64_intdigest(text.encode())) for length, text in texts)
    signatures = [signature for _, signature in ranked[:count]]
    return signatures + [0] * (count - len(signatures))
