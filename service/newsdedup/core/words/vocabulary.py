"""Maps word forms to terms, with a bounded cache; Ukrainian lemmas are named in Russian."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, partial

import xxhash

from newsdedup.core.model import Language, Term
from newsdedup.core.words.background import UNSEEN_DOCUMENTS, Background, Frequency, term_key
from newsdedup.core.words.cognates import respellings, skeleton, skeletons
from newsdedup.core.words.lemmas import Lemmas, StopWords, spelling
from newsdedup.core.words.pairs import PAIRED, word_pairs
from newsdedup.core.words.weights import OPT_FREQ
from newsdedup.data.languages import LANGUAGE_ROWS

FOLDING_RULES = 1
"""Raised whenever a lemma could get another fold: keys and entries of another number do not fit."""

Counterparts = Mapping[str, str]
"""Ukrainian lemma to the Russian one that translates it."""

NO_COUNTERPARTS: Counterparts = {}

STEMMED = frozenset(LANGUAGE_ROWS) - PAIRED
"""The languages whose terms are stems: in others they are lemmas, or pairs of characters."""


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
        """Return how common a lemma that `fold` returned is; None if no table knows it.

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


BOUND = 400_000
"""Most forms in the cache, over all languages and both generations. 26,754 items of real news
contain 220,000 different forms, most of them once."""


class Generations(dict[str, Term | None]):
    """A cache of a pure function of a word form, in two generations; `age` evicts unused forms.

    New forms enter the young generation, which is this dictionary itself. `age` drops the old
    generation, and the young one becomes the old; a look-up moves a form from the old generation
    back to the young. The class inherits from dict because a young form then costs one look-up in
    C; only other forms call __missing__.
    """

    def __init__(self, compute: Callable[[str], Term | None]) -> None:
        super().__init__()
        self._compute = compute
        self._old: dict[str, Term | None] = {}

    def __missing__(self, form: str) -> Term | None:
        """Return the term from the old generation, or compute it; store it in the young one."""
        term = self._old.pop(form) if form in self._old else self._compute(form)
        self[form] = term
        return term

    def age(self) -> None:
        """Evict the forms that were not looked up since the last call."""
        self._old = dict(self)
        self.clear()


class ByLanguage(dict[Language, Generations]):
    """The caches of the languages met so far."""

    def __init__(self, make: Callable[[Language], Generations]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, lang: Language) -> Generations:
        """Return a new cache, which stays."""
        self[lang] = made = self._make(lang)
        return made


class Vocabulary:
    """Maps each word form to its term, or to nothing for a stop word.

    It caches about `bound` forms of all languages together. Law, checked by
    tests/core/test_vocabulary.py: results depend neither on earlier look-ups nor on the bound.
    """

    def __init__(
        self,
        lemmas: Lemmas,
        stop_words: StopWords,
        background: Background,
        *,
        counterparts: Counterparts = NO_COUNTERPARTS,
        bound: int = BOUND,
    ) -> None:
        self._lemmas = lemmas
        self._stop_words = stop_words
        self._background = background
        self._folding = Folding(background, counterparts)
        self._unseen = Frequency(UNSEEN_DOCUMENTS, UNSEEN_DOCUMENTS, background.documents)
        self._worth = lru_cache(maxsize=4_096)(OPT_FREQ.worth)
        self._known = ByLanguage(lambda lang: Generations(partial(self._read, lang=lang)))
        # Forms of one lemma share one term: less memory, and terms are mostly equal by identity.
        self._by_lemma = ByLanguage(lambda lang: Generations(partial(self._term, spelled=lang)))
        self._young = max(1, bound // 2)

    def terms(self, forms: Iterable[str], lang: Language) -> list[Term]:
        """Return the terms of lower-case forms in their order, without stop words.

        In languages of LANGUAGE_ROWS a form has a term for each part between hyphens ("CDU-Chef"),
        and where words are not parted, for each pair of its characters.
        """
        if lang in LANGUAGE_ROWS:
            forms = " ".join(forms).replace("-", " ").split()
            if lang in PAIRED:
                forms = [pair for form in forms for pair in word_pairs(form)]
        # Only between documents, so the forms of up to two documents may exceed the bound.
        if sum(map(len, self._known.values())) >= self._young:
            for generations in (*self._known.values(), *self._by_lemma.values()):
                generations.age()
        # A term is a tuple with fields, hence true; a stop word is None, hence false.
        return list(filter(None, map(self._known[lang].__getitem__, forms)))

    def readings(self, form: str, lang: Language) -> list[Term]:
        """Return the terms of all lemmas of a form, that of `terms` first; none of a stop word."""
        terms = self.terms([form], lang)
        if terms and lang not in LANGUAGE_ROWS:
            spelled = spelling(form, lang)
            known = self._by_lemma[spelled or "other"]
            others = sorted(self._lemmas.lemmas(form, spelled) - {terms[0].lemma})
            stops = self._stop_words.stops
            terms += filter(None, [known[one] for one in others if not stops(form, one, lang)])
        return terms

    def written(self, forms: Sequence[str], lang: Language) -> dict[str, str]:
        """Return for each stem of a text the first word that has it, to be shown to people.

        The language is one of STEMMED.
        """
        words = " ".join(forms).replace("-", " ").split()
        stems = [(self.terms([word], lang), word) for word in reversed(words)]
        return {term.lemma: word for terms, word in stems for term in terms}

    def term(self, lemma: str, lang: Language) -> Term:
        """Return the term of a lemma in a text of this language, even if it is a stop word.

        The letters of the lemma decide first: "объезд" is Russian in a Ukrainian text, too.
        """
        return self._term(lemma, spelling(lemma, lang) or "other")

    @property
    def reading(self) -> str:
        """Return the version of lemmas and stop words as text; a background table fits only one."""
        return f"lemmas {self._lemmas.version}, stop words {self._stop_words.version}"

    @property
    def version(self) -> str:
        """Return the version of all data and methods on which a term depends."""
        weights = f"background {self._background.version}, weights {OPT_FREQ.version}"
        return f"{self.reading}, folding {self._folding.version}, {weights}"

    def _read(self, form: str, lang: Language) -> Term | None:
        """Return the term of a form in a document of this language, or None for a stop word."""
        language = spelling(form, lang)
        lemma = self._lemmas.lemma(form, language)
        spelled = language or "other"
        stops, russian = self._stop_words.stops, self._folding.counterpart(lemma, spelled)
        # If the translation of a Russian stop word were a term, it would separate two words of the
        # Ukrainian text that are neighbours in its Russian twin.
        if stops(form, lemma, lang) or (russian is not None and stops(russian, russian, "ru")):
            return None
        return self._by_lemma[spelled][lemma]

    def _term(self, lemma: str, spelled: Language) -> Term:
        """Return the term of a lemma, with the key and the weight of the word it is folded into."""
        fold = self._folding.fold(lemma, spelled)
        frequency = self._folding.frequency(fold)
        return Term(lemma, term_key(fold, frequency), self._worth(frequency or self._unseen))
