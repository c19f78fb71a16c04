"""The way from an item to all that its text alone tells, alone or with helper processes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from newsdedup.adapters.languages import shipped_vocabulary
from newsdedup.adapters.package_data import shipped_background, unpack_background
from newsdedup.bootstrap.rules import enabled, methods
from newsdedup.config import Settings
from newsdedup.core.background import Background
from newsdedup.core.document import Analyzer
from newsdedup.core.model import Document, Fingerprint, NewsItem
from newsdedup.core.signature import signature
from newsdedup.core.vocabulary import Vocabulary
from newsdedup.deduplicate import Analyzed
from newsdedup.ports import SettingsInvalid
from newsdedup.runners.analysis import Analysis, Analyze

Marking = Callable[[Document], tuple[Fingerprint, ...]]


def background(settings: Settings) -> Background:
    """Return the table that the settings name, else the one of the package."""
    if not settings.words.background:
        return shipped_background()
    path = Path(settings.words.background)
    try:
        return unpack_background(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SettingsInvalid(f"words.background = {path}: not a table: {error}") from error


def analyzer(settings: Settings, table: Background) -> Analyzer:
    """Return the way from an item to a document, by the words of a table."""
    return Analyzer(shipped_vocabulary(table, bound=settings.words.cache_forms))


def analyze(settings: Settings, table: Background) -> Analyze:
    """Return the way from an item to all that its text alone tells."""
    return signing(settings, table, analyzer(settings, table))


def signing(settings: Settings, table: Background, analyzing: Analyzer) -> Analyze:
    """Return the way from an item to its document, its signature and its fingerprints."""
    size = settings.rule.terms
    marks = marking(settings, analyzing.vocabulary, table)

    def analyzed(item: NewsItem, received: bytes = b"") -> Analyzed:
        document = analyzing.document(item)
        signed = signature(document.terms, size=size)
        return Analyzed(item, document, signed, marks(document), received)

    return analyzed


def marking(settings: Settings, vocabulary: Vocabulary, table: Background) -> Marking:
    """Return what the enabled methods keep of a document, nothing where none is."""
    names = enabled(settings)
    if not names:
        return unmarked
    from newsdedup.core.fingerprints.corpus import from_background  # noqa: PLC0415
    from newsdedup.core.fingerprints.reading import read  # noqa: PLC0415

    signing, corpus = methods(names), from_background(table)

    def marks(document: Document) -> tuple[Fingerprint, ...]:
        reading = read(document, vocabulary)
        return tuple([method.sign(reading, corpus) for method in signing])

    return marks


def unmarked(document: Document) -> tuple[Fingerprint, ...]:
    """Return nothing: what most runs keep of a document beside its terms."""
    del document
    return ()


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
