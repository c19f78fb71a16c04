"""The way from an item to all that its text alone tells, alone or with helper processes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial

from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.bootstrap.rules import VERIFIED, enabled, methods
from newsdedup.bootstrap.tables import background
from newsdedup.config import Settings
from newsdedup.core.document import Analyzer, ReadItem
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.matching.verify.passages import passages
from newsdedup.core.matching.verify.testimony import Testimony, mark
from newsdedup.core.matching.verify.view import view
from newsdedup.core.model import Fingerprint, NewsItem, Signature
from newsdedup.core.moments import MIDNIGHT, source_time
from newsdedup.core.words.background import Background
from newsdedup.core.words.signature import signature
from newsdedup.core.words.vocabulary import Vocabulary
from newsdedup.engine.analysis import Analysis, Analyze
from newsdedup.engine.deduplicate import Analyzed

Marking = Callable[[NewsItem, ReadItem, Signature], list[Fingerprint]]


@dataclass(frozen=True, slots=True)
class Words:
    """A table and what reads by it: loaded once for all that a process opens."""

    table: Background
    analyzing: Analyzer


def words(settings: Settings) -> Words:
    """Return the table that the settings name, and the way from an item to a document by it."""
    table = background(settings)
    return Words(table, analyzer(settings, table))


def analyzer(settings: Settings, table: Background) -> Analyzer:
    """Return the way from an item to a document, by the words of a table."""
    return Analyzer(shipped_vocabulary(table, bound=settings.words.cache_forms))


def analyze(settings: Settings, table: Background) -> Analyze:
    """Return the way from an item to all that its text alone tells."""
    return signing(settings, table, analyzer(settings, table))


def signing(settings: Settings, table: Background, analyzing: Analyzer) -> Analyze:
    """Return the way from an item to its document, its signature and its fingerprints."""
    size = settings.rule.terms
    makers = marking(settings, analyzing.vocabulary, table)
    into_digests = settings.rule.name == VERIFIED

    def analyzed(item: NewsItem, received: bytes = b"") -> Analyzed:
        said = analyzing.read(item)
        document = said.document
        signed = signature(document.terms, size=size)
        marks = tuple([one for make in makers for one in make(item, said, signed)])
        parts = (
            passages(document, day(item), analyzing.vocabulary, hour=hour(item))
            if into_digests
            else ()
        )
        return Analyzed(item, document, signed, marks, received, parts)

    return analyzed


def marking(settings: Settings, vocabulary: Vocabulary, table: Background) -> list[Marking]:
    """Return what makes the marks of an entry: the enabled methods, then the verifier."""
    makers = []
    names = enabled(settings)
    if names:
        makers.append(_methods(names, vocabulary, table))
    if settings.rule.name == VERIFIED:
        makers.append(_testimony(vocabulary))
    return makers


def _methods(names: tuple[str, ...], vocabulary: Vocabulary, table: Background) -> Marking:
    from newsdedup.core.fingerprints.corpus import from_background  # noqa: PLC0415 - as `methods`
    from newsdedup.core.fingerprints.reading import read  # noqa: PLC0415

    signing, corpus = methods(names, table.pivots), from_background(table)

    def marks(item: NewsItem, said: ReadItem, signed: Signature) -> list[Fingerprint]:
        del item, signed
        reading = read(said.document, vocabulary)
        return [method.sign(reading, corpus) for method in signing]

    return marks


def _testimony(vocabulary: Vocabulary) -> Marking:
    def marks(item: NewsItem, said: ReadItem, signed: Signature) -> list[Fingerprint]:
        document, forms = said
        stated = extract_facts(document.text, forms, published=day(item), hour=hour(item))
        return [mark(Testimony(view(document, signed, stated, vocabulary)))]

    return marks


def day(item: NewsItem) -> date | None:
    """Return the day of an item by the calendar of its source."""
    at = source_time(item)
    return None if at is None else at.date()


def hour(item: NewsItem) -> int | None:
    """Return the hour of an item by the clock of its source; midnight sharp says only the day."""
    at = source_time(item)
    return None if at is None or at.time() == MIDNIGHT else at.hour


def analysis(settings: Settings, analyze: Analyze) -> Analysis:
    """Return the analysis of batches, with as many helper processes as are set."""
    return Analysis(
        analyze,
        helpers=settings.run.helpers,
        make=partial(helping, settings),
    )


def helping(settings: Settings) -> Analyze:
    """Return the analysis of a helper process, which begins with the settings alone."""
    return analyze(settings, background(settings))
