"""The OpenAPI 3.1 document of the API, made of the operations and of the types they return."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from importlib.resources import files
from typing import Any, Final

import msgspec
from msgspec import Struct

from newsdedup.server.http_errors import PROBLEM_JSON, ProblemDetails
from newsdedup.server.operations import EVENT_STREAM, JSON, Operation

_REF: Final = "#/components/schemas/{name}"
_EVERYWHERE: Final = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
_OF_BODIES: Final = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
_OF_TOKENS: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_TOKEN: Final = "token"  # noqa: S105 - the name of the scheme


def make_openapi(operations: Sequence[Operation], *, version: str, batch: int) -> dict[str, Any]:
    """Return the document; `version` is that of newsdedup, `batch` the most records of a list."""
    kinds: list[type[Struct]] = [ProblemDetails]
    for one in operations:
        kinds += [kind for kind in (one.query, one.body, one.result) if isinstance(kind, type)]
    unique = list(dict.fromkeys(kinds))
    _, schemas = msgspec.json.schema_components(unique, ref_template=_REF)
    queries = {one.query.__name__ for one in operations}
    paths: dict[str, Any] = {}
    for one in operations:
        parameters = _parameters(one, schemas[one.query.__name__])
        paths.setdefault(one.path, {})[one.method.lower()] = _describe(one, parameters, batch)
    published = {name: schema for name, schema in schemas.items() if name not in queries}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "newsdedup",
            "version": version,
            "description": "Stories, originals and duplicates of a stream of news.",
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": {**published, **_input_schemas()},
            "securitySchemes": {_TOKEN: {"type": "http", "scheme": "bearer"}},
        },
    }


def _describe(one: Operation, parameters: list[dict[str, Any]], batch: int) -> dict[str, Any]:
    """Return the operation object of OpenAPI; `batch` is the most records of a list."""
    described: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.about.rstrip("."),
        "parameters": parameters,
        "responses": _responses(one),
    }
    if isinstance(one.body, str):
        record = {"$ref": _REF.format(name="Item" if one.body == "item or list" else "Record")}
        # A record that is no item has a refusal among the results, next to verdicts on the others.
        each = {"description": f"{record['$ref'].rpartition('/')[2]}; any other gets a refusal."}
        several = {"type": "array", "items": each, "minItems": 1, "maxItems": batch}
        body = {"schema": {"oneOf": [record, several]}}
        described["requestBody"] = {"required": True, "content": {JSON: body}}
    elif one.body is not None:
        schema = {"$ref": _REF.format(name=one.body.__name__)}
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    if one.needs_token:
        described["security"] = [{_TOKEN: []}]
    return described


def _parameters(one: Operation, schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parameter objects of an operation; `schema` is the JSON schema of its query."""
    required = set(schema["required"])
    parameters = []
    for name, field in schema["properties"].items():
        in_path = f"{{{name}}}" in one.path
        kept = {key: value for key, value in field.items() if key not in ("default", "description")}
        if "anyOf" in kept:
            # Null means that the parameter is not given.
            kept = next(choice for choice in kept["anyOf"] if choice.get("type") != "null")
        if kept.get("format") == "date-time":
            kept = {"type": "string", "anyOf": [{"format": "date-time"}, {"format": "date"}]}
        if in_path:
            kept["minLength"] = 1
        described = {
            "name": name,
            "in": "path" if in_path else "query",
            "required": in_path or name in required,
            "schema": kept,
        }
        if "description" in field:
            described["description"] = field["description"]
        parameters.append(described)
    if one.path.endswith("/events"):
        last = {"type": "string", "pattern": "^[0-9]{0,15}$"}
        parameters.append(
            {"name": "Last-Event-ID", "in": "header", "required": False, "schema": last}
        )
    return parameters


def _responses(one: Operation) -> dict[str, Any]:
    """Return the answers of an operation by status: its result, and problems."""
    content: dict[str, Any] = {"schema": {"type": "string"}}
    if one.media == EVENT_STREAM:
        content = {}
    elif one.result is not None:
        content = {"schema": {"$ref": _REF.format(name=one.result.__name__)}}
    responses: dict[str, Any] = {"200": {"description": one.about, "content": {one.media: content}}}
    if one.method == "GET" and one.media != EVENT_STREAM:
        responses["304"] = {"description": "The client has the newest answer (If-None-Match)."}
    problem = {"schema": {"$ref": _REF.format(name=ProblemDetails.__name__)}}
    content = {PROBLEM_JSON: problem}
    errors = {*_EVERYWHERE, *one.errors}
    errors.update(_OF_BODIES if one.body is not None else ())
    errors.update(_OF_TOKENS if one.needs_token else ())
    for status in sorted(errors):
        responses[str(status.value)] = {"description": status.phrase, "content": content}
    return responses


def _input_schemas() -> dict[str, Any]:
    """Return the committed schemas of records as components; Record is one of any kind."""
    text = (files("newsdedup") / "schemas" / "input.json").read_text(encoding="utf-8")
    document = json.loads(text.replace("#/$defs/", "#/components/schemas/"))
    definitions: dict[str, Any] = document.pop("$defs")
    record = {key: value for key, value in document.items() if not key.startswith("$")}
    return {**definitions, "Record": {**record, "title": "Record"}}
