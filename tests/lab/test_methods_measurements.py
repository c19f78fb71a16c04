import json
from pathlib import Path
from typing import Any

import pytest

from docs.pages import FOLDER, cells, page
from newsdedup.core.fingerprints.catalogue import METHODS
from newsdedup_lab.compare.comparison_study import summarize
from newsdedup_lab.compare.method import WHOLE_METHOD
from newsdedup_lab.compare.paper import METHOD_NUMBERS

PAGE = "methods.md"
RESULTS = FOLDER / "results"
DEV, OWN = "dev_pairs.tsv", "pairs.tsv"
SCORES = ("precision", "recall", "f1")


def measurements(name: str) -> dict[str, Any]:
    return json.loads((RESULTS / name).read_text("utf-8"))


def method(name: str) -> str:
    return f"{METHOD_NUMBERS[name]} `{name}`"


def three(scores: dict[str, float]) -> list[str]:
    return [f"{scores[score]:.3f}".removeprefix("0") for score in SCORES]


def cost(name: str, row: dict[str, Any]) -> list[str]:
    exact = [f"{row[measurement]:.1f}" for measurement in ("sign_us", "keys", "bytes", "pair_us")]
    return [method(name), f"{row['signed']:.1%}", *exact, *[f"{row['compared']:,}"]]


def quality(name: str, row: dict[str, Any]) -> list[str]:
    return [
        method(name),
        *three(row["texts"]),
        *three(row[DEV]),
        *three(row[DEV]["weighted"]),
        *three(row[OWN]),
    ]


def scaled(name: str, row: dict[str, Any]) -> list[str]:
    exact = [f"{row[measurement]:.1f}" for measurement in ("sign_us", "pair_us")]
    counts = [
        f"{row[measurement]:,}" for measurement in ("compared", "largest", "reach", "left_out")
    ]
    return [method(name), *exact, *counts, *three(row["planted"])]


TABLES = [
    ("cost of", "methods.json", cost),
    ("quality of", "methods.json", quality),
    ("at size", "methods_generated.json", scaled),
    ("at half a million", "methods_large.json", scaled),
]


@pytest.mark.parametrize(("first", "results", "row"), TABLES, ids=[first for first, _, _ in TABLES])
def test_the_page_shows_the_numbers_of_the_committed_results(first, results, row):
    summary = measurements(results)["methods"]
    assert cells(PAGE, first=first) == [row(name, summary[name]) for name in summary]


def test_the_results_are_of_methods_of_the_catalogue():
    assert set(measurements("methods.json")["methods"]) <= {*METHODS, WHOLE_METHOD}


@pytest.mark.parametrize("results", [results for _, results, _ in TABLES[1:]])
def test_the_page_names_command_and_date_of_the_results(results):
    summary = measurements(results)
    text = " ".join(page(PAGE).split())
    assert f"`{summary['made']['command']}`" in text
    assert summary["made"]["date"][:10] in text
    assert f"{summary['documents']['documents']:,}" in text
    assert f"{summary['pairs']['same']:,} of {summary['pairs']['compared']:,}" in text


@pytest.mark.parametrize("results", sorted(RESULTS.glob("methods*.json")), ids=lambda p: p.name)
def test_results_name_no_item(results: Path):
    content = results.read_text("utf-8")
    assert not any(prefix in content for prefix in ("nk-", "tg19-", "http", "examples"))


def test_a_summary_keeps_costs_and_scores_of_a_worked_example():
    row = {"method": "md5", "precision": 1.0, "recall": 0.5, "f1": 0.6667}
    spent = dict.fromkeys(("compared", "reach", "largest", "left_out", "found"), 3)
    spent |= {"version": "1", "sign_seconds": 2.0, "pair_seconds": 1.0}
    spent |= {"signed": 4, "keys": 6, "bytes": 10}
    summary = {
        "made": {"command": "newsdedup"},
        "measurements": {
            "documents": {"documents": 4, "mean_words": 7.5, "digest": "of files"},
            "methods": {"md5": spent},
            "quality": {
                "pool": 3,
                "compared": 3,
                "same": 2,
                "texts": [row | {"recall_by_similarity": []}],
                "people": [
                    {"file": DEV, "pairs": 9, "duplicates": 5, "rows": [row | {"weighted": row}]}
                ],
                "planted": {"pairs": 8, "rows": [row]},
                "errors": {"md5": {"examples": ["an item"]}},
            },
            "curves": {},
        },
    }
    [(name, kept)] = summarize(summary)["methods"].items()
    # 2 seconds over 4 documents are half a million microseconds each.
    assert (name, kept["sign_us"], kept["keys"], kept["bytes"]) == ("md5", 500_000.0, 1.5, 2.5)
    assert kept[DEV]["weighted"] == kept["planted"] == kept["texts"]
    assert "an item" not in json.dumps(summarize(summary))
