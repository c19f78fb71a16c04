"""The names of all methods, for those who only name them: the catalogue takes time to load."""

METHODS = (
    "md5",
    "md5_body",
    "md5_lead",
    "tf",
    "tf_idf",
    "tf_ridf",
    "long_sent",
    "heavy_sent",
    "megashingles",
    "megashingles_84",
    "lex_rand",
    "i_match",
    "log_shingles",
    "descr_words",
    "opt_freq",
    "decomposition",
    "three_plus_five",
    "terms12",
    "longest_words",
    "simhash",
    "simhash_tf_idf",
    "minhash",
    "pugh_lists",
    "synonym_jaccard",
)
"""In the order of the catalogue; tests/core/fingerprints/test_method_names.py holds them to it."""
