"""The MD5 of a text, or of a part of it: A0 of paper 000, with the options of paper 003."""

from dataclasses import dataclass
from hashlib import md5
from typing import Literal

from newsdedup.core.fingerprints.corpus import CorpusStats, PreparedText
from newsdedup.core.fingerprints.method import NO_FINGERPRINT, ChecksumMethod
from newsdedup.core.model import Fingerprint


@dataclass(frozen=True, slots=True)
class Md5(ChecksumMethod):
    """A0: the MD5 of the preprocessed text, for exact copies (paper 000).

    Options of paper 003: `body`, without the title, and `lead`, of the first paragraph. Our
    reading: the numbers count too, and what has nothing but a title has no body and no lead.
    """

    part: Literal["whole", "body", "lead"] = "whole"
    name: str = "md5"

    def sign(self, prepared: PreparedText, _corpus: CorpusStats) -> Fingerprint:
        """Return the MD5 of the part, its words and its numbers; NO_FINGERPRINT without any."""
        parts = {"whole": prepared.whole, "body": prepared.body, "lead": prepared.lead}
        words, numbers = parts[self.part]
        if not words and not numbers:
            return NO_FINGERPRINT
        text = f"{' '.join(words)}\n{' '.join(numbers)}"
        return self.fingerprint(md5(text.encode(), usedforsecurity=False).digest())


def md5_of_body() -> Md5:
    """Return the method that signs the MD5 of the text without its title (paper 003)."""
    return Md5(part="body", name="md5_body")


def md5_of_lead() -> Md5:
    """Return the method that signs the MD5 of the first paragraph (paper 003)."""
    return Md5(part="lead", name="md5_lead")
