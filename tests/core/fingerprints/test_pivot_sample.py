from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.fingerprints.descr_words import PivotSample


def noted(texts, most: int) -> list:
    sample = PivotSample(most)
    for text in texts:
        sample.note(text, lambda text=text: tuple(text))
    return sorted(sample)


@given(st.lists(st.text(max_size=9), max_size=30), st.integers(1, 12), st.randoms())
def test_the_same_documents_stay_in_whatever_order_they_come(texts, most: int, random) -> None:
    turned = list(texts)
    random.shuffle(turned)
    assert noted(texts, most) == noted(turned, most)


@given(st.lists(st.text(max_size=9), max_size=30), st.integers(1, 12))
def test_so_many_documents_stay_as_there_is_room_for(texts, most: int) -> None:
    stayed = noted(texts, most)
    assert len(stayed) == min(most, len(texts))
    if len(texts) <= most:
        assert stayed == sorted(map(tuple, texts))


def test_the_words_of_a_document_that_does_not_stay_are_not_asked_for() -> None:
    sample, asked = PivotSample(3), []
    for n in range(300):
        sample.note(f"text {n}", lambda n=n: asked.append(n) or (str(n),))
    # The k-th document stays with chance 3 / k: 3 * (1 + ln 100) = 17 in the mean.
    assert 3 <= len(asked) < 60
    assert len(list(sample)) == 3
