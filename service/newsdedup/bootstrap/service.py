"""The parts of the service between Kafka and Redis; they need what the extra `kafka` brings."""

from newsdedup.bootstrap.loops import deadlines, make_loop
from newsdedup.bootstrap.workers import (
    NamespaceSession,
    kafka_access,
    make_worker,
    namespace_session,
    open_namespaces,
    open_shadow,
    redis_client,
    restore_namespace,
    shared_engine,
    upgrade_format,
)

__all__ = [
    "NamespaceSession",
    "deadlines",
    "kafka_access",
    "make_loop",
    "make_worker",
    "namespace_session",
    "open_namespaces",
    "open_shadow",
    "redis_client",
    "restore_namespace",
    "shared_engine",
    "upgrade_format",
]
