from math import exp, log, sqrt
from zlib import crc32

import pytest
from hypothesis import given

from core.fingerprints.readings import CORPUS, counted, reading, readings
from newsdedup.core.fingerprints.corpus import NO_CORPUS, weigh_words
from newsdedup.core.fingerprints.heavy_words import heaviest_words, opt_freq, tf, tf_idf, tf_ridf
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, Method
from newsdedup.core.words.weights import TF_IDF, TF_RIDF


def checksum(words: str) -> bytes:
    return crc32("\n".join(words.split()).encode()).to_bytes(4, "little")


def test_tf_takes_the_most_frequent_words_and_equal_ones_by_alphabet() -> None:
    # tf: море 3, мост 2, берег 1, река 1. Two words: море, мост. Three: берег before река.
    one = reading("море мост море река мост море берег")
    assert tf(words=2).sign(one, NO_CORPUS).body == checksum("море мост")
    assert tf(words=3).sign(one, NO_CORPUS).body == checksum("берег море мост")
    # Fewer words than asked for: all of them, in alphabetical order.
    assert tf(words=6).sign(one, NO_CORPUS).body == checksum("берег море мост река")


def test_tf_idf_by_hand() -> None:
    one = reading("мост мост река море")
    corpus = counted(10, 4.0, мост=(4, 9), река=(1, 1), море=(9, 12))
    # dl / dl_avg = 4 / 4 = 1, so TF = tf / (2 * (0.25 + 0.75) + tf): 2/4 and 1/3.
    # мост: 2/4 * ln(6.5 / 4.5) = 0.5 * 0.3677 = 0.1839
    # река: 1/3 * ln(9.5 / 1.5) = 0.3333 * 1.8458 = 0.6153
    # море: ln(1.5 / 9.5) is below zero: 0
    assert weigh_words(one.words, corpus, TF_IDF) == pytest.approx(
        {"мост": 0.1839, "река": 0.6153, "море": 0.0}, abs=1e-4
    )
    assert tf_idf(words=1).sign(one, corpus).body == checksum("река")
    assert tf_idf(words=2).sign(one, corpus).body == checksum("мост река")


def test_tf_ridf_by_hand() -> None:
    one = reading("мост мост река лодка")
    corpus = counted(100, мост=(50, 200), река=(10, 60), лодка=(10, 10))
    # мост:  TF = 0.5 + 0.5 * 2/2 = 1;    -ln(0.5) + ln(1 - exp(-2.0)) = 0.6931 - 0.1454 = 0.5477
    # река:  TF = 0.5 + 0.5 * 1/2 = 0.75; -ln(0.1) + ln(1 - exp(-0.6)) = 2.3026 - 0.7958 = 1.5068
    # лодка: TF = 0.75;                   -ln(0.1) + ln(1 - exp(-0.1)) = 2.3026 - 2.3522 = -0.0496
    assert weigh_words(one.words, corpus, TF_RIDF) == pytest.approx(
        {"мост": 0.5477, "река": 0.75 * 1.5068, "лодка": -0.75 * 0.0496}, abs=1e-4
    )
    assert tf_ridf(words=1).sign(one, corpus).body == checksum("река")
    assert tf_ridf(words=2).sign(one, corpus).body == checksum("мост река")


def test_opt_freq_by_hand() -> None:
    one = reading("лучшее частое общее редкое")
    corpus = counted(
        1_000_000, лучшее=(10, 10), частое=(1_000, 1_000), общее=(100_000, 100_000), редкое=(1, 1)
    )
    # tf / tf_max = 1 for all, so TF = 1. IDF = ln(1,000,000 / df):
    # лучшее 11.51: 11.5 / 11.51 = 0.999    редкое 13.82: 11.5 / 13.82 = 0.832
    # частое  6.91: sqrt(6.91 / 11.5) = 0.775   общее 2.30: sqrt(2.30 / 11.5) = 0.447
    for words, chosen in (
        (1, "лучшее"),
        (2, "лучшее редкое"),
        (3, "лучшее редкое частое"),
        (4, "лучшее общее редкое частое"),
    ):
        assert opt_freq(words=words).sign(one, corpus).body == checksum(chosen)


def test_equal_weights_are_taken_by_alphabet() -> None:
    assert heaviest_words({"река": 1.0, "море": 1.0, "мост": 2.0, "берег": 0.5}, 2) == [
        "мост",
        "море",
    ]


def by_tf_idf(word: str, words: tuple[str, ...]) -> float:
    n, df, tf = CORPUS.documents, CORPUS.frequency(word).df, words.count(word)
    idf = max(0.0, log((n - df + 0.5) / (df + 0.5)))
    return tf / (2 * (0.25 + 0.75 * len(words) / CORPUS.mean_length) + tf) * idf


def by_tf_ridf(word: str, words: tuple[str, ...]) -> float:
    n, (df, cf, _) = CORPUS.documents, CORPUS.frequency(word)
    tf = 0.5 + 0.5 * words.count(word) / max(map(words.count, words))
    return tf * (-log(df / n) + log(1 - exp(-cf / n)))


def by_opt_freq(word: str, words: tuple[str, ...]) -> float:
    idf = -log(CORPUS.frequency(word).df / CORPUS.documents)
    tf = 0.5 + 0.5 * words.count(word) / max(map(words.count, words))
    return tf * (sqrt(idf / 11.5) if idf < 11.5 else 11.5 / idf)


@pytest.mark.parametrize(
    ("method", "weight"),
    [
        (tf(), lambda word, words: words.count(word)),
        (tf_idf(), by_tf_idf),
        (tf_ridf(), by_tf_ridf),
        (opt_freq(), by_opt_freq),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
@given(one=readings)
def test_a_signature_is_what_the_paper_says(method: Method, weight, one) -> None:
    signed = method.sign(one, CORPUS)
    if not one.words:
        assert signed == NO_FINGERPRINT
        return
    # Rounded as rarities are, so that equal weights are equal here too.
    ranked = sorted(set(one.words), key=lambda word: (-round(weight(word, one.words), 5), word))
    near = round(weight(ranked[min(5, len(ranked) - 1)], one.words), 5)
    after = [round(weight(word, one.words), 5) for word in ranked[6:]]
    if near not in after:  # else the sixth digit depends on the last one
        assert signed.body == checksum(" ".join(sorted(ranked[:6])))
