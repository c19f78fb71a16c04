"""Digests: texts that call themselves so and whose paragraphs are about different things.

Both are needed. A list of features, a speech in points and a long article have paragraphs that
share few words, too; and a text that calls itself a review may be about one thing.

A digest matches another item by one message only, which is stored as a passage with the sketch that
an item of its own would have: the digest's own signature and view, which mix all messages, are for
whole copies of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations
from typing import NamedTuple

from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.matching.index_keys import HITS
from newsdedup.core.matching.verify.features import Features
from newsdedup.core.matching.verify.sketches import VerifierSketch, pack_sketch
from newsdedup.core.matching.verify.view import view_document
from newsdedup.core.model import Document, Entry, Passage, Term
from newsdedup.core.text.tokens import paragraphs, tokens
from newsdedup.core.words.vocabulary import Vocabulary
from newsdedup.core.words.weights import signature

MOST_MESSAGES = 16
"""Most messages of a digest: 96 % of those in docs/quality.md have no more."""

_LEAST_MESSAGES = 3
_LEAST_TERMS = 4
"""Distinct content terms of a paragraph that can be a message: headings have fewer."""

_AKIN_TERMS = 2
"""Terms that two paragraphs about one thing share."""

_AKIN_SHARE = 4
"""At most one pair of paragraphs in so many may be about one thing; one pair always may."""

_LEAD_CHARACTERS = 160
"""Characters at the beginning in which a text says what it is."""

_RETOLD = 0.5
"""Probability, by the texts alone, from which an item retells a passage.

