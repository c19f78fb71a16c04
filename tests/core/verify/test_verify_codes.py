from newsdedup.core.matching.verify.view import UNSEEN_WEIGHT, WEIGHT_MASK, lemma_codes, sum_weights
from newsdedup.core.words.background import KEY_HASH_BITS


def code_of(key: int) -> int:
    return lemma_codes([key])[0]


def test_a_code_weighs_the_idf_of_its_band():
    # Band 49 = 1 + 4 * (24 - 12): a lemma of one document in 2 ** 12; idf 8.32, times 6 is 49.9.
    assert code_of(49 << KEY_HASH_BITS | 7) & WEIGHT_MASK == 50
    assert code_of(7) & WEIGHT_MASK == UNSEEN_WEIGHT


def test_common_lemmas_weigh_at_least_one():
    assert code_of(97 << KEY_HASH_BITS | 7) & WEIGHT_MASK == 1


def test_codes_differ_by_the_hash_and_their_mass_is_the_sum_of_weights():
    one, other = code_of(49 << KEY_HASH_BITS | 7), code_of(49 << KEY_HASH_BITS | 8)
    assert one != other
    assert sum_weights((one, other)) == 100
    assert sum_weights(()) == 0
