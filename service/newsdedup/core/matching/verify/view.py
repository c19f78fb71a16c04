"""The view, what an entry keeps of a document for the verifier: lemmas with weights, and facts."""

from collections.abc import Iterable, Sequence
from itertools import islice
from math import log
from typing import NamedTuple

from newsdedup.core.facts.fact import OPENING, Fact, encode_facts
from newsdedup.core.matching.verify.phrases import Phrases, sample_phrases
from newsdedup.core.model import Document, Signature
from newsdedup.core.text.tokens import sentences, tokens
from newsdedup.core.words.background import KEY_HASH_BITS, RAREST_LOG, STEPS_PER_DOUBLING
from newsdedup.core.words.vocabulary import Vocabulary

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
