"""Which form an input has, by its first bytes, and what to do with one that is not read.

An input is refused as a whole only where its form is recognised and no line of its beginning can be
read; a file with some bad lines is read, and those lines become dead letters.
"""

import re
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from shlex import quote
from typing import Final

from newsdedup.adapters.files.lines import ReadBytes
from newsdedup.adapters.files.paths import STDIO
from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK, LIMITS, decode_object
from newsdedup.ports.errors import InvalidItem, NothingToRead

PREFIX_BYTES: Final = 1 << 16
CSV_SUFFIXES: Final = tuple(
    f".{kind}{pack}" for kind in ("csv", "tsv") for pack in ("", ".gz", ".zst")
)
_UNPACK: Final = {".gz": "gzip -dc", ".zst": "zstd -dc"}
_LEAST_LINES: Final = 10
"""So many lines must be unusable before plain text, or a stream in another encoding, is refused."""
_LEAST_NULS: Final = 12
"""One byte in so many is 0 in UTF-16, by its spaces, quotes and digits."""
_MAGIC: Final = (
    (b"\x1f\x8b", "gzip", "rename it so that its name ends in .gz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard", "rename it so that its name ends in .zst"),
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook", "unpack it, or save it as CSV in UTF-8"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "save it as CSV in UTF-8"),
    (b"SQLite format 3\0", "a SQLite database", "export its rows as lines of JSON"),
    (b"%PDF-", "PDF", "extract its text, and write an object of JSON a line"),
    (b"BZh", "bzip2", "unpack it with bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unpack it with unxz"),
)
_UNICODE: Final = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_CYRILLIC_NAMES: Final = {"cp1251": "Windows-1251", "koi8-r": "KOI8-R", "cp866": "CP866"}
_NAMES: Final = {
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16be"), "UTF-16"),
    "utf-32": "UTF-32",
    **_CYRILLIC_NAMES,
}
_CYRILLIC: Final = re.compile("[а-яіїєґ]")
_OPEN_ARRAY: Final = re.compile(rb"\[\s*(?:\{|\]\s*$)")
_OPEN_OBJECT: Final = re.compile(rb'\{(?:[^\n]*,)?[ \t]*\r?\n\s*["}]')
_OLD_LINE_END: Final = re.compile(rb"\}[ \t]*\r\s*\{")
_LIST_INSIDE: Final = re.compile(rb'\{\s*"(?P<name>\w{1,40})"\s*:\s*\[\s*\{')
_LIST_NAMES: Final = (
    *("items", "articles", "data", "results", "entries", "news", "posts", "documents", "docs"),
    *("hits", "rows", "records", "value"),
)
"""Under which programs put the items of a list into one object."""
_SAYS_SOMETHING: Final = frozenset({"title", "text", "headline", "articleBody"})


class InputForm(Enum):
    """What the records of an input are."""

    LINES = "lines of JSON"
    VALUES = "an array of JSON, or objects over many lines"
    CSV = "CSV"


def input_form(
    name: str, prefix: bytes, *, is_news_table: Callable[[bytes], bool], whole: bool
) -> InputForm:
    """Return the form of an input by its first bytes; `whole` says whether these are all.

    `is_news_table` says of a first line whether it names columns of news. Raise NothingToRead,
    with what the input looks like and how to convert it, where none of its beginning can be read.
    """
    _refuse_binary(name, prefix)
    body = prefix.removeprefix(BYTE_ORDER_MARK).lstrip()
    first = body.partition(b"\n")[0].strip()
    if body.startswith(b"<"):
        page = f"`newsdedup import pages {quote(name)} --to items.jsonl`"
        advice = f"a page is read by {page}, a feed by `newsdedup feed`"
        raise _looks_like(name, "XML or HTML", advice)
    is_json = body.startswith((b"{", b"["))
    is_csv = name.lower().endswith(CSV_SUFFIXES)
    if b"\r" in body and b"\n" not in body:
        header = body.partition(b"\r")[0]
        is_header = not is_json and header != body.rstrip() and (is_csv or is_news_table(header))
        if is_header or _OLD_LINE_END.search(body):
            raise _old_line_ends(name)
    is_table = not is_json and (is_csv or is_news_table(first))
    _refuse_encoding(name, prefix, header=is_table)
    if is_table:
        return InputForm.CSV
    if is_json and (_OPEN_ARRAY.match(body) or _OPEN_OBJECT.match(body)):
        _refuse_wrapper(name, body, whole=whole)
        return InputForm.VALUES
    if is_json:
        _refuse_wrapper(name, first, whole=whole and body.strip() == first)
    elif name != STDIO:
        lines = [line.strip() for line in body.split(b"\n") if line.strip()]
        if len(lines) >= _LEAST_LINES and not any(line[:1] in b'{["' for line in lines):
            advice = 'write each item as a line of JSON: {"title": "...", "text": "..."}'
            raise _looks_like(name, "plain text", advice)
    return InputForm.LINES


def read_prefix(read: ReadBytes) -> tuple[bytes, ReadBytes]:
    """Return the first bytes of a stream, at most 64 KiB, and a reader of all its bytes."""
    chunks: list[bytes] = []
    prefix = b""
    while len(prefix) < PREFIX_BYTES:
        chunk = read()
        if chunk is None:
            continue
        chunks.append(chunk)
        prefix += chunk
        body = prefix.removeprefix(BYTE_ORDER_MARK).lstrip()
        # A line that is more than an opening bracket tells the form.
        if not chunk or (b"\n" in body and body.removeprefix(b"[").strip()):
            break
    rest = iter(chunks)
    return prefix[:PREFIX_BYTES], lambda: next(rest, None) or read()


