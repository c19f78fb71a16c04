"""Bytes of a feed to text, whatever it says of its encoding.

A byte order mark decides. Else bytes that are UTF-8 are read as UTF-8, whatever is claimed: other
texts with characters outside ASCII are valid UTF-8 by chance once in many millions. Else the
encodings that are claimed (XML declaration, then HTTP) and those of our languages are tried, and
the one whose words look most like words wins; the claimed one wins a tie. A body that is UTF-8 but
for a few bytes is UTF-8 with runs of another encoding in it.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ProblemList

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UNMARKED = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"), (b"{\0", "utf-16-le"))
_READ_AS = {
    # What browsers do (WHATWG Encoding): the wider encoding, of which the claimed one is a part.
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "koi8-r": "koi8-u",  # the same but for Ukrainian characters, which feeds in KOI8-R have, too
}
_LABELS = {
    # Labels of the WHATWG, and what feeds in Russian write, that Python does not know.
    **dict.fromkeys(("x-mac-cyrillic", "x-mac-ukrainian"), "mac-cyrillic"),
    **dict.fromkeys(("x-cp1251", "cp-1251", "win-1251", "win1251", "windows1251"), "cp1251"),
    "x-cp1252": "cp1252",
    **dict.fromkeys(("koi8", "koi"), "koi8-u"),
    **dict.fromkeys(("utf8mb4", "unicode-1-1-utf-8"), "utf-8"),
}
_SINGLE_BYTE = {
    *("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258"),
    *(f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 15, 16)),
    *("koi8-u", "cp866", "cp855", "cp437", "mac-cyrillic", "mac-roman", "cp874"),
}
_MULTI_BYTE = {"gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "iso2022_jp"}
_ALWAYS_TRIED = ("cp1251", "koi8-u", "cp1252")
XML_DECLARATION = re.compile(
    rb"""^[^<]{0,1000}<\?xml[^>]{0,200}?\sencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']"""
)
HTML_DECLARATION = re.compile(
    rb"""<meta\s[^<>]{0,300}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})""", re.IGNORECASE
)
_DECLARED_WITHIN = 8_192
"""Bytes; a page may have other tags before the one that names its encoding."""
_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_SAMPLE_BYTES = 30_000
_SAMPLE_RUNS = 3_000
"""Of words with characters outside ASCII."""
_PLAIN_CLAIM = 0.96
"""Of the characters outside ASCII: where so many suit the claimed encoding, no other can look
better by the bonus of a claim."""
_STRAY_SHARE = 0.1
"""Of the bytes outside ASCII: with so many that are no UTF-8 the body is in another encoding."""
_CLAIM_BONUS = 0.05
"""So much better must another encoding look."""
_ESCAPED_RUN = re.compile("[\udc80-\udcff]+")
_OUTSIDE_ASCII_BYTES = bytes(range(0x80, 0x100))
_DAMAGED_RUN = re.compile(
    r"(?<![^\x00-\x7f])[^\x00-\x7f\udc80-\udcff]*+[\udc80-\udcff][^\x00-\x7f]*+"
)
"""Of characters outside ASCII, with escaped bytes among them."""
_FOREIGN_WORD = re.compile(rb"(?<![A-Za-z\x80-\xff])[A-Za-z]*+[\x80-\xff][A-Za-z\x80-\xff]*+")
_WORD = re.compile(r"[^\W\d_]+")
_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]")
_SIGNS = re.compile("[\x80-\x9f\u2500-\u25fe\ufffd]")
"""Control characters, lines of boxes, and what could not be decoded."""
_CYRILLIC = re.compile(r"[\u0400-\u052f]+")


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
            return body[len(start) :].decode(name, "replace")
    for start, name in _UNMARKED:
        if body.startswith(start):
            return body.decode(name, "replace")
    if b"\0" in body[:4]:
        raise FeedUnusable("the body is binary, no text")
    declared = declaration.search(body[:_DECLARED_WITHIN])
    claims = list(_claims(declared, content_type, problems))
    if body.isascii() and "iso2022_jp" not in claims:
        return body.decode("ascii")
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return _decode_legacy(body, claims, problems)
    _note_lies(claims, "utf-8", problems)
    return text


