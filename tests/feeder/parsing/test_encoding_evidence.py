"""Encodings are told apart by the letters of languages; the texts are invented."""

import pytest

from feeder.parsing.feed_bodies import DECLARATION, parsed, rss
from newsdedup.feeder.parsing.encoding_evidence import likely_multi_byte, weigh_encodings
from newsdedup.feeder.parsing.encoding_labels import MULTI_BYTE, SINGLE_BYTE, codec_of

TEXTS = {
    "cp1250": "Starý most přes řeku dnes ráno otevřeli, říká starosta města Žďár",
    "cp1251": "Старый мост через реку открыли сегодня утром, говорит мэр города",
    "cp1252": "Le vieux pont a été rouvert ce matin, après des années de travaux",
    "cp1253": "Η παλιά γέφυρα άνοιξε σήμερα το πρωί, λέει ο δήμαρχος της πόλης",
    "cp1254": "Eski köprü bu sabah yeniden açıldı, diyor şehrin belediye başkanı",
    "cp1255": "הגשר הישן נפתח הבוקר מחדש אחרי שנים של עבודות",
    "cp1256": "افتتح الجسر القديم صباح اليوم بعد سنوات من الأعمال",
    "cp1257": "Senasis tiltas šįryt vėl atidarytas, sako miesto meras, džiaugiasi žmonės",
    "cp874": "สะพานเก่าเปิดอีกครั้งเมื่อเช้านี้หลังจากซ่อมแซมมาหลายปี",
    "iso8859-2": "Stary most otwarto dziś rano, mówi burmistrz, który go budował dłużej",
    "koi8-u": "Старий міст через річку відкрили сьогодні вранці, каже мер міста",
    "cp866": "Старый мост через реку открыли сегодня утром, говорит мэр города",
    "iso8859-5": "Старый мост через реку открыли сегодня утром, говорит мэр города",
    "mac-cyrillic": "Старый мост через реку открыли сегодня утром, Говорит мэр Юрий",
}
CHARACTERS = {
    "gb18030": "新的大桥今天早上通车了，市长说这是我们城市的大事。",
    "big5hkscs": "新的大橋今天早上通車了，市長說這是我們城市的大事。",
    "cp932": "新しい橋がけさ開通した。市長はこの橋の上でテープを切った。",
    "euc_jp": "新しい橋がけさ開通した。市長はこの橋の上でテープを切った。",
    "cp949": "새로운 다리가 오늘 아침에 열렸다고 시장이 말했다.",
}


def words(text: str, encoding: str) -> list[bytes]:
    return [word for word in text.encode(encoding).split() if not word.isascii()]


@pytest.mark.parametrize("encoding", TEXTS)
def test_the_words_of_a_text_speak_for_its_encoding(encoding):
    weights = weigh_encodings(words(TEXTS[encoding], encoding))
    assert max(weights, key=weights.get) == encoding


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-u"])
def test_capitals_speak_for_their_encoding_too(encoding):
    weights = weigh_encodings(words(TEXTS["cp1251"].upper(), encoding))
    assert max(weights, key=weights.get) == encoding


def test_signs_alone_speak_for_no_encoding():
    assert weigh_encodings([b"\xa3", b"\xbd", b"\xa9"]) == weigh_encodings([])


def test_a_word_that_is_repeated_tells_no_more_than_once():
    word = "été".encode("cp1252")
    assert weigh_encodings([word] * 100) == weigh_encodings([word])


def test_later_words_count_where_the_first_ones_do_not_decide():
    first = ["café".encode("cp1254")] * 200
    assert weigh_encodings(first) == weigh_encodings(first[:1])
    weights = weigh_encodings(first + words(TEXTS["cp1254"], "cp1254"))
    assert max(weights, key=weights.get) == "cp1254"


@pytest.mark.parametrize("encoding", CHARACTERS)
def test_characters_of_several_bytes_are_known_by_the_commonest(encoding):
    assert likely_multi_byte(CHARACTERS[encoding].encode(encoding)) == encoding


@pytest.mark.parametrize("encoding", TEXTS)
def test_a_text_in_single_bytes_is_in_no_encoding_with_several(encoding):
    assert likely_multi_byte(TEXTS[encoding].encode(encoding)) == ""


@pytest.mark.parametrize("encoding", [*TEXTS, *CHARACTERS])
@pytest.mark.parametrize("claimed", ["", "utf-8", "us-ascii", "iso-8859-1", "right"])
def test_a_feed_is_read_in_each_encoding_whatever_it_claims(encoding, claimed):
    text = TEXTS.get(encoding) or CHARACTERS[encoding]
    label = {"mac-cyrillic": "x-mac-cyrillic", "cp874": "tis-620"}.get(encoding, encoding)
    stated = label if claimed == "right" else claimed
    declaration = DECLARATION.format(stated) if stated else ""
    body = declaration + rss(f"<title>{text}</title>").replace("Вісті Вельни", "V")
    assert parsed(body.encode(encoding)).entries[0].title == text


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        *[("windows-874", "cp874"), ("TIS-620", "cp874"), ("x-sjis", "cp932")],
        *[("windows-31j", "cp932"), ("cp949", "cp949"), ("x-gbk", "gb18030")],
        *[("iso-8859-8-i", "iso8859-8"), ("Latin1", "cp1252"), ("latin-1", "cp1252")],
        *[("iso-8859-9", "cp1254"), ("koi8-r", "koi8-u"), ("iso-2022-jp", "iso2022_jp_ext")],
        *[("greek", "iso8859-7"), (" UTF8 ", "utf-8"), ("win-1251", "cp1251")],
        *[("utf-7", ""), ("rot13", ""), ("no-such", ""), ("\0", "")],
    ],
)
def test_labels_of_the_web_are_known(label, codec):
    assert codec_of(label) == codec


def test_each_codec_exists_and_is_of_one_kind():
    assert not MULTI_BYTE & SINGLE_BYTE
    for codec in MULTI_BYTE | SINGLE_BYTE:
        assert "é".encode(codec, "replace")
