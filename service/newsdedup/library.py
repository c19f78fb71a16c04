"""newsdedup in a program of one's own: the same engine, in memory."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from threading import current_thread, get_ident
from typing import Any, NoReturn

from newsdedup.adapters.formats import item_json
from newsdedup.adapters.memory.ledger import MemoryLedger
from newsdedup.adapters.memory.store import MemoryStore
from newsdedup.adapters.tables.columns import ColumnMap
from newsdedup.adapters.tables.rows import TableRow, decode_row, encode_fields, plain_fields
from newsdedup.bootstrap.rules import item_analyzer, make_rule, stream_recorder
from newsdedup.bootstrap.runs import record_limits
from newsdedup.config import RuleSettings, Settings, WordSettings
from newsdedup.core.events import Event, Judgement
from newsdedup.core.matching.verified_rule import VerifiedRule
from newsdedup.core.model import NewsItem, Relation, Verdict
from newsdedup.core.moments import MICROSECOND
from newsdedup.core.stories.commands import Command
from newsdedup.engine.arrivals import BatchAnalysis
from newsdedup.engine.collector import raise_thresholds
from newsdedup.engine.deduplicate import Change, Deduplicate
from newsdedup.ports.errors import SettingsInvalid
from newsdedup.runners.files.finished import Result, judge_collection

_VERIFIED = VerifiedRule.name
_HOURS_72 = timedelta(hours=72)
_CENTURY = timedelta(days=36_500)
"""The longest window that settings allow."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on an item, and the new verdicts on others that it caused."""

    judgement: Judgement
    corrections: tuple[Judgement, ...] = ()
    """New verdicts on earlier items: a late original takes over its copies."""

    @property
    def verdict(self) -> Verdict:
        """Return `original` or `duplicate`."""
        return self.judgement.verdict

    @property
    def is_duplicate(self) -> bool:
        """Return whether the item repeats an earlier one."""
        return self.judgement.verdict == "duplicate"

    @property
    def relation(self) -> Relation:
        """Return how the item relates to the item that it matched; "none" if there is none."""
        return self.judgement.relation

    @property
    def story(self) -> str:
        """Return the id of the story, which an original and its duplicates share."""
        return self.judgement.story.id

    @property
    def original(self) -> str:
        """Return the id of the story's original, which is unique in its source only."""
        return self.judgement.story.original.id


class Deduplicator:
    """Judges items, one by one, against those of the window; only its own thread may use it.

    >>> deduplicator = Deduplicator()
    >>> deduplicator.judge({"id": "1", "title": "Fire at the port", "text": "..."}).verdict
    'original'
    """

    def __init__(
        self,
        *,
        window: timedelta = _HOURS_72,
        lateness: timedelta = timedelta(hours=24),
        rule: str = _VERIFIED,
        duplicate: int = 6,
        similar: int = 3,
        model: str = "",
        background: str = "",
        tune_collector: bool = True,
    ) -> None:
        """Prepare to judge: loading the dictionaries takes about a second.

        The rule is one of docs/settings.md; `duplicate` and `similar`, numbers of shared terms, are
        for rule `terms`, `model` for `verified`: the path of a model of `newsdedup lab fit`, "" for
        the shipped one. `background` is the path of a background table, "" likewise.
        `tune_collector` raises the threshold of Python's garbage collector for the whole process,
        which makes judging about a tenth faster. Raise TypeError or SettingsInvalid for arguments
        that are none of these.
        """
        if tune_collector:
            raise_thresholds()
        chosen = _rule_settings(
            name=rule,
            window=window,
            lateness=lateness,
            duplicate=duplicate,
            similar=similar,
            model=model,
        )
        settings = Settings(rule=chosen, words=WordSettings(background=background))
        active_rule = make_rule(settings)
        self._made_in, self._maker = get_ident(), current_thread().name
        self._half_applied = False
        """Whether something was raised when a change was in the index in part."""
        self._limits = record_limits(settings)
        self._analyzer = item_analyzer(settings)
        self._deduplicate = Deduplicate(
            rule=active_rule,
            store=MemoryStore(active_rule),
            ledger=MemoryLedger(),
            lateness=lateness // MICROSECOND,
            recorder=stream_recorder(active_rule, keeps=False),
        )

    def judge(self, item: NewsItem | Mapping[str, object]) -> Judged:
        """Return the verdict on an item; raise InvalidItem if a mapping has no valid item.

        A mapping has the fields of an item (docs/items.md): title, text, published_at, ..., with
        values as JSON, Python, NumPy or a data frame have them; a row of a data frame is one. An
        item that was judged before gets its stored verdict. Raise TypeError for anything else, also
        for an editor's command (see `tell`), and RuntimeError in another thread than the one that
        made this object, or if an earlier call was interrupted while the index changed.
        """
        self._check_usable()
        report = item if isinstance(item, NewsItem) else self._decoded(item)
        if not isinstance(report, NewsItem):
            raise TypeError("a command cannot be judged: use tell()")
        events = self._apply(self._analyzer.analyze(report))
        judgements = [e.payload for e in events if isinstance(e.payload, Judgement)]
        return Judged(judgements[0], tuple(judgements[1:]))

    def tell(self, command: Command | Mapping[str, object]) -> tuple[Judgement, ...]:
        """Apply a retraction or an editor's command; return the new verdicts on changed items.

        A mapping has the fields of a command (docs/items.md). Raise UnknownItem if an editor's
        command names an item that is not stored, or was retracted; InvalidItem for invalid fields,
        TypeError for an item or another type, and RuntimeError in another thread than the one that
        made this object, or if an earlier call was interrupted while the index changed.
        """
        self._check_usable()
        decoded = command if isinstance(command, Command) else self._decoded(command)
        if isinstance(decoded, NewsItem):
            raise TypeError("an item is no command: use judge()")
        events = self._apply(decoded)
        return tuple(e.payload for e in events if isinstance(e.payload, Judgement))

    def __reduce__(self) -> NoReturn:
        """Raise TypeError: this object cannot be pickled or copied."""
        raise TypeError(
            "a Deduplicator cannot be pickled or copied: it holds an index in memory that only its "
            "thread may use; make one in each process"
        )

    def _decoded(self, record: Mapping[str, object]) -> NewsItem | Command:
        """Return the item or command in a mapping; raise InvalidItem or TypeError for others."""
        fields = encode_fields(plain_fields(_mapping(record)))
        return item_json.decode_item(fields, limits=self._limits)

    def _apply(self, change: Change) -> list[Event]:
        """Return the events of a change; remember if it raises when a part of it is applied."""
        try:
            return self._deduplicate.apply(change)
        except BaseException:
            self._half_applied = self._deduplicate.half_applied
            raise

    def _check_usable(self) -> None:
        """Raise RuntimeError in any thread but the maker's, or if a change is half applied."""
        if get_ident() != self._made_in:
            raise RuntimeError(
                f"this Deduplicator was made in thread {self._maker!r} and is used in thread "
                f"{current_thread().name!r}: only the thread that made it may use it; make one in "
                "each thread, or judge all items in one"
            )
        if self._half_applied:
            raise RuntimeError(
                "an earlier call was interrupted while it changed the index of this Deduplicator, "
                "which may now be wrong: make a new one, and judge the items of the window again"
            )


