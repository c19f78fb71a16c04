"""Which truth a study was asked for, and how it is found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import xxhash

from newsdedup.lab.collections.collated import Documents
from newsdedup.lab.collections.truths import ClusterTruth, truth_of_pairs, truth_of_texts
from newsdedup.lab.collections.truths import planted_truth as planted_truth
from newsdedup.lab.report.stages import StepProgress
from newsdedup.ports.errors import SourceUnusable

_FindCandidates = Callable[[], Sequence[tuple[int, int, float]]]


@dataclass(frozen=True, slots=True)
class TruthChoice:
    """A file of the truth; without one, nearly equal texts are the truth."""

    pairs: Path | None = None
    """Pairs that people compared."""
    planted: Path | None = None
    """What `newsdedup lab generate` wrote beside its items."""

    def digests(self) -> dict[str, object]:
        """Return a digest of each file: the parameters of a stage."""
        return {"pairs": _file_digest(self.pairs), "planted": _file_digest(self.planted)}

    def truth(
        self, documents: Documents, candidates: _FindCandidates, watch: StepProgress
    ) -> ClusterTruth:
        """Return the truth; candidates are asked for only where texts must be compared."""
        if self.pairs is not None:
            return truth_of_pairs(self.pairs, documents.keys)
        if self.planted is not None:
            return planted_truth(self.planted, documents.keys)
        found = candidates()
        with watch.step("comparing texts", len(found)) as advance:
            return truth_of_texts(documents, found, advance)


def _file_digest(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        return xxhash.xxh3_128_hexdigest(path.read_bytes())
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error.strerror or error}") from error
