from collections.abc import Iterable
from dataclasses import dataclass
from struct import Struct
from typing import ClassVar

from xxhash import xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method
from newsdedup.core.fingerprints.prepared_text import PreparedText
from newsdedup.core.model import Fingerprint

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
        """Return both lengths with the hashes of the longest sentences and words."""
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
        needed = min(self.shared_words, max(len(words), len(other_words)))
        if len(words & other_words) < needed:
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
