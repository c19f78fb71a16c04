"""Bytes of a feed to text, whatever it says of its encoding.

A byte order mark decides. Else bytes that are UTF-8 are read as UTF-8, whatever is claimed: other
texts with characters outside ASCII are valid UTF-8 by chance once in many millions. Else the
encodings that are claimed (XML declaration, then HTTP) and those of our languages are tried, and
the one whose words look most like words wins; the claimed one wins a tie. A body that is UTF-8 but
for a few bytes is UTF-8 with runs of another encoding in it.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice

from newsdedup.feeder.parsing.encoding_evidence import (
    CYRILLIC,
    SAMPLE_WORDS,
    likely_multi_byte,
    weigh_encodings,
)
from newsdedup.feeder.parsing.encoding_labels import MULTI_BYTE, SINGLE_BYTE, codec_of
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ProblemList

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNMARKED = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"), (b"{\0", "utf-16-le"))
XML_DECLARATION = re.compile(
    rb"""^[^<]{0,1000}<\?xml[^>]{0,200}?\sencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']"""
)
HTML_DECLARATION = re.compile(
    rb"""<meta\s[^<>]{0,300}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})""", re.IGNORECASE
)
_DECLARED_WITHIN = 8_192
"""Bytes; a page may have other tags before the one that names its encoding."""
_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_STRAY_SHARE = 0.1
"""Of the bytes outside ASCII: with so many that are no UTF-8 the body is in another encoding."""
_WESTERN_BONUS = 5.0
"""So much likelier than Latin-1 must another encoding be where that is claimed: servers claim it
by default."""
_CYRILLIC_BONUS = 12.0
"""So much likelier than a claimed encoding of Cyrillic must another one be."""
_MOST_UNFIT = 0.01
"""Of the characters outside ASCII: with more that no text has, a claimed encoding is none."""
_MOST_MIXED = 0.1
"""Of the words: with more that mix scripts, a claimed encoding is none."""
_KEPT_RUNS = 2_000
"""Damaged words that are remembered while a body is mended: they recur."""
_ESCAPED_RUN = re.compile("[\udc80-\udcff]+")
_OUTSIDE_ASCII_BYTES = bytes(range(0x80, 0x100))
_KINDS = (_OUTSIDE_ASCII_BYTES[0x40:], _OUTSIDE_ASCII_BYTES[:0x40])
"""Bytes that begin a character of UTF-8, and those that continue one."""
_DAMAGED_RUN = re.compile(
    r"(?<![^\x00-\x7f])[^\x00-\x7f\udc80-\udcff]*+[\udc80-\udcff][^\x00-\x7f]*+"
)
"""Of characters outside ASCII, with escaped bytes among them."""
_LETTERS_ALONE = bytes(
    code if code in _OUTSIDE_ASCII_BYTES or chr(code).isalpha() else 0x20 for code in range(256)
)
"""A table that makes spaces of what stands between words."""
_WORDS_CHUNK = 2**12
"""Bytes that are searched at once; a word that is cut there is a word, too."""
_WORD = re.compile(r"[^\W\d_]+")
_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]")
_CONTROLS = re.compile("[\x80-\x84\x86-\x9f\ufffd]")
"""Control characters but that of a new line, and what could not be decoded."""
_ENCODED_TWICE = re.compile(rb"\xc3[\x82\x83\x8e-\x91\x97-\x99\xa0-\xaf][\xc2\xc5\xc6\xcb\xe2]")
"""A begin of a character of UTF-8 that was encoded once more, such as "Ã" in French, "Ð" in Russian
and "â", and a character after it. Words end in none of these, as they do in "É" before quotation
marks."""
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]")


