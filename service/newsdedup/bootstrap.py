"""The one place where settings become objects and adapters meet the core."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache, partial
from pathlib import Path

from newsdedup.adapters import item_json
from newsdedup.adapters.appended_file import AppendedFile
from newsdedup.adapters.event_json import encode
from newsdedup.adapters.inputs import STDIN
from newsdedup.adapters.languages import shipped_vocabulary
from newsdedup.adapters.limits import Limits
from newsdedup.adapters.lines import Line
from newsdedup.adapters.outputs import STDOUT, OutputFile, OutputPipe
from newsdedup.adapters.package_data import shipped_background, unpack_background
from newsdedup.adapters.sqlite_file import remove
from newsdedup.adapters.sqlite_state import SqliteState
from newsdedup.config import Settings
from newsdedup.core.acts import Act
from newsdedup.core.background import Background
from newsdedup.core.document import Analyzer
from newsdedup.core.model import NewsItem
from newsdedup.core.rules import Rule, TermsRule
from newsdedup.core.signature import signature
from newsdedup.core.window import MICROSECOND
from newsdedup.deduplicate import Analyzed, Deduplicate
from newsdedup.ports import InvalidItem, SettingsInvalid
from newsdedup.runners.analysis import Analysis
from newsdedup.runners.embedded import EmbeddedRun, Fail, Outputs, survive


@dataclass(frozen=True, slots=True)
class Places:
    """Where a run reads, writes and remembers."""

    to: str
    state: Path
    dead: Path
    fresh: bool = False


def rule(settings: Settings) -> Rule:
    """Return the rule that the settings name."""
    chosen = settings.rule
    if chosen.name != "terms":
        raise SettingsInvalid(f"rule.name = {chosen.name!r}: known rules are: terms")
    return TermsRule(
        duplicate=chosen.duplicate, similar=chosen.similar, window=chosen.window // MICROSECOND
    )


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


def analyze(settings: Settings, table: Background) -> Callable[[NewsItem, bytes], Analyzed]:
    """Return the way from an item to all that its text alone tells."""
    return signed_by(analyzer(settings, table), size=settings.rule.terms)


def signed_by(analyzing: Analyzer, *, size: int) -> Callable[[NewsItem, bytes], Analyzed]:
    """Return the way from an item to its document and a signature of so many terms."""

    def analyzed(item: NewsItem, received: bytes = b"") -> Analyzed:
        document = analyzing.document(item)
        return Analyzed(item, document, signature(document.terms, size=size), received)

    return analyzed


def analysis(settings: Settings, analyzing: Analyzer) -> Analysis:
    """Return the analysis of batches, with as many helper processes as are set."""
    return Analysis(
        signed_by(analyzing, size=settings.rule.terms),
        helpers=settings.run.helpers,
        make=partial(helping, settings),
    )


def helping(settings: Settings) -> Callable[[NewsItem, bytes], Analyzed]:
    """Return the analysis of a helper process, which begins with the settings alone."""
    return analyze(settings, background(settings))


def limits(settings: Settings) -> Limits:
    """Return how much a record may hold."""
    chosen = settings.limits
    return Limits(
        line_bytes=chosen.line_bytes,
        title_chars=chosen.title_chars,
        text_chars=chosen.text_chars,
        depth=chosen.depth,
    )


def decode(settings: Settings) -> Callable[[Line], NewsItem | Act]:
    """Return the way from a line to an item or an act."""
    allowed = limits(settings)

    @lru_cache(maxsize=256)
    def source_of(name: str) -> str:
        return "" if name == STDIN else Path(name).name.partition(".")[0]

    def decoded(line: Line) -> NewsItem | Act:
        if line.size > allowed.line_bytes:
            raise InvalidItem(
                "too_long", f"the line has {line.size} bytes; {allowed.line_bytes} are allowed"
            )
        return item_json.decode(line.data, limits=allowed, source=source_of(line.input))

    return decoded


def made_by(settings: Settings, analyzing: Analyzer) -> str:
    """Return all that decides how items are judged: another state is needed where it differs."""
    chosen = settings.rule
    return (
        f"rule {rule(settings).version} of {chosen.terms} terms, window {_hours(chosen.window)}, "
        f"lateness {_hours(chosen.lateness)}, cascade {settings.run.cascade}, "
        f"{analyzing.version}"
    )


def _hours(span: timedelta) -> str:
    return f"{span / timedelta(hours=1):g}h"


def embedded(settings: Settings, places: Places, *, fail: Fail = survive) -> EmbeddedRun:
    """Return a run over a state that is opened, and locked, here; close its state after it."""
    analyzing = analyzer(settings, background(settings))
    judging = rule(settings)
    if places.fresh:
        remove(places.state)
    state = SqliteState(places.state, judging, made_by=made_by(settings, analyzing))
    try:
        outputs = _outputs(state, places)
    except BaseException:
        state.close()
        raise
    return EmbeddedRun(
        state=state,
        deduplicate=Deduplicate(
            rule=judging,
            store=state,
            ledger=state.ledger,
            lateness=settings.rule.lateness // MICROSECOND,
            bound=settings.run.cascade,
            watermark=state.progress.watermark,
        ),
        decode=decode(settings),
        analysis=analysis(settings, analyzing),
        encode=encode,
        outputs=outputs,
        batch=settings.run.batch,
        line_limit=settings.limits.line_bytes,
        idle_seconds=settings.run.idle_flush.total_seconds(),
        fail=fail,
    )


def _outputs(state: SqliteState, places: Places) -> Outputs:
    dead = AppendedFile(places.dead, fresh=places.fresh)
    if places.to == STDOUT:
        return Outputs(OutputPipe(), STDOUT, dead)
    name = str(Path(places.to).absolute())
    known = state.progress.outputs.get(name)
    return Outputs(OutputFile(Path(places.to), committed=known, fresh=places.fresh), name, dead)
