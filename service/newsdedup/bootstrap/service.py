"""The parts of the service between Kafka and Redis; they need what the extra `kafka` brings."""

from newsdedup.bootstrap.loops import deadlines, loop
from newsdedup.bootstrap.rebuilding import rebuilt
from newsdedup.bootstrap.shadows import shadow
from newsdedup.bootstrap.workers import (
    Namespace,
    kafka_access,
    namespace,
    redis_client,
    shared_engine,
    worker,
)

__all__ = [
    "Namespace",
    "deadlines",
    "kafka_access",
    "loop",
    "namespace",
    "rebuilt",
    "redis_client",
    "shadow",
    "shared_engine",
    "worker",
]
