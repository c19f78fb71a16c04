"""A collection with the words that its documents are made of, for the studies of the lab."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from sys import intern

from newsdedup import ItemKey, __version__
from newsdedup.bootstrap.rules import (
    batch_analysis,
    document_analyzer,
    item_analyzer,
    load_background,
    make_rule,
)
from newsdedup.bootstrap.runs import line_decoder
from newsdedup.config import Settings
from newsdedup.core.document import Analyzer
from newsdedup.core.matching.rules import Rule
from newsdedup.core.stories.window import Watermark, effective_at
from newsdedup.core.words.background import Background
from newsdedup.core.words.weights import idf
from newsdedup.engine.analyzer import Analyzed
from newsdedup.engine.arrivals import BatchAnalysis
from newsdedup_lab.collections.items import ItemFiles, open_items
from newsdedup_lab.report.study_stages import StepProgress

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A collection to study, with the analyzer and the rule of the settings."""

    items: ItemFiles
    analyzer: Analyzer
    batch_analysis: Callable[[], BatchAnalysis]
    """Makes an analysis that returns texts, too; it is closed after each pass."""
    rule: Rule
    versions: Mapping[str, str]
    """Of what makes a report: newsdedup, background table, reading, rule."""

    def analyzed(self, watch: StepProgress) -> Iterator[Analyzed]:
        """Yield the analyses of the items in file order; raise SourceUnusable if there are none."""
        count = 0
        with closing(self.batch_analysis()) as analysis, watch.step("reading") as advance:
            for one in analysis.analyze_stream(self.items):
                yield one
                count += 1
                advance(1)
        if not count:
            raise self.items.no_items()

    def digest(self) -> str:
        """Return a hash of the files together with all component versions."""
        return " ".join([self.items.digest(), *self.versions.values()])


def open_corpus(inputs: list[str], settings: Settings) -> Corpus:
    """Return the corpus of these files and folders, with analyzer and rule of the settings.

    Raise SourceUnusable for a pipe or standard input, since a corpus is read more than once.
    """
    items = open_items(
        inputs, line_decoder(settings).content, line_limit=settings.limits.line_bytes
    )
    table = load_background(settings)
    rule = make_rule(settings)
    analyzer = document_analyzer(settings, table)
    return Corpus(
        items,
        analyzer,
        partial(
            batch_analysis,
            settings,
            item_analyzer(settings, table, analyzer),
            texts=True,
        ),
        rule,
        component_versions(settings, table, analyzer, rule),
    )


def component_versions(
    settings: Settings, table: Background, analyzer: Analyzer, rule: Rule
) -> Mapping[str, str]:
    """Return the versions that a report names: package, background table, reading, rule.

    "reading" is the version of the analyzer; "rule" also names its terms and its window in hours.
    """
    chosen = settings.rule
    return {
        "newsdedup": __version__,
        "background": table.version,
        "reading": analyzer.version,
        "rule": f"{rule.version}, {chosen.terms} terms, window {chosen.window / _HOUR:g} h",
    }


@dataclass(frozen=True, slots=True)
class Documents:
    """The documents of a corpus in the total order of items; a document's number is its index."""

    keys: tuple[ItemKey, ...]
    lemmas: tuple[tuple[str, ...], ...]
    """Content lemmas in the order of the text, one object for equal ones."""
    texts: tuple[str, ...]
    """The clean texts."""

    def idf(self) -> Callable[[str], float]:
        """Return a function from a lemma to its idf in these documents: ln(N / df).

        It raises KeyError for a lemma that no document has.
        """
        df = Counter(lemma for lemmas in self.lemmas for lemma in set(lemmas))
        worth = {lemma: idf(df=n, documents=len(self.keys)) for lemma, n in df.items()}
        return worth.__getitem__


def load_documents(corpus: Corpus, watch: StepProgress) -> Documents:
    """Analyze a corpus and return its documents."""
    return collect_documents(corpus.analyzed(watch))


def collect_documents(analyzed: Iterable[Analyzed]) -> Documents:
    """Return the documents of analyzed items, at least one, ordered by time, then by key."""
    nowhere = Watermark()
    rows = []
    for one in analyzed:
        lemmas = tuple([intern(term.lemma) for term in one.document.terms])
        at = effective_at(one.item, nowhere)
        rows.append(((at, one.item.key), lemmas, one.document.text))
    rows.sort()
    orders, lemmas_of, texts = zip(*rows, strict=True)
    return Documents(tuple(key for _, key in orders), tuple(lemmas_of), tuple(texts))
