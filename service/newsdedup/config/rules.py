"""The names of all rules; settings are read without loading any of them."""

FINGERPRINTS = (
    "decomposition",
    "descr_words",
    "heavy_sent",
    "i_match",
    "lex_rand",
    "log_shingles",
    "long_sent",
    "longest_words",
    "md5",
    "md5_body",
    "md5_lead",
    "megashingles",
    "megashingles_84",
    "minhash",
    "opt_freq",
    "pugh_lists",
    "simhash",
    "simhash_tf_idf",
    "synonym_jaccard",
    "terms12",
    "tf",
    "tf_idf",
    "tf_ridf",
    "three_plus_five",
)
"""The methods of docs/methods.md."""

RULES = ("terms", "verified", *FINGERPRINTS)