def _rule_settings(**values: Any) -> RuleSettings:
    """Return settings of the rule; raise TypeError for a time span or number of another type.

    Raise SettingsInvalid for other values that the settings file would not accept either.
    """
    for name, value in values.items():
        kind = RuleSettings.__dataclass_fields__[name].metadata["kind"]
        if name in ("window", "lateness") and not isinstance(value, timedelta):
            raise TypeError(
                f"{name} must be a timedelta, such as timedelta(hours=72), not {value!r}"
            )
        if name in ("duplicate", "similar") and not isinstance(value, int):
            raise TypeError(f"{name} must be a whole number, such as 6, not {value!r}")
        try:
            kind.parse(kind.plain(value))
        except ValueError as error:
            raise SettingsInvalid(f"rule.{name} = {value}: expected {error}") from error
    chosen = RuleSettings(**values)
    if not chosen.similar <= chosen.duplicate <= chosen.terms:
        shown = f"rule.similar = {chosen.similar} and rule.duplicate = {chosen.duplicate}"
        raise SettingsInvalid(f"{shown}: expected similar <= duplicate <= {chosen.terms}")
    return chosen


def _mapping(record: Any) -> Mapping[str, object]:
    """Return a record as a mapping; raise TypeError, with advice, for other types.

    A row of a data frame (a pandas Series) is accepted.
    """
    if isinstance(record, Mapping):
        return record
    is_row = hasattr(record, "keys") and hasattr(record, "__getitem__")
    if is_row and getattr(record, "ndim", 1) == 1:
        return dict(record)
    raise TypeError(
        "an item is a mapping of field names to values, such as {'title': ..., 'text': ...}, not "
        f"{type(record).__name__}; of a data frame take the rows of frame.to_dict('records')"
    )


def deduplicated(
    items: Iterable[Mapping[str, object]],
    *,
    window: timedelta | None = _HOURS_72,
    rule: str = _VERIFIED,
    duplicate: int = 6,
    similar: int = 3,
    model: str = "",
    background: str = "",
) -> Result:
    """Return the final verdicts, pairs and stories of a finished collection, in any order.

    Items have the fields of docs/items.md or the columns of a table of news; those that cannot be
    items are listed in the result. With `window` None any two items less than a hundred years apart
    are compared. The rule is one of docs/settings.md; `duplicate` and `similar` (numbers of shared
    terms) are for rule `terms` alone, `model` is for `verified`: the path of a model that
    `newsdedup lab fit` wrote, "" for the shipped one. `background` is the path of a background
    table, "" likewise. Raise TypeError for what is no mapping, SettingsInvalid for another rule, or
    if a file cannot be read.
    """
    chosen = _rule_settings(
        name=rule,
        window=_CENTURY if window is None else window,
        duplicate=duplicate,
        similar=similar,
        model=model,
    )
    settings = Settings(rule=chosen, words=WordSettings(background=background))
    limits, active_rule = record_limits(settings), make_rule(settings)
    raise_thresholds()
    return judge_collection(
        _rows(items),
        read=lambda row: decode_row(row, limits=limits),
        # No helper processes: each would run the program's main module.
        analysis=BatchAnalysis(item_analyzer(settings)),
        rule=active_rule,
        recorder=stream_recorder(active_rule, keeps=False),
    )


def _rows(items: Iterable[Mapping[str, object]]) -> Iterator[TableRow]:
    """Yield each mapping as a table row under our field names, numbered from 0.

    Blank fields and those of other names are left out. Raise TypeError for what is no mapping:
    iterating over a data frame yields the names of its columns.
    """
    for number, item in enumerate(items):
        fields = _mapping(item)
        yield TableRow("", number, ColumnMap().of_row(fields).own_fields(fields))
