"""What an input looks like by its first bytes, and what its user is advised to do."""

import json

import pytest

from newsdedup.adapters.files.input_forms import PREFIX_BYTES, InputForm, input_form, read_prefix
from newsdedup.adapters.tables.input_records import is_news_table
from newsdedup.ports.errors import NothingToRead

NEWS = {"id": "1", "title": "Пожар в порту", "text": "Горело всю ночь."}
LINES = "".join(json.dumps({**NEWS, "id": n}, ensure_ascii=False) + "\n" for n in range(12))


def form(content: bytes | str, *, name: str = "items.jsonl") -> InputForm:
    prefix = content.encode() if isinstance(content, str) else content
    return input_form(name, prefix[:PREFIX_BYTES], is_news_table=is_news_table)


def refusal(content: bytes | str, *, name: str = "items.jsonl") -> str:
    with pytest.raises(NothingToRead) as refused:
        form(content, name=name)
    return str(refused.value)


@pytest.mark.parametrize(
    "content",
    [
        *("", "\n\n", LINES, "\ufeff" + LINES, "not json\n" * 3, "1\n2\n", "null\n", '"a"\n'),
        '["a"]\n{"title": "a"}\n',
        '[]\n{"title": "a"}\n',
        '{\n{"title": "a"}\n',
        '{"title": "a", "items": [{"a": 1}]}\n',
        '{"links": [{"href": "a"}], "title": "b"}\n',
        '{"body": "a", "media": {"items": [{"title": "b"}]}}\n',
        '{"newsdedup": "merge", "items": [{"id": "1"}, {"id": "2"}]}\n',
        '{"tags": {"0": "a"}, "title": "b"}\n',
        '{"id": "1", "groups": [{"items": [{"title": "b"}]}]}\n',
        "{broken\n" + LINES,
    ],
)
def test_lines_of_json_are_lines_also_where_some_are_bad(content):
    assert form(content) is InputForm.LINES


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([NEWS]),
        json.dumps([NEWS], indent=2),
        "\ufeff" + json.dumps([NEWS]),
        "[]",
        " [\n\n{",
        json.dumps(NEWS, indent=2),
        "{\r\n\t" + json.dumps(NEWS)[1:],
    ],
)
def test_an_array_and_objects_over_many_lines_are_values(content):
    assert form(content) is InputForm.VALUES


@pytest.mark.parametrize("header", ["id,title,text", "Date;Headline", "text\tlink", '"title"|"a"'])
def test_a_header_with_columns_of_news_is_csv_whatever_the_file_is_called(header):
    assert form(f"{header}\n1,a,b\n", name="-") is InputForm.CSV


@pytest.mark.parametrize("name", ["n.csv", "n.TSV", "n.csv.gz", "n.tsv.zst"])
def test_a_file_called_csv_is_csv_unless_it_holds_json(name):
    assert form("nr,kopf\n1,a\n", name=name) is InputForm.CSV
    assert form(LINES, name=name) is InputForm.LINES


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16le", "utf-16be", "utf-32"])
def test_utf_16_is_reported_with_the_command_that_converts_it(encoding):
    message = refusal(LINES.encode(encoding))
    assert message.startswith("items.jsonl looks like UTF-")
    assert "`iconv -f utf-" in message
    assert message.endswith("-t utf-8 items.jsonl > items.utf8.jsonl`")


def test_lines_of_old_macs_are_reported_with_the_command_that_converts_them():
    old = LINES.replace("\n", "\r")
    assert refusal(old, name="in/my cr.jsonl") == (
        "in/my cr.jsonl looks like lines that end with a carriage return alone (old Mac): convert "
        r"it with `tr '\r' '\n' < 'in/my cr.jsonl' > 'my cr.lf.jsonl'`"
    )
    assert r"`gzip -dc a.csv.gz | tr '\r' '\n' > a.lf.csv`" in refusal("a,b\r1,c", name="a.csv.gz")
    assert r"`| tr '\r' '\n' |` in front" in refusal(old, name="-")
    assert "old Mac" in refusal("id,title\r1,a\r2,b\r", name="news.txt")
    assert "old Mac" in refusal(LINES.replace("\n", "\r") * 99)


@pytest.mark.parametrize(
    "content",
    [
        '{"title": "a"}\r',
        '{\r"title": "a",\r"links": [{"a": 1},\r{"b": 2}]\r}',
        '{"title": "a}\\r{"}',
        '{"title": "a"}\r\n{"title": "b"}\r\n',
        '{"title": "a"}\r{"title": "b"}\n{"title": "c"}\n',
    ],
)
def test_a_carriage_return_within_or_behind_a_line_ends_none(content):
    assert form(content) is InputForm.LINES


