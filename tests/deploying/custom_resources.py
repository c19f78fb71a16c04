"""Resources of operators, checked by schemas in which what is not named is not allowed.

FORMS holds what our manifests use of KEDA and the Prometheus operator, and no more; the definitions
of the operators themselves are not in this repository. By hand, with a folder that has them:

    PYTHONPATH=tests .venv/bin/python -m deploying.custom_resources FOLDER < MANIFESTS
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

DURATION = {"type": "string", "pattern": r"^(\d+(ms|s|m|h|d))+$"}
TEXT = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 0}
TEXTS = {"type": "object", "additionalProperties": TEXT}


def form(required: str, **properties: Any) -> dict[str, Any]:
    """Return the schema of an object; `required` are names with spaces between."""
    return {"type": "object", "required": required.split(), "properties": properties}


def listed(item: Any) -> dict[str, Any]:
    return {"type": "array", "minItems": 1, "items": item}


SCALING = form(
    "scaleDown",
    scaleDown=form(
        "policies",
        stabilizationWindowSeconds={**COUNT, "maximum": 3600},
        policies=listed(
            form(
                "type value periodSeconds",
                type={"enum": ["Pods", "Percent"]},
                value=COUNT,
                periodSeconds={**COUNT, "maximum": 1800},
            )
        ),
    ),
)
RULE = form(
    "alert expr", alert=TEXT, expr=TEXT, labels=TEXTS, annotations=TEXTS, **{"for": DURATION}
)
FORMS = {
    ("keda.sh/v1alpha1", "ScaledObject"): form(
        "scaleTargetRef triggers",
        scaleTargetRef=form("name", name=TEXT),
        minReplicaCount=COUNT,
        maxReplicaCount=COUNT,
        pollingInterval=COUNT,
        advanced=form("", horizontalPodAutoscalerConfig=form("behavior", behavior=SCALING)),
        triggers=listed(
            form(
                "type metadata",
                type=TEXT,
                metadata=TEXTS,
                authenticationRef=form("name", name=TEXT),
            )
        ),
    ),
    ("keda.sh/v1alpha1", "TriggerAuthentication"): form(
        "",
        env=listed(form("parameter name", parameter=TEXT, name=TEXT, containerName=TEXT)),
        secretTargetRef=listed(form("parameter name key", parameter=TEXT, name=TEXT, key=TEXT)),
    ),
    ("monitoring.coreos.com/v1", "PodMonitor"): form(
        "selector podMetricsEndpoints",
        jobLabel=TEXT,
        selector=form("", matchLabels=TEXTS),
        podMetricsEndpoints=listed(form("port", port=TEXT, path=TEXT, interval=DURATION)),
    ),
    ("monitoring.coreos.com/v1", "PrometheusRule"): form(
        "groups", groups=listed(form("name rules", name=TEXT, rules=listed(RULE)))
    ),
}


def strict(schema: Any) -> Any:
    """Return a schema that refuses what it does not name."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    made = {name: strict(one) for name, one in schema.items()}
    closed = "properties" in schema and "additionalProperties" not in schema
    if closed and not schema.get("x-kubernetes-preserve-unknown-fields"):
        made["additionalProperties"] = False
    return made


def problems(manifest: Mapping[str, Any], spec: Any) -> list[str]:
    """Return what is wrong with the spec of a resource."""
    checker = jsonschema.Draft202012Validator(strict(spec))
    return [f"{one.json_path}: {one.message}" for one in checker.iter_errors(manifest["spec"])]


def definitions(folder: Path) -> dict[tuple[str, str], Any]:
    """Return the schema of the spec of each CustomResourceDefinition, by version and kind."""
    found = {}
    for file in sorted(folder.glob("*.yaml")):
        spec = yaml.safe_load(file.read_text("utf-8"))["spec"]
        for version in spec["versions"]:
            name = f"{spec['group']}/{version['name']}"
            schema = version["schema"]["openAPIV3Schema"]["properties"]["spec"]
            found[name, spec["names"]["kind"]] = schema
    return found


if __name__ == "__main__":
    defined = definitions(Path(sys.argv[1]))
    for one in yaml.safe_load_all(sys.stdin):
        kind = one["apiVersion"], one["kind"]
        if kind in FORMS:
            sys.stdout.write(f"{' '.join(kind)}: {problems(one, defined[kind]) or 'ok'}\n")
