"""Readings and corpora made by hand: no lemmas, no stop words, words as they are written."""

from hypothesis import strategies as st

from newsdedup import ItemKey, NewsItem
from newsdedup.core.document import Analyzer
from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText, count_corpus, prepare_text
from newsdedup.core.fingerprints.synonym_jaccard import build_synonyms
from newsdedup.core.words.background import EMPTY_BACKGROUND, Frequency, make_pivots
from newsdedup.core.words.lemmas import Lemmas, StopWords
from newsdedup.core.words.vocabulary import Vocabulary

VOCABULARY = Vocabulary(Lemmas({}), StopWords({}), EMPTY_BACKGROUND)
ANALYZER = Analyzer(VOCABULARY)


def listed(words: str) -> list[str]:
    return words.split()


def reading(title: str, body: str = "") -> PreparedText:
    document = ANALYZER.document(NewsItem(ItemKey("test", "1"), title, body))
    return prepare_text(document, VOCABULARY)


def counted(documents: int, mean_length: float = 1.0, **words: tuple[int, int]) -> CorpusStats:
    """Return a corpus of N, dl_avg and word=(df, cf)."""
    frequencies = {word: Frequency(df, cf, documents) for word, (df, cf) in words.items()}
    return CorpusStats(documents, mean_length, frequencies, "a test")


WORDS = listed(
    "берег ветер город дерево железо завод игрок камень лестница машина народ облако"
    " правительство работа собака телефон учитель фабрика хозяин цветок человек школа щенок"
    " экран юбилей яблоко"
)


NOTHING_SAID = reading("")

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(
    lambda words: " ".join(words).capitalize() + "."
)


@st.composite
def texts(draw):
    return "\n".join(
        " ".join(draw(st.lists(sentences, max_size=5))) for _ in range(draw(st.integers(0, 4)))
    )


readings = texts().map(reading)


@st.composite
def near_copies(draw):
    """Draw two readings, the second with few words of the first changed, left out or added."""
    text = draw(texts())
    words = text.split(" ")
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(words) - 1))
        words[at : at + draw(st.integers(0, 2))] = [draw(st.sampled_from(WORDS))]
    return reading(text), reading(" ".join(words))


CORPUS = count_corpus(
    [
        reading(" ".join(WORDS[start : start + 1 + start % 7] * (1 + start % 2)))
        for start in range(len(WORDS))
    ]
)
PIVOTS = make_pivots(dict(zip(WORDS[::2], [3, 8, 12] * len(WORDS), strict=False)))
SYNONYMS = build_synonyms([("город", "народ"), ("завод", "фабрика", "работа"), ("щенок", "собака")])
