"""The three topics of a stream with the settings that workers and consumers rely on."""

from datetime import timedelta
from typing import Final

from newsdedup.adapters.kafka.admin import TopicSpec
from newsdedup.config import Settings

BROKER_BYTES: Final = 1_048_588
"""What a broker takes by default; a topic that takes less would refuse what others send."""
OVERHEAD: Final = 1_024
ERASED_WITHIN: Final = timedelta(days=1)
"""How long what was replaced or withdrawn may wait for compaction; by default that has no end."""
MILLISECOND: Final = timedelta(milliseconds=1)


def stream_topics(
    settings: Settings, *, partitions: int, replication: int, keep: timedelta
) -> list[TopicSpec]:
    """Return the topics of input, output and dead letters, with their settings.

    Output and dead letters are compacted, so that the newest event or dead letter of an item stays
    and a tombstone erases its dead letters, and are deleted after `keep`. How long the input is
    kept is the broker's business. With several replicas one broker may be away: writes are
    acknowledged once all other replicas have them, so of three or more another one may be lost.
    """
    chosen = settings.kafka
    largest = str(max(BROKER_BYTES, chosen.message_bytes + OVERHEAD))
    taken = {
        "max.message.bytes": largest,
        "min.insync.replicas": str(max(1, replication - 1)),
    }
    kept = {
        **taken,
        "cleanup.policy": "compact,delete",
        "max.compaction.lag.ms": str(ERASED_WITHIN // MILLISECOND),
        "retention.ms": str(keep // MILLISECOND),
    }
    return [
        TopicSpec(chosen.input, partitions, replication, taken),
        TopicSpec(chosen.output, partitions, replication, kept),
        TopicSpec(chosen.dead, 1, replication, kept),
    ]