def decode_feed(
    body: bytes,
    content_type: str | None,
    problems: ProblemList,
    *,
    declaration: re.Pattern[bytes] = XML_DECLARATION,
) -> str:
    """Return the text of a body; raise FeedUnusable if it is binary.

    `content_type` is the header of HTTP, None without one. `declaration` finds the encoding that
    the body itself names, as its first group. What is wrong is added to `problems`; bytes that fit
    no encoding become U+FFFD.
    """
    for start, name in _BYTE_ORDER_MARKS:
        if body.startswith(start):
            return _encoded_once(body[len(start) :].decode(name, "replace"), body, problems)
    for start, name in _UNMARKED:
        if body.startswith(start):
            return body.decode(name, "replace")
    if b"\0" in body[:4]:
        raise FeedUnusable("the body is binary, no text")
    declared = declaration.search(body[:_DECLARED_WITHIN])
    claims = list(_claims(declared, content_type, problems))
    if body.isascii():
        return _decode_ascii(body, claims, problems)
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return _decode_legacy(body, claims, problems)
    _note_lies(claims, "utf-8", problems)
    return _encoded_once(text, body, problems)


def _encoded_once(text: str, body: bytes, problems: ProblemList) -> str:
    """Return the text of a body in UTF-8, of which software may have made UTF-8 once more.

    It took the bytes for windows-1252 or Latin-1 then, so that all that is outside ASCII reads "Ã©"
    or "â€™".
    """
    if not _ENCODED_TWICE.search(body):
        return text
    try:
        once = codecs.charmap_encode(text.lstrip("\ufeff"), "strict", _bytes_of_characters())[
            0
        ].decode()
    except UnicodeError:
        return text
    problems.add("The feed is UTF-8 that was taken for windows-1252 and encoded once more")
    return once


@cache
def _bytes_of_characters() -> dict[int, int]:
    """Return the bytes of characters in windows-1252 and in Latin-1."""
    decoded = {byte: bytes([byte]).decode("cp1252", "ignore") for byte in range(256)}
    return {byte: byte for byte in decoded} | {
        ord(one): byte for byte, one in decoded.items() if one
    }


def _claims(
    declared: re.Match[bytes] | None, content_type: str | None, problems: ProblemList
) -> Iterator[str]:
    """Yield the codecs for the encodings that declaration and content type name, if known."""
    charset = _CHARSET.search((content_type or "")[:1000])
    for name in (
        declared[1].decode("ascii", "replace") if declared else "",
        charset[1] if charset else "",
    ):
        known = codec_of(name)
        if known:
            yield known
        elif name:
            problems.add("The feed claims an encoding that is not known", name)


def _decode_ascii(body: bytes, claims: list[str], problems: ProblemList) -> str:
    """Return the text of a body of ASCII, which may be Japanese with escape sequences."""
    if _ISO_2022_JP.search(body):
        _note_lies(claims, "iso2022_jp_ext", problems)
        return body.decode("iso2022_jp_ext", "replace")
    return body.decode("ascii")


def _decode_legacy(body: bytes, claims: list[str], problems: ProblemList) -> str:
    """Return the text of a body that is not UTF-8 throughout; `claims` are codecs that it names."""
    if _may_be_utf_8(body):
        text = body.decode("utf-8", "surrogateescape")
        strays = len(text) - len(text.encode("utf-8", "ignore").decode())
        characters = len(text) - len(body.translate(None, _OUTSIDE_ASCII_BYTES))
        if strays <= _STRAY_SHARE * characters:
            problems.add("Some bytes are not UTF-8 in a feed that is otherwise")
            return _mend_runs(text)
    for name in claims:
        if name in MULTI_BYTE:
            text = body.decode(name, "replace")
            if text.count("\ufffd") <= _MOST_UNFIT * len(_OUTSIDE_ASCII.findall(text)):
                return text
            problems.add("The feed is not in the encoding that it claims", name)
    name = _single_byte_claim(body, claims) or likely_multi_byte(body) or _likeliest(body, claims)
    _note_lies(claims, name, problems)
    if not claims:
        problems.add("The feed claims no encoding and is not in UTF-8; it was read as", name)
    return body.decode(name, "replace")