This and the next two by reading 60 pairs of telegram and web (docs/quality.md, 2026-11-21).
"""

_COVERED = 0.7
"""Share of a passage, by weight, from which an item that says more may contain it."""

_COVERED_RETOLD = 0.2
"""Probability below which an item with the words of a passage says something else."""

# "Главное за неделю", "итоги недели": a span of time, and whose it is.
_RU_SPAN = r"день|сутки|ночь|утро|вечер|час|минуту|неделю|месяц|последн\w+|\w+ (?:час|минут|дн)\w*"
_RU_SPAN += r"|\d{1,2} (?:янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек)\w*"
_RU_OF = r"дня|суток|ночи|утра|вечера|часа|недели|месяца"
_RU_BY = r"к (?:утру|вечеру|этому|концу|полудню|\d)|на (?:этот|утро|вечер|сегодня|\d)"
_UK_SPAN = r"день|добу|ніч|ранок|вечір|годину|хвилину|тиждень|місяць|останн\w+|\w+ (?:год|хв|дн)\w*"
_UK_SPAN += r"|\d{1,2} (?:січ|лют|бер|кві|тра|чер|лип|сер|вер|жов|лис|гру)\w*"
_UK_OF = r"дня|доби|ночі|ранку|вечора|години|тижня|місяця"
_UK_BY = r"до (?:ранку|вечора)|на (?:цю|ранок|вечір|сьогодні|\d)"

_FORMS = (
    ("главное", rf"главное(?: \w+){{0,2}} (?:{_RU_BY}|за (?:{_RU_SPAN})|сегодня|{_RU_OF})\b"),
    ("главны", r"главны[ех] (?:\w+ )?(?:новост|событи|темы?\b)"),
    ("новост", rf"новост\w+ (?:к этому|за (?:эт[уо]\w* )?(?:{_RU_SPAN})|(?:{_RU_OF})\b)"),
    ("событи", rf"событи\w+ (?:за (?:эт[уо]\w* )?(?:{_RU_SPAN})|(?:{_RU_OF})\b)"),
    ("самое", r"самое \w+ (?:за|к этому|на этой)\b"),
    ("самые", r"самые \w+ (?:новости|события|материалы)"),
    ("итоги", rf"итоги (?:{_RU_OF})\b"),
    ("коротко о", r"коротко о \w+"),
    ("обзор", rf"обзор (?:\w+ )?(?:событий|новостей|прессы|сми|(?:{_RU_OF})\b)"),
    ("подборка", r"подборка (?:\w+ )?(?:новостей|событий)"),
    ("картина дня", r"картина дня"),
    ("пропустили", r"вс[её] пропустили"),
    ("писали", r"(?:о ч[её]м|про що) (?:\w+ )?писали"),
    ("дайджест", r"дайджест"),
    ("головне", rf"головне(?: \w+){{0,2}} (?:{_UK_BY}|за (?:{_UK_SPAN})|сьогодні|{_UK_OF})\b"),
    ("головн", r"головн(?:і|их) (?:\w+ )?(?:новин|поді|теми?\b)"),
    ("новин", rf"новини? (?:на цю|за (?:ц\w+ )?(?:{_UK_SPAN})|(?:{_UK_OF})\b)"),
    ("поді", rf"поді[їй] (?:за (?:ц\w+ )?(?:{_UK_SPAN})|(?:{_UK_OF})\b)"),
    ("найпомітніше", r"найпомітніше (?:за|на)\b"),
    ("найважливіше", r"найважливіше (?:за|на)\b"),
    ("підсумки", rf"підсумки (?:{_UK_OF})\b"),
    ("стисло", r"стисло про \w+"),
    ("огляд", rf"огляд (?:\w+ )?(?:подій|новин|преси|змі|(?:{_UK_OF})\b)"),
    ("добірка", r"добірка (?:\w+ )?(?:новин|подій)"),
    ("digest", r"\bdigest\b"),
    ("round", r"\bround-?up\b"),
    ("brief", r"\bin brief\b|\bnews briefs?\b|\b(?:morning|evening|daily|news) briefing\b"),
    ("to know", r"things to know (?:in|for|on|today|this)\b"),
    ("top ", r"\btop (?:\d+ )?(?:stories|news|headlines)\b"),
    ("in review", r"\b(?:day|week|month) in review\b"),
    ("main points", r"\bthe main points\b"),
    ("in short", r"\bin short:"),
    ("you missed", r"\bin case you missed it\b"),
    ("mattered", r"\bstories that mattered\b"),
    ("look back", r"\ba (?:quick )?look back\b"),
)
"""What digests call themselves, in lower case; in front of each a piece that it always contains."""
_PATTERNS = tuple([(piece, re.compile(form)) for piece, form in _FORMS])


class PassageMatch(NamedTuple):
    """A message of a digest that another item retells."""

    passage: int
    """Its index among the passages, from 0."""
    score: float


def build_passages(
    document: Document, day: date | None, vocabulary: Vocabulary, *, hour: int | None = None
) -> tuple[Passage, ...]:
    """Return a passage for each message of a digest, in order, at most MOST_MESSAGES.

    () if the document does not call itself a digest, or if too many of its paragraphs are about one
    thing. A paragraph of fewer than 4 content terms is no message. `day` and `hour` are those of
    the publication, None if unknown.
    """
    if not calls_itself_digest(document.text):
        return ()
    messages: list[tuple[str, list[str], tuple[Term, ...]]] = []
    for text in paragraphs(document.text)[1:]:
        forms = tokens(text)
        terms = tuple(vocabulary.terms(forms, document.lang))
        if len(set(terms)) >= _LEAST_TERMS:
            messages.append((text, forms, terms))
    del messages[MOST_MESSAGES:]
    if not _differ([terms for _, _, terms in messages]):
        return ()
    passages = []
    for text, forms, terms in messages:
        signed, alone = signature(terms), replace(document, title="", text=text, terms=terms)
        facts = extract_facts(text, forms, published=day, hour=hour, lang=document.lang)
        sketch = pack_sketch(VerifierSketch(view_document(alone, signed, facts, vocabulary)))
        passages.append(Passage(tuple([term.key for term in signed.terms]), sketch))
    return tuple(passages)


def calls_itself_digest(text: str) -> bool:
    """Return whether a text of four lines or more says at its beginning that it is a digest."""
    # Cheap tests first: most items are shorter, and most others have no such piece.
    if text.count("\n") < _LEAST_MESSAGES:
        return False
    lead = text[:_LEAD_CHARACTERS].lower()
    return any(piece in lead and form.search(lead) is not None for piece, form in _PATTERNS)


def _differ(messages: Sequence[Sequence[Term]]) -> bool:
    """Return whether three messages or more are about different things.

    They are if a quarter of their pairs at most, or a single one, shares two terms.
    """
    if len(messages) < _LEAST_MESSAGES:
        return False
    sets = [frozenset([term.key for term in terms]) for terms in messages]
    pairs = [len(left & right) >= _AKIN_TERMS for left, right in combinations(sets, 2)]
    return sum(pairs) <= max(1, len(pairs) // _AKIN_SHARE)


def have_same_messages(left: Sequence[Passage], right: Sequence[Passage]) -> bool:
    """Return whether each message of either digest has one like it in the other, in any order."""
    return _count_shared(left, right) == len(left) and _count_shared(right, left) == len(right)


def count_shared_messages(left: Sequence[Passage], right: Sequence[Passage]) -> tuple[int, int]:
    """Return how many messages of the longer digest the shorter one has, and of how many."""
    fewer, more = sorted(
        (left, right), key=lambda digest: (len(digest), [message.terms for message in digest])
    )
    return _count_shared(more, fewer), len(more)


def _count_shared(ours: Sequence[Passage], theirs: Sequence[Passage]) -> int:
    """Return how many of our messages have one like them among theirs.

    Two are alike if they share at least half of the terms of the longer signature.
    """
    return sum(
        any(
            2 * len(set(one.terms).intersection(other.terms))
            >= max(len(one.terms), len(other.terms))
            for other in theirs
        )
        for one in ours
    )


def candidate_passages(digest: Entry, item: Entry) -> Iterator[int]:
    """Yield the indexes of the passages that share two terms or a key with an item."""
    terms, keys = set(item.terms), set(item.sketches[-1].keys)
    for index, (theirs, sketch) in enumerate(digest.passages):
        if len(terms.intersection(theirs)) >= HITS or not keys.isdisjoint(sketch.keys):
            yield index


def passage_entry(digest: Entry, index: int) -> Entry:
    """Return a passage as an entry of its own, of the identity and time of its digest."""
    terms, sketch = digest.passages[index]
    return digest._replace(terms=terms, sketches=(sketch,), passages=())


def retells_passage(
    features: Features, *, cover: float, text_probability: float, threshold: float
) -> bool:
    """Return whether an item tells what a passage tells, in full or as one of its points.

    `cover` is the share of the passage, by weight, that the item contains; `text_probability` is
    that of one message by the texts alone. Where a quantity or the day is another one the item is
    an update of the passage, unless the `threshold` of the rule calls it the same message.
    """
    if features.conflicts or features.opening_both or features.dates:
        return text_probability >= max(_RETOLD, threshold)
    likely = text_probability >= _COVERED_RETOLD and cover >= _COVERED
    return likely or text_probability >= _RETOLD
