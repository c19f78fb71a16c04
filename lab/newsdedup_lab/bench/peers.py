"""Other libraries that find near-duplicates in a stream, in memory, for comparison.

Each is used in the best way that it documents for a stream, over the words of an item, in one
thread. None of them lemmatizes, weighs words, reads numbers and names, compares two texts beyond
an estimate of how many words they share, forgets old items, or stores anything durably.
"""

import logging
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final, NamedTuple

from newsdedup import NewsItem
from newsdedup.ports.errors import SettingsInvalid

PEER_THRESHOLD: Final = 0.5
"""The similarity at which a peer takes two items to be alike."""
PEER_PERMUTATIONS: Final = 128
"""Hashes of a MinHash sketch."""
SIMHASH_DISTANCE: Final = 3
"""Bits in which two SimHashes may differ."""
_SIMILARITIES: Final = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
"""Thresholds of MinHash that are tried where the best one is looked for."""
_DISTANCES: Final = (3, 5, 7)
"""Distances of SimHash that are tried; each further bit takes twice the time."""
_WORD = re.compile(r"\w+")


class StreamPeer(ABC):
    """The index of another library."""

    def one_by_one(self, items: Sequence[NewsItem]) -> int:
        """Look each item up and then add it; return for how many the look-up found another."""
        return sum(bool(self.find_and_add(item)) for item in items)

    @abstractmethod
    def find_and_add(self, item: NewsItem) -> Sequence[int]:
        """Look an item up and then add it; return the numbers of the items that were found.

        Items are numbered from 0 in the order in which they came.
        """


@dataclass(frozen=True, slots=True)
class Peer:
    """A library to compare with, and how its index is made."""

    open_index: Callable[..., StreamPeer]
    """Makes an empty index, with a threshold or with the default one.

    Raises ModuleNotFoundError if the library is not installed.
    """
    about: str
    """What is done with an item, as a table cell."""
    scale: str = "Jaccard similarity"
    """The quantity that the threshold bounds."""
    thresholds: tuple[float, ...] = _SIMILARITIES
    """Those that are tried where the best one is looked for."""


class DatasketchPeer(StreamPeer):
    """datasketch's MinHashLSH."""

    def __init__(self, threshold: float = PEER_THRESHOLD) -> None:
        self._index = import_module("datasketch").MinHashLSH(
            threshold=threshold, num_perm=PEER_PERMUTATIONS
        )
        self._inserted = 0

    def find_and_add(self, item: NewsItem) -> Sequence[int]:
        """Query and then insert an item, sketched by `update_batch`."""
        sketch = sketch_words(item)
        found: Sequence[int] = self._index.query(sketch)
        self._index.insert(self._inserted, sketch)
        self._inserted += 1
        return found


class RensaPeer(StreamPeer):
    """rensa's RMinHashDeduplicator, which adds an item only if it is no duplicate."""

    def __init__(self, threshold: float = PEER_THRESHOLD) -> None:
        self._index = import_module("rensa").RMinHashDeduplicator(
            threshold=threshold, num_perm=PEER_PERMUTATIONS, use_lsh=True
        )
        self._added = 0

    def one_by_one(self, items: Sequence[NewsItem]) -> int:
        """Add each item in a call of its own; return how many were duplicates, not of which."""
        return sum(not self._add(_WORD.findall(_lower_text(item))) for item in items)

    def find_and_add(self, item: NewsItem) -> Sequence[int]:
        """Add an item by its words; of a duplicate, look up of which items."""
        words = _WORD.findall(_lower_text(item))
        if self._add(words):
            return ()
        [found] = self._index.get_duplicate_sets([words])
        return [int(key) for key in found]

    def _add(self, words: list[str]) -> bool:
        """Add an item of these words unless it is a duplicate; return whether it was added."""
        [new] = self._index.add_pairs([(str(self._added), words)])
        self._added += 1
        return bool(new)