@pytest.mark.parametrize(
    ("encoding", "encoding_name"),
    [("cp1251", "Windows-1251"), ("koi8-r", "KOI8-R"), ("cp866", "CP866")],
)
def test_the_encoding_of_russian_is_reported_with_the_converting_command(encoding, encoding_name):
    assert refusal(LINES.encode(encoding)) == (
        f"items.jsonl looks like {encoding_name}, not UTF-8: convert it with "
        f"`iconv -f {encoding} -t utf-8 items.jsonl > items.utf8.jsonl`"
    )
    table = f"id;title\n1;{NEWS['title']}\n".encode(encoding)
    assert encoding_name in refusal(table, name="news.csv")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Brücke über die Velna geöffnet, größter Umbau"),
        ("cp1252", "Perché è già così: la città dell'università"),
        ("cp1252", "Le maire a déclaré à la presse que le pont était rouvert"),
        ("cp1250", "Most przez rzekę Welnę otwarto w poniedziałek, remont kosztował 32 miliony"),
    ],
)
def test_latin_letters_in_another_encoding_are_not_reported_as_russian(encoding, text):
    lines = json.dumps({"title": text}, ensure_ascii=False) + "\n"
    message = refusal((lines * 12).encode(encoding))
    assert "1251" not in message
    assert "`iconv -f cp1252 -t utf-8 items.jsonl > items.utf8.jsonl`, or from cp1250" in message


def test_a_packed_file_is_unpacked_on_its_way_to_the_converter():
    message = refusal(LINES.encode("cp1251"), name="in box/items.jsonl.gz")
    assert message.endswith(
        "`gzip -dc 'in box/items.jsonl.gz' | iconv -f cp1251 -t utf-8 > items.utf8.jsonl`"
    )


def test_one_line_that_is_utf_8_lets_the_file_be_read():
    mixed = LINES.encode("cp1251") + b'{"title": "a"}\n'
    assert form(mixed) is InputForm.LINES


def test_a_stream_in_another_encoding_is_refused_once_it_says_enough():
    encoded = LINES.encode("cp1251")
    assert form(encoded.split(b"\n")[0], name="-") is InputForm.LINES
    assert refusal(encoded, name="-").startswith("standard input looks like Windows-1251")


@pytest.mark.parametrize(
    ("prefix", "message"),
    [
        (b"\x1f\x8b\x08", "gzip: rename"),
        (b"PK\x03\x04", "ZIP"),
        (b"SQLite format 3\0", "SQLite"),
        (b"PAR1", "Parquet"),
        (b"%PDF-1.7", "PDF"),
        (b"<?xml version='1.0'?><rss>", "newsdedup import feeds items.jsonl"),
        (b"<html>", "newsdedup import pages"),
        (b'{"items": [{"title": "a"}]}', r"""jq -c '.items[]' items.jsonl > """),
        (
            b'{"status": "ok",\n "articles": [{"title": "a"}]}',
            """jq -c '.articles[]' items.jsonl""",
        ),
        (b'{\n "data": [\n {"title": "a' + b"b" * PREFIX_BYTES, """jq -c '.data[]' items.jsonl"""),
        (b'{"n": 1, "articles": [{"title": "' + b"b" * PREFIX_BYTES, "jq -c '.articles[]'"),
        (b'{"response": {"tags": ["a"], "results": [{"id": "1"}]}}', "jq -c '.response.results[]'"),
        (b'{"id": "user/-/starred", "title": "a", "items": [{"title": "b"}]}', "jq -c '.items[]'"),
        (
            b'{\n "name": "a",\n "type": "public_channel",\n "id": 1,\n "messages": [\n {"id": 2',
            "newsdedup import telegram items.jsonl",
        ),
        (b'{"about": "a", "chats": {"about": "b", "list": [{"id": 2', "newsdedup import telegram"),
        (b'{"title":{"0":"a","1":"b"},"text":{"0":"c","1":"d"}}', "orient='records', lines=True"),
        (b'{"0":{"title":"a"},"1":{"title":"b"}}', "orient='records', lines=True"),
        (b'{"columns":["title"],"index":[0],"data":[["a"]]}', "orient='records', lines=True"),
        (b"A line of a report.\n" * 12, "plain text"),
    ],
)
def test_what_is_not_read_is_reported_with_what_to_do(prefix, message):
    assert message in refusal(prefix)


@pytest.mark.parametrize("parts", [[b"[", b"\n", b" {", b"}]\n"], [b"id,ti", b"tle\n", b"1,a\n"]])
def test_a_slow_stream_is_read_until_its_form_is_clear_and_nothing_of_it_is_lost(parts):
    chunks = iter([None, *parts, b""])
    prefix, read = read_prefix(lambda: next(chunks))
    assert form(prefix, name="-") in (InputForm.VALUES, InputForm.CSV)
    assert b"".join(iter(read, b"")) == b"".join(parts)


def test_a_file_that_ends_within_a_character_is_utf_8():
    line = LINES.encode().split(b"\n")[0]
    dead_letter = line.index("П".encode())
    assert form(line[: dead_letter + 1]) is InputForm.LINES


def test_brackets_and_quotes_of_a_long_object_are_looked_at_once():
    for many in (b'\\"' * 30_000, b"{" * 60_000, b"[" * 60_000, b' "a":' * 12_000):
        assert form(b'{"a": "' + many) is InputForm.LINES
        assert form(b'{"a": ' + many) is InputForm.LINES
