"""Checks of the doctor: a namespace in Redis, compared with what the consumer group has committed.

Workers store the offsets of a batch with the state before they commit them. So a state that holds
none of what the group has committed was lost, whatever else is found there: the next worker makes
the namespace again and refuses it.
"""

import asyncio
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from newsdedup.adapters.kafka.records import position_name
from newsdedup.adapters.redis.keys import UPGRADES, readable_format
from newsdedup.cli.checks.installation import Finding, Probe
from newsdedup.cli.output import counted
from newsdedup.config import Configuration, Settings, settings_by_key
from newsdedup.ports.errors import StateUnusable

if TYPE_CHECKING:
    from newsdedup.bootstrap.servers import NamespaceFacts

_SHOWN_PARTITIONS = 3
_REBUILD_SETTINGS = ("kafka.servers", "redis.url", "redis.namespace", "rule.name", "rule.window")
"""The settings that `newsdedup rebuild` takes as flags."""
_FLAG_ORIGIN = "flag "


def namespace_probe(configuration: Configuration, config: Path | None, *, seconds: float) -> Probe:
    """Return the probe of the namespace, which asks Redis and Kafka for at most `seconds`.

    `config` is the settings file of the command line, None if it names none.
    """
    from newsdedup.bootstrap.runs import fingerprint_of, namespace_fingerprint
    from newsdedup.bootstrap.servers import ask_namespace

    settings = configuration.settings

    def findings(facts: "NamespaceFacts") -> Iterator[Finding]:
        if is_lost(facts):
            committed = sorted((facts.committed or {}).items())
            first = [f"{name} at {offset}" for name, offset in committed[:_SHOWN_PARTITIONS]]
            more = len(committed) - _SHOWN_PARTITIONS
            shown = f"{', '.join(first)}{f' and {more} more' * (more > 0)}"
            text = f"{describe_loss(settings)}\ncommitted: {shown}"
            yield Finding(_name(settings), "fail", text, rebuild_advice(configuration, config))
        else:
            made_by = fingerprint_of(settings, namespace_fingerprint)
            yield check_namespace(settings, facts, made_by=made_by)
        yield check_progress(settings, facts)
        yield check_late(facts)

    return Probe(
        _name(settings),
        lambda: asyncio.run(ask_namespace(settings, seconds=seconds)),
        findings,
        "start Redis, or correct redis.url, redis.username and the password",
    )


def is_lost(facts: "NamespaceFacts") -> bool:
    """Return whether the group has committed offsets, but the state in Redis holds none."""
    return bool(facts.committed) and not facts.stored


def check_namespace(settings: Settings, facts: "NamespaceFacts", *, made_by: str) -> Finding:
    """Check whether a namespace was made with the present settings, whose fingerprint is `made_by`.

    One that does not exist yet is ok. One of other settings or of an unknown format fails; one in
    an older format that can be upgraded is a warning.
    """
    check = _name(settings)
    if not facts.made_by:
        return Finding(check, "ok", "does not exist yet; the first worker creates it")
    try:
        readable_format(settings.redis.namespace, facts.format)
    except StateUnusable as error:
        text, _, advice = str(error).rpartition(": ")
        return Finding(check, "fail", text, advice)
    if facts.made_by != made_by:
        text = f"was made with other settings:\nthen: {facts.made_by}\nnow:  {made_by}"
        advice = "choose the settings of then, or `newsdedup rebuild --namespace NEW`"
        return Finding(check, "fail", text, advice)
    if facts.format in UPGRADES:
        older = f"format {facts.format} of an earlier release, which takes more memory and time"
        text = f"was made with these settings, in {older}"
        advice = "newsdedup upgrade, once no worker of the earlier release runs"
        return Finding(check, "warn", text, advice)
    return Finding(check, "ok", "was made with these settings")


