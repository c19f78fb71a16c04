"""The view, what an entry keeps of a document for the verifier: lemmas with weights, and facts."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import log
from typing import NamedTuple

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.fact import OPENING, Fact
from newsdedup.core.matching.verify.phrases import EarlierUses, Phrases, never_used, sample_phrases
from newsdedup.core.model import Document, Language, Signature
from newsdedup.core.text.sentences import sentences
from newsdedup.core.text.words import tokens
from newsdedup.core.words.background import KEY_HASH_BITS, RAREST_LOG, STEPS_PER_DOUBLING
from newsdedup.core.words.vocabulary import Vocabulary

WEIGHT_BITS = 6
_CODE_BITS = 32
WEIGHT_MASK = (1 << WEIGHT_BITS) - 1
PER_NAT = 6
"""Steps of a weight per nat of idf: the rarest lemma of the table, idf 9, weighs 54."""

UNSEEN_WEIGHT = 61
"""The weight of a lemma that the table does not hold: idf 10.2, one document in 27,000."""

_HASH_MASK = (1 << (_CODE_BITS - WEIGHT_BITS)) - 1


def _weight(band: int) -> int:
    """Return the weight of a lemma in a band of document frequency: its idf in steps, at least 1.

    Band 0, of lemmas that the table lacks, has UNSEEN_WEIGHT.
    """
    if not band:
        return UNSEEN_WEIGHT
    return max(
        1,
        min(
            UNSEEN_WEIGHT, round(PER_NAT * log(2) * (-RAREST_LOG - (band - 1) / STEPS_PER_DOUBLING))
        ),
    )


# A band is one of a hundred, so the logarithm is taken once for each.
_WEIGHTS = tuple(_weight(band) for band in range(-RAREST_LOG * STEPS_PER_DOUBLING + 2))


def lemma_code(key: int) -> int:
    """Return 26 bits of the hash of a lemma and 6 bits of weight, from its key in the order.

    weight = round(6 * idf), idf from the band of the key: -ln(df / N) to a quarter of a doubling.
    Equal lemmas have equal codes; two different ones collide once in 67 million.
    """
    return lemma_codes((key,))[0]


def lemma_codes(keys: Iterable[int]) -> tuple[int, ...]:
    """Return the `lemma_code` of each key in the frozen order, in their order."""
    return tuple(
        [(key & _HASH_MASK) << WEIGHT_BITS | _WEIGHTS[key >> KEY_HASH_BITS] for key in keys]
    )


def sum_weights(codes: Iterable[int]) -> int:
    """Return the sum of the weights in the lowest bits of lemma codes."""
    return sum([each & WEIGHT_MASK for each in codes])


LEMMAS = 48
"""Distinct lemmas kept, from the beginning of the text on."""

LONGEST_HEAD = 24
_LEAST_HEAD = 3
"""Content lemmas that a sentence needs to say something."""

MOST_NAME_CODES = 6
_NAMED_AMONG = 24
"""Content words among which names are taken: those that a message is about."""

_HEAD_CHARACTERS = 1_200


class Masses(NamedTuple):
    """Sums of the weights of the kept codes."""

    lemmas: int
    head: int


class TextView(NamedTuple):
    """A text as the verifier sees it."""

    lemmas: tuple[int, ...]
    """Codes of the first distinct content lemmas, in the order of the text."""
    head: tuple[int, ...]
    """Codes of the first sentence that says something."""
    terms: tuple[int, ...]
    """Codes of the signature."""
    names: tuple[int, ...]
    """Codes of the names among the first lemmas."""
    masses: Masses
    phrases: Phrases
    facts: tuple[int, ...]
    """Codes of what the text states, ascending."""
    opening: tuple[int, ...]
    """Those of them that its first two sentences state."""
    size: int
    """Distinct content lemmas of the whole text."""


def view_document(
    document: Document,
    signature: Signature,
    stated: Sequence[Fact],
    vocabulary: Vocabulary,
    *,
    seen: EarlierUses = never_used,
) -> TextView:
    """Return the view of a document; `signature` and `stated` are its signature and its facts.

    `seen` returns in how many earlier documents the source used a phrase.
    """
    keys = [term.key for term in document.terms]
    distinct = list(dict.fromkeys(keys))
    lemmas = lemma_codes(distinct[:LEMMAS])
    first = select_codes(
        lemmas, first_sentence_codes(opening_sentences(document.text), document.lang, vocabulary)
    )
    facts = encode_facts(stated)
    return TextView(
        lemmas=lemmas,
        head=first,
        terms=lemma_codes([term.key for term in signature.terms]),
        names=select_codes(lemmas, name_codes(document)),
        masses=Masses(sum_weights(lemmas), sum_weights(first)),
        phrases=sample_phrases(keys, seen),
        facts=facts,
        opening=opening_facts(facts, stated) if facts else (),
        size=len(distinct),
    )


def select_codes(lemmas: Iterable[int], chosen: Iterable[int]) -> tuple[int, ...]:
    """Return those codes of `lemmas` that are among `chosen`, in the order of `lemmas`."""
    wanted = set(chosen)
    return tuple([lemma for lemma in lemmas if lemma in wanted]) if wanted else ()


def opening_facts(facts: Iterable[int], stated: Iterable[Fact]) -> tuple[int, ...]:
    """Return those of the kept codes, `facts`, that the first two sentences state."""
    begun = set(encode_facts([fact for fact in stated if fact.sentence < OPENING]))
    return tuple([fact for fact in facts if fact in begun])


def opening_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of the first 1,200 characters of a text; the last one may be cut."""
    return sentences(text[:_HEAD_CHARACTERS])


def first_sentence_codes(
    opening: Iterable[str], lang: Language, vocabulary: Vocabulary
) -> tuple[int, ...]:
    """Return the lemma codes of the first sentence of three content lemmas or more; () without one.

    `opening` are the sentences in which it is looked for.
    """
    for sentence in opening:
        terms = vocabulary.terms(tokens(sentence), lang)
        distinct = dict.fromkeys([term.key for term in terms])
        if len(distinct) >= _LEAST_HEAD:
            return lemma_codes(islice(distinct, LONGEST_HEAD))
    return ()


def name_codes(document: Document) -> tuple[int, ...]:
    """Return the codes of up to 6 names that are among the first 24 content words of a document."""
    if not document.names:
        return ()
    first = {term.lemma: term.key for term in document.terms[:_NAMED_AMONG]}
    names = [key for lemma, key in first.items() if lemma in document.names]
    return lemma_codes(names[:MOST_NAME_CODES])