def _may_be_utf_8(body: bytes) -> bool:
    """Return whether most bytes outside ASCII may be UTF-8: each character has both kinds."""
    leads, continuations = (len(body) - len(body.translate(None, one)) for one in _KINDS)
    return leads - continuations <= _STRAY_SHARE * (leads + continuations)


def _single_byte_claim(body: bytes, claims: list[str]) -> str:
    """Return the first claimed single-byte encoding that holds by itself; "" without one.

    It holds if what it makes of the bytes has no control characters and its words are of one
    script. Latin-1 does not: it is the default of servers, and fits everything. Nor do encodings of
    Cyrillic, which are taken for each other: there words decide.
    """
    for name in claims:
        if name in SINGLE_BYTE - CYRILLIC - {"cp1252"} and _suits(body, name):
            return name
    return ""


def _suits(body: bytes, name: str) -> bool:
    """Return whether the bytes outside ASCII, read by the codec `name`, are words of one script."""
    sample = b" ".join(dict.fromkeys(islice(_foreign_words(body), SAMPLE_WORDS)))
    text = sample.decode(name, "replace")
    if len(_CONTROLS.findall(text)) > _MOST_UNFIT * len(_OUTSIDE_ASCII.findall(text)):
        return False
    words = _WORD.findall(text)
    return sum(map(_mixes_scripts, words)) <= _MOST_MIXED * len(words)


def _mixes_scripts(word: str) -> bool:
    return len({_script(letter) for letter in word}) > 1


@cache
def _script(letter: str) -> str:
    """Return the script of a letter, as the first word of its name."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _foreign_words(body: bytes) -> Iterator[bytes]:
    """Yield the words of a body that have bytes outside ASCII."""
    for begin in range(0, len(body), _WORDS_CHUNK):
        words = body[begin : begin + _WORDS_CHUNK].translate(_LETTERS_ALONE).split()
        yield from [word for word in words if not word.isascii()]


def _likeliest(body: bytes, claims: list[str]) -> str:
    """Return the single-byte encoding that the words of a body speak for.

    `claims` are the codecs that the feed names; one of them wins unless another is clearly better.
    """
    scores = weigh_encodings(_foreign_words(body))
    for name in dict.fromkeys(claims):
        if name in scores:
            scores[name] += _CYRILLIC_BONUS if name in CYRILLIC else _WESTERN_BONUS
    return max(scores, key=lambda name: scores[name])


def _note_lies(claims: Iterable[str], name: str, problems: ProblemList) -> None:
    """Add a problem for each claimed encoding other than the one that was found."""
    for claim in claims:
        if claim != name:
            problems.add(f"The feed claims the encoding {claim} but is in {name}")


def _mend_runs(text: str) -> str:
    """Return a text whose escaped bytes (surrogateescape) are read in the encoding that suits them.

    Where they are the minority of the characters around them, they are no word of another encoding
    but damage, and become U+FFFD.
    """
    damaged = (match[0] for match in _DAMAGED_RUN.finditer(text))
    foreign = (run.encode("utf-8", "surrogateescape") for run in damaged if _is_foreign(run))
    weights = weigh_encodings(foreign)
    name = max(weights, key=lambda name: weights[name])

    @lru_cache(maxsize=_KEPT_RUNS)
    def mended(run: str) -> str:
        if _is_foreign(run):
            return run.encode("utf-8", "surrogateescape").decode(name, "replace")
        return _ESCAPED_RUN.sub("\ufffd", run)

    return _DAMAGED_RUN.sub(lambda match: mended(match[0]), text)


def _is_foreign(run: str) -> bool:
    """Return whether most characters of a run are escaped bytes: some pairs are UTF-8 by chance."""
    return 2 * len(_ESCAPED_RUN.sub("", run)) < len(run)
