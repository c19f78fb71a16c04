"""Which documents belong together: labelled pairs, a planted truth, or nearly equal texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from newsdedup.core.item_names import item_name
from newsdedup.core.model import ItemKey
from newsdedup.lab.clusterings.cover import Cover, cover, cover_of_centres
from newsdedup.lab.clusterings.graph import Graph, Node, scored_graph
from newsdedup.lab.clusterings.joined import joined
from newsdedup.lab.collections.collated import Collated
from newsdedup.lab.collections.named_items import named_items
from newsdedup.lab.collections.pairs import LabelledPair, labelled_pairs
from newsdedup.lab.collections.tab_files import tab_file
from newsdedup.lab.report.stages import Advance
from newsdedup.lab.similarities.text import SAME_TEXT, text_similarity
from newsdedup.ports.errors import SourceUnusable


@dataclass(frozen=True, slots=True)
class Truth:
    """True clusters of documents by number; whoever is in none is not judged."""

    kind: str
    clusters: Cover
    labelled: tuple[tuple[int, int, bool], ...] = ()
    """Pairs that people compared, if that is what the truth comes from."""

    def judged(self, found: Cover) -> Cover:
        """Return the found clusters, without the documents of which nothing is known."""
        known = {node for cluster in self.clusters.clusters for node in cluster}
        return cover([node for node in cluster if node in known] for cluster in found.clusters)


def of_pairs(path: Path, keys: Iterable[ItemKey]) -> Truth:
    """Return the closure of the pairs that people called duplicates."""
    place = {key: at for at, key in enumerate(keys)}
    names = named_items(place)
    labelled = []
    for pair in labelled_pairs(path):
        found = names.of(pair)
        if found is not None:
            labelled.append((place[found[0]], place[found[1]], pair.duplicate))
    if not labelled:
        raise SourceUnusable(f"{path}: no pair of it is among the items")
    nodes = {node for left, right, _ in labelled for node in (left, right)}
    return Truth("pairs", closure(nodes, [pair for pair in labelled if pair[2]]), tuple(labelled))


def planted(path: Path, keys: Iterable[ItemKey]) -> Truth:
    """Return the stories of a truth that `newsdedup lab generate` wrote."""
    story = planted_stories(path)
    members: dict[str, list[int]] = {}
    for at, key in enumerate(keys):
        if key in story:
            members.setdefault(story[key], []).append(at)
    if not members:
        raise SourceUnusable(f"{path}: no item of it is among the items")
    return Truth("planted", cover(members.values()))


def planted_stories(path: Path) -> Mapping[ItemKey, str]:
    """Return the story of each item of a truth file."""
    return {key: row["story"] for key, row in _planted(path, ("source", "id", "story"))}


def planted_pairs(path: Path) -> list[LabelledPair]:
    """Return each item of a truth file with the one that it was made from.

    An item that has told two stories, one after the other, is in no pair.
    """
    rows = list(_planted(path, ("source", "id", "story", "kind", "of_source", "of_id")))
    stories: dict[ItemKey, set[str]] = {}
    for key, row in rows:
        stories.setdefault(key, set()).add(row["story"])
    pairs = []
    for key, row in rows:
        of = ItemKey(row["of_source"], row["of_id"])
        told = [stories.get(one, set()) for one in (of, key)]
        if of != key and [len(one) for one in told] == [1, 1]:
            same = told[0] == told[1]
            pairs.append(LabelledPair(item_name(of), item_name(key), same, label=row["kind"]))
    return pairs


def _planted(path: Path, columns: Sequence[str]) -> Iterator[tuple[ItemKey, dict[str, str]]]:
    file = tab_file(path, of="items")
    if not file.has(*columns):
        raise file.refused(", ".join(columns))
    if not file.rows:
        raise SourceUnusable(f"{path}: holds no items")
    for _, row in file.rows:
        yield ItemKey(row["source"], row["id"]), {name: row[name] for name in columns}


def of_texts(
    documents: Collated, candidates: Iterable[tuple[int, int, float]], advance: Advance
) -> Truth:
    """Return the closure of the candidates whose texts are nearly the same."""
    same = []
    for left, right, _ in candidates:
        advance(1)
        one, other = documents.texts[left], documents.texts[right]
        # Of texts so unlike in length, not even all of the shorter would be enough.
        if 2 * min(len(one), len(other)) < SAME_TEXT * (len(one) + len(other)):
            continue
        if text_similarity(one, other, least=SAME_TEXT) >= SAME_TEXT:
            same.append((left, right, True))
    return Truth("texts", closure(range(len(documents.keys)), same))


def closure(nodes: Iterable[Node], pairs: Iterable[tuple[int, int, bool]]) -> Cover:
    """Return the parts into which pairs join the nodes, directly or by others."""
    graph: Graph = scored_graph(nodes, [(left, right, 1.0) for left, right, _ in pairs])
    return cover_of_centres(graph, joined(graph))
