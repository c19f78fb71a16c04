"""A collection as what clusterings compare: documents in the total order, by number."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from newsdedup.core.model import ItemKey
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.core.words.weights import idf
from newsdedup.engine.deduplicate import Analyzed
from newsdedup.lab.collections.corpora import Corpus
from newsdedup.lab.report.stages import Watch


@dataclass(frozen=True, slots=True)
class Collated:
    """Documents in the total order of their items; the place of one is its number."""

    keys: tuple[ItemKey, ...]
    lemmas: tuple[tuple[str, ...], ...]
    """Content lemmas in the order of the text, one object for equal ones."""
    texts: tuple[str, ...]
    """The clean texts."""

    def idf(self) -> Callable[[str], float]:
        """Return how rare a lemma is in this collection: ln(N / df)."""
        df = Counter(lemma for lemmas in self.lemmas for lemma in set(lemmas))
        worth = {lemma: idf(df=n, documents=len(self.keys)) for lemma, n in df.items()}
        return worth.__getitem__


def collated(corpus: Corpus, watch: Watch) -> Collated:
    """Return the documents of a collection."""
    return collate(corpus.analyzed(watch))


def collate(analyzed: Iterable[Analyzed]) -> Collated:
    """Return the documents of items; at least one."""
    nowhere = Watermark()
    rows = []
    for one in analyzed:
        lemmas = tuple([term.lemma for term in one.document.terms])
        at = effective_at(one.item, nowhere)
        rows.append(((at, one.item.key), lemmas, one.document.text))
    rows.sort()
    orders, lemmas_of, texts = zip(*rows, strict=True)
    return Collated(tuple(key for _, key in orders), tuple(lemmas_of), tuple(texts))
