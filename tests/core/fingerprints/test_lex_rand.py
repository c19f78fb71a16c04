from math import log

import pytest
from hypothesis import given
from xxhash import xxh3_64_digest, xxh3_128_intdigest

from core.fingerprints.readings import CORPUS, counted, near_copies, reading, readings
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.fingerprints.word_lists import LexRand

WIDE = LexRand(lowest=0.0, highest=1.0, least=2)
I_MATCH = LexRand(lexicons=0, least=2)


def by_definition(method: LexRand, words: tuple[str, ...]) -> list[bytes | None]:
    """Intersect the text with each lexicon in turn, one word after another."""
    n = CORPUS.documents
    main = []
    for word in sorted(set(words)):
        share = log(n / CORPUS.frequency(word).df) / log(n)
        if method.lowest <= round(share, 6) <= method.highest:
            main.append(word)
    lexicons = [main]
    for number in range(method.lexicons):
        part = []
        for word in main:
            seed = method.seed + number // 10 * 10
            draw = xxh3_128_intdigest(word.encode(), seed) >> (12 * (number % 10)) & 4095
            if draw >= round(4096 * method.removed):
                part.append(word)
        lexicons.append(part)
    return [
        xxh3_64_digest(" ".join(part).encode()) if len(part) >= method.least else None
        for part in lexicons
    ]


def test_i_match_by_hand() -> None:
    # N = 10,000: ln N = 9.21. The lexicon takes idf from 0.2 to 0.8 of it, 1.84 to 7.37:
    # мост ln(10,000 / 100) = 4.61 is in; река ln(10,000 / 50) = 5.30 is in;
    # город ln(10,000 / 5,000) = 0.69 is too common; щенок ln(10,000 / 2) = 8.52 is too rare.
    corpus = counted(10_000, мост=(100, 1), река=(50, 1), город=(5_000, 1), щенок=(2, 1))
    signed = I_MATCH.sign(reading("Щенок, река, мост, город, река"), corpus)
    assert signed.body == xxh3_64_digest("мост река".encode())
    assert len(signed.keys) == 1
    # The words outside the lexicon do not count, nor how often and where the others stand.
    assert signed == I_MATCH.sign(reading("Мост и река, река"), corpus)
    assert signed != I_MATCH.sign(reading("Мост и город"), corpus)


def test_too_few_words_of_the_lexicon_are_not_signed() -> None:
    corpus = counted(10_000, мост=(100, 1), река=(50, 1), город=(5_000, 1))
    assert I_MATCH.sign(reading("Мост, город"), corpus) == NO_FINGERPRINT
    assert LexRand(lexicons=0, least=1).sign(reading("Мост, город"), corpus) != NO_FINGERPRINT


@pytest.mark.parametrize("method", [WIDE, LexRand(lowest=0, highest=1, lexicons=23), LexRand()])
@given(one=readings)
def test_signatures_are_what_the_definition_says(method: LexRand, one) -> None:
    expected = by_definition(method, one.words)
    if not any(expected):
        assert method.sign(one, CORPUS) == NO_FINGERPRINT
    else:
        body = b"".join(signature or bytes(8) for signature in expected)
        assert method.sign(one, CORPUS).body == body


@given(near_copies())
def test_duplicates_share_the_signature_of_a_lexicon(pair) -> None:
    one, other = (WIDE.sign(said, CORPUS) for said in pair)
    here, there = (by_definition(WIDE, said.words) for said in pair)
    same = any(a == b is not None for a, b in zip(here, there, strict=True))
    assert (WIDE.match(one, other) >= WIDE.threshold) == same
    assert bool(set(one.keys) & set(other.keys)) == same


def test_each_further_lexicon_leaves_out_about_thirty_percent() -> None:
    words = [f"слово {at}" for at in range(5_000)]
    for part in WIDE._parts(words, 0):
        # One standard error of a share of 5,000 is sqrt(0.3 * 0.7 / 5,000) = 0.0065.
        assert 1 - len(part) / 5_000 == pytest.approx(0.3, abs=4 * 0.0065)


def test_signatures_last_as_the_formula_says() -> None:
    # n = 2 words more in the text; a further lexicon (p = 0.3) does not hold them with p^2 = 0.09;
    # one of K = 10 signatures lasts with 1 - (1 - 0.09)^10 = 0.611. 1,000 texts: one standard
    # error 0.0154.
    corpus = counted(10_000, **{f"слово{chr(0x430 + at)}": (100, 100) for at in range(32)})
    method = LexRand(least=2)
    known = sorted(corpus.frequencies)
    lasting = 0
    for at in range(1_000):
        tail = "".join(chr(0x430 + int(digit)) for digit in str(at))
        more = {f"новое{tail}": (100, 100), f"другое{tail}": (100, 100)}
        wider = counted(10_000, **dict.fromkeys(known, (100, 100)), **more)
        text = " ".join(known[:12])
        one = method.sign(reading(text), wider)
        other = method.sign(reading(f"{text} {' '.join(more)}"), wider)
        lasting += method.match(one, other) > 0
    assert lasting / 1_000 == pytest.approx(1 - (1 - 0.3**2) ** 10, abs=4 * 0.0154)
