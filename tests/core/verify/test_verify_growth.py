"""More shared text never makes two texts less alike."""

from hypothesis import given
from hypothesis import strategies as st

from core.verify.viewing import seen_as
from newsdedup.adapters.words.package_data import shipped_model
from newsdedup.core.matching.verify.features import compare_views
from newsdedup.core.matching.verify.view import sum_weights

MODEL = shipped_model()
words = st.text(alphabet="абвгдеabcde0123456789 .,-\n%", max_size=200)


@given(words, words, st.sets(st.integers(1 << 30, 1 << 31), max_size=12))
def test_shared_lemmas_that_are_added_never_lower_the_probability(left, right, added):
    one, other = seen_as(left), seen_as(right)
    codes = tuple(sorted(added - set(one.lemmas) - set(other.lemmas)))
    longer, longest = (
        each._replace(
            lemmas=(*each.lemmas, *codes),
            weight=each.weight + sum_weights(codes),
        )
        for each in (one, other)
    )
    before, after = compare_views(one, other).features, compare_views(longer, longest).features
    assert MODEL.logit(after) >= MODEL.logit(before)
