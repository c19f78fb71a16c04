"""The JSON Schemas (draft 2020-12) in service/newsdedup/schemas, generated from the types.

To write them anew: PYTHONPATH=tests .venv/bin/python -m schemas.generated
"""

import ast
import inspect
import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

import newsdedup
from newsdedup.core import events
from schemas import asyncapi, foreign_fields, input_types

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MOMENTS = ("effective_at",)
"""Fields of events that are strings in the types, but always dates."""
_OPTIONAL = ("contains", "cut", "moved")
"""Fields of events that are absent where they would say nothing."""
_READABLE = ("title", "text")
_SOMETHING = {"type": "string", "pattern": input_types.SOMETHING}


def json_schemas() -> dict[str, Schema]:
    """Return all schemas by name: one per event, and `input` for items and commands."""
    return {
        "input": _input(),
        "item.judged": _with_item("item.judged"),
        "verdict.corrected": _with_item("verdict.corrected"),
        "item.retracted": _without_item("item.retracted", events.Retraction),
        "story.original_changed": _without_item("story.original_changed", events.OriginalMoved),
    }


def schema_files() -> dict[str, str]:
    """Return the committed text of each schema and of the AsyncAPI document, by file name."""
    files = {
        f"{name}.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in json_schemas().items()
    }
    return {**files, asyncapi.ASYNCAPI_FILE: asyncapi.asyncapi_text()}


def _with_item(event: str) -> Schema:
    """Return the schema of an item that goes out with its verdict."""
    defs = _event_definitions(events.Judgement)
    defs["Judgement"]["properties"]["event"] = {"enum": [event]}
    about = "An item as it was received, unknown fields included, and the verdict on it."
    return _with_dedup(event, about, "Judgement", defs)


def _without_item(event: str, payload: type) -> Schema:
    """Return the schema of an event that carries no item."""
    defs = _event_definitions(payload)
    return _with_dedup(event, defs[payload.__name__]["description"], payload.__name__, defs)


def _with_dedup(event: str, description: str, payload: str, defs: Mapping[str, Schema]) -> Schema:
    return _document(
        event,
        description,
        {
            "type": "object",
            "properties": {"dedup": {"$ref": f"#/$defs/{payload}"}},
            "required": ["dedup"],
        },
        defs,
    )


def _event_definitions(payload: type) -> dict[str, Schema]:
    """Return the schemas of a payload's types; what we publish has all its other fields."""
    defs = _definitions([payload], events)
    for schema in defs.values():
        schema["required"] = [name for name in schema["properties"] if name not in _OPTIONAL]
        for name in schema["properties"].keys() & _MOMENTS:
            schema["properties"][name]["format"] = "date-time"
    return defs


def _input() -> Schema:
    commands = (
        input_types.RetractCommand,
        input_types.MergeCommand,
        input_types.SplitCommand,
        input_types.OriginalCommand,
    )
    defs = _definitions([input_types.Item, *commands], input_types)
    _add_foreign_names(defs["Item"])
    return _document(
        "input",
        'One record of the input: a news item, or a command, which is an object with "newsdedup".',
        {
            "type": "object",
            "if": {"required": ["newsdedup"]},
            "then": {"oneOf": [{"$ref": f"#/$defs/{command.__name__}"} for command in commands]},
            "else": {"$ref": "#/$defs/Item"},
        },
        defs,
    )


def _add_foreign_names(item: Schema) -> None:
    """Add the names of other formats, one of which must hold a title or a text."""
    item["properties"] |= foreign_fields.bounded_names()
    item["anyOf"] = [
        *({"properties": {own: _SOMETHING}, "required": [own]} for own in _READABLE),
        *(schema for own in _READABLE for schema in foreign_fields.readable(own)),
    ]
    # With this name a record is a command.
    item["properties"]["newsdedup"] = False


def _document(name: str, description: str, body: Schema, defs: Mapping[str, Schema]) -> Schema:
    head = {
        "$schema": _DIALECT,
        "$id": events.schema_id(name),
        "title": name,
        "description": description,
    }
    return {**head, **body, "$defs": dict(sorted(defs.items()))}


def _definitions(types: Iterable[type], module: ModuleType) -> dict[str, Schema]:
    """Return the schemas of types and of what they hold, described by their docstrings."""
    _, defs = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    notes = _field_notes(module)
    for name, schema in defs.items():
        schema["description"] = " ".join(schema["description"].split())
        for field, described in schema["properties"].items():
            described.pop("default", None)
            if note := notes.get((name, field)):
                described["description"] = note
    return defs


def _field_notes(module: ModuleType) -> dict[tuple[str, str], str]:
    """Return the strings below the fields of a module's classes, by class and field."""
    notes = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            for field, below in pairwise(node.body):
                match field, below:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(note))),
                    ):
                        notes[node.name, name] = inspect.cleandoc(note)
    return notes


if __name__ == "__main__":
    folder = Path(newsdedup.__file__).with_name("schemas")
    for file, text in schema_files().items():
        (folder / file).write_text(text, encoding="utf-8")
