"""Every setting with its default, its kind and what it does: docs and help come from here."""

from dataclasses import dataclass, field
from datetime import timedelta

from newsdedup.config.kinds import Choice, File, Names, Whole
from newsdedup.config.marks import mark
from newsdedup.config.measures import Duration, Size
from newsdedup.config.rules import FINGERPRINTS, RULES
from newsdedup.config.servers import KafkaSettings, RedisSettings, WorkerSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSettings:
    """When two items are duplicates."""

    name: str = field(
        default="verified",
        metadata=mark(
            Choice(RULES),
            "What decides: `terms` counts the weightiest terms that two items share, `verified` "
            "weighs numbers, names and phrases, too; the name of a fingerprint lets it decide.",
            flag="--rule",
        ),
    )
    window: timedelta = field(
        default=timedelta(hours=72),
        metadata=mark(
            Duration(),
            "How far apart in time two items of one story may be.",
            flag="--window",
        ),
    )
    lateness: timedelta = field(
        default=timedelta(hours=24),
        metadata=mark(
            Duration(zero=True),
            "How far behind the newest item another may come and still be placed exactly.",
        ),
    )
    duplicate: int = field(
        default=6,
        metadata=mark(
            Whole("terms", least=2, most=64),
            "Shared terms from which on an item is a duplicate; only for rule `terms`.",
        ),
    )
    similar: int = field(
        default=3,
        metadata=mark(
            Whole("terms", least=2, most=64),
            "Shared terms from which on an item is similar; the fewer, the more is looked up; "
            "only for rule `terms`.",
        ),
    )
    terms: int = field(
        default=12,
        metadata=mark(
            Whole("terms", least=2, most=64),
            "Terms that are kept of an item, under every rule: the weightiest.",
        ),
    )
    certainty: int = field(
        default=0,
        metadata=mark(
            Whole("percent", least=0, most=99),
            "Probability from which on an item is a duplicate; 0 for the fitted one; only for rule "
            "`verified`.",
        ),
    )
    model: str = field(
        default="",
        metadata=mark(
            File(),
            "Your own model, a file that `lab fit` wrote; if empty, the one of the package; only "
            "for rule `verified`.",
        ),
    )
    fingerprints: tuple[str, ...] = field(
        default=(),
        metadata=mark(
            Names(FINGERPRINTS),
            "Further methods whose keys find candidates and whose names stand in the evidence; "
            "only beside rule `terms` or `verified`.",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How a stream is worked through."""

    state: str = field(
        default="",
        metadata=mark(
            File(),
            "The file that keeps what a run must remember; if empty, it lies beside the output.",
            flag="--state",
        ),
    )
    batch: int = field(
        default=512,
        metadata=mark(
            Whole("items", most=1_000_000),
            "Items per transaction, at most; any number gives the same events.",
        ),
    )
    idle_flush: timedelta = field(
        default=timedelta(milliseconds=200),
        metadata=mark(
            Duration(zero=True),
            "How long a batch that is not full waits for more.",
        ),
    )
    helpers: int = field(
        default=0,
        metadata=mark(
            Whole("processes", least=0, most=64),
            "Processes that share the analysis with a run; each takes about 250 MB.",
            flag="--helpers",
        ),
    )
    cascade: int = field(
        default=10_000,
        metadata=mark(
            Whole("items"),
            "Items judged again because of one that came late, at most.",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """What is too much for an item: it becomes a dead letter."""

    line_bytes: int = field(
        default=16 * 2**20,
        metadata=mark(Size(), "The longest line of an input."),
    )
    title_chars: int = field(
        default=10_000,
        metadata=mark(Whole("characters"), "The longest title."),
    )
    text_chars: int = field(
        default=1_000_000,
        metadata=mark(Whole("characters"), "The longest text."),
    )
    depth: int = field(
        default=64,
        # Python stops at 1000 frames: above that, it would not be this limit that holds.
        metadata=mark(Whole("levels", most=500), "The deepest nesting of JSON."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSettings:
    """Where words get their lemmas and weights from."""

    cache_forms: int = field(
        default=400_000,
        metadata=mark(
            Whole("forms"),
            "Word forms whose lemmas are remembered; more are faster and take more memory.",
        ),
    )
    background: str = field(
        default="",
        metadata=mark(
            File(),
            "Your own background table; if empty, the one of the package.",
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that can be set."""

    rule: RuleSettings = RuleSettings()
    run: RunSettings = RunSettings()
    limits: LimitSettings = LimitSettings()
    words: WordSettings = WordSettings()
    kafka: KafkaSettings = KafkaSettings()
    redis: RedisSettings = RedisSettings()
    worker: WorkerSettings = WorkerSettings()