class GaoyaPeer(StreamPeer):
    """gaoya's MinHashStringIndex, which splits texts at white space itself."""

    def __init__(self, threshold: float = PEER_THRESHOLD) -> None:
        self._index = import_module("gaoya.minhash").MinHashStringIndex(
            hash_size=32,
            jaccard_threshold=threshold,
            num_bands=None,
            band_size=None,
            num_hashes=PEER_PERMUTATIONS,
            analyzer="word",
            lowercase=True,
            ngram_range=(1, 1),
            id_container="smallvec",
        )
        self._inserted = 0

    def find_and_add(self, item: NewsItem) -> Sequence[int]:
        """Query and then insert the text of an item."""
        text = f"{item.title}\n{item.text}"
        found: Sequence[int] = self._index.query(text)
        self._index.insert_document(self._inserted, text)
        self._inserted += 1
        return found


class SimhashPeer(StreamPeer):
    """SimhashIndex of the library simhash, over 64 bits of which some may differ."""

    def __init__(self, distance: float = SIMHASH_DISTANCE) -> None:
        library = import_module("simhash")
        quiet = logging.getLogger(f"{__name__}.simhash")
        quiet.disabled = True  # it warns of every look-up in a large bucket
        self._sketch = library.Simhash
        self._index = library.SimhashIndex([], k=int(distance), log=quiet)
        self._added = 0

    def find_and_add(self, item: NewsItem) -> Sequence[int]:
        """Look up and then add the simhash of the words of an item."""
        sketch = self._sketch(_WORD.findall(_lower_text(item)) or [""])
        found = self._index.get_near_dups(sketch)
        self._index.add(str(self._added), sketch)
        self._added += 1
        return [int(key) for key in found]


PEERS: Final[Mapping[str, Peer]] = {
    "datasketch": Peer(
        DatasketchPeer,
        "MinHash of the distinct words, LSH: all that share a band are candidates, unverified",
    ),
    "rensa": Peer(
        RensaPeer,
        "MinHash of the words, LSH, estimated similarity verified; duplicates are not added",
    ),
    "gaoya": Peer(
        GaoyaPeer,
        "splits at white space; MinHash, once to look up and once to add; similarity verified",
    ),
    "simhash": Peer(
        SimhashPeer,
        "SimHash of the words, 64 bits; all within 3 bits are found",
        scale="bits",
        thresholds=_DISTANCES,
    ),
}
"""The peers by the name of library, module and distribution.

semhash is not among them: it compares embeddings whose model it downloads on first use.
"""


class PeerChoice(NamedTuple):
    """The peers of a measurement."""

    present: tuple[str, ...]
    absent: tuple[str, ...]
    """Those that are not installed."""

    def versions(self) -> dict[str, str]:
        """Return the releases of those that are present."""
        return {name: version(name) for name in self.present}


def choose_peers(requested: Sequence[str] = ()) -> PeerChoice:
    """Return the requested peers, or all: which are installed and which are not.

    Raise SettingsInvalid for an unknown name, and ModuleNotFoundError if a requested one is not
    installed.
    """
    if unknown := [name for name in requested if name not in PEERS]:
        raise SettingsInvalid(f"no peer is called {unknown[0]}: there are {', '.join(PEERS)}")
    for name in requested:
        import_module(name)
    installed = {name: name in requested or _is_installed(name) for name in requested or PEERS}
    return PeerChoice(
        tuple(name for name, there in installed.items() if there),
        tuple(name for name, there in installed.items() if not there),
    )


def _is_installed(name: str) -> bool:
    """Return whether the module of a library can be found."""
    try:
        import_module(name)
    except ImportError:
        return False
    return True


def sketch_words(item: NewsItem) -> Any:
    """Return datasketch's MinHash of the distinct lower-case words of title and text."""
    words = {word.encode() for word in _WORD.findall(_lower_text(item))}
    sketch = import_module("datasketch").MinHash(num_perm=PEER_PERMUTATIONS)
    sketch.update_batch(sorted(words))
    return sketch


def _lower_text(item: NewsItem) -> str:
    """Return title and text of an item in lower case."""
    return f"{item.title}\n{item.text}".lower()
