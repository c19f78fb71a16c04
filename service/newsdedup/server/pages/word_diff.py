"""The differences of two texts, word by word: what only one has, and what moved.

Words are aligned by runs that both texts have once (patience diff: Cohen), so that no text, however
repetitive, takes more than a bounded time; the gaps between these are aligned word by word.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Final, Literal, NamedTuple

from msgspec import Struct

MOST_DIFF_WORDS: Final = 4_000
"""Words of each text that are compared; the rest is cut off."""
_ANCHOR_WORDS: Final = 3
"""Length of the runs that align the texts: shorter ones recur by chance."""
_MOVED_WORDS: Final = 5
"""Length from which on equal words in different order count as a passage that moved."""
_MOST_CHARS: Final = 200_000
"""Characters of each text that are read at all."""
_GAP_PAIRS: Final = 40_000
"""Pairs of words in a gap that is aligned word by word; a larger gap is replaced as a whole."""
_WORD_CHARS: Final = 200
"""Characters of a word, and of the signs before or after it, that are compared and shown."""
_SHORTEST_STEM: Final = 4
_LONGEST_ENDING: Final = 3

_token = re.compile(
    r"\n+|[^\S\n]+|\d{1,3}(?:[ \u00a0\u202f]\d{3}(?!\d))+(?:[.,]\d+)?%?|\d+(?:[.,:]\d+)*%?"
    r"|[^\W\d_]+(?:['’-][^\W\d_]+)*|.",
    re.DOTALL,
)
_SENTENCE_ENDS = frozenset(".!?…:\n(–—-")
"""Signs after which a capital letter makes no name. Quotation marks may enclose a name."""

KeyOfWord = Callable[[str], str]
"""Returns under what a word in lower case is compared, "" to compare it as it is."""
DiffKind = Literal["same", "removed", "added", "moved_away", "moved_here"]
WordKind = Literal["word", "number", "name"]


class DiffWord(Struct, frozen=True):
    """A word with the signs around it."""

    text: str
    gap: str
    """The text between it and the next word: a space, the end of a line, or nothing."""
    kind: WordKind = "word"
    """`number` and `name` only if the other text does not contain it."""


class DiffPart(Struct, frozen=True):
    """Adjacent words of one kind."""

    kind: DiffKind
    words: tuple[DiffWord, ...]
    moved: int = 0
    """The number of a moved passage, the same in both texts; else 0."""


class DiffRow(Struct, frozen=True):
    """Parts of both texts that are shown next to each other."""

    left: tuple[DiffPart, ...]
    right: tuple[DiffPart, ...]


class WordDiff(Struct, frozen=True):
    """Two texts word by word: in one line of reading, and side by side."""

    inline: tuple[DiffPart, ...]
    """The words of both: `removed` and `moved_away` are in the left text alone, `added` and
    `moved_here` in the right one."""
    rows: tuple[DiffRow, ...]
    same_words: int
    left_words: int
    right_words: int
    shortened: bool
    """Whether a text was too long to be compared as a whole."""

    @property
    def likeness(self) -> float:
        """Return the share of words in the same order, 2 same / (left + right); 1 without words."""
        words = self.left_words + self.right_words
        return 2 * self.same_words / words if words else 1.0


class _Word(NamedTuple):
    """A word with the signs around it, and what is compared of it."""

    core: str
    """The compared form: the word in lower case, a number with a point and without per cent."""
    text: str
    gap: str
    is_number: bool
    is_name: bool


class _Run(NamedTuple):
    """Equal words in both texts: the indexes at which they begin, and their number."""

    left: int
    right: int
    size: int


def diff_words(
    left: str, right: str, *, keys: tuple[KeyOfWord, KeyOfWord] | None = None
) -> WordDiff:
    """Return the differences between two texts; lines are kept.

    With `keys`, of words of the left and the right text, words are equal if their keys are: texts
    of two languages are compared by them.
    """
    lefts, rights = _split(left), _split(right)
    if keys is not None:
        lefts, rights = _keyed(lefts, keys[0]), _keyed(rights, keys[1])
    shortened = (
        max(len(lefts), len(rights)) > MOST_DIFF_WORDS or max(len(left), len(right)) > _MOST_CHARS
    )
    lefts, rights = lefts[:MOST_DIFF_WORDS], rights[:MOST_DIFF_WORDS]
    runs = _aligned([word.core for word in lefts], [word.core for word in rights])
    of_left, of_right = _moved(lefts, rights, runs)
    sides = (
        _Side(lefts, _kinds(lefts, rights), of_left, "removed", "moved_away"),
        _Side(rights, _kinds(rights, lefts), of_right, "added", "moved_here"),
    )
    return WordDiff(
        inline=tuple(_inline(*sides, runs)),
        rows=tuple(_rows(*sides, runs)),
        same_words=sum(run.size for run in runs),
        left_words=len(lefts),
        right_words=len(rights),
        shortened=shortened,
    )


def _split(text: str) -> list[_Word]:
    """Return the words of a text with the signs around them, at most one more than are compared.

    A sign belongs to the word before it, after a space to the next one.
    """
    words: list[_Word] = []
    begins = True
    before = ""
    for match in _token.finditer(text[:_MOST_CHARS].strip()):
        token = match[0][:_WORD_CHARS]
        if token[0].isalnum():
            if len(words) > MOST_DIFF_WORDS:
                break
            name = token[0].isupper() and not begins
            core = token.lower()
            if token[0].isdigit():
                # 12 082,5% and 12082.5 per cent are one.
                core = "".join(token.split()).rstrip("%").replace(",", ".")
            words.append(_Word(core, before + token, "", token[0].isdigit(), name))
            before, begins = "", False
        elif token.isspace():
            gap = "\n" if "\n" in token else " "
            begins = begins or gap == "\n"
            if before:
                before = (before + gap)[:_WORD_CHARS]
            elif words:
                words[-1] = words[-1]._replace(gap=gap)
        else:
            begins = begins or token in _SENTENCE_ENDS
            if words and not words[-1].gap and not before:
                touching = (words[-1].text + token)[: 2 * _WORD_CHARS]
                words[-1] = words[-1]._replace(text=touching)
            else:
                before = (before + token)[:_WORD_CHARS]
    if before and words:
        words[-1] = words[-1]._replace(text=words[-1].text + words[-1].gap + before, gap="")
    return words


def _keyed(words: Sequence[_Word], key: KeyOfWord) -> list[_Word]:
    """Return words that are compared by their keys; numbers, and words without one, as before."""
    return [
        word if word.is_number else word._replace(core=key(word.core) or word.core)
        for word in words
    ]


def _aligned(left: Sequence[str], right: Sequence[str]) -> list[_Run]:
    """Return the runs of equal words in the same order, given the compared forms of all words."""
    begin = _equal_words(left, right)
    end = _equal_words(left[begin:][::-1], right[begin:][::-1])
    inner = _anchors(left[begin : len(left) - end], right[begin : len(right) - end])
    anchors = [_Run(begin + run.left, begin + run.right, run.size) for run in inner]
    anchors = [_Run(0, 0, begin), *anchors, _Run(len(left) - end, len(right) - end, end)]
    runs: list[_Run] = []
    at_left = at_right = 0
    for anchor in anchors:
        runs += _gap(left, right, (at_left, anchor.left), (at_right, anchor.right))
        if anchor.size:
            runs.append(anchor)
        at_left, at_right = anchor.left + anchor.size, anchor.right + anchor.size
    return _joined(runs)


def _equal_words(left: Sequence[str], right: Sequence[str]) -> int:
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))


def _anchors(left: Sequence[str], right: Sequence[str]) -> list[_Run]:
    """Return the runs around shingles that each text has once, as many as are in one order."""
    starts_left, starts_right = _unique_shingles(left), _unique_shingles(right)
    pairs = [(at, starts_right[one]) for one, at in starts_left.items() if one in starts_right]
    anchors: list[_Run] = []
    at_left = at_right = 0
    for start_left, start_right in _longest_increasing(pairs):
        if start_left < at_left or start_right < at_right:
            continue
        i, j = start_left, start_right
        size = 0
        while i > at_left and j > at_right and left[i - 1] == right[j - 1]:
            i, j = i - 1, j - 1
        while i + size < len(left) and j + size < len(right) and left[i + size] == right[j + size]:
            size += 1
        anchors.append(_Run(i, j, size))
        at_left, at_right = i + size, j + size
    return anchors


def _unique_shingles(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the indexes of the shingles that occur once, in their order."""
    shingles = [
        tuple(words[at : at + _ANCHOR_WORDS]) for at in range(len(words) - _ANCHOR_WORDS + 1)
    ]
    counts = Counter(shingles)
    return {one: at for at, one in enumerate(shingles) if counts[one] == 1}


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest subsequence of pairs whose second numbers ascend; the first ones do."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, (_, right) in enumerate(pairs):
        index = bisect_left(tails, right)
        before.append(ends[index - 1] if index else -1)
        if index == len(tails):
            tails.append(right)
            ends.append(at)
        else:
            tails[index], ends[index] = right, at
    chosen: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _gap(
    left: Sequence[str], right: Sequence[str], of_left: tuple[int, int], of_right: tuple[int, int]
) -> list[_Run]:
    """Return the equal runs between anchors, in ranges [begin, end) of words; none if too large."""
    lefts, rights = left[slice(*of_left)], right[slice(*of_right)]
    if not lefts or not rights or len(lefts) * len(rights) > _GAP_PAIRS:
        return []
    blocks = SequenceMatcher(None, lefts, rights, autojunk=False).get_matching_blocks()
    return [_Run(of_left[0] + at, of_right[0] + to, size) for at, to, size in blocks if size]


