"""The one place where settings become objects and adapters meet the core."""

from newsdedup.bootstrap.analyses import analysis, analyze, analyzer, helping, signing
from newsdedup.bootstrap.models import model
from newsdedup.bootstrap.rules import kept, kept_rule, methods, rule, school
from newsdedup.bootstrap.runs import Places, decode, embedded, limits, made_by
from newsdedup.bootstrap.tables import background, pivots

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
    "model",
    "pivots",
    "rule",
    "school",
    "signing",
]
