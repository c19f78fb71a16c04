"""The statistics of one source, read from a state or from Redis."""

from newsdedup.adapters.formats.item_json import decode_item
from newsdedup.adapters.formats.json_object import UNLIMITED
from newsdedup.adapters.redis.store import read_observations
from newsdedup.adapters.sqlite.state import StateReader
from newsdedup.bootstrap.rules import decode_rule, document_analyzer, load_background, make_rule
from newsdedup.bootstrap.workers import open_redis
from newsdedup.config import Settings
from newsdedup.core.item_names import nearest_names
from newsdedup.core.matching.rules import Rule, deciding_rule
from newsdedup.core.matching.source_statistics import (
    LEAST_REPEATS,
    SourceStatistics,
    phrases_by_hash,
    source_statistics,
)
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.matching.verify.model import Model
from newsdedup.core.model import NewsItem
from newsdedup.ports.errors import SourceUnusable

READ_AGAIN = 200
"""Items of a source whose phrases are looked at to put counts into words: the newest."""
SHOWN = 10


def source_in_state(source: str, reader: StateReader) -> SourceStatistics:
    """Return the statistics of a source in a state; raise SourceUnusable if none are there."""
    found = source_statistics(source, reader.observations(), _model(decode_rule(reader.settings)))
    if found.items or found.waiting:
        return found
    near = nearest_names(source, reader.sources())
    advice = f"did you mean {' or '.join(near)}?" if near else "names must match exactly"
    raise SourceUnusable(f"nothing is counted of a source {source} in {reader.path}; {advice}")


async def source_in_redis(source: str, settings: Settings) -> SourceStatistics:
    """Return the statistics of a source in Redis; raise SourceUnusable if none are there."""
    namespace = settings.redis.namespace
    async with open_redis(settings) as (calls, keys):
        if not await calls.command("HEXISTS", keys.fixed[0], "made_by"):
            raise SourceUnusable(f"redis has no namespace {namespace!r}")
        observations = [observation async for observation in read_observations(calls, keys)]
    found = source_statistics(source, observations, _model(make_rule(settings)), shared=True)
    if found.items or found.waiting:
        return found
    raise SourceUnusable(
        f"nothing is counted of a source {source} in namespace {namespace!r}; names must match "
        "exactly, and only their hashes are stored"
    )


def phrases_in_words(
    source: str, found: SourceStatistics, reader: StateReader, settings: Settings
) -> list[tuple[str, int]]:
    """Return the ten most repeated phrases of a source in words, with the number of items of each.

    Only hashes of phrases are stored; the words come from the newest items of the source, so that
    phrases of older items alone are left out.
    """
    analyzing = document_analyzer(settings, load_background(settings))
    words: dict[int, str] = {}
    for record in reader.newest_of(source, most=READ_AGAIN):
        if record.retracted:
            continue
        received, _ = reader.read_version(record.key, record.entry.version)
        item = decode_item(received, limits=UNLIMITED)
        if isinstance(item, NewsItem):
            words |= phrases_by_hash(analyzing.document(item).terms)
    known = [(words[phrase], number) for phrase, number in found.counts.items() if phrase in words]
    often = sorted((-number, phrase) for phrase, number in known if number >= LEAST_REPEATS)
    return [(phrase, -number) for number, phrase in often[:SHOWN]]


def _model(rule: Rule) -> Model:
    """Return the model of rule `verified`; raise SourceUnusable for another rule."""
    base = deciding_rule(rule)
    if not isinstance(base, VerifiedRule):
        raise SourceUnusable(f"rule {rule.name} learns nothing about sources")
    return base.model
