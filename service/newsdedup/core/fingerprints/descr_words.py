"""A9: which words tell documents apart, and above which frequency.

Paper 000, after Ilyinsky et al. (2002): iterations of two phases. In the first, the coverage of
documents grows at a quality that is bounded below; in the second, the quality grows at a fixed
coverage; then the worst words go. Our reading of what the paper leaves open:

- the frequency of a word is tf / tf_max, in steps of 1/20; a word that is absent has 0;
- the quality of a word at a threshold is 1 - near / N, where near counts the documents whose
  frequency is within 2 steps of the threshold: those whose bit a small edit could turn;
- a document is covered by the words whose bit is 1, and enough of them are `depth`;
- phase 1 gives each word the lowest threshold of at least the least quality; phase 2 raises it to
  the best quality that leaves no document with fewer words than enough, the worst word first;
- then a share of the words goes, the worst first, if the documents keep enough words.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappush, heappushpop

from xxhash import xxh3_64_digest, xxh3_64_intdigest

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, ChecksumMethod
from newsdedup.core.model import Fingerprint
from newsdedup.core.words.background import NO_PIVOTS, PIVOT_STEPS, Pivots, make_pivots


@dataclass(frozen=True, slots=True)
class DescrWords(ChecksumMethod):
    """A9: which pivot words are above their own thresholds (Ilyinsky et al. 2002, paper 000).

    A vector of bits, one for a pivot word: 1 if tf / tf_max is above the threshold of the word.
    Equal vectors make duplicates, unless all is zero. `choose_pivots` chooses them.
    """

    pivots: Pivots = NO_PIVOTS
    name: str = "descr_words"

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return one hash of the pivots above their thresholds; NO_FINGERPRINT if none is above."""
        counted = Counter(prepared.words)
        highest = max(counted.values(), default=0)
        thresholds = self.pivots.thresholds
        on = sorted(
            word
            for word in thresholds.keys() & counted.keys()
            if PIVOT_STEPS * counted[word] > thresholds[word] * highest
        )
        return self.fingerprint(xxh3_64_digest(" ".join(on).encode())) if on else NO_FINGERPRINT


_DELTA = 2
"""Steps on either side of a threshold that are near to it."""
LEAST_PIVOT_DOCUMENTS = 5
"""Documents of the rarest word that may be a pivot."""
_INDEX_BITS = 32
_DOCUMENT = (1 << _INDEX_BITS) - 1


@dataclass(frozen=True, slots=True)
class Spread:
    """How a word is spread: its documents by falling frequency, and how many each step has."""

    indexes: Sequence[int]
    """Step << 32 | document, falling; the step is the frequency rounded up to 1/20."""
    steps: tuple[int, ...]

    def near(self, threshold: int) -> int:
        """Return in how many documents an edit could move the frequency across the threshold."""
        return sum(self.steps[threshold - _DELTA + 1 : threshold + _DELTA + 1])

    def above(self, threshold: int) -> int:
        """Return the number of documents whose frequency of the word is above the threshold."""
        return sum(self.steps[threshold + 1 :])

    def documents(self, low: int, high: int = PIVOT_STEPS) -> list[int]:
        """Return the numbers of the documents above the threshold `low`, but not above `high`."""
        return [index & _DOCUMENT for index in self.indexes[self.above(high) : self.above(low)]]


def choose_pivots(
    documents: Iterable[Sequence[str]],
    *,
    quality: float = 0.999,
    iterations: int = 4,
    dropped: float = 0.25,
    depth: int = 3,
    least: int = LEAST_PIVOT_DOCUMENTS,
) -> Pivots:
    """Choose the pivots of A9 from the words of documents, as the module describes.

    Words of fewer than `least` documents are left out, and each iteration drops up to the share
    `dropped` of the words. Time and memory grow with the distinct words of all documents: 5 seconds
    and 75 MB for 30,415 news items (2026-11-21), of which the order does not matter.
    """
    spreads, count = spread_words(documents, least=least)
    bound = (1 - quality) * count
    thresholds: dict[str, int] = dict.fromkeys(sorted(spreads), 0)
    for _ in range(iterations):
        thresholds = _covering(thresholds, spreads, bound)
        cover = Counter(
            document
            for word, threshold in thresholds.items()
            for document in spreads[word].documents(threshold)
        )
        _better(thresholds, spreads, cover, depth)
        _thin(thresholds, spreads, cover, depth, round(dropped * len(thresholds)))
    return make_pivots(thresholds)