def _refuse_binary(name: str, prefix: bytes) -> None:
    """Raise NothingToRead for formats known by their first bytes, and for UTF-16 and UTF-32."""
    for magic, what, advice in _MAGIC:
        if prefix.startswith(magic):
            raise _looks_like(name, what, advice)
    if prefix.startswith(b"PAR1"):
        advice = f"convert it with `newsdedup import table {quote(name)} --to items.jsonl`"
        raise _looks_like(name, "Parquet", advice + ", where its name ends in .parquet")
    for byte_order_mark, encoding in _UNICODE:
        if prefix.startswith(byte_order_mark):
            raise _encoded(name, encoding)
    first_bytes = prefix[:512]
    if first_bytes.count(0) * _LEAST_NULS > len(first_bytes):
        # Of ASCII the high byte is 0: the second one of each pair in the little-endian form.
        little = first_bytes[1::2].count(0) >= first_bytes[::2].count(0)
        raise _encoded(name, "utf-16le" if little else "utf-16be")


def _refuse_encoding(name: str, prefix: bytes, *, header: bool) -> None:
    """Raise NothingToRead where each line of the prefix is in an encoding of Cyrillic.

    With `header` the first of several lines, that of a table, may be ASCII. A last line that the
    end of the prefix cuts does not count.
    """
    lines = [line for line in prefix.split(b"\n") if line.strip()]
    if len(prefix) >= PREFIX_BYTES and len(lines) > 1:
        lines.pop()
    if header and len(lines) > 1 and lines[0].isascii():
        lines = lines[1:]
    if not lines or (name == STDIO and len(lines) < _LEAST_LINES):
        return
    if any(_is_utf8(line) for line in lines):
        return
    data = b"\n".join(lines)
    # In the right encoding most characters beyond ASCII are small Cyrillic ones.
    counts = {
        encoding: len(_CYRILLIC.findall(data.decode(encoding, "replace")))
        for encoding in _CYRILLIC_NAMES
    }
    best = max(counts, key=lambda encoding: counts[encoding])
    if counts[best] / sum(byte > 0x7F for byte in data) > 0.6:
        raise _encoded(name, best)


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are UTF-8, perhaps cut within their last character by the writer."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


def _refuse_wrapper(name: str, body: bytes, *, whole: bool) -> None:
    """Raise NothingToRead for one object that is no item and holds a list of objects.

    `whole` says whether `body` is the whole input: only then all of its fields are looked at.
    """
    inside = _LIST_INSIDE.match(body)
    key = inside["name"].decode() if inside else ""
    if whole and body.startswith(b"{"):
        try:
            fields = decode_object(body, LIMITS)
        except InvalidItem:
            return
        lists = [one for one, value in fields.items() if isinstance(value, list) and value]
        objects = [one for one in lists if isinstance(fields[one][0], dict)]
        is_item = bool(_SAYS_SOMETHING & fields.keys()) and "version" not in fields
        key = next((one for one in objects if one in _LIST_NAMES), "") if not is_item else ""
    if key in _LIST_NAMES:
        command = _command(name, f"jq -c '.{key}[]'", "items.jsonl")
        what = f'one JSON object with a list in "{key}"'
        raise _looks_like(name, what, f"convert it with {command}")


def _old_line_ends(name: str) -> NothingToRead:
    """Return the error for lines that end with a carriage return alone, as on old Macs."""
    command = _command(name, r"tr '\r' '\n'", _converted_name(name, "lf"), reads_files=False)
    what = "lines that end with a carriage return alone (old Mac)"
    return _looks_like(name, what, f"convert it with {command}")


def _encoded(name: str, encoding: str) -> NothingToRead:
    """Return the error for an input in another encoding, with the command that converts it."""
    command = _command(name, f"iconv -f {encoding} -t utf-8", _converted_name(name, "utf8"))
    return _looks_like(name, f"{_NAMES[encoding]}, not UTF-8", f"convert it with {command}")


def _converted_name(name: str, form: str) -> str:
    """Return the name of a file in another form, as items.utf8.jsonl for items.jsonl.gz."""
    stem, dot, rest = Path(name).name.partition(".")
    return f"{stem}.{form}{dot}{rest.removesuffix('.gz').removesuffix('.zst')}"


def _command(name: str, program: str, target: str, *, reads_files: bool = True) -> str:
    """Return, in backquotes, a shell command that pipes an input through a program to `target`.

    `reads_files` says whether the program takes the name of a file, not only standard input.
    """
    if name == STDIO:
        return f"`| {program} |` in front of newsdedup"
    unpack = _UNPACK.get(Path(name).suffix)
    if unpack:
        return f"`{unpack} {quote(name)} | {program} > {quote(target)}`"
    return f"`{program} {'' if reads_files else '< '}{quote(name)} > {quote(target)}`"


def _looks_like(name: str, what: str, advice: str) -> NothingToRead:
    """Return the error that says what an input looks like, and what to do about it."""
    address = "standard input" if name == STDIO else name
    return NothingToRead(f"{address} looks like {what}: {advice}")