def check_progress(settings: Settings, facts: "NamespaceFacts") -> Finding:
    """Check whether the state has all records that the group has committed; warn if it has not.

    Then Redis has lost its last writes, and the workers read these records again. Warn also if the
    committed offsets are not known or have expired, or if the topic no longer has records that the
    group has not read; fail if the whole state is lost.
    """
    check, group, topic = "group", settings.kafka.group, settings.kafka.input
    if facts.committed is None:
        text = f"what {group} has committed is not known: {facts.unknown}"
        advice = "without it a lost state looks like one that does not exist yet"
        return Finding(check, "warn", text, advice)
    committed, stored = facts.committed, facts.stored
    if not committed:
        judged = sum(at for name, at in stored.items() if name.rpartition("/")[0] == topic)
        text = f"{group} has committed nothing of {topic}"
        if not judged:
            return Finding(check, "ok", text)
        text = f"{text}, of which the state holds {judged:,} records"
        advice = "workers read it from its beginning, unless you set the offsets of the group first"
        return Finding(check, "warn", text, advice)
    if is_lost(facts):
        text = f"{group} has committed {sum(committed.values()):,} records that are not stored"
        return Finding(check, "fail", text, "see the namespace above")
    text, advice = f"the state holds all that {group} has committed", ""
    if behind := sum(max(0, at - stored.get(name, 0)) for name, at in committed.items()):
        text = f"{group} has committed {behind:,} records more than the state in Redis holds"
        advice = "nothing: workers read them again; Redis has lost its last writes, ask it why"
    elif deleted := sum(max(0, facts.first.get(name, 0) - at) for name, at in committed.items()):
        text = f"{topic} no longer has {deleted:,} records that {group} has not read: not judged"
        advice = f"raise retention.ms of {topic}; send them again"
    return Finding(check, "warn" if advice else "ok", text, advice)


def check_late(facts: "NamespaceFacts") -> Finding:
    """Return a finding that warns of items too late to be judged exactly, counted by partition."""
    if not facts.late:
        return Finding("late items", "ok", "none came too late within a week")
    missed = sum(count for items, count in facts.late.items() if items.reason == "window")
    by_partition = Counter[str]()
    for items, count in facts.late.items():
        by_partition[position_name(items.topic, int(items.partition))] += count
    shown = by_partition.most_common(_SHOWN_PARTITIONS)
    more = len(by_partition) - len(shown)
    text = (
        f"{counted(by_partition.total(), 'item')} came too late, {missed:,} of them after what "
        f"they could match had left the window: "
        + ", ".join(f"{name}: {count:,}" for name, count in shown)
        + f" and {more} more partitions" * (more > 0)
    )
    advice = "docs/operations.md, NewsdedupItemsTooLate; write backlogs in the order of time"
    return Finding("late items", "warn", text, advice)


def _name(settings: Settings) -> str:
    """Return the name under which findings on the namespace are listed, as "namespace news"."""
    return f"namespace {settings.redis.namespace}"


def describe_loss(settings: Settings) -> str:
    """Return a message on one line: Redis has lost the state of the workers."""
    return (
        f"redis holds no state in namespace {settings.redis.namespace!r}, but the group "
        f"{settings.kafka.group!r} has committed records of {settings.kafka.input!r}: redis has "
        "lost the state, or the namespace is new"
    )


def rebuild_advice(configuration: Configuration, config: Path | None) -> str:
    """Return on one line how to restore a lost state; `config` is the file that --config named.

    The command repeats the settings that came from flags; others are read again. It has no --since,
    so it reads all that the output topic keeps, however long the stream was interrupted.
    """
    known = settings_by_key()
    words = ["newsdedup", "rebuild"]
    if config is not None:
        words += ["--config", str(config)]
    for key in _REBUILD_SETTINGS:
        if configuration.origins[key].startswith(_FLAG_ORIGIN):
            words += [known[key].flag, str(known[key].shown(configuration.settings))]
    return (
        f"stop all workers, run `{shlex.join(words)}`, start the workers; if another program has "
        "committed these offsets, name another group in kafka.group"
    )
