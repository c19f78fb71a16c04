"""Makes the configured rule, and the analyzers of its items.

The rule comes with its fingerprints, statistics, model and background table.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import xxhash

from newsdedup.adapters.words import package_data
from newsdedup.adapters.words.language_detector import Py3LangidDetector
from newsdedup.adapters.words.lemmatizers import shipped_vocabulary
from newsdedup.bootstrap.machine import choose_helpers, read_machine
from newsdedup.config import Setting, Settings, build_settings, settings_by_key
from newsdedup.core.document import Analyzer
from newsdedup.core.fingerprints.catalogue import METHODS, load_methods
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.matching import statistics_recorder as learning
from newsdedup.core.matching.rules import (
    TERMS12,
    MethodRule,
    Rule,
    SketchRule,
    TermsRule,
    deciding_rule,
)
from newsdedup.core.matching.stream_statistics import Observation
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.model import Model, parse_model, render_model
from newsdedup.core.moments import MICROSECOND, PublisherZones
from newsdedup.core.words.background import NO_PIVOTS, Background, Pivots
from newsdedup.engine.analyzer import ItemAnalyzer
from newsdedup.engine.arrivals import WORTH_HELPERS, BatchAnalysis
from newsdedup.engine.helper_processes import HelperProcesses
from newsdedup.ports.errors import SettingsInvalid, StateUnusable

VERIFIED = VerifiedRule.name
MODEL = "rule.model"
_TELLING = 6
"""Hexadecimal digits of a hash, enough to distinguish the models that somebody fits."""
_PIVOTAL = "descr_words"
"""The method that signs with pivots, and nothing without them."""


def make_rule(settings: Settings, model: Model | None = None) -> Rule:
    """Return the configured rule; `model` is used instead of the configured model.

    Raise SettingsInvalid for a model or a table that cannot be read, or for a table without the
    pivots that a method needs: it would sign nothing.
    """
    chosen = settings.rule
    window, names = chosen.window // MICROSECOND, enabled_methods(settings)
    pivots = load_background(settings).pivots if _PIVOTAL in names else NO_PIVOTS
    if _PIVOTAL in names and not pivots.thresholds:
        raise SettingsInvalid(
            f"{_PIVOTAL} needs pivots, but words.background = {settings.words.background} has none:"
            " build it again, from more items, with `newsdedup background build`"
        )
    sketches = make_methods(names, pivots)
    base: Rule
    if chosen.name in METHODS:
        return MethodRule(sketches[0], window)
    if chosen.name == VERIFIED:
        threshold = chosen.prefer / 100 if chosen.prefer else None
        base = VerifiedRule(model or load_model(settings), window, threshold=threshold)
    else:
        base = TermsRule(duplicate=chosen.duplicate, similar=chosen.similar, window=window)
    return SketchRule(base, sketches) if sketches else base


def stream_recorder(
    rule: Rule, observations: Iterable[Observation] = (), *, keeps: bool = True
) -> learning.StatisticsRecorder | None:
    """Return the recorder by which a rule learns from a stream, None if the rule does not learn.

    `observations` are those that earlier runs have stored; unless it `keeps` new ones, none can be
    taken from it.
    """
    base = deciding_rule(rule)
    if not isinstance(base, VerifiedRule):
        return None
    return learning.StatisticsRecorder(base, observations, keeps=keeps)


def shared_recorder(rule: Rule, *, weighs: bool) -> learning.SharedStatisticsRecorder | None:
    """Return the recorder of a rule that learns with other workers, None if it does not learn.

    `weighs` says whether entries get worths of their keys (StreamStatistics).
    """
    base = deciding_rule(rule)
    if not isinstance(base, VerifiedRule):
        return None
    return learning.SharedStatisticsRecorder(base, weighs=weighs)


def enabled_methods(settings: Settings) -> tuple[str, ...]:
    """Return the names of the methods whose fingerprints are stored for each item, in order."""
    chosen = settings.rule
    if chosen.name in METHODS:
        return (chosen.name,)
    # The signature of 12 terms is every other rule's own.
    return tuple(name for name in chosen.fingerprints if name != TERMS12)


def make_methods(names: tuple[str, ...], pivots: Pivots) -> tuple[Method, ...]:
    """Return the methods with these names; the pivots are those of the background table."""
    return tuple(load_methods(names, pivots=pivots).values())


def encode_rule(settings: Settings, rule: Rule) -> str:
    """Return the settings of a rule as JSON, to be stored in the state that it judges.

    The model is written whole, not as its path: the file may change later.
    """
    values = {key: setting.shown(settings) for key, setting in _rule_settings().items()}
    base = deciding_rule(rule)
    return json.dumps(
        {**values, MODEL: render_model(base.model) if isinstance(base, VerifiedRule) else ""}
    )


def decode_rule(encoded: str) -> Rule:
    """Return the rule that `encode_rule` wrote; raise StateUnusable if it is unknown here.

    Without a model in it, the rule has the shipped one.
    """
    known = _rule_settings()
    try:
        values = json.loads(encoded)
        text = values.pop(MODEL, "")
        chosen = build_settings(
            {key: known[key].kind.parse(value) for key, value in values.items()}
        )
        return make_rule(chosen, parse_model(text) if text else package_data.shipped_model())
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise StateUnusable(
            f"this state was judged by a rule unknown here: {encoded[:99]}"
        ) from error


def _rule_settings() -> dict[str, Setting]:
    """Return the settings of the section `rule` by key."""
    return {key: setting for key, setting in settings_by_key().items() if key.startswith("rule.")}


def load_model(settings: Settings) -> Model:
    """Return the model in the file rule.model, else the shipped one.

    A file's model gets a unique version, its name and a hash of its weights, unless it is the
    shipped one: two fits may have one name, and a state must not be judged by another model. Raise
    SettingsInvalid if the file cannot be read or is not a model.
    """
    shipped = package_data.shipped_model()
    if not settings.rule.model:
        return shipped
    path = Path(settings.rule.model)
    try:
        found = parse_model(path.read_text("utf-8"))
        if found == shipped:
            return found
        weighed = xxhash.xxh3_64_hexdigest(render_model(replace(found, version="")).encode())
        return replace(found, version=f"{found.version}-{weighed[:_TELLING]}")
    except OSError as error:
        why = error.strerror or error
        raise SettingsInvalid(f"rule.model = {path}: cannot be read: {why}") from error
    except ValueError as error:
        raise SettingsInvalid(f"rule.model = {path}: not a model: {error}") from error


def load_background(settings: Settings) -> Background:
    """Return the table in the file words.background, else the shipped one.

    Raise SettingsInvalid if the file cannot be read or is not a table.
    """
    if not settings.words.background:
        return package_data.shipped_background()
    path = Path(settings.words.background)
    try:
        return package_data.unpack_background(path.read_bytes())
    except (OSError, ValueError) as error:
        raise SettingsInvalid(f"words.background = {path}: not a table: {error}") from error


def document_analyzer(settings: Settings, table: Background) -> Analyzer:
    """Return the analyzer that turns items into documents, with the words of a background table."""
    vocabulary = shipped_vocabulary(table, bound=settings.words.cache_forms)
    return Analyzer(vocabulary, Py3LangidDetector())


def item_analyzer(
    settings: Settings,
    table: Background | None = None,
    documents: Analyzer | None = None,
    *,
    names_languages: bool = True,
) -> ItemAnalyzer:
    """Return the analyzer of items for the configured rule.

    Without `table` the configured background table is loaded, without `documents` its words make
    the analyzer of documents; ItemAnalyzer describes `names_languages`. Raise SettingsInvalid if
    the table cannot be read.
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
        names_languages=names_languages,
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
    making = partial(item_analyzer, settings, names_languages=items.names_languages)
    return BatchAnalysis(
        items,
        HelperProcesses(number, making, texts=texts),
        start_after=WORTH_HELPERS if configured is None else 0,
    )
