import pytest

from feeder.parsing.feed_bodies import DECLARATION, parsed, rss

UKRAINIAN = "Їхній міст через Вельну відкрили, ґрунт укріпили"
RUSSIAN = "Мост через Вельну открыли после ремонта"
POLISH = "Most nad Wisłą otwarto po remoncie, mówi burmistrz Łodzi"


def body_in(encoding: str, *, claimed: str, title: str) -> bytes:
    declaration = DECLARATION.format(claimed) if claimed else ""
    return (declaration + rss(f"<title>{title}</title>").replace("Вісті Вельни", "V")).encode(
        encoding
    )


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "koi8-u", "utf-16", "utf-8-sig"])
@pytest.mark.parametrize("claimed", ["", "utf-8", "windows-1251", "koi8-r", "iso-8859-1", "x-no"])
@pytest.mark.parametrize("title", [UKRAINIAN, RUSSIAN])
def test_text_is_read_whatever_encoding_it_claims(encoding, claimed, title):
    title = title.replace("ґ", "г") if encoding == "windows-1251" else title
    feed = parsed(body_in(encoding, claimed=claimed, title=title))
    assert feed.entries[0].title == title


@pytest.mark.parametrize("encoding", ["windows-1250", "iso-8859-2"])
def test_a_claimed_encoding_that_fits_is_believed(encoding):
    feed = parsed(body_in(encoding, claimed=encoding, title=POLISH))
    assert feed.entries[0].title == POLISH
    assert not [one for one in feed.problems if "encoding" in one]


def test_the_charset_of_http_counts_where_the_feed_claims_none():
    body = body_in("shift_jis", claimed="", title="橋が開通した")
    feed = parsed(body, content_type="text/xml; charset=Shift_JIS")
    assert feed.entries[0].title == "橋が開通した"


def test_a_lie_is_a_problem():
    feed = parsed(body_in("windows-1251", claimed="utf-8", title=RUSSIAN))
    assert "The feed claims the encoding utf-8 but is in cp1251." in feed.problems


def test_runs_of_another_encoding_within_utf_8_are_mended():
    items = [f"<title>{UKRAINIAN}</title>"] * 20
    body = rss(*items).encode()
    mixed = body.replace("Вісті Вельни".encode(), "Вісті Вельни".encode("cp1251"))
    feed = parsed(mixed)
    assert feed.title == "Вісті Вельни"
    assert feed.entries[0].title == UKRAINIAN
    assert "Some bytes are not UTF-8 in a feed that is otherwise." in feed.problems


def test_codecs_that_are_no_charsets_are_not_applied():
    for name in ("zip", "rot13", "unicode_escape", "utf-7", "idna", "punycode"):
        feed = parsed(body_in("ascii", claimed=name, title="+AGE- \\u0041"))
        assert feed.entries[0].title == "+AGE- \\u0041"


@pytest.mark.parametrize(
    "title",
    [
        *("CAFÉ’S “Å” ROSÄ’S", "AMANHÃ… não", "Martine Ã©crit en UTF-8, déjà", "ВЂњ Ð Ñ"),
        *("3 × 4 = 12…", "L’ÂGE «D’OR»", "PARIS…"),
    ],
)
def test_letters_that_look_like_utf_8_encoded_twice_stay(title):
    body = DECLARATION.format("utf-8") + rss(f"<title>{title}</title>").replace("Вісті Вельни", "V")
    assert parsed(body.encode()).entries[0].title == title


@pytest.mark.parametrize("title", ["Å, é", "“Міст”", "Η γέφυρα", "الجسر", "הגשר", "桥", "สะพาน"])
@pytest.mark.parametrize(("mark", "taken_for"), [("", "cp1252"), ("\ufeff", "latin-1")])
def test_utf_8_that_was_encoded_twice_is_read(title, mark, taken_for):
    once = rss(f"<title>{title}</title>").replace("Вісті Вельни", "V").encode()
    taken = "".join(bytes([byte]).decode(taken_for, "ignore") or chr(byte) for byte in once)
    assert parsed((mark + taken).encode()).entries[0].title == title
