"""Any two texts made of what readers of facts look for, through the whole engine."""

from hypothesis import given
from hypothesis import strategies as st

from laws.changed_items import MARKUP, NUMBERS, RANGES, SIGNS, invented_items, table_words
from laws.pair_checks import check_pair, line_of
from newsdedup.core.facts.days import MONTHS

WORDS = sorted({word for title, _ in invented_items() for word in title.split()})
spans = st.builds(
    lambda form, **parts: form.format(**parts),
    st.sampled_from(RANGES),
    a=st.integers(0, 32),
    b=st.integers(0, 32),
    m=st.sampled_from(sorted(MONTHS)),
    n=st.integers(0, 13).map("{:02}".format),
    y=st.sampled_from([0, 26, 1599, 1799, 1800, 2024, 2026, 2299, 9999]),
)
pieces = st.one_of(
    *[st.sampled_from(each) for each in (NUMBERS, SIGNS, MARKUP, WORDS, table_words())],
    spans,
    st.integers(0, 10**12).map(str),
)
texts = st.one_of(
    st.lists(pieces, max_size=30).map(" ".join), st.lists(pieces, max_size=12).map("".join)
)
minutes = st.sampled_from([0, 1, 60, 1_440, 4_320, 10_080])


@given(texts, texts, texts, minutes)
def test_two_items_of_one_title_pass_the_whole_engine(title, text, other, later):
    left = line_of(title, text, name="1", source="a")
    check_pair(left, line_of(title, other, name="2", source="b", minutes=later), thorough=False)


@given(texts, texts, pieces, st.integers(0, 200), minutes)
def test_an_item_and_its_copy_with_one_more_word_pass_the_whole_engine(
    title, text, piece, at, later
):
    left = line_of(title, text, name="1", source="a")
    changed = f"{text[:at]} {piece} {text[at:]}"
    check_pair(left, line_of(title, changed, name="2", source="a", minutes=later), thorough=False)
