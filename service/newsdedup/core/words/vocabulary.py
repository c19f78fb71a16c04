"""From word forms to terms, remembered up to a bound."""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from newsdedup.core.model import Language, Term
from newsdedup.core.words.background import Background, term_key
from newsdedup.core.words.folding import NO_COUNTERPARTS, Counterparts, Folding
from newsdedup.core.words.lemmas import LANGUAGES, Lemmas, spelling
from newsdedup.core.words.stopwords import StopWords
from newsdedup.core.words.weights import OPT_FREQ, Weighting

BOUND = 400_000
"""Forms remembered in all languages and both generations. 26,754 items of real news hold 220,000
different forms, most of them once."""


class Generations(dict[str, Term | None]):
    """A bounded cache of a pure function of a form, which forgets the least used.

    New forms enter the young generation, which is this dictionary itself. `age` makes the young
    one the old and forgets the old; a form asked for again comes back from the old. So a form in
    use is not forgotten. It inherits because only a dictionary's own __missing__ lets one look-up
    in C serve a known form.
    """

    def __init__(self, compute: Callable[[str], Term | None]) -> None:
        super().__init__()
        self._compute = compute
        self._old: dict[str, Term | None] = {}

    def __missing__(self, form: str) -> Term | None:
        """Return the answer from the old generation or compute it, and remember it."""
        term = self._old.pop(form) if form in self._old else self._compute(form)
        self[form] = term
        return term

    @property
    def remembered(self) -> int:
        """Return the number of forms in both generations."""
        return len(self) + len(self._old)

    def age(self) -> None:
        """Forget what has not been used since the last call."""
        self._old = dict(self)
        self.clear()


class Vocabulary:
    """What every form means: a term, or nothing for a stop word.

    It remembers up to `bound` forms, by language. Law, checked by tests/core/test_vocabulary.py:
    answers depend neither on what was asked before nor on the bound.
    """

    def __init__(
        self,
        lemmas: Lemmas,
        stop_words: StopWords,
        background: Background,
        *,
        counterparts: Counterparts = NO_COUNTERPARTS,
        weighting: Weighting = OPT_FREQ,
        bound: int = BOUND,
    ) -> None:
        self._lemmas = lemmas
        self._stop_words = stop_words
        self._background = background
        self._folding = Folding(background, counterparts)
        self._weighting = weighting
        self._worth = lru_cache(maxsize=4_096)(partial(weighting.worth, background=background))
        self._known = {lang: Generations(self._reader(lang)) for lang in LANGUAGES}
        # Forms of one lemma share one term: less memory, and terms are mostly equal by identity.
        self._by_lemma = {lang: Generations(self._maker(lang)) for lang in LANGUAGES}
        self._young = max(1, bound // 2)

    def terms(self, forms: Iterable[str], lang: Language) -> list[Term]:
        """Return the terms of lower-case forms in their order, stop words left out."""
        self._forget()
        # A term is a tuple with fields, hence true; a stop word is None, hence false.
        return list(filter(None, map(self._known[lang].__getitem__, forms)))

    def term(self, lemma: str, lang: Language) -> Term:
        """Return the term of a lemma, as the texts of a language have it."""
        return self._term(lemma, spelling(lemma, lang) or "other")

    @property
    def reading(self) -> str:
        """Return the version of what turns forms into lemmas; a table is counted with it."""
        return f"lemmas {self._lemmas.version}, stop words {self._stop_words.version}"

    @property
    def version(self) -> str:
        """Return the version of everything that a term depends on."""
        weights = f"background {self._background.version}, weights {self._weighting.version}"
        return f"{self.reading}, folding {self._folding.version}, {weights}"

    @property
    def remembered(self) -> int:
        """Return the number of forms that need no lemmatizer now."""
        return sum(generations.remembered for generations in self._known.values())

    def _forget(self) -> None:
        """Age all languages together when their young forms have reached half the bound.

        Between documents, so the bound is exceeded by the forms of two documents at most.
        """
        if sum(map(len, self._known.values())) >= self._young:
            for generations in self._known.values():
                generations.age()
            for generations in self._by_lemma.values():
                generations.age()

    def _reader(self, lang: Language) -> Callable[[str], Term | None]:
        """Return the function that reads a form for the first time in this language."""
        return lambda form: self._read(form, lang)

    def _read(self, form: str, lang: Language) -> Term | None:
        """Return the term of a form, or None for a stop word."""
        language = spelling(form, lang)
        lemma = self._lemmas.lemma(form, language)
        spelled = language or "other"
        if self._stop_words.stops(form, lemma, lang) or self._stopped_elsewhere(lemma, spelled):
            return None
        return self._by_lemma[spelled][lemma]

    def _stopped_elsewhere(self, lemma: str, spelled: Language) -> bool:
        """Return whether a Ukrainian lemma translates a Russian stop word.

        Otherwise a word would stand between two neighbours in one of two twins only.
        """
        counterpart = self._folding.counterpart(lemma, spelled)
        return counterpart is not None and self._stop_words.stops(counterpart, counterpart, "ru")

    def _maker(self, spelled: Language) -> Callable[[str], Term]:
        """Return the function that makes the term of a lemma of this spelling."""
        return lambda lemma: self._term(lemma, spelled)

    def _term(self, lemma: str, spelled: Language) -> Term:
        """Return the place and the worth of a lemma: those of its fold."""
        fold, frequency = self._folding.fold_and_frequency(lemma, spelled)
        return Term(lemma, term_key(fold, frequency), self._worth(frequency))
