"""The one place where settings become objects and adapters meet the core."""

from newsdedup.bootstrap.analyses import batch_analysis, document_analyzer, item_analyzer
from newsdedup.bootstrap.files_of_settings import load_background, load_model, load_pivots
from newsdedup.bootstrap.rules import (
    decode_rule,
    encode_rule,
    make_methods,
    make_rule,
    stream_learner,
)
from newsdedup.bootstrap.runs import (
    SINKS,
    RunPaths,
    SinkPlace,
    line_decoder,
    open_run,
    open_sink,
    record_limits,
    state_fingerprint,
)

__all__ = [
    "SINKS",
    "RunPaths",
    "SinkPlace",
    "batch_analysis",
    "decode_rule",
    "document_analyzer",
    "encode_rule",
    "item_analyzer",
    "line_decoder",
    "load_background",
    "load_model",
    "load_pivots",
    "make_methods",
    "make_rule",
    "open_run",
    "open_sink",
    "record_limits",
    "state_fingerprint",
    "stream_learner",
]
