from zlib import crc32

from hypothesis import given

from core.fingerprints.readings import CORPUS, counted, reading, readings
from newsdedup.core.fingerprints.corpus import NO_CORPUS, weigh_words
from newsdedup.core.fingerprints.heavy_words import HeavySent, LongSent
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.words.weights import TF_IDF


def checksum(*sentences: str) -> bytes:
    return crc32("\n".join(sentences).encode()).to_bytes(4, "little")


def test_long_sent_by_hand() -> None:
    one = reading(
        "Мост", "Через реку ведет мост. Город ждал моста долго. Берег крутой. Через реку."
    )
    # Words: 1, 4, 4, 2, 2. The two longest have four: "город ..." stands before "через ...".
    longest = checksum("город ждал моста долго", "через реку ведет мост")
    assert LongSent().sign(one, NO_CORPUS).body == longest
    # The third has two words, and "берег крутой" stands before "через реку".
    three = checksum("берег крутой", "город ждал моста долго", "через реку ведет мост")
    assert LongSent(sentences=3).sign(one, NO_CORPUS).body == three


def test_a_repeated_sentence_stands_once() -> None:
    one = reading("Новый мост открыт", "Новый мост открыт. Город ждал.")
    assert LongSent().sign(one, NO_CORPUS).body == checksum("город ждал", "новый мост открыт")


def test_a_single_sentence_is_signed_alone() -> None:
    assert LongSent().sign(reading("Новый мост"), NO_CORPUS).body == checksum("новый мост")


def test_heavy_sent_by_hand() -> None:
    one = reading("Мост", "Город ждал. Лодка лодка. Берег")
    corpus = counted(100, 6.0, мост=(50, 60), город=(40, 50), ждал=(30, 30),
                     лодка=(2, 3), берег=(10, 10))  # fmt: skip
    # dl = 6 = dl_avg: TF(1) = 1/3, TF(2) = 1/2. IDF: мост ln(50.5/50.5) = 0,
    # город ln(60.5/40.5) = 0.401, ждал ln(70.5/30.5) = 0.838, лодка ln(98.5/2.5) = 3.674,
    # берег ln(90.5/10.5) = 2.154. Sums: мост 0; город ждал (0.401 + 0.838) / 3 = 0.413;
    # лодка лодка 2 * 3.674 / 2 = 3.674; берег 2.154 / 3 = 0.718.
    assert HeavySent(sentences=1).sign(one, corpus).body == checksum("лодка лодка")
    assert HeavySent().sign(one, corpus).body == checksum("берег", "лодка лодка")
    assert HeavySent(sentences=3).sign(one, corpus).body == checksum(
        "берег", "город ждал", "лодка лодка"
    )


@given(readings)
def test_sentences_are_chosen_as_the_paper_says(one) -> None:
    distinct = list(dict.fromkeys(one.sentences))
    by_length = sorted(distinct, key=lambda words: (-len(words), words))[:2]
    weights = weigh_words(one.words, CORPUS, TF_IDF)
    by_weight = sorted(
        distinct, key=lambda words: (-round(sum(weights[word] for word in words), 6), words)
    )[:2]
    for method, chosen in ((LongSent(), by_length), (HeavySent(), by_weight)):
        signed = method.sign(one, CORPUS)
        if not distinct:
            assert signed == NO_FINGERPRINT
        else:
            assert signed.body == checksum(*sorted(" ".join(words) for words in chosen))
