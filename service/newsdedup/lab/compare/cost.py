"""What methods cost, and what the bounds of the comparison left out."""

from collections.abc import Mapping
from typing import Any

from newsdedup.lab.compare.buckets import EFFORT, REACH
from newsdedup.lab.compare.seed import named
from newsdedup.lab.report.report import Listing, Part, Table, Text

MILLION = 1e6


def cost_parts(costs: Mapping[str, Mapping[str, Any]], documents: int) -> tuple[Part, ...]:
    """Return the table of costs, and for each method that was bounded by how much."""
    lines = [
        f"{named(name)}: up to {cost['left_out']:,} pairs with a common key were not "
        f"looked at (reach {cost['reach']}, largest bucket {cost['largest']:,} documents)."
        for name, cost in costs.items()
        if cost["left_out"]
    ]
    return (
        Table(
            "Cost for each document",
            (
                "method", "signed", "sign, µs", "keys", "bytes", "pairs, µs", "compared",
                "largest bucket", "reach",
            ),
            tuple(
                (
                    named(name),
                    cost["signed"] / documents,
                    MILLION * cost["sign_seconds"] / documents,
                    cost["keys"] / documents,
                    cost["bytes"] / documents,
                    MILLION * cost["pair_seconds"] / documents,
                    cost["compared"] / documents,
                    cost["largest"],
                    cost["reach"],
                )
                for name, cost in costs.items()
            ),
            about="In the mean over all documents. Signed: the share in which there was something "
            "to sign. Pairs: finding candidates by keys and comparing them.",
            digits=1,
        ),
        Text(
            f"In a bucket of equal keys, documents stand by the length of their texts, and each is "
            f"compared with at most {REACH} next ones; a method that would need more than {EFFORT} "
            "comparisons for each document in the mean gets a smaller reach. So the work of no "
            "method grows with the square of the collection."
        ),
        Listing(tuple(lines)) if lines else Text("Here these bounds left out nothing."),
    )  # fmt: skip
