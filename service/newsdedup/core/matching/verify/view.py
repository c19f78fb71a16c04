"""What an entry keeps of a document for the verifier: weighted lemmas, phrases and facts.

A phrase is a pair of neighbouring content lemmas: a copy keeps them, another message does not. One
that the source has used in earlier documents is its template, its boilerplate or the background of
a running story: the more often it was used, the less a share in it says.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from math import log
from typing import NamedTuple

from newsdedup.core.facts.fact import OPENING, Fact, encode_facts
from newsdedup.core.model import Document, Signature
from newsdedup.core.text.tokens import sentences, tokens
from newsdedup.core.words.background import KEY_HASH_BITS, RAREST_LOG, STEPS_PER_DOUBLING
from newsdedup.core.words.vocabulary import Vocabulary

SAMPLE_SIZE = 32
"""Phrases kept of a text: the smallest hashes, so two samples of one text are the same one."""

TIERS = 3
"""How often the source used a phrase before: never, once, twice, more."""

_FIRST = 0x9E3779B97F4A7C15
_SECOND = 0xC2B2AE3D27D4EB4F
_MASK = (1 << 64) - 1
NO_LIMIT = (1 << 32) - 1
"""The limit of a sample that leaves nothing out: no phrase is above it."""


class Phrases(NamedTuple):
    """A sample of the phrases of a text, and how often its source had used them at admission."""

    hashes: tuple[int, ...]
    """Hashes of 32 bits, the fresh ones first, ascending within a tier."""
    tiers: tuple[int, ...]
    """How many of them the source had used not at all, at most once, at most twice."""
    limit: int
    """No phrase of the text with a hash up to this one is missing."""


def phrase_hashes(keys: Sequence[int]) -> list[int]:
    """Return the distinct 32-bit hashes of all pairs of neighbouring term keys, ascending."""
    return sorted(
        {(left * _FIRST + right * _SECOND & _MASK) >> 32 for left, right in pairwise(keys)}
    )


def sample_phrases(keys: Sequence[int]) -> Phrases:
    """Return the sample of a text's phrases, none of them used before by its source.

    `keys` are those of the content terms of the text, in its order.
    """
    hashes = phrase_hashes(keys)
    limit = hashes[SAMPLE_SIZE - 1] if len(hashes) > SAMPLE_SIZE else NO_LIMIT
    sample = tuple(hashes[:SAMPLE_SIZE])
    return Phrases(sample, (len(sample),) * TIERS, limit)


def sort_phrases(sample: Phrases, uses: Sequence[int]) -> Phrases:
    """Return the sample sorted by the earlier uses of each of its phrases; itself if unchanged."""
    whole = len(sample.hashes)
    if not any(uses):
        if sample.tiers[0] == whole:
            return sample
        return Phrases(tuple(sorted(sample.hashes)), (whole,) * TIERS, sample.limit)
    times = [min(TIERS, use) for use in uses]
    used = sorted(zip(times, sample.hashes, strict=True))
    times.sort()
    tiers = tuple([bisect_right(times, tier) for tier in range(TIERS)])
    return Phrases(tuple([phrase for _, phrase in used]), tiers, sample.limit)


class SharedPhrases(NamedTuple):
    """What two samples share."""

    shared: int
    fresh: float
    """Worth of the shared ones: 1 for a phrase new to both, half for each earlier use."""
    used: int
    """The shared ones that one of the sources had used before."""
    reused: int
    """Those that both sources had used twice before, or more."""

    @property
    def freshness(self) -> float:
        """Return the mean worth of a shared phrase; a half if none is shared."""
        return self.fresh / self.shared if self.shared else 0.5


def shared_phrases(earlier: Phrases, later: Phrases, *, repeated: bool) -> SharedPhrases:
    """Return how many phrases of two samples are equal, how much these are worth, and how used.

    `repeated` says that the later one's counts include the earlier one, of the same source: then
    one use of a shared phrase is the earlier text itself and speaks against nothing. The worth of a
    phrase used c times before, by the source that used it more, is 2 ** -c, c up to 3.
    """
    shared = len(set(earlier.hashes).intersection(later.hashes))
    if not shared:
        return SharedPhrases(0, 0.0, 0, 0)
    # The later one's tiers are read one use later where its counts include the earlier one.
    tiers = (*later.tiers, len(later.hashes))[1 if repeated else 0 :]
    if earlier.tiers[0] == len(earlier.hashes) and tiers[0] == len(later.hashes):
        return SharedPhrases(shared, float(shared), 0, 0)
    new, once, twice = (
        len(set(earlier.hashes[:left]).intersection(later.hashes[:right]))
        for left, right in zip(earlier.tiers, tiers, strict=False)
    )
    often = set(earlier.hashes[earlier.tiers[1] :]).intersection(later.hashes[tiers[1] :])
    worth = new / 2 + once / 4 + twice / 8 + shared / 8
    return SharedPhrases(shared, worth, shared - new, len(often))


def resemblance(left: Phrases, right: Phrases) -> float:
    """Return the estimated Jaccard similarity of the phrases of two texts.

    It is that of the hashes up to the lower of both limits, of which neither sample misses one.
    """
    limit = min(left.limit, right.limit)
    shared = len(set(left.hashes).intersection(right.hashes))
    sizes = [
        len(one.hashes) if one.limit == limit else sum([phrase <= limit for phrase in one.hashes])
        for one in (left, right)
    ]
    union = sum(sizes) - shared
    return shared / union if union else 0.0


WEIGHT_BITS = 6
WEIGHT_MASK = (1 << WEIGHT_BITS) - 1
_HASH_MASK = (1 << (32 - WEIGHT_BITS)) - 1
"""A code has 32 bits."""

PER_NAT = 6
"""Steps of a weight per nat of idf: the rarest lemma of the table, idf 9, weighs 54."""

UNSEEN_WEIGHT = 61
"""The weight of a lemma that the table does not contain: idf 10.2, one document in 27,000."""

# By the band of document frequency, one of a hundred. Band 0 has the lemmas that the table lacks.
_WEIGHTS = (
    UNSEEN_WEIGHT,
    *(
        max(
            1,
            min(UNSEEN_WEIGHT, round(PER_NAT * log(2) * (-RAREST_LOG - band / STEPS_PER_DOUBLING))),
        )
        for band in range(-RAREST_LOG * STEPS_PER_DOUBLING + 1)
    ),
)


def lemma_codes(keys: Iterable[int]) -> tuple[int, ...]:
    """Return a code for each key of a lemma in the frozen order: 26 bits of hash, 6 of weight.

    weight = round(6 * idf), idf from the band of the key: -ln(df / N) to a quarter of a doubling.
    Equal lemmas have equal codes; two different ones collide once in 67 million.
    """
    return tuple(
        [(key & _HASH_MASK) << WEIGHT_BITS | _WEIGHTS[key >> KEY_HASH_BITS] for key in keys]
    )


def sum_weights(codes: Iterable[int]) -> int:
    """Return the sum of the weights of lemma codes, which their lowest 6 bits hold."""
    return sum([each & WEIGHT_MASK for each in codes])


LEMMAS = 48
"""Distinct lemmas stored of a text, from its beginning on."""

LONGEST_LEAD = 24
_LEAST_LEAD = 3
"""Content lemmas that a sentence needs to say something."""
_LEAD_CHARACTERS = 1_200
"""Characters of a text among which its first sentence is looked for."""

MOST_NAME_CODES = 6
_NAMED_AMONG = 24
"""Content words among which names are taken: those that a message is about."""


class TextView(NamedTuple):
    """A text as the verifier sees it."""

    lemmas: tuple[int, ...]
    """Codes of the first distinct content lemmas, in the order of the text."""
    lead: tuple[int, ...]
    """Codes of the first sentence that says something."""
    terms: tuple[int, ...]
    """Codes of the signature."""
    names: tuple[int, ...]
    """Codes of the names among the first lemmas."""
    weight: int
    """The sum of the weights of the lemmas."""
    lead_weight: int
    phrases: Phrases
    facts: tuple[int, ...]
    """Codes of what the text states, ascending."""
    opening: tuple[int, ...]
    """Those of them that its first two sentences state."""
    size: int
    """Distinct content lemmas of the whole text."""


def view_document(
    document: Document, signature: Signature, stated: Sequence[Fact], vocabulary: Vocabulary
) -> TextView:
    """Return the view of a document; `signature` and `stated` are its signature and its facts."""
    keys = [term.key for term in document.terms]
    distinct = list(dict.fromkeys(keys))
    lemmas = lemma_codes(distinct[:LEMMAS])
    lead = _select(lemmas, _lead_codes(document, vocabulary))
    facts = encode_facts(stated)
    begun = encode_facts([fact for fact in stated if fact.sentence < OPENING]) if facts else ()
    return TextView(
        lemmas=lemmas,
        lead=lead,
        terms=lemma_codes([term.key for term in signature.terms]),
        names=_select(lemmas, _name_codes(document)),
        weight=sum_weights(lemmas),
        lead_weight=sum_weights(lead),
        phrases=sample_phrases(keys),
        facts=facts,
        opening=_select(facts, begun),
        size=len(distinct),
    )


def _select(codes: Iterable[int], chosen: Iterable[int]) -> tuple[int, ...]:
    """Return those of the codes that are among `chosen`, in the order of the codes."""
    among = set(chosen)
    return tuple([code for code in codes if code in among]) if among else ()


def _lead_codes(document: Document, vocabulary: Vocabulary) -> tuple[int, ...]:
    """Return the lemma codes of the first sentence of three content lemmas or more; () without one.

    It is looked for in the first 1,200 characters, so the last sentence may be cut.
    """
    for sentence in sentences(document.text[:_LEAD_CHARACTERS]):
        terms = vocabulary.terms(tokens(sentence), document.lang)
        distinct = dict.fromkeys([term.key for term in terms])
        if len(distinct) >= _LEAST_LEAD:
            return lemma_codes(islice(distinct, LONGEST_LEAD))
    return ()


def _name_codes(document: Document) -> tuple[int, ...]:
    """Return the codes of up to 6 names that are among the first 24 content words of a document."""
    if not document.names:
        return ()
    first = {term.lemma: term.key for term in document.terms[:_NAMED_AMONG]}
    names = [key for lemma, key in first.items() if lemma in document.names]
    return lemma_codes(names[:MOST_NAME_CODES])
