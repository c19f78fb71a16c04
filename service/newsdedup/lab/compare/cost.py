"""What methods cost, and what the bounds of the comparison left out."""

from collections.abc import Mapping
from typing import Any

from newsdedup.lab.compare.buckets import MAX_EFFORT, MAX_REACH
from newsdedup.lab.compare.seed import method_title
from newsdedup.lab.report.report import Block, BulletList, Paragraph, ReportTable

_MILLION = 1e6


def cost_blocks(costs: Mapping[str, Mapping[str, Any]], documents: int) -> tuple[Block, ...]:
    """Return the table of costs, and for each method that was bounded by how much."""
    lines = [
        f"{method_title(name)}: up to {cost['left_out']:,} pairs with a common key were not "
        f"looked at (reach {cost['reach']}, largest bucket {cost['largest']:,} documents)."
        for name, cost in costs.items()
        if cost["left_out"]
    ]
    return (
        ReportTable(
            "Cost for each document",
            (
                "method", "signed", "sign, µs", "keys", "bytes", "pairs, µs", "compared",
                "largest bucket", "reach",
            ),
            tuple(
                (
                    method_title(name),
                    cost["signed"] / documents,
                    _MILLION * cost["sign_seconds"] / documents,
                    cost["keys"] / documents,
                    cost["bytes"] / documents,
                    _MILLION * cost["pair_seconds"] / documents,
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
        Paragraph(
            f"In a bucket of equal keys, documents stand by the length of their texts, and each is "
            f"compared with at most {MAX_REACH} next ones; a method that would need more than {MAX_EFFORT} "
            "comparisons for each document in the mean gets a smaller reach. So the work of no "
            "method grows with the square of the collection."
        ),
        BulletList(tuple(lines)) if lines else Paragraph("Here these bounds left out nothing."),
    )  # fmt: skip
