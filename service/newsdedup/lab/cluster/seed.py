"""What seed 002 prints, and what it leaves open."""

PRINTED: tuple[tuple[str, float | None, float, float, float, float], ...] = (
    ("center", None, 0.971, 0.805, 0.877, 0.692),
    ("merge_center", None, 0.958, 0.885, 0.918, 0.795),
    ("star", 0.2, 0.588, 0.730, 0.644, 0.726),
    ("star", 0.3, 0.778, 0.842, 0.805, 0.801),
    ("star", 0.4, 0.900, 0.870, 0.884, 0.781),
)
"""Clustering, threshold if one is printed, Pr, Re, F1, CPr."""

READINGS = (
    (
        "Scores: for every true cluster the found one that shares most with it (of equals the "
        "smallest); Pr and Re are weighted by the size of the true cluster. A document that is "
        "alone in truth is a true cluster of one. CPr is the mean, over the found clusters of "
        "several, of the share of their pairs that belong together."
    ),
    (
        "Pr, Re, F1 and CPr are of the clusters as found, which overlap for star and "
        "articulation. B-cubed and the pairs need a partition: there a shared document goes where "
        "its most similar fellow is."
    ),
    (
        "The seed gives neither the tokens nor the weights of its similarities. Here tokens are "
        "content lemmas; weighted Jaccard takes idf = ln(N / df) of this collection, cosine "
        "tf-idf of the same idf, and edit similarity compares the sequences of lemmas at cost 1 "
        "for every operation."
    ),
    (
        "All pairs that reach the lowest threshold are found, exactly, without comparing all with "
        "all: what cannot reach it by the weight of its rarer words is left out."
    ),
    (
        "Center: the text may be read so that the partner of a closed document becomes a centre, "
        "or so that it stays new; here it becomes one."
    ),
    "Star: the degrees are those of the graph before any star is taken, as the text has them.",
    (
        "Ricochet is worked out in each connected part by itself, and ends there when all have a "
        "cluster."
    ),
    (
        "Articulation looks at no weights. Leader is the rule of the service: each document, in "
        "the order of time, joins the most similar earlier leader."
    ),
    "No window: documents of any two times may be paired, which the service would not do.",
)
"""How the seed was understood, and what holds for every table."""
