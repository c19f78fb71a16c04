"""From an item to all that its text alone gives: document, signature, fingerprints, passages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from newsdedup.core.document import Analyzer
from newsdedup.core.events import WeightedTerm
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.fingerprints.corpus import corpus_from_background, prepare_text
from newsdedup.core.fingerprints.method import Method
from newsdedup.core.matching.digest import build_passages
from newsdedup.core.matching.verify.sketches import VerifierSketch, pack_sketch
from newsdedup.core.matching.verify.view import view_document
from newsdedup.core.model import Document, Entry, Fingerprint, Micros, NewsItem, Passage, Signature
from newsdedup.core.moments import PublisherZones, version_stamp
from newsdedup.core.words.background import Background
from newsdedup.core.words.weights import signature
from newsdedup.data.languages import LANGUAGE_ROWS


@dataclass(frozen=True, slots=True)
class Analyzed:
    """An item with everything that is derived from its text alone."""

    item: NewsItem
    document: Document
    keys: tuple[int, ...]
    """The terms of its signature by their keys, rare ones first."""
    terms: tuple[WeightedTerm, ...]
    """The same terms as they are published."""
    sketches: tuple[Fingerprint, ...] = ()
    """Further fingerprints, in the order of the rule."""
    passages: tuple[Passage, ...] = ()
    """Its messages, if it is a digest and the rule looks into digests."""
    received: bytes = b""
    """The bytes in which it was received; they are published again with the verdict."""


class ItemAnalyzer:
    """Analyzes items one by one; the same item gives the same result in every process."""

    def __init__(
        self,
        documents: Analyzer,
        *,
        terms: int,
        methods: Sequence[Method] = (),
        table: Background,
        verified: bool,
        zones: PublisherZones,
        names_languages: bool = True,
    ) -> None:
        """Prepare to analyze for a rule.

        `terms` is the length of a signature, `methods` are the fingerprints that the rule keeps
        besides, `table` is what they read of the background; `verified` adds what the verified
        rule compares: the facts and the messages of digests. By `zones` relative days and times in
        a text are resolved. With `names_languages` False the languages of LANGUAGE_ROWS are called
        "other", as earlier releases call them that read the same store.
        """
        self.documents = documents
        self.table = table
        self._terms = terms
        self._methods = methods
        self._corpus = corpus_from_background(table) if methods else None
        self._verified = verified
        self._zones = zones
        self.names_languages = names_languages

    def analyze(self, item: NewsItem, received: bytes = b"") -> Analyzed:
        """Return an item with its document, signature, fingerprints and passages.

        `received` are the item's bytes, kept with the result. Passages and the verifier's
        fingerprint are made for rule `verified` alone.
        """
        words = self.documents.read(item)
        document = words.document
        signed = signature(document.terms, size=self._terms)
        sketches: list[Fingerprint] = []
        if self._corpus is not None:
            prepared, corpus = prepare_text(document, self.documents.vocabulary), self._corpus
            sketches += [method.sign(prepared, corpus) for method in self._methods]
        parts: tuple[Passage, ...] = ()
        if self._verified:
            local = self._zones.local_time(item)
            # Relative days and times in the text count from day and hour of publication.
            day, hour, vocabulary = local.day, local.hour, self.documents.vocabulary
            stated = extract_facts(
                document.text, words.forms, published=day, hour=hour, lang=document.lang
            )
            view = view_document(document, signed, stated, vocabulary)
            sketches.append(pack_sketch(VerifierSketch(view)))
            parts = build_passages(document, day, vocabulary, hour=hour)
        if document.lang in LANGUAGE_ROWS and not self.names_languages:
            document = replace(document, lang="other")
        keys, terms = tuple([term.key for term in signed.terms]), weighted_terms(signed)
        return Analyzed(item, document, keys, terms, tuple(sketches), parts, received)


def entry_of(analyzed: Analyzed, *, at: Micros) -> Entry:
    """Return the entry that a store keeps of an analyzed item; `at` is its effective time."""
    document = analyzed.document
    return Entry(
        key=analyzed.item.key,
        version=document.version,
        stamp=version_stamp(analyzed.item),
        effective_at=at,
        lang=document.lang,
        terms=analyzed.keys,
        numbers=document.numbers,
        names=document.names,
        sketches=analyzed.sketches,
        passages=analyzed.passages,
    )


def weighted_terms(signature: Signature) -> tuple[WeightedTerm, ...]:
    """Return a signature's lemmas with weights of 4 digits, in its order, as published."""
    pairs = zip(signature.terms, signature.weights, strict=True)
    return tuple([WeightedTerm(term.lemma, round(weight, 4)) for term, weight in pairs])
