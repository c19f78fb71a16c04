"""All methods by the names of settings and tables."""

from collections.abc import Mapping

from newsdedup.core.fingerprints.chosen_sentences import HeavySent, LongSent
from newsdedup.core.fingerprints.decomposition import Decomposition
from newsdedup.core.fingerprints.descr_words import DescrWords
from newsdedup.core.fingerprints.heavy_words import OptFreq, Tf, TfIdf, TfRidf
from newsdedup.core.fingerprints.log_shingles import LogShingles
from newsdedup.core.fingerprints.longest_words import LongestWords
from newsdedup.core.fingerprints.md5 import Md5
from newsdedup.core.fingerprints.megashingles import FETTERLY, Megashingles
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.fingerprints.minhash import Minhash
from newsdedup.core.fingerprints.minima import seeded_functions
from newsdedup.core.fingerprints.simhash import Simhash
from newsdedup.core.fingerprints.synonym_jaccard import SynonymJaccard
from newsdedup.core.fingerprints.synonyms import NO_SYNONYMS, Synonyms
from newsdedup.core.fingerprints.terms12 import Terms12
from newsdedup.core.fingerprints.three_plus_five import ThreePlusFive
from newsdedup.core.fingerprints.word_lists import LexRand, PughLists
from newsdedup.core.words.pivots import NO_PIVOTS, Pivots
from newsdedup.core.words.weights import TF_IDF


def catalogue(
    *, pivots: Pivots = NO_PIVOTS, synonyms: Synonyms = NO_SYNONYMS
) -> Mapping[str, Method]:
    """Return every method with the parameters of its seed, options under names of their own.

    `descr_words` signs nothing without pivots; `synonym_jaccard` without synonyms is the plain
    Jaccard similarity of its band.
    """
    methods: tuple[Method, ...] = (
        Md5(),
        Md5(part="body", name="md5_body"),
        Md5(part="lead", name="md5_lead"),
        Tf(),
        TfIdf(),
        TfRidf(),
        LongSent(),
        HeavySent(),
        Megashingles(),
        Megashingles(functions=seeded_functions(FETTERLY), name="megashingles_84"),
        LexRand(),
        LexRand(lexicons=0, name="i_match"),
        LogShingles(),
        DescrWords(pivots=pivots),
        OptFreq(),
        Decomposition(),
        ThreePlusFive(),
        Terms12(),
        LongestWords(),
        Simhash(),
        Simhash(weighting=TF_IDF, name="simhash_tf_idf"),
        Minhash(),
        PughLists(),
        SynonymJaccard(synonyms=synonyms),
    )
    return {method.name: method for method in methods}
