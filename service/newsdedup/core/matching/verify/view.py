"""What an entry keeps of a document for the verifier: small, frozen, free of text."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from newsdedup.core.facts.codes import encode_facts
from newsdedup.core.facts.fact import OPENING, Fact
from newsdedup.core.matching.verify.codes import codes, mass
from newsdedup.core.matching.verify.phrases import Phrases, Seen, fresh, phrases
from newsdedup.core.model import Document, Language, Signature
from newsdedup.core.text.sentences import sentence_by_sentence
from newsdedup.core.text.words import tokens
from newsdedup.core.words.vocabulary import Vocabulary

LEMMAS = 48
"""Distinct lemmas kept, from the beginning of the text on."""

LONGEST_HEAD = 24
LEAST_HEAD = 3
"""Content lemmas that a sentence needs to say something."""

NAMES = 6
NAMED_AMONG = 24
"""Content words among which names are taken: those that a message is about."""

HEAD_CHARACTERS = 1_200


class Masses(NamedTuple):
    """Sums of weights of the kept codes; an entry may leave them out and a reader add them up."""

    lemmas: int
    head: int


class View(NamedTuple):
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


def view(
    document: Document,
    signature: Signature,
    said: Sequence[Fact],
    vocabulary: Vocabulary,
    *,
    seen: Seen = fresh,
) -> View:
    """Return what is kept of a document and its facts.

    `seen` tells what its source has taught.
    """
    keys = [term.key for term in document.terms]
    distinct = list(dict.fromkeys(keys))
    lemmas = codes(distinct[:LEMMAS])
    first = among(lemmas, head(opening_sentences(document.text), document.lang, vocabulary))
    facts = encode_facts(said)
    return View(
        lemmas=lemmas,
        head=first,
        terms=codes([term.key for term in signature.terms]),
        names=among(lemmas, names(document)),
        masses=Masses(mass(lemmas), mass(first)),
        phrases=phrases(keys, seen),
        facts=facts,
        opening=opening(facts, said) if facts else (),
        size=len(distinct),
    )


def among(lemmas: Iterable[int], chosen: Iterable[int]) -> tuple[int, ...]:
    """Return the chosen ones of the kept lemmas, in their order: an entry holds them as bits."""
    asked = set(chosen)
    return tuple([lemma for lemma in lemmas if lemma in asked]) if asked else ()


def opening(facts: Iterable[int], said: Iterable[Fact]) -> tuple[int, ...]:
    """Return those of the kept facts that the first two sentences state."""
    begun = set(encode_facts([fact for fact in said if fact.sentence < OPENING]))
    return tuple([fact for fact in facts if fact in begun])


def opening_sentences(text: str) -> Iterator[str]:
    """Yield the sentences with which a text begins; the last one may be cut."""
    return sentence_by_sentence(text[:HEAD_CHARACTERS])


def head(opening: Iterable[str], lang: Language, vocabulary: Vocabulary) -> tuple[int, ...]:
    """Return the codes of the first sentence of at least three content lemmas, or nothing."""
    for sentence in opening:
        terms = vocabulary.terms(tokens(sentence), lang)
        distinct = dict.fromkeys([term.key for term in terms])
        if len(distinct) >= LEAST_HEAD:
            return codes(islice(distinct, LONGEST_HEAD))
    return ()


def names(document: Document) -> tuple[int, ...]:
    """Return the codes of the names among the first lemmas."""
    if not document.names:
        return ()
    first = {term.lemma: term.key for term in document.terms[:NAMED_AMONG]}
    found = [key for lemma, key in first.items() if lemma in document.names]
    return codes(found[:NAMES])
