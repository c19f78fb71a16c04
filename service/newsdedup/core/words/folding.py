"""One name for a Ukrainian and a Russian lemma of one meaning, so that twins share keys."""

from collections.abc import Mapping
from functools import cached_property

import xxhash

from newsdedup.core.model import Language
from newsdedup.core.words.background import Background, Frequency
from newsdedup.core.words.cognates import respellings, skeleton, skeletons

FOLDING_RULES = 1
"""Raised whenever a lemma could get another fold: keys and entries of another number do not fit."""

Counterparts = Mapping[str, str]
"""Ukrainian lemma to the Russian one that translates it."""

NO_COUNTERPARTS: Counterparts = {}


class Folding:
    """How Ukrainian lemmas are named in Russian, as far as a table of Russian news knows them.

    A Russian lemma that the table holds is its own fold, so Russian texts are compared as they
    are. A Ukrainian one takes, in this order, its counterpart from a list; the commonest Russian
    lemma that it may be a respelling of; its skeleton. What the table does not know, names mostly,
    takes its skeleton in both languages, unless a Russian word has the same. The language is that
    of the spelling: час is an hour in Russian, and time in Ukrainian.

    Laws, checked by tests/core/test_folding.py: deterministic, the fold of a fold in Russian is
    itself, something is left of every lemma, and equal folds are equally common.
    """

    def __init__(self, background: Background, counterparts: Counterparts) -> None:
        self._counterparts = counterparts
        self._background = background

    @property
    def version(self) -> str:
        """Return the number of the rules and a hash of the counterparts."""
        listed = "\n".join(f"{uk} {ru}" for uk, ru in sorted(self._counterparts.items()))
        return f"{FOLDING_RULES}-{xxhash.xxh3_64_hexdigest(listed.encode())}"

    def counterpart(self, lemma: str, spelled: Language) -> str | None:
        """Return the listed Russian translation of a Ukrainian lemma, None without one."""
        return self._counterparts.get(lemma) if spelled == "uk" else None

    def fold(self, lemma: str, spelled: Language) -> str:
        """Return the name by which a lemma of this spelling and its translation share a key."""
        if spelled == "ru":
            return self._russian(lemma)
        if spelled != "uk":
            return lemma
        counterpart = self._counterparts.get(lemma)
        return self._ukrainian(lemma) if counterpart is None else self._russian(counterpart)

    def frequency(self, fold: str) -> Frequency | None:
        """Return how common a fold is, None if unknown.

        If the background lacks it, that of the commonest Ukrainian lemma with this fold counts.
        """
        frequency = self._background.frequency(fold)
        return self._by_skeleton.get(fold) if frequency is None else frequency

    def _russian(self, lemma: str) -> str:
        """Return a Russian lemma as it is if it is known or its skeleton is, else its skeleton."""
        if self._background.frequency(lemma) is not None:
            return lemma
        bare = skeleton(lemma)
        return lemma if bare in self._known else bare

    def _ukrainian(self, lemma: str) -> str:
        """Return the commonest known respelling of a Ukrainian lemma, or its likeliest skeleton."""
        tried = list(respellings(lemma))
        for spelled in tried:
            words = [self._known[bare] for bare in spelled if bare in self._known]
            if words:
                return max(words)[1]
        return tried[0][0]

    @cached_property
    def _known(self) -> dict[str, tuple[int, str]]:
        """Return by skeleton (documents, lemma) of the commonest Russian lemma that has it."""
        counted = self._background.counts.get("ru")
        lemmas = counted.lemmas if counted else {}
        known: dict[str, tuple[int, str]] = {}
        for bare, (lemma, (df, _)) in zip(skeletons(list(lemmas)), lemmas.items(), strict=True):
            known[bare] = max(known.get(bare, (0, "")), (df, lemma))
        return known

    @cached_property
    def _by_skeleton(self) -> dict[str, Frequency]:
        """Return, by fold that the background lacks, how common its Ukrainian lemmas are."""
        counted = self._background.counts.get("uk")
        found: dict[str, Frequency] = {}
        for lemma in sorted(counted.lemmas) if counted else ():
            frequency = self._background.frequency(lemma)
            fold = self.fold(lemma, "uk")
            if frequency is not None and self._background.frequency(fold) is None:
                found[fold] = max(found.get(fold, frequency), frequency)
        return found
