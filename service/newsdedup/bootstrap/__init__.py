"""The one place where settings become objects and adapters meet the core."""

from newsdedup.bootstrap.analyses import analysis, analyze, analyzer, helping, signing
from newsdedup.bootstrap.loops import deadlines, loop
from newsdedup.bootstrap.rebuilding import rebuilt
from newsdedup.bootstrap.rules import kept, kept_rule, methods, rule, school
from newsdedup.bootstrap.runs import Places, decode, embedded, limits, made_by
from newsdedup.bootstrap.shadows import shadow
from newsdedup.bootstrap.tables import background, pivots
from newsdedup.bootstrap.workers import (
    Namespace,
    kafka_access,
    namespace,
    redis_client,
    served,
    worker,
)

__all__ = [
    "Namespace",
    "Places",
    "analysis",
    "analyze",
    "analyzer",
    "background",
    "deadlines",
    "decode",
    "embedded",
    "helping",
    "kafka_access",
    "kept",
    "kept_rule",
    "limits",
    "loop",
    "made_by",
    "methods",
    "namespace",
    "pivots",
    "rebuilt",
    "redis_client",
    "rule",
    "school",
    "served",
    "shadow",
    "signing",
    "worker",
]
