"""The one place where settings become objects and adapters meet the core."""

from newsdedup.bootstrap.analyses import analyzer, batch_analysis, item_analyzer
from newsdedup.bootstrap.models import model
from newsdedup.bootstrap.rules import kept, kept_rule, methods, rule, school
from newsdedup.bootstrap.runs import Places, embedded, limits, line_decoder, made_by
from newsdedup.bootstrap.tables import background, pivots

__all__ = [
    "Places",
    "analyzer",
    "background",
    "batch_analysis",
    "embedded",
    "item_analyzer",
    "kept",
    "kept_rule",
    "limits",
    "line_decoder",
    "made_by",
    "methods",
    "model",
    "pivots",
    "rule",
    "school",
]
