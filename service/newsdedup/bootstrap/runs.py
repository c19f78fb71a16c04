"""Makes a run over files: its state, its outputs, its archive and the engine."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from newsdedup.adapters.files.inputs import is_stream, position_key
from newsdedup.adapters.files.line_decoder import LineDecoder, holds_dead_letters
from newsdedup.adapters.files.outputs import AppendedFile, OutputFile, OutputPipe
from newsdedup.adapters.files.paths import STDIO, scheme_of
from newsdedup.adapters.formats.json_object import Limits
from newsdedup.adapters.sqlite.state import SqliteState
from newsdedup.adapters.sqlite.state_file import remove_state
from newsdedup.adapters.words.lemmatizers import shipped_lemmas, shipped_vocabulary
from newsdedup.adapters.words.package_data import shipped_background
from newsdedup.archive.search_words import SearchWords
from newsdedup.archive.word_index import IndexProgress
from newsdedup.archive.writer import ArchiveWriter
from newsdedup.bootstrap import rules
from newsdedup.config import Settings
from newsdedup.core.document import Analyzer
from newsdedup.core.matching.rules import Rule
from newsdedup.core.model import Language
from newsdedup.core.moments import MICROSECOND
from newsdedup.engine.deduplicate import Deduplicate
from newsdedup.engine.set_aside import SetAside
from newsdedup.ports.errors import SinkUnusable
from newsdedup.ports.streams import Sink
from newsdedup.ports.telemetry import Failpoint, no_failpoint
from newsdedup.runners.files.embedded import EmbeddedRun, Outputs, RunArchive


class SinkTarget(NamedTuple):
    """The address of a sink, and how to open it."""

    target: str
    """The path of a file, `-`, or an address with a scheme of `SINKS`."""
    committed: int | None = None
    """The length that the state knows of it, None if it knows none."""
    fresh: bool = False
    """Whether it begins empty, where its kind allows that."""


SINKS: Mapping[str, Callable[[SinkTarget], Sink]] = {
    "file": lambda at: OutputFile(Path(at.target), committed=at.committed, fresh=at.fresh),
    STDIO: lambda _: OutputPipe(),
}
"""How each kind of sink is opened: files, standard output, and addresses by their scheme.

