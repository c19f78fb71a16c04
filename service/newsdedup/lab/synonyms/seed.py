"""What Neelova and Sychugov (2009) print: figures 2 and 3, the time table, and the text."""

SEED = "Neelova, Sychugov (2009)"
NOISE_WITHOUT_CUT = "5 to 10 %"
NOISE_WITH_CUT = "1 to 3 %"
CRITICAL = (0.20, 0.30)
"""The interval of the coefficient in which duplicates begin, stop words removed: for snippets."""
CUT_LOWERS_TEXTS = 0.02
"""How much the coefficient of texts of 2,000 characters falls when stop words are removed."""
SECONDS = {2_000: (4_298.422, 2_750.469), 300: (1_976.875, 991.360), 4_000: (9_112.485, 7_715.109)}
"""By characters: with all words and with stop words removed. The table says milliseconds; it counts
with synonyms, for 4 documents of 2,000 characters, 20 of 300 and 4 of 4,000."""