def spread_words(
    documents: Iterable[Sequence[str]], *, least: int
) -> tuple[dict[str, Spread], int]:
    """Return how each word of `least` documents or more is spread, and the number of documents."""
    found: defaultdict[str, array[int]] = defaultdict(lambda: array("Q"))
    number = -1
    for number, words in enumerate(documents):
        counted = Counter(words)
        highest = max(counted.values(), default=1)
        for word, tf in counted.items():
            step = -(-PIVOT_STEPS * tf // highest)
            found[word].append(step << _INDEX_BITS | number)
    spreads = {word: _spread(indexes) for word, indexes in found.items() if len(indexes) >= least}
    return spreads, number + 1


def _spread(indexes: Sequence[int]) -> Spread:
    """Return the spread of a word from unsorted indexes, which are as in `Spread`."""
    counted = Counter([index >> _INDEX_BITS for index in indexes])
    steps = tuple([counted[step] for step in range(PIVOT_STEPS + 1)])
    return Spread(array("Q", sorted(indexes, reverse=True)), steps)


def _covering(words: Iterable[str], spreads: Mapping[str, Spread], bound: float) -> dict[str, int]:
    """Return for each word the lowest threshold that at most `bound` documents are near (phase 1).

    The search begins where a document without the word is no longer near. A word without such a
    threshold, or with no document above it, is left out.
    """
    found = {}
    for word in words:
        spread = spreads[word]
        for threshold in range(_DELTA + 1, PIVOT_STEPS):
            if spread.near(threshold) <= bound:
                if spread.above(threshold):
                    found[word] = threshold
                break
    return found


def _worst_first(thresholds: Mapping[str, int], spreads: Mapping[str, Spread]) -> list[str]:
    """Return the words by falling number of documents near their thresholds, then by alphabet."""
    return sorted(thresholds, key=lambda word: (-spreads[word].near(thresholds[word]), word))


def _better(
    thresholds: dict[str, int], spreads: Mapping[str, Spread], cover: Counter[int], depth: int
) -> None:
    """Raise thresholds in place to a better quality if all documents keep enough words (phase 2).

    `cover` counts the words that cover each document; it is updated. Enough words are `depth`.
    """
    for word in _worst_first(thresholds, spreads):
        spread, now = spreads[word], thresholds[word]
        higher = [
            threshold
            for threshold in range(now + 1, PIVOT_STEPS)
            if spread.near(threshold) < spread.near(now) and spread.above(threshold)
        ]
        for threshold in sorted(higher, key=lambda threshold: (spread.near(threshold), threshold)):
            lost = spread.documents(now, threshold)
            if all(cover[document] > depth for document in lost):
                cover.subtract(lost)
                thresholds[word] = threshold
                break


def _thin(
    thresholds: dict[str, int],
    spreads: Mapping[str, Spread],
    cover: Counter[int],
    depth: int,
    count: int,
) -> None:
    """Delete up to `count` words of `thresholds`, worst first, if documents keep enough words.

    `cover` counts the words that cover each document; it is updated. Enough words are `depth`.
    """
    for word in _worst_first(thresholds, spreads):
        if count == 0:
            return
        documents = spreads[word].documents(thresholds[word])
        if all(cover[document] > depth for document in documents):
            cover.subtract(documents)
            del thresholds[word]
            count -= 1


_MOST_DOCUMENTS = 50_000
"""A bound of time and memory; the table of the package has fewer documents."""


class PivotSample:
    """The words of the documents whose texts have the lowest hashes, in whatever order they come.

    Equal texts have equal words, so it does not matter which of them stays.
    """

    def __init__(self, most: int = _MOST_DOCUMENTS) -> None:
        self._most = most
        self._heap: list[tuple[int, Sequence[str]]] = []

    def note(self, text: str, words: Callable[[], Sequence[str]]) -> None:
        """Take a document into the sample if the hash of its text is among the lowest so far.

        `words` is called only if the document is taken.
        """
        chance = -xxh3_64_intdigest(text.encode())
        if len(self._heap) < self._most:
            heappush(self._heap, (chance, words()))
        elif chance > self._heap[0][0]:
            heappushpop(self._heap, (chance, words()))

    def __iter__(self) -> Iterator[Sequence[str]]:
        """Yield the words of each document in the sample."""
        return (words for _, words in self._heap)
