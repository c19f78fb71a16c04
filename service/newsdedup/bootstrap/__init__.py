"""The one place where settings become objects and adapters meet the core."""

from newsdedup.bootstrap.analyses import analysis, analyze, analyzer, background, helping, signing
from newsdedup.bootstrap.rules import kept, kept_rule, methods, rule, school
from newsdedup.bootstrap.runs import Places, decode, embedded, limits, made_by

__all__ = [
    "Places",
    "analysis",
    "analyze",
    "analyzer",
    "background",
    "decode",
    "embedded",
    "helping",
    "kept",
    "kept_rule",
    "limits",
    "made_by",
    "methods",
    "rule",
    "school",
    "signing",
]
