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
_NAME: Final = ("topic", CompactString("utf-8"))
_TAGS: Final = ("tags", TaggedFields)


def _fields(kind: Any, names: str) -> list[tuple[str, Any]]:
    """Return a pair of name and type for each of the names, which spaces separate."""
    return [(name, kind) for name in names.split()]


def _call(
    *, key: int, version: int, asks: Schema, answers: Schema, flexible: bool = False
) -> type[RequestStruct]:
    """Return the structure of a request in one version of the protocol, and of its answer.

    `key` is Kafka's api_key; `flexible` says that the version has tagged fields.
    """

    class Answer(Response):
        API_KEY = key
        API_VERSION = version
        SCHEMA = answers

    class Call(RequestStruct):
        FLEXIBLE_VERSION = flexible
        API_KEY = key
        API_VERSION = version
        RESPONSE_TYPE = Answer
        SCHEMA = asks

    return Call


_COMPACT_TEXT: Final = CompactString("utf-8")
_ID: Final = _fields(Int64, "id_first_half id_second_half")
_BROKERS: Final = CompactArray(
    ("node_id", Int32), ("host", _COMPACT_TEXT), ("port", Int32), ("rack", _COMPACT_TEXT), _TAGS
)
_PARTITIONS: Final = CompactArray(
    ("error_code", Int16),
    *_fields(Int32, "partition leader leader_epoch"),
    *_fields(CompactArray(Int32), "replicas isr offline_replicas"),
    _TAGS,
)
_TOPICS: Final = CompactArray(
    ("error_code", Int16),
    _NAME,
    *_ID,
    ("is_internal", Boolean),
    ("partitions", _PARTITIONS),
    ("operations", Int32),
    _TAGS,
)
_TOPICS_CALL: Final = _call(
    key=3,
    version=10,
    asks=Schema(
        ("topics", CompactArray(*_ID, _NAME, _TAGS)),
        ("allow_auto_topic_creation", Boolean),
        ("include_cluster_authorized_operations", Boolean),
        ("include_topic_authorized_operations", Boolean),
        _TAGS,
    ),
    answers=Schema(
        ("throttle_time_ms", Int32),
        ("brokers", _BROKERS),
        ("cluster_id", _COMPACT_TEXT),
        ("controller_id", Int32),
        ("topics", _TOPICS),
        ("cluster_operations", Int32),
        _TAGS,
    ),
    flexible=True,
)

_MEMBERS: Final = Array(
    *_fields(_TEXT, "member_id client_id client_host"), *_fields(Bytes, "metadata assignment")
)
_GROUPS: Final = Array(
    ("error_code", Int16),
    *_fields(_TEXT, "group state protocol_type protocol"),
    ("members", _MEMBERS),
    ("operations", Int32),
)
_GROUPS_CALL: Final = _call(
    key=15,
    version=3,
    asks=Schema(("groups", Array(_TEXT)), ("include_authorized_operations", Boolean)),
    answers=Schema(("throttle_time_ms", Int32), ("groups", _GROUPS)),
)

_REPLICAS: Final = CompactArray(
    ("replica_id", Int32),
    *_fields(Int64, "log_end_offset last_fetch_timestamp last_caught_up_timestamp"),
    _TAGS,
)
_QUORUMS: Final = CompactArray(
    ("partition", Int32),
    ("error_code", Int16),
    *_fields(Int32, "leader_id leader_epoch"),
    ("high_watermark", Int64),
    *_fields(_REPLICAS, "current_voters observers"),
    _TAGS,
)
_ASKED_PARTITIONS: Final = CompactArray(("partition", Int32), _TAGS)
_QUORUM_CALL: Final = _call(
    key=55,
    version=1,
    asks=Schema(("topics", CompactArray(_NAME, ("partitions", _ASKED_PARTITIONS), _TAGS)), _TAGS),
    answers=Schema(
        ("error_code", Int16),
        ("topics", CompactArray(_NAME, ("partitions", _QUORUMS), _TAGS)),
        _TAGS,
    ),
    flexible=True,
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


def topics_request(names: Sequence[str]) -> OneVersionRequest:
    """Return a request of topics, their ids and allowed operations; it creates no topic.

    Brokers answer it from Kafka 2.8 on, which has ids.
    """
    return OneVersionRequest(
        _TOPICS_CALL, [(0, 0, name, {}) for name in names], False, False, True, {}
    )


def group_operations_request(group: str) -> OneVersionRequest:
    """Return a request of a group; aiokafka reads an answer of this version as an older one."""
    return OneVersionRequest(_GROUPS_CALL, [group], True)


def quorum_request() -> OneVersionRequest:
    """Return a request of the voters of the metadata quorum; its leader is the controller."""
    return OneVersionRequest(_QUORUM_CALL, [(_METADATA_TOPIC, [(0, {})], {})], {})
