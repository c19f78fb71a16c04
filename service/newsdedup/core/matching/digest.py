"""Digests: texts that call themselves so and whose paragraphs are about different things.

Both are needed. A list of features, a speech in points and a long article have paragraphs that
share few words, too; and a text that calls itself a review may be about one thing.
"""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from newsdedup.core.model import Document, Passage, Term
from newsdedup.core.text.sentences import paragraphs
from newsdedup.core.text.words import tokens
from newsdedup.core.words.vocabulary import Vocabulary

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


class DigestMessage(NamedTuple):
    """A paragraph of a digest, with its content terms in their order."""

    text: str
    forms: list[str]
    """Its words in their order, as `tokens` gives them."""
    terms: tuple[Term, ...]


def digest_messages(document: Document, vocabulary: Vocabulary) -> list[DigestMessage]:
    """Return the messages of a digest in the order of the text, at most MOST_MESSAGES.

    The list is empty if the document does not call itself a digest, or if too many of its
    paragraphs are about one thing. A paragraph of fewer than 4 content terms is no message.
    """
    if not calls_itself_digest(document.text):
        return []
    _, *body = paragraphs(document.text)
    messages = []
    for text in body:
        forms = tokens(text)
        terms = tuple(vocabulary.terms(forms, document.lang))
        if len(set(terms)) >= _LEAST_TERMS:
            messages.append(DigestMessage(text, forms, terms))
    return messages[:MOST_MESSAGES] if _differ(messages[:MOST_MESSAGES]) else []


def calls_itself_digest(text: str) -> bool:
    """Return whether a text of four lines or more says at its beginning that it is a digest."""
    # Cheap tests first: most items are shorter, and most others have no such piece.
    if text.count("\n") < _LEAST_MESSAGES:
        return False
    lead = text[:_LEAD_CHARACTERS].lower()
    return any(piece in lead and form.search(lead) is not None for piece, form in _PATTERNS)


def _differ(messages: Sequence[DigestMessage]) -> bool:
    """Return whether there are three messages or more, and few pairs share two terms."""
    if len(messages) < _LEAST_MESSAGES:
        return False
    sets = [frozenset([term.key for term in each.terms]) for each in messages]
    pairs = [len(left & right) >= _AKIN_TERMS for left, right in combinations(sets, 2)]
    return sum(pairs) <= max(1, len(pairs) // _AKIN_SHARE)


def have_same_messages(left: Sequence[Passage], right: Sequence[Passage]) -> bool:
    """Return whether each message of either digest has one like it in the other, in any order."""
    return _count_shared(left, right) == len(left) and _count_shared(right, left) == len(right)


def share_most_messages(left: Sequence[Passage], right: Sequence[Passage]) -> bool:
    """Return whether two digests share more than half of the messages of the longer one.

    Two editions of a morning begin with the same message and go on with others: whole texts seem
    alike by their beginnings.
    """
    shared, total = count_shared_messages(left, right)
    return 2 * shared > total


def count_shared_messages(left: Sequence[Passage], right: Sequence[Passage]) -> tuple[int, int]:
    """Return (shared, total): of the messages of the longer digest, how many the shorter one has.

    The answer is the same in whatever order the two come.
    """
    fewer, more = sorted(
        (left, right), key=lambda digest: (len(digest), [message.terms for message in digest])
    )
    return _count_shared(more, fewer), len(more)


def _count_shared(ours: Sequence[Passage], theirs: Sequence[Passage]) -> int:
    """Return how many of our messages share half of the terms of the longer signature with one."""
    return sum(
        any(
            2 * len(set(one.terms).intersection(other.terms))
            >= max(len(one.terms), len(other.terms))
            for other in theirs
        )
        for one in ours
    )
