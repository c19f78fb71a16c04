from newsdedup.adapters.words.package_data import (
    shipped_counterparts,
    shipped_overrides,
    shipped_stop_words,
)
from newsdedup.adapters.words.pymorphy import PymorphyLemmatizer
from newsdedup.adapters.words.stemmer import SnowballStemmer
from newsdedup.core.words.background import Background
from newsdedup.core.words.lemmas import Lemmas
from newsdedup.core.words.vocabulary import BOUND, Vocabulary
from newsdedup.core.words.weights import OPT_FREQ, Weighting


def shipped_lemmas() -> Lemmas:
    """Return the lemmatizers of Russian, Ukrainian and English; dictionaries load when asked."""
    return Lemmas(
        {
            "ru": PymorphyLemmatizer("ru"),
            "uk": PymorphyLemmatizer("uk"),
            "en": SnowballStemmer("english"),
        },
        shipped_overrides(),
    )


def shipped_vocabulary(
    background: Background, *, weighting: Weighting = OPT_FREQ, bound: int = BOUND
) -> Vocabulary:
    """Return the vocabulary of the shipped languages over this background, its memory empty.

    It remembers at most `bound` forms, of all languages together.
    """
    return Vocabulary(
        shipped_lemmas(),
        shipped_stop_words(),
        background,
        counterparts=shipped_counterparts(),
        weighting=weighting,
        bound=bound,
    )