def _joined(runs: Sequence[_Run]) -> list[_Run]:
    joined: list[_Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last and (last.left + last.size, last.right + last.size) == (run.left, run.right):
            joined[-1] = last._replace(size=last.size + run.size)
        else:
            joined.append(run)
    return joined


class _Side(NamedTuple):
    """One of the texts, with what distinguishes its words from those of the other one."""

    words: Sequence[_Word]
    kinds: Sequence[WordKind]
    moved: dict[int, int]
    """The numbers of moved passages, by the indexes of their words."""
    changed_kind: DiffKind
    moved_kind: DiffKind

    def same(self, begin: int, end: int) -> list[DiffPart]:
        """Return the words [begin, end), which both texts have, as one part; [] without words."""
        shown = tuple([DiffWord(word.text, word.gap) for word in self.words[begin:end]])
        return [DiffPart("same", shown)] if shown else []

    def changed(self, begin: int, end: int) -> Iterator[DiffPart]:
        """Yield the words [begin, end), which only this text has here, as parts by passage."""
        for passage, group in groupby(range(begin, end), key=lambda at: self.moved.get(at, 0)):
            shown = [
                DiffWord(
                    self.words[at].text, self.words[at].gap, "word" if passage else self.kinds[at]
                )
                for at in group
            ]
            kind = self.moved_kind if passage else self.changed_kind
            yield DiffPart(kind, tuple(shown), passage)


def _steps(left: _Side, right: _Side, runs: Sequence[_Run]) -> Iterator[tuple[int, int, _Run]]:
    """Yield left index, right index, run: where the words before a run begin, and the run."""
    at_left = at_right = 0
    for run in [*runs, _Run(len(left.words), len(right.words), 0)]:
        yield at_left, at_right, run
        at_left, at_right = run.left + run.size, run.right + run.size


def _inline(left: _Side, right: _Side, runs: Sequence[_Run]) -> Iterator[DiffPart]:
    """Yield what the left text loses, then what the right one gains, between equal words."""
    for at_left, at_right, run in _steps(left, right, runs):
        yield from left.changed(at_left, run.left)
        yield from right.changed(at_right, run.right)
        yield from right.same(run.right, run.right + run.size)


def _rows(left: _Side, right: _Side, runs: Sequence[_Run]) -> Iterator[DiffRow]:
    """Yield both texts side by side, a row ending where equal words end a line in both."""
    lefts: list[DiffPart] = []
    rights: list[DiffPart] = []
    for at_left, at_right, run in _steps(left, right, runs):
        lefts += left.changed(at_left, run.left)
        rights += right.changed(at_right, run.right)
        i, j = run.left, run.right
        for at in range(run.size):
            if left.words[run.left + at].gap == "\n" == right.words[run.right + at].gap:
                lefts += left.same(i, run.left + at + 1)
                rights += right.same(j, run.right + at + 1)
                yield DiffRow(tuple(lefts), tuple(rights))
                lefts, rights, i, j = [], [], run.left + at + 1, run.right + at + 1
        lefts += left.same(i, run.left + run.size)
        rights += right.same(j, run.right + run.size)
    if lefts or rights:
        yield DiffRow(tuple(lefts), tuple(rights))


def _moved(
    left: Sequence[_Word], right: Sequence[_Word], runs: Sequence[_Run]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the numbers (from 1) of moved passages by word index, in the left and right text."""
    taken_left = {at for run in runs for at in range(run.left, run.left + run.size)}
    taken_right = {at for run in runs for at in range(run.right, run.right + run.size)}
    indexes = {
        tuple(word.core for word in left[at : at + _MOVED_WORDS]): at
        for at in reversed(range(len(left) - _MOVED_WORDS + 1))
        if taken_left.isdisjoint(range(at, at + _MOVED_WORDS))
    }
    of_left: dict[int, int] = {}
    of_right: dict[int, int] = {}
    number = at = 0
    while at <= len(right) - _MOVED_WORDS:
        index = indexes.get(tuple(word.core for word in right[at : at + _MOVED_WORDS]), -1)
        size = 0
        while (
            index >= 0
            and at + size < len(right)
            and index + size < len(left)
            and left[index + size].core == right[at + size].core
            and at + size not in taken_right
            and index + size not in taken_left
            and index + size not in of_left
        ):
            size += 1
        if size >= _MOVED_WORDS:
            number += 1
            of_left |= dict.fromkeys(range(index, index + size), number)
            of_right |= dict.fromkeys(range(at, at + size), number)
        at += max(size, 1)
    return of_left, of_right


def _kinds(words: Sequence[_Word], others: Sequence[_Word]) -> list[WordKind]:
    """Return the kinds of words: numbers and names are those that the other text lacks."""
    cores = {word.core for word in others}
    stems = {core[:end] for core in cores for end in range(_SHORTEST_STEM, len(core) + 1)}
    return [_kind(word, cores, stems) for word in words]


def _kind(word: _Word, cores: set[str], stems: set[str]) -> WordKind:
    """Return the kind of a word, given words and stems of the other text, by which names agree."""
    if word.core in cores:
        return "word"
    if word.is_number:
        return "number"
    stem = word.core[: max(_SHORTEST_STEM, len(word.core) - _LONGEST_ENDING)]
    return "name" if word.is_name and len(word.core) > 1 and stem not in stems else "word"
