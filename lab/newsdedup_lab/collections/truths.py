"""The true clusters of a collection: from labelled pairs, a planted truth, or equal texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import xxhash

from newsdedup import ItemKey
from newsdedup.core.item_names import item_name
from newsdedup.ports.errors import SourceUnusable
from newsdedup_lab.clusterings.cover import Cover, cover_of_centres, make_cover
from newsdedup_lab.clusterings.graph import Graph, Node, build_graph, connected_parts
from newsdedup_lab.collections.corpora import Documents
from newsdedup_lab.collections.pairs import LabelledPair, index_names, read_labelled_pairs
from newsdedup_lab.collections.tab_files import read_tab_file
from newsdedup_lab.report.study_stages import Advance, StepProgress
from newsdedup_lab.similarities import SAME_TEXT, text_similarity


@dataclass(frozen=True, slots=True)
class ClusterTruth:
    """True clusters by document number; scores ignore documents that are in none."""

    kind: str
    clusters: Cover
    labelled: tuple[tuple[int, int, bool], ...] = ()
    """Pairs that people compared, if that is what the truth comes from."""

    def restrict(self, found: Cover) -> Cover:
        """Return the found clusters without the documents that are in no true cluster."""
        known = {node for cluster in self.clusters.clusters for node in cluster}
        return make_cover([node for node in cluster if node in known] for cluster in found.clusters)


def truth_of_pairs(path: Path, keys: Iterable[ItemKey]) -> ClusterTruth:
    """Return as truth the transitive closure of the pairs that annotators called duplicates.

    `keys` are the items by document number; pairs with another item are left out. Raise
    SourceUnusable if no pair of the file remains.
    """
    index = {key: at for at, key in enumerate(keys)}
    names = index_names(index)
    labelled = []
    for pair in read_labelled_pairs(path):
        found = names.resolve_pair(pair)
        if found is not None:
            labelled.append((index[found[0]], index[found[1]], pair.duplicate))
    if not labelled:
        raise SourceUnusable(f"{path}: no pair of it is among the items")
    nodes = {node for left, right, _ in labelled for node in (left, right)}
    return ClusterTruth(
        "pairs", duplicate_closure(nodes, [pair for pair in labelled if pair[2]]), tuple(labelled)
    )


def planted_truth(path: Path, keys: Iterable[ItemKey]) -> ClusterTruth:
    """Return the stories of a truth file that `newsdedup lab generate` wrote, as clusters.

    `keys` are the items by document number. Raise SourceUnusable if the file names none of them.
    """
    story = planted_stories(path)
    members: dict[str, list[int]] = {}
    for at, key in enumerate(keys):
        if key in story:
            members.setdefault(story[key], []).append(at)
    if not members:
        raise SourceUnusable(f"{path}: no item of it is among the items")
    return ClusterTruth("planted", make_cover(members.values()))


def planted_stories(path: Path) -> Mapping[ItemKey, str]:
    """Return the story of each item in a truth file."""
    return {key: row["story"] for key, row in _planted_rows(path, ("source", "id", "story"))}


def planted_pairs(path: Path) -> list[LabelledPair]:
    """Return labelled pairs of each item in a truth file and the item that it was made from.

    A pair is one of duplicates if both have one story; its label is the kind of the item. An item
    that belonged to two stories over time is in no pair.
    """
    rows = list(_planted_rows(path, ("source", "id", "story", "kind", "of_source", "of_id")))
    stories: dict[ItemKey, set[str]] = {}
    for key, row in rows:
        stories.setdefault(key, set()).add(row["story"])
    pairs = []
    for key, row in rows:
        of = ItemKey(row["of_source"], row["of_id"])
        pair_stories = [stories.get(one, set()) for one in (of, key)]
        if of != key and [len(one) for one in pair_stories] == [1, 1]:
            same = pair_stories[0] == pair_stories[1]
            pairs.append(LabelledPair(item_name(of), item_name(key), same, label=row["kind"]))
    return pairs


def _planted_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[ItemKey, dict[str, str]]]:
    """Yield the key of the item and the values of `columns` of each line of a truth file.

    Raise SourceUnusable if a column is missing or there is no line.
    """
    file = read_tab_file(path, of="items")
    if not file.has_columns(*columns):
        raise file.columns_error(", ".join(columns))
    if not file.rows:
        raise SourceUnusable(f"{path}: holds no items")
    for _, row in file.rows:
        yield ItemKey(row["source"], row["id"]), {name: row[name] for name in columns}


def truth_of_texts(
    documents: Documents, candidates: Iterable[tuple[int, int, float]], advance: Advance
) -> ClusterTruth:
    """Return as truth the transitive closure of the candidates whose texts are nearly equal.

    Candidates are (left, right, similarity) by document number; the texts of each are compared, and
    counted by `advance`. A document without an equal is a cluster of one.
    """
    same = []
    for left, right, _ in candidates:
        advance(1)
        one, other = documents.texts[left], documents.texts[right]
        # Of texts so unlike in length, not even all of the shorter would be enough.
        if 2 * min(len(one), len(other)) < SAME_TEXT * (len(one) + len(other)):
            continue
        if text_similarity(one, other, least=SAME_TEXT) >= SAME_TEXT:
            same.append((left, right, True))
    return ClusterTruth("texts", duplicate_closure(range(len(documents.keys)), same))


def duplicate_closure(nodes: Iterable[Node], pairs: Iterable[tuple[int, int, bool]]) -> Cover:
    """Return the connected components of the nodes under these pairs, whatever their flags."""
    graph: Graph = build_graph(nodes, [(left, right, 1.0) for left, right, _ in pairs])
    return cover_of_centres(graph, connected_parts(graph))


_FindCandidates = Callable[[], Sequence[tuple[int, int, float]]]


@dataclass(frozen=True, slots=True)
class TruthChoice:
    """Which truth a study uses; without a file, nearly equal texts are the truth."""

    pairs: Path | None = None
    """Pairs that people compared."""
    planted: Path | None = None
    """What `newsdedup lab generate` wrote alongside its items."""

    def digests(self) -> dict[str, object]:
        """Return the digests of the chosen files, as parameters of a stage."""
        return {"pairs": _file_digest(self.pairs), "planted": _file_digest(self.planted)}

    def truth(
        self, documents: Documents, candidates: _FindCandidates, watch: StepProgress
    ) -> ClusterTruth:
        """Return the truth of the chosen file or, without one, of nearly equal texts.

        `candidates` is called only in the latter case. Raise SourceUnusable if the file does not
        fit.
        """
        if self.pairs is not None:
            return truth_of_pairs(self.pairs, documents.keys)
        if self.planted is not None:
            return planted_truth(self.planted, documents.keys)
        found = candidates()
        with watch.step("comparing texts", len(found)) as advance:
            return truth_of_texts(documents, found, advance)


def _file_digest(path: Path | None) -> str | None:
    """Return the hash of a file, None for no file; raise SourceUnusable if it cannot be read."""
    if path is None:
        return None
    try:
        return xxhash.xxh3_128_hexdigest(path.read_bytes())
    except OSError as error:
        raise SourceUnusable(f"{path}: cannot be read: {error.strerror or error}") from error
