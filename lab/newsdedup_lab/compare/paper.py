"""Numbers that paper 000 prints about its methods, and notes on how they compare with ours."""

from collections.abc import Mapping

from newsdedup.core.fingerprints.catalogue import METHODS

METHOD_NUMBERS: Mapping[str, str] = {
    **{name: line.number for name, line in METHODS.items()},
    "decomposition_whole": "A11",
}
"""What a method is called in tables that have no room; A0 to A12 as in the paper."""

TABLE_2: Mapping[str, tuple[float, float, float]] = {
    "three_plus_five": (0.95, 0.96, 0.95),
    "long_sent": (0.80, 0.84, 0.82),
    "tf": (0.94, 0.60, 0.73),
    "opt_freq": (0.94, 0.59, 0.73),
    "tf_ridf": (0.95, 0.59, 0.73),
    "heavy_sent": (0.86, 0.62, 0.72),
    "tf_idf": (0.96, 0.54, 0.69),
    "lex_rand": (0.97, 0.50, 0.66),
    "descr_words": (0.77, 0.44, 0.56),
    "log_shingles": (0.97, 0.39, 0.56),
    "megashingles": (0.91, 0.36, 0.51),
    "md5": (1.00, 0.23, 0.38),
}
"""Precision, recall and F of tables 2 and 7, the best first."""

TABLE_3: Mapping[str, int] = {
    "md5": 2_791_226,
    "tf": 7_540_460,
    "tf_idf": 6_745_096,
    "tf_ridf": 7_373_208,
    "long_sent": 12_635_770,
    "heavy_sent": 8_544_468,
    "megashingles": 4_696_699,
    "lex_rand": 6_124_207,
    "log_shingles": 4_791_883,
    "descr_words": 6_927_589,
    "opt_freq": 7_531_378,
}
POOL_PRINTED, VERIFIED_PRINTED = 17_471_200, 0.68
"""Pairs that any of A0 to A10 found, and the share of them that was the same text."""

TABLE_4_NAMES = (
    "tf", "tf_idf", "tf_ridf", "long_sent", "heavy_sent", "megashingles", "lex_rand",
    "descr_words",
)  # fmt: skip
TABLE_4: tuple[tuple[float, ...], ...] = (
    (0.83, 0.79, 0.40, 0.68, 0.54, 0.90, 0.65),
    (0.75, 0.38, 0.76, 0.60, 0.88, 0.71),
    (0.32, 0.60, 0.48, 0.82, 0.59),
    (0.76, 0.54, 0.54, 0.55),
    (0.59, 0.69, 0.68),
    (0.56, 0.53),
    (0.66,),
)
"""The upper half of table 4: of each method with those behind it."""


def method_title(method: str) -> str:
    """Return how tables name a method: its number and its name ("A8 log_shingles").

    A method that the paper does not number has its initials for a number ("MH minhash").
    """
    return f"{METHOD_NUMBERS[method]} {method}"


COMPARE_NOTES = (
    (
        "The paper compared about 500,000 pages of Russian web sites, where pages of one site "
        "share frames and menus; its numbers and these are of different collections, and only "
        "their order can be compared."
    ),
    (
        "Pairs are found through the keys of a method, as a live index would: documents that "
        "share a key are compared by the match of the method at its threshold. No window: "
        "documents of any two times may be paired."
    ),
    (
        "Truth by texts: of the pairs that any of the methods found, those whose clean texts have "
        "2 * LCS / (n + m) of 80 % and more, counted in characters (rapidfuzz, Indel). What no "
        "method found is not known, so recall is reported too high, for all methods alike. Perl's "
        "String::Similarity, which the paper used, may say less of long texts."
    ),
    (
        "The pool depends on the methods that take part: with more of them in it, the recall of "
        "each is lower. The paper's pool is of A0 to A10 only."
    ),
    (
        "Counts of words (N, df, cf, mean length) are those of this collection, as in the paper. "
        "The words of terms12 are weighed by the background table."
    ),
    (
        "Times are seconds of one processor, without reading the files; bytes are those of bodies "
        "and keys as they would be stored, without an index around them."
    ),
    (
        "A11 has two forms: `decomposition` is the one for a live index, over a sample of the "
        "shingles and without texts; `decomposition_whole` is the paper's, over all shingles by "
        "chains, with the texts compared. What that one finds is true by definition of the truth."
    ),
)
"""How the comparison was understood."""


def printed_dice(one: str, other: str) -> float | None:
    """Return the Dice coefficient that table 4 prints for two methods, None if it prints none."""
    if one not in TABLE_4_NAMES or other not in TABLE_4_NAMES or one == other:
        return None
    low, high = sorted((TABLE_4_NAMES.index(one), TABLE_4_NAMES.index(other)))
    return TABLE_4[low][high - low - 1]
