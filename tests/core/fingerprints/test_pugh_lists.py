from hypothesis import given
from xxhash import xxh3_64_digest, xxh3_64_intdigest

from core.fingerprints.readings import near_copies, reading
from newsdedup.core.fingerprints.corpus import NO_CORPUS
from newsdedup.core.fingerprints.method import NO_FINGERPRINT
from newsdedup.core.fingerprints.word_lists import PughLists


def dealt(method: PughLists, words: tuple[str, ...]) -> list[list[str]]:
    """Every list by itself: the words whose hash leaves its number."""
    return [
        sorted({word for word in words if xxh3_64_intdigest(word.encode()) % method.lists == at})
        for at in range(method.lists)
    ]


def test_two_lists_by_hand() -> None:
    method = PughLists(lists=2, least=1)
    words = ("мост", "река", "город", "берег", "лодка")
    odd = [word for word in words if xxh3_64_intdigest(word.encode()) % 2 == 1]
    even = [word for word in words if word not in odd]
    assert (odd, even) == (["мост", "город"], ["река", "берег", "лодка"])
    signed = method.sign(reading("Мост, река, город, берег, лодка, мост"), NO_CORPUS)
    assert signed.body == xxh3_64_digest(" ".join(sorted(even)).encode()) + xxh3_64_digest(
        " ".join(sorted(odd)).encode()
    )
    # Without "город", a word of the odd list, the even one is as before: one of two agrees.
    other = method.sign(reading("Мост, река, берег, лодка"), NO_CORPUS)
    assert method.match(signed, other) == 1 / 2 == method.threshold


def test_a_short_list_is_not_signed() -> None:
    method = PughLists(lists=2, least=3)
    signed = method.sign(reading("Мост, река, город, берег, лодка"), NO_CORPUS)
    # The odd list has two words.
    assert signed.body[8:] == bytes(8)
    assert signed.body[:8] != bytes(8)
    assert len(signed.keys) == 1


@given(near_copies())
def test_duplicates_have_an_equal_list(pair) -> None:
    method = PughLists(lists=3, least=2)
    one, other = (method.sign(said, NO_CORPUS) for said in pair)
    here, there = (dealt(method, said.words) for said in pair)
    same = sum(a == b and len(a) >= 2 for a, b in zip(here, there, strict=True))
    either = sum(len(a) >= 2 or len(b) >= 2 for a, b in zip(here, there, strict=True))
    if NO_FINGERPRINT not in (one, other):
        assert method.match(one, other) == same / either
    assert len(set(one.keys) & set(other.keys)) == same
