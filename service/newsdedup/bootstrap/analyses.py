"""Makes the analyzers that the settings describe."""

from functools import partial

from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.bootstrap.files_of_settings import load_background
from newsdedup.bootstrap.rules import VERIFIED, enabled_methods, make_methods
from newsdedup.config import Settings
from newsdedup.core.document import Analyzer
from newsdedup.core.words.background import Background
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.batch_analysis import BatchAnalysis


def document_analyzer(settings: Settings, table: Background) -> Analyzer:
    """Return the analyzer from items to documents, with the vocabulary of a background table."""
    return Analyzer(shipped_vocabulary(table, bound=settings.words.cache_forms))


def item_analyzer(
    settings: Settings, table: Background | None = None, documents: Analyzer | None = None
) -> ItemAnalyzer:
    """Return the analyzer of items for a rule; load a table and documents that are not given."""
    table = table or load_background(settings)
    return ItemAnalyzer(
        documents or document_analyzer(settings, table),
        terms=settings.rule.terms,
        methods=make_methods(enabled_methods(settings), table.pivots),
        table=table,
        verified=settings.rule.name == VERIFIED,
    )


def batch_analysis(settings: Settings, items: ItemAnalyzer) -> BatchAnalysis:
    """Return the analysis of batches, with the configured number of helper processes."""
    return BatchAnalysis(items, helpers=settings.run.helpers, make=partial(item_analyzer, settings))
