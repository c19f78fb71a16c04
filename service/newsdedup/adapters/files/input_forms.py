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
from newsdedup.adapters.formats.item_json import COMMAND_FIELD, FOREIGN_FIELDS
from newsdedup.adapters.formats.json_object import BYTE_ORDER_MARK, LIMITS
from newsdedup.ports.errors import NothingToRead

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
_IN_LATIN_WORD: Final = re.compile(
    rb"(?<![\x80-\xff])(?:(?<=[A-Za-z])[\x80-\xff]|[\x80-\xff](?=[A-Za-z]))(?![\x80-\xff])"
)
"""A letter alone among those of ASCII, as in German or Polish; words of Russian have no others."""
_TOKEN: Final = re.compile(
    rb'"(?P<string>(?:[^"\\]|\\.)*+)(?:"(?P<names>\s*+:)?|\\?\Z)|(?P<bracket>[][{}])', re.DOTALL
)
"""A string of JSON, which the end of the bytes may cut, or a bracket."""
_LIST_NAMES: Final = (
    *(b"items", b"articles", b"data", b"results", b"entries", b"news", b"posts", b"documents"),
    *(b"docs", b"hits", b"rows", b"records", b"value", b"messages"),
)
"""Under which programs put the items of a list into one object."""
_IS_RECORD: Final = frozenset(
    name.encode()
    for name in (
        *("title", "text", COMMAND_FIELD, "dedup"),
        *(name for own in ("title", "text") for name, _ in FOREIGN_FIELDS[own]),
    )
)
_READER_EXPORT: Final = re.compile(rb'"id"\s*:\s*"(?:user|feed)/')
"""An export of a feed reader, which has a title of its own."""
_DATA_FRAME: Final = re.compile(
    rb'\{\s*"(?:columns"\s*:\s*\[\s*"|\d+"\s*:\s*\{|[^"\n]{1,80}"\s*:\s*\{\s*"\d+"\s*:)'
)
"""How pandas writes a table unless it is asked for records."""


class InputForm(Enum):
    """What the records of an input are."""

    LINES = "lines of JSON"
    VALUES = "an array of JSON, or objects over many lines"
    CSV = "CSV"


def input_form(name: str, prefix: bytes, *, is_news_table: Callable[[bytes], bool]) -> InputForm:
    """Return the form of an input by its first bytes.

    `is_news_table` says of a first line whether it names columns of news. Raise NothingToRead,
    with what the input looks like and how to convert it, where none of its beginning can be read.
    """
    _refuse_binary(name, prefix)
    body = prefix.removeprefix(BYTE_ORDER_MARK).lstrip()
    first = body.partition(b"\n")[0].strip()
    if body.startswith(b"<"):
        command = f"{quote(name)} --to items.jsonl`"
        pages, feeds = f"`newsdedup import pages {command}", f"`newsdedup import feeds {command}"
        advice = f"a page is read by {pages}, a feed by {feeds}"
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
        _refuse_wrapper(name, body)
        return InputForm.VALUES
    if is_json:
        _refuse_wrapper(name, first)
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
    """Raise NothingToRead where each line of the prefix is in an encoding of Cyrillic or Latin.

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
    beyond_ascii = sum(byte > 0x7F for byte in data)
    if len(_IN_LATIN_WORD.findall(data)) / beyond_ascii > 0.5:
        command = _command(name, "iconv -f cp1252 -t utf-8", _converted_name(name, "utf8"))
        advice = f"convert it with {command}, or from cp1250 if it is of Central Europe"
        raise _looks_like(name, "an encoding of Latin letters (Windows-1252), not UTF-8", advice)
    # In the right encoding most characters beyond ASCII are small Cyrillic ones.
    counts = {
        encoding: len(_CYRILLIC.findall(data.decode(encoding, "replace")))
        for encoding in _CYRILLIC_NAMES
    }
    best = max(counts, key=lambda encoding: counts[encoding])
    if counts[best] / beyond_ascii > 0.6:
        raise _encoded(name, best)


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are UTF-8, perhaps cut within their last character by the writer."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return True


def _refuse_wrapper(name: str, body: bytes) -> None:
    """Raise NothingToRead for an object that is no record and holds a list of objects.

    `body` begins with it; what it has behind the end of `body` is not known.
    """
    names, has_strings, path = _list_inside(body)
    if not has_strings and _DATA_FRAME.match(body):
        advice = "`frame.to_json('items.jsonl', orient='records', lines=True)`"
        raise _looks_like(name, "a table that pandas wrote as one object", f"write it by {advice}")
    is_export = b"version" in names or _READER_EXPORT.search(body, 0, 1000)
    if _IS_RECORD & names and not is_export:
        return
    if (path[-1:] == [b"messages"] and b"type" in names) or {b"about", b"chats"} <= names:
        advice = f"`newsdedup import telegram {quote(name)} --to items.jsonl`"
        raise _looks_like(name, "an export of Telegram", f"convert it with {advice}")
    if path:
        where = ".".join(key.decode() for key in path)
        command = _command(name, f"jq -c '.{where}[]'", "items.jsonl")
        what = f'one JSON object with a list in "{where}"'
        raise _looks_like(name, what, f"convert it with {command}")


def _list_inside(body: bytes) -> tuple[set[bytes], bool, list[bytes]]:
    """Return the names of an object's fields, whether one holds a string, and a path to a list.

    It is the first list of objects that has one of _LIST_NAMES and is in no other list; without
    one the path is empty.
    """
    names: set[bytes] = set()
    has_strings = False
    found: list[bytes] = []
    path: list[bytes] = []
    opened = b""
    key = b""
    for token in _TOKEN.finditer(body):
        bracket = token["bracket"]
        if bracket is None:
            key = token["string"]
            if opened == b"{" and token["names"]:
                names.add(key)
            elif opened == b"{":
                has_strings = True
        elif bracket in b"]}":
            opened = opened[:-1]
            path = path[: len(opened)]
        else:
            is_listed = opened.endswith(b"[") and opened.count(b"[") == 1
            if is_listed and bracket == b"{" and path[-1] in _LIST_NAMES:
                found = found or path[1:]
            opened += bracket
            path.append(key)
        if not opened or len(opened) > LIMITS.depth:
            break
    return names, has_strings, found


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