tests/laws/test_sources_and_sinks.py holds each to the laws of Sink.
"""


def open_sink(at: SinkTarget) -> Sink:
    """Open the sink at a target; raise SinkUnusable if that fails or no kind of sink fits."""
    kind = STDIO if at.target == STDIO else scheme_of(at.target) or "file"
    if kind not in SINKS:
        raise SinkUnusable(f"{at.target}: {kind}:// is not supported")
    return SINKS[kind](at)


@dataclass(frozen=True, slots=True)
class RunPaths:
    """The files of a run: output, state, dead letters and archive."""

    to: str
    """The path of a file, `-`, or an address."""
    state: Path
    dead: Path
    fresh: bool = False
    archive: Path | None = None

    def files(self) -> dict[str, Path]:
        """Return the files that the run writes, keyed by what they hold, as "state"."""
        archive = {} if self.archive is None else {"archive": self.archive}
        return {"state": self.state, **output_file(self.to), **archive}


def output_file(to: str) -> dict[str, Path]:
    """Return the path of a target that is a file, with the key `output`; else an empty dict."""
    return {} if to == STDIO or scheme_of(to) else {"output": Path(to)}


def record_limits(settings: Settings) -> Limits:
    """Return the configured limits on the size of a record."""
    chosen = settings.limits
    return Limits(
        line_bytes=chosen.line_bytes,
        title_chars=chosen.title_chars,
        text_chars=chosen.text_chars,
        depth=chosen.depth,
    )


def line_decoder(settings: Settings) -> LineDecoder:
    """Return the decoder of lines with the configured limits."""
    return LineDecoder(record_limits(settings))


def state_fingerprint(settings: Settings, analyzing: Analyzer, rule: Rule) -> str:
    """Return everything that verdicts depend on as text; a state with another text is refused."""
    chosen = settings.rule
    return (
        f"rule {rule.version} of {chosen.terms} terms, window {_hours(chosen.window)}, "
        f"lateness {_hours(chosen.lateness)}, cascade {settings.run.cascade}, "
        f"{analyzing.version}{_zones(settings)}"
    )


def namespace_fingerprint(settings: Settings, analyzing: Analyzer, rule: Rule) -> str:
    """Return `state_fingerprint` and the number of shards, which cannot change either."""
    fingerprint, shards = state_fingerprint(settings, analyzing, rule), settings.redis.shards
    return fingerprint if shards == 1 else f"{fingerprint}, {shards} shards"


def fingerprint_of(settings: Settings, make: Callable[[Settings, Analyzer, Rule], str]) -> str:
    """Return the fingerprint of settings by one of the two functions above."""
    analyzing = rules.document_analyzer(settings, rules.load_background(settings))
    return make(settings, analyzing, rules.make_rule(settings))


def _zones(settings: Settings) -> str:
    """Return the configured zones as text, sorted; "" if there are none or the rule uses none."""
    general, single = settings.sources.zone, sorted(settings.sources.zones)
    if settings.rule.name != rules.VERIFIED or not (general or single):
        return ""
    return f", zones {'; '.join([general or 'UTC', *(f'{one}={zone}' for one, zone in single)])}"


def _hours(span: timedelta) -> str:
    """Return a duration in hours, as "72h" or "0.5h"."""
    return f"{span / timedelta(hours=1):g}h"


def open_run(settings: Settings, paths: RunPaths, *, fail: Failpoint = no_failpoint) -> EmbeddedRun:
    """Open and lock the state, and return a run over it; the caller closes the run.

    With `paths.fresh` the state is removed, and the output and the dead letters are emptied.
    Raise StateUnusable for a state of other settings, SinkUnusable for an unusable output.
    """
    table = rules.load_background(settings)
    analyzing = rules.document_analyzer(settings, table)
    rule = rules.make_rule(settings)
    if paths.fresh:
        if not holds_dead_letters(paths.dead):
            raise SinkUnusable(
                f"{paths.dead} holds something else than dead letters and would be emptied: "
                "name another --dlq"
            )
        remove_state(paths.state)
    state = SqliteState(
        paths.state,
        rule,
        made_by=state_fingerprint(settings, analyzing, rule),
        settings=rules.encode_rule(settings, rule),
    )
    set_aside = SetAside()

    def engine_of_state() -> Deduplicate:
        recorder = rules.stream_recorder(rule, state.observations())
        if recorder is not None:
            state.take_observations = recorder.take_observations
        return Deduplicate(
            rule=rule,
            store=state,
            ledger=state.ledger,
            lateness=settings.rule.lateness // MICROSECOND,
            bound=settings.run.cascade,
            watermark=state.progress.watermark,
            recorder=recorder,
            set_aside=set_aside,
        )

    with ExitStack() as failure:
        failure.callback(state.close)
        outputs = _outputs(state, paths)
        failure.callback(outputs.events.close)
        archive = _archive(settings, paths)
        if archive is not None:
            failure.callback(archive.close)
        run = EmbeddedRun(
            state=state,
            deduplicate=engine_of_state(),
            new_engine=engine_of_state,
            outputs=outputs,
            archive=archive,
            decoder=line_decoder(settings),
            analysis=rules.batch_analysis(
                settings, rules.item_analyzer(settings, table, analyzing)
            ),
            batch=settings.run.batch,
            line_limit=settings.limits.line_bytes,
            idle_seconds=settings.run.idle_flush.total_seconds(),
            fail=fail,
        )
        failure.pop_all()
    return run


def _archive(settings: Settings, paths: RunPaths) -> RunArchive | None:
    """Open the archive of a run, a new one with `paths.fresh`; return None if the run has none.

    Raise SinkUnusable if a new one would lose events that the output of the run does not have.
    """
    if paths.archive is None:
        return None
    is_file = not scheme_of(paths.to) and not is_stream(paths.to)
    if paths.fresh:
        _remove_archive(paths.archive, fed_by=paths.to if is_file else None)
    writer = open_archive_writer(settings, paths.archive)
    return RunArchive(writer, Path(paths.to) if is_file else None)


def _outputs(state: SqliteState, paths: RunPaths) -> Outputs:
    """Open the output, a file after its committed length, and the file of dead letters.

    Raise SinkUnusable if one cannot be written, SinkBusy if another process writes it.
    """
    name = str(Path(paths.to).absolute()) if output_file(paths.to) else paths.to
    committed = state.progress.outputs.get(name, _moved_length(state, Path(paths.to)))
    sink = open_sink(SinkTarget(paths.to, committed, paths.fresh))
    try:  # the dead letters are emptied only once the output is ours
        return Outputs(sink, name, AppendedFile(paths.dead, fresh=paths.fresh))
    except SinkUnusable:
        sink.close()
        raise


def _moved_length(state: SqliteState, output: Path) -> int | None:
    """Return the length of an output that was moved or copied together with its state.

    Such a file has the name of one that the state knows in another folder, and exactly its length.
    """
    length = output.stat().st_size if output.is_file() else None
    known = {(Path(one).name, size) for one, size in state.progress.outputs.items()}
    return length if (output.name, length) in known else None


def open_archive_writer(
    settings: Settings, path: Path, *, indexed: Callable[[IndexProgress], object] = lambda _: None
) -> ArchiveWriter:
    """Return the writer of an archive, which is created if it is missing; the caller closes it.

    Items are indexed anew where words have changed; `indexed` gets the progress, step by step.
    Raise StateBusy if another process writes the archive, StateUnusable for another file.
    """
    keep = settings.archive.keep or None
    return ArchiveWriter(path, make_search_words(), keep=keep, indexed=indexed)


def _remove_archive(path: Path, *, fed_by: str | None) -> None:
    """Remove an archive that has only the events of the file `fed_by`; do nothing if there is none.

    Raise SinkUnusable if it has other events, which would be lost, and StateUnusable for a file
    that is no archive. `fed_by` is None if the run writes to no file.
    """
    if not path.exists():
        return
    with ArchiveWriter(path, make_search_words()) as archive:
        read = set(archive.positions())
        if read - ({position_key(fed_by)} if fed_by else set()) or (not read and archive.items()):
            raise SinkUnusable(
                f"{path} holds events from elsewhere, which --fresh would forget: name another "
                "--archive, or remove it"
            )
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def make_search_words(*, cached: int | None = None) -> SearchWords:
    """Return the words for searching, with the languages of the package.

    `cached` is for how many forms they are kept; None is for many items that are indexed. They do
    not depend on the configured background table, so an archive can be used with any.
    """
    background, lemmas = shipped_background(), shipped_lemmas()

    def in_dictionary(form: str, lang: Language) -> bool:
        """Return whether a dictionary of the package has a form, whose lemma is no guess then."""
        return bool(lemmas.lemmas(form, lang))

    if cached is None:
        return SearchWords(shipped_vocabulary(background), in_dictionary=in_dictionary)
    vocabulary = shipped_vocabulary(background, bound=cached)
    return SearchWords(vocabulary, cached=cached, in_dictionary=in_dictionary)