def _claims(
    declared: re.Match[bytes] | None, content_type: str | None, problems: ProblemList
) -> Iterator[str]:
    """Yield the codecs for the encodings that declaration and content type name, if known."""
    charset = _CHARSET.search((content_type or "")[:1000])
    for name in (
        declared[1].decode("ascii", "replace") if declared else "",
        charset[1] if charset else "",
    ):
        known = _known_encoding(name)
        if known:
            yield known
        elif name:
            problems.add("The feed claims an encoding that is not known", name)


def _known_encoding(name: str) -> str:
    """Return the codec for the name of an encoding; "" for one that is unknown or no text."""
    label = name.strip().lower()
    try:
        codec = codecs.lookup(_LABELS.get(label, label)).name
    except (LookupError, ValueError):
        return ""
    codec = _READ_AS.get(codec, codec)
    return codec if codec == "utf-8" or codec in _SINGLE_BYTE | _MULTI_BYTE else ""


def _decode_legacy(body: bytes, claims: list[str], problems: ProblemList) -> str:
    """Return the text of a body that is not UTF-8 throughout; `claims` are codecs that it names."""
    text = body.decode("utf-8", "surrogateescape")
    strays = len(text) - len(text.encode("utf-8", "ignore").decode())
    characters = len(text) - len(body.translate(None, _OUTSIDE_ASCII_BYTES))
    if strays <= _STRAY_SHARE * characters:
        problems.add("Some bytes are not UTF-8 in a feed that is otherwise")
        return _mend_runs(text)
    for name in claims:
        if name in _MULTI_BYTE:
            try:
                return body.decode(name)
            except UnicodeDecodeError:
                problems.add("The feed is not in the encoding that it claims", name)
    words = islice((word[0] for word in _FOREIGN_WORD.finditer(body)), _SAMPLE_RUNS)
    name = _likeliest(b" ".join(words), claims)
    _note_lies(claims, name, problems)
    if not claims:
        problems.add("The feed claims no encoding and is not in UTF-8; it was read as", name)
    return body.decode(name, "replace")


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
    foreign = islice((run for run in damaged if _is_foreign(run)), _SAMPLE_RUNS)
    sample = b" ".join(run.encode("utf-8", "surrogateescape") for run in foreign)
    name = _likeliest(sample, [])

    def mended(match: re.Match[str]) -> str:
        run = match[0]
        if _is_foreign(run):
            return run.encode("utf-8", "surrogateescape").decode(name, "replace")
        return _ESCAPED_RUN.sub("\ufffd", run)

    return _DAMAGED_RUN.sub(mended, text)


def _is_foreign(run: str) -> bool:
    """Return whether most characters of a run are escaped bytes: some pairs are UTF-8 by chance."""
    return 2 * sum(map(len, _ESCAPED_RUN.findall(run))) > len(run)


def _likeliest(sample: bytes, claims: list[str]) -> str:
    """Return the single-byte encoding in which a sample has the most words that look like words.

    `claims` are the codecs that the feed names; one of them wins unless another is clearly better.
    """
    sample = sample[:_SAMPLE_BYTES]
    tried = [name for name in claims if name in _SINGLE_BYTE]
    names = dict.fromkeys([*tried, *_ALWAYS_TRIED])
    if tried:
        score, characters = _plausibility(sample.decode(tried[0], "replace"))
        if characters and score >= _PLAIN_CLAIM * characters:
            return tried[0]
    scores = {name: _plausibility(sample.decode(name, "replace"))[0] for name in names}
    for name in tried:
        scores[name] += _CLAIM_BONUS * abs(scores[name])
    return max(scores, key=lambda name: scores[name])


def _plausibility(text: str) -> tuple[float, int]:
    """Return a score of a decoded text, the higher the likelier, and its letters outside ASCII.

    Letters outside ASCII count for the encoding in words of one alphabet and ordinary case. In the
    wrong encoding lower case becomes upper case, alphabets mix within a word, or words are made of
    accented characters alone; such letters count against the encoding, and so do signs.
    """
    score, characters = 1.0, 0
    for word in _WORD.findall(text):
        if word.isascii():
            continue
        if _CYRILLIC.fullmatch(word):
            outside = len(word)
            suits = word[1:].islower() or outside == 1
        else:
            outside = len(_OUTSIDE_ASCII.findall(word))
            mostly_ascii = 2 * outside < len(word) or (outside == 1 and len(word) <= 2)
            suits = mostly_ascii and word[1:].islower() and not _CYRILLIC.search(word)
        characters += outside
        score += outside if suits else -outside
    return score - len(_SIGNS.findall(text)), characters
