"""Requests to Kafka that aiokafka has no call for; each holds one version of Kafka's protocol."""

from collections.abc import Sequence
from typing import Any, Final

from aiokafka.protocol.api import Request, RequestStruct, Response
from aiokafka.protocol.types import (
    Array,
    Boolean,
    Bytes,
    CompactArray,
    CompactString,
    Int16,
    Int32,
    Int64,
    Schema,
    String,
    TaggedFields,
)

_METADATA_TOPIC: Final = "__cluster_metadata"
_TEXT: Final = String("utf-8")
_COMPACT_TEXT: Final = CompactString("utf-8")
_TAGS: Final = ("tags", TaggedFields)


def _fields(kind: Any, names: str) -> list[tuple[str, Any]]:
    """Return a pair of name and type for each of the names, which spaces separate."""
    return [(name, kind) for name in names.split()]


class _TopicsAnswer(Response):
    API_KEY = 3
    API_VERSION = 8
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        ("brokers", Array(("node_id", Int32), ("host", _TEXT), ("port", Int32), ("rack", _TEXT))),
        ("cluster_id", _TEXT),
        ("controller_id", Int32),
        (
            "topics",
            Array(
                ("error_code", Int16),
                ("topic", _TEXT),
                ("is_internal", Boolean),
                (
                    "partitions",
                    Array(
                        ("error_code", Int16),
                        *_fields(Int32, "partition leader leader_epoch"),
                        *_fields(Array(Int32), "replicas isr offline_replicas"),
                    ),
                ),
                ("operations", Int32),
            ),
        ),
        ("cluster_operations", Int32),
    )


class _TopicsCall(RequestStruct):
    API_KEY = 3
    API_VERSION = 8
    RESPONSE_TYPE = _TopicsAnswer
    SCHEMA = Schema(
        ("topics", Array(_TEXT)),
        ("allow_auto_topic_creation", Boolean),
        ("include_cluster_authorized_operations", Boolean),
        ("include_topic_authorized_operations", Boolean),
    )


class _GroupsAnswer(Response):
    API_KEY = 15
    API_VERSION = 3
    SCHEMA = Schema(
        ("throttle_time_ms", Int32),
        (
            "groups",
            Array(
                ("error_code", Int16),
                *_fields(_TEXT, "group state protocol_type protocol"),
                (
                    "members",
                    Array(
                        *_fields(_TEXT, "member_id client_id client_host"),
                        *_fields(Bytes, "metadata assignment"),
                    ),
                ),
                ("operations", Int32),
            ),
        ),
    )


class _GroupsCall(RequestStruct):
    API_KEY = 15
    API_VERSION = 3
    RESPONSE_TYPE = _GroupsAnswer
    SCHEMA = Schema(("groups", Array(_TEXT)), ("include_authorized_operations", Boolean))


_REPLICAS: Final = CompactArray(
    ("replica_id", Int32),
    *_fields(Int64, "log_end_offset last_fetch_timestamp last_caught_up_timestamp"),
    _TAGS,
)


class _QuorumAnswer(Response):
    API_KEY = 55
    API_VERSION = 1
    SCHEMA = Schema(
        ("error_code", Int16),
        (
            "topics",
            CompactArray(
                ("topic", _COMPACT_TEXT),
                (
                    "partitions",
                    CompactArray(
                        ("partition", Int32),
                        ("error_code", Int16),
                        *_fields(Int32, "leader_id leader_epoch"),
                        ("high_watermark", Int64),
                        *_fields(_REPLICAS, "current_voters observers"),
                        _TAGS,
                    ),
                ),
                _TAGS,
            ),
        ),
        _TAGS,
    )


class _QuorumCall(RequestStruct):
    FLEXIBLE_VERSION = True
    API_KEY = 55
    API_VERSION = 1
    RESPONSE_TYPE = _QuorumAnswer
    SCHEMA = Schema(
        (
            "topics",
            CompactArray(
                ("topic", _COMPACT_TEXT),
                ("partitions", CompactArray(("partition", Int32), _TAGS)),
                _TAGS,
            ),
        ),
        _TAGS,
    )


class OneVersionRequest(Request[RequestStruct]):
    """A request in the one version of Kafka's protocol that its structure (`call`) defines."""

    API_KEY = -1

    def __init__(self, call: type[RequestStruct], *fields: object) -> None:
        self.API_KEY = call.API_KEY
        self._CLASSES = (call,)
        self._fields = fields

    def build(self, request_struct_class: type[RequestStruct]) -> RequestStruct:
        """Return the request that is sent; aiokafka calls this."""
        return request_struct_class(*self._fields)


def topic_operations_request(names: Sequence[str]) -> OneVersionRequest:
    """Return a request of topics with the operations that are allowed; it creates no topic."""
    return OneVersionRequest(_TopicsCall, list(names), False, False, True)


def group_operations_request(group: str) -> OneVersionRequest:
    """Return a request of a group; aiokafka reads an answer of this version as an older one."""
    return OneVersionRequest(_GroupsCall, [group], True)


def quorum_request() -> OneVersionRequest:
    """Return a request of the voters of the metadata quorum; its leader is the controller."""
    return OneVersionRequest(_QuorumCall, [(_METADATA_TOPIC, [(0, {})], {})], {})
