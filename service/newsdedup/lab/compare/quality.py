"""All that is judged of the found pairs, against every truth there is."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from newsdedup.lab.collections.shelf import DocumentStore
from newsdedup.lab.compare.buckets import PackedPairs
from newsdedup.lab.compare.errors import method_errors
from newsdedup.lab.compare.scores import (
    SIMILARITY_BANDS,
    find_labelled,
    labelled_scores,
    planted_scores,
    text_scores,
)
from newsdedup.lab.compare.truth import build_pool, dice_matrix, text_similarities
from newsdedup.lab.report.stages import StepProgress


def measure_quality(
    found: Mapping[str, PackedPairs],
    shelf: DocumentStore,
    watch: StepProgress,
    *,
    people: Sequence[Path],
    planted: Path | None,
    sample: int,
) -> dict[str, Any]:
    """Return scores against texts, people and a planted truth, and what became of the errors."""
    whole = build_pool(found)
    drawn = whole.sample(sample)
    similar = text_similarities(shelf, drawn.pairs, watch)
    told = []
    for path in people:
        compared = find_labelled(path, shelf)
        told.append(
            {
                "file": path.name,
                "pairs": len(compared.pairs),
                "duplicates": sum(pair.duplicate for pair in compared.pairs),
                "rows": labelled_scores(compared, found, found.__getitem__),
            }
        )
    return {
        "pool": len(whole.pairs),
        "compared": len(drawn.pairs),
        "same": int((similar > 0).sum()),
        "same_by_band": np.histogram(similar[similar > 0], [*SIMILARITY_BANDS, 1.1])[0].tolist(),
        "texts": text_scores(drawn, similar),
        "people": told,
        "planted": None if planted is None else planted_scores(planted, shelf, found),
        "dice": dice_matrix(whole),
        "errors": method_errors(drawn, similar, shelf),
    }
