"""Makes the analyzers that the settings describe."""

from functools import partial
from zoneinfo import ZoneInfo

from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.bootstrap.machine import choose_helpers, read_machine
from newsdedup.bootstrap.rules import VERIFIED, enabled_methods, load_background, make_methods
from newsdedup.config import Settings
from newsdedup.core.document import Analyzer
from newsdedup.core.moments import PublisherZones
from newsdedup.core.words.background import Background
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.batch_analysis import WORTH_HELPERS, BatchAnalysis
from newsdedup.engine.helper_processes import HelperProcesses


def document_analyzer(settings: Settings, table: Background) -> Analyzer:
    """Return the analyzer that turns items into documents, with the words of a background table."""
    return Analyzer(shipped_vocabulary(table, bound=settings.words.cache_forms))


def item_analyzer(
    settings: Settings, table: Background | None = None, documents: Analyzer | None = None
) -> ItemAnalyzer:
    """Return the analyzer of items for the configured rule.

    Without `table` the configured background table is loaded, without `documents` its words make
    the analyzer of documents. Raise SettingsInvalid if the table cannot be read.
    """
    table, sources = table or load_background(settings), settings.sources
    zones = PublisherZones(
        ZoneInfo(sources.zone) if sources.zone else None,
        {source: ZoneInfo(zone) for source, zone in sources.zones},
    )
    return ItemAnalyzer(
        documents or document_analyzer(settings, table),
        terms=settings.rule.terms,
        methods=make_methods(enabled_methods(settings), table.pivots),
        table=table,
        verified=settings.rule.name == VERIFIED,
        zones=zones,
    )


def batch_analysis(
    settings: Settings, items: ItemAnalyzer, *, texts: bool = False
) -> BatchAnalysis:
    """Return the analysis of batches, with the configured helper processes; the caller closes it.

    A configured number of helpers starts at once; `auto` starts them after 2,000 items. With
    `texts` the results of helpers also have the text and the terms of the document.
    """
    configured = settings.run.helpers
    number = choose_helpers(configured, read_machine()).number
    return BatchAnalysis(
        items,
        HelperProcesses(number, partial(item_analyzer, settings), texts=texts),
        start_after=WORTH_HELPERS if configured is None else 0,
    )
