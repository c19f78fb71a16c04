"""Numbers and dates of languages without word tables."""

from datetime import date

import pytest

from core.facts.extracted import WEDNESDAY
from newsdedup.core.facts import days
from newsdedup.core.facts.comparison import compare_facts
from newsdedup.core.facts.extraction import extract_facts
from newsdedup.core.facts.fact import MILLION, Fact, FactKind, encode_facts
from newsdedup.core.facts.notation_patterns import notation_patterns
from newsdedup.core.facts.notations import read_notation
from newsdedup.core.text.clean import clean
from newsdedup.core.text.scripts import spell_alike
from newsdedup.core.text.tokens import tokens
from newsdedup.data.lang import LANGUAGE_FOLDERS
from newsdedup.data.languages import LANGUAGE_ROWS
from newsdedup.data.notations import notation_of


def facts(lang: str, text: str, published: date | None = WEDNESDAY) -> tuple[Fact, ...]:
    text = spell_alike(clean("", text)[1], lang)
    return extract_facts(text, tokens(text), published=published, hour=12, lang=lang)


def short_facts(lang: str, text: str, published: date | None = WEDNESDAY) -> list[str]:
    """Return the facts of a text as short words."""
    return [_short(fact) for fact in facts(lang, text, published)]


def _short(fact: Fact) -> str:
    match fact.kind:
        case FactKind.DAY:
            return f"{days.format_day(fact.value)} {fact.unit}".strip()
        case FactKind.CLOCK:
            return f"{fact.value // 60:02}:{fact.value % 60:02}"
        case FactKind.YEAR:
            return f"year {fact.value // MILLION}"
        case FactKind.ORDINAL:
            return f"{fact.value // MILLION}th {fact.unit}"
        case FactKind.SCORE:
            return f"{fact.value // 1_000}:{fact.value % 1_000}"
    return f"{fact.value / MILLION:g} {fact.unit}".strip()


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Am 28. Oktober beginnt der Umbau"),
        ("de", "Der Umbau begann am 28.10.2024"),
        ("de", "Der Umbau beginnt am 28.10. im Hafen"),
        ("pl", "Przebudowa ruszyła 28 października 2024 r."),
        ("es", "Las obras empezaron el 28 de octubre de 2024"),
        ("ca", "Les obres van començar el 28 d'octubre"),
        ("fr", "Les travaux ont commencé le 28 octobre"),
        ("pt", "As obras começaram em 28 de outubro"),
        ("it", "I lavori sono iniziati il 28 ottobre 2024"),
        ("tr", "Çalışmalar 28 Ekim 2024'te başladı"),
        ("ar", "بدأ العمل في ٢٨ أكتوبر ٢٠٢٤"),
        ("hi", "काम 28 अक्टूबर को शुरू हुआ"),
        ("zh", "工程于2024年10月28日开工"),
        ("zh", "工程于28日开工"),
        ("ja", "工事は10月28日に始まった"),
        ("ja", "工事は28日に始まった"),
        ("ko", "공사는 10월 28일에 시작됐다"),
        ("vi", "Công trình khởi công ngày 28/10"),
        ("vi", "Công trình khởi công ngày 28 tháng 10 năm 2024"),
        ("id", "Pekerjaan dimulai Senin (28/10/2024)"),
        ("hu", "A munka október 28-án kezdődött"),
        ("is", "Verkið hófst 28. október"),
        ("eu", "Lanak urriaren 28an hasi ziren"),
        ("lv", "Darbi sākās 28. oktobrī"),
        ("fi", "Työt alkoivat 28. lokakuuta"),
        ("he", "העבודות החלו ב-28 באוקטובר"),
        ("th", "งานเริ่ม 28 ตุลาคม 2567"),
        ("sv", "Arbetet började den 28 oktober"),
        ("bg", "Ремонтът започна на 28 октомври"),
        ("ar", "بدأ العمل في 28 من أكتوبر"),
        ("ka", "სამუშაოები 28 ოქტომბერს დაიწყო"),
        ("kk", "Жұмыс 28 қазанда басталды"),
        ("ta", "பணி அக்டோபர் 28-ம் தேதி தொடங்கியது"),
    ],
)
def test_a_written_day_is_a_day_in_each_language(lang: str, text: str) -> None:
    assert short_facts(lang, text) == ["2024-10-28"]


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("de", "Gestern fiel Schnee", ["2024-10-29 relative"]),
        ("de", "Am Montag fiel Schnee", ["2024-10-28 weekday"]),
        ("de", "Am Montag, 28. Oktober, fiel Schnee", ["2024-10-28"]),
        ("de", "Am Morgen fiel Schnee", []),
        ("de", "Vom 28. bis 31. Oktober fiel Schnee", ["2024-10-28", "2024-10-31"]),
        ("de", "Vom 28. Oktober bis 3. November fiel Schnee", ["2024-10-28", "2024-11-03"]),
        ("pl", "W środę spadł śnieg", ["2024-10-30 weekday"]),
        ("pl", "Wczoraj spadł śnieg", ["2024-10-29 relative"]),
        ("es", "El lunes 28 nevó", ["2024-10-28"]),
        ("es", "Por la mañana nevó", []),
        ("fr", "Il a neigé hier", ["2024-10-29 relative"]),
        ("tr", "Salı günü kar yağdı", ["2024-10-29 weekday"]),
        ("ar", "تساقط الثلج يوم الثلاثاء", ["2024-10-29 weekday"]),
        ("hi", "मंगलवार को बर्फ गिरी", ["2024-10-29 weekday"]),
        ("zh", "昨天下雪", ["2024-10-29 relative"]),
        ("ja", "火曜日に雪が降った", ["2024-10-29 weekday"]),
        ("ko", "어제 눈이 내렸다", ["2024-10-29 relative"]),
        ("is", "Það snjóaði á mánudaginn", ["2024-10-28 weekday"]),
        ("sr", "U subotu je padao sneg", ["2024-10-26 weekday"]),
        ("eu", "Asteazkenean elurra egin zuen", ["2024-10-30 weekday"]),
        ("de", "Am Montagabend fiel Schnee", ["2024-10-28 weekday"]),
        ("nl", "Maandagavond viel er sneeuw", ["2024-10-28 weekday"]),
        ("sv", "Igår kväll föll snö", ["2024-10-29 relative"]),
        ("fa", "سه شنبه برف بارید", ["2024-10-29 weekday"]),
        ("he", "ביום שלישי ירד שלג", ["2024-10-29 weekday"]),
        ("ka", "სამშაბათს თოვლი მოვიდა", ["2024-10-29 weekday"]),
        ("ta", "செவ்வாய்க்கிழமை பனி பெய்தது", ["2024-10-29 weekday"]),
        ("el", "ΤΗΝ ΤΡΙΤΗ ΕΠΕΣΕ ΧΙΟΝΙ", ["2024-10-29 weekday"]),
        ("zh", "昨日下雪", ["2024-10-29 relative"]),
        ("pt", "Nevou nesta terça (29)", ["2024-10-29 weekday"]),
        ("vi", "Tuyết rơi sáng thứ ba", ["2024-10-29 weekday"]),
    ],
)
def test_words_and_ranges_name_days(lang: str, text: str, expected: list[str]) -> None:
    assert short_facts(lang, text) == expected


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("ro", "Nu a nins în ultimele luni"),
        ("vi", "Trận tuyết lớn thứ hai thế giới"),
        ("id", "Salju turun dua minggu lalu"),
        ("ur", "کل برف باری ہوئی"),
        ("ur", "گزشتہ ہفتے برف باری ہوئی"),
        ("ta", "வெள்ளி விலை உயர்ந்தது"),
    ],
)
def test_words_that_mean_something_else_as_often_name_no_day(lang: str, text: str) -> None:
    assert short_facts(lang, text) == []


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("de", "Der Bau kostet 1.234,5 Millionen Euro", ["1.2345e+09 eur"]),
        ("de", "Die Preise stiegen um 3,5 Prozent", ["3.5 %"]),
        ("de", "Es kamen 12.345 Menschen", ["12345 person"]),
        ("de", "Es wurden 12.345 Bäume gepflanzt", ["12345 bäume"]),
        ("de", "Die Schulden: 2 Billionen Dollar", ["2e+12 usd"]),
        ("de", "Der 25. Spieltag", ["25th spiel"]),
        ("de", "Um 14.30 Uhr", ["14:30"]),
        ("pl", "Strata to 16,5 tys. zł", ["16500 pln"]),
        ("pl", "W 2019 roku było ten i tamten", ["year 2019"]),
        ("pl", "O godz. 14.30 ceny wzrosły o 5 proc.", ["14:30", "5 %"]),
        ("es", "El plan cuesta 3 mil millones de dólares", ["3e+09 usd"]),
        ("es", "Subió un 5,5 por ciento", ["5.5 %"]),
        ("fr", "Il a reçu 12 500 euros à 14h30", ["12500 eur", "14:30"]),
        ("fr", "Le plan coûte 3,5 millions d'euros", ["3.5e+06 eur"]),
        ("pt", "O plano custa R$ 3,5 bilhões", ["3.5e+09 brl"]),
        ("tr", "Yüzde 12,5 arttı, %50 zam geldi", ["12.5 %", "50 %"]),
        ("tr", "Proje 3,4 milyar lira", ["3.4e+09 try"]),
        ("ar", "بلغت الخسائر ٣٫٥ مليون دولار", ["3.5e+06 usd"]),
        ("hi", "सरकार ने 12 लाख 50 हज़ार रुपये दिए", ["1.25e+06 inr"]),
        ("hi", "कुल 1,23,456 रुपये", ["123456 inr"]),
        ("zh", "公司投资3.5亿元,12万5000人参加", ["3.5e+08 cny", "125000 person"]),
        ("zh", "下午3时30分，股价下跌5%", ["15:30", "5 %"]),
        ("ja", "損失は1億2345万円、午後3時半", ["1.2345e+08 yen", "15:30"]),
        ("ko", "3만5천명이 모였다", ["35000 person"]),
        ("ko", "1억2345만 원을 냈다", ["1.2345e+08 krw"]),
        ("vi", "Dự án trị giá 3,5 tỷ đồng", ["3.5e+09 vnd"]),
        ("id", "Proyek senilai Rp 3,5 triliun pukul 14.30", ["3.5e+12 idr", "14:30"]),
        ("es", "El plan cuesta 3.5 millones de euros", ["3.5e+06 eur"]),
        ("es", "Cuesta 1,200 euros, un 5,125% más", ["1200 eur", "5.125 %"]),
        ("ar", "بلغت الخسائر 3,5 مليون دولار", ["3.5e+06 usd"]),
        ("ta", "ரூ.3 லட்சம், 5 கோடி ரூபாய்", ["300000 inr", "5e+07 inr"]),
        ("vi", "Dự án trị giá 3,5 tỉ đồng", ["3.5e+09 vnd"]),
        ("ar", "قدرت الخسائر بـ3.5 ملايين دولار", ["3.5e+06 usd"]),
        ("ar", "احترق 5 قوارب و20 سيارة", ["5 قوارب", "20 سيارة"]),
        ("ja", "第3回大会で約1200匹の魚", ["1200 匹の魚"]),
        ("zh", "第54屆頒獎典禮共4座獎項", ["4 座獎項"]),
        ("ko", "독수리를 7대3으로 이겼다. 코로나19 확산", ["7:3"]),
        ("he", "הריבית ירדה ב-0.25 אחוז ל-4.25%", ["0.25 %", "4.25 %"]),
        ("fa", "12 تن زخمی شدند", ["12"]),
        ("zh", "5名學生", ["5 person"]),
        ("it", "Alle 14.30 parte il treno", ["14:30"]),
        ("es", "El tren sale a las 14.30", ["14:30"]),
        ("cs", "Vlak odjel v 14.30", ["14:30"]),
        ("el", "Το τρένο φεύγει στις 9:15 μ.μ.", ["21:15"]),
        ("hu", "A vonat 14.30-kor indul", ["14:30"]),
    ],
)
def test_figures_are_read_as_the_language_writes_them(
    lang: str, text: str, expected: list[str]
) -> None:
    assert short_facts(lang, text) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("es", "El Betis ganó 2 a 1 en casa", ["2:1"]),
        ("ca", "El Girona va guanyar 3 a 0", ["3:0"]),
        ("pt", "O Benfica venceu por 4 a 2", ["4:2"]),
        ("it", "La partita è finita 1 a 1", ["1:1"]),
        ("fr", "Lens menait 2 à 0 avant la pause", ["2:0"]),
        ("fa", "ایران ۴۲ بر ۲۲ برنده شد", ["42:22"]),
        ("es", "De 20 a 10 grados", []),
        ("es", "Abierto entre 10 a 20 horas", []),
        ("es", "Sube 5 a 3,5 por ciento", []),
        ("de", "Es stand 2 a 1", []),
    ],
)
def test_a_result_in_words_is_a_score_where_the_winner_comes_first(
    lang: str, text: str, expected: list[str]
) -> None:
    found = [_short(fact) for fact in facts(lang, text) if fact.kind == FactKind.SCORE]
    assert found == expected


def test_a_result_agrees_with_the_same_in_signs_and_conflicts_with_another() -> None:
    def codes(text: str) -> tuple[int, ...]:
        return encode_facts(facts("es", text))

    words = codes("El Betis ganó 2 a 1 en casa")
    assert compare_facts(words, codes("El Betis ganó 2-1 en casa")).conflicts == 0
    assert compare_facts(words, codes("El Betis ganó 3-1 en casa")).conflicts == 1


@pytest.mark.parametrize(
    ("lang", "parts"),
    [
        ("de", [("am 28. Oktober", "2024-10-28"), ("3 Mio. Euro", "3e+06 eur")]),
        ("pt", [("R$ 3,5 bilhões", "3.5e+09 brl"), ("2 a 1", "2:1")]),
        ("tr", [("yüzde 12,5", "12.5 %"), ("28 Ekim 2024'te", "2024-10-28")]),
        ("hu", [("október 28-án", "2024-10-28"), ("14:30 körül", "14:30")]),
        ("ja", [("午後3時半", "15:30"), ("10月28日に", "2024-10-28")]),
    ],
)
def test_what_is_read_depends_on_what_is_near_and_not_on_the_rest_of_the_line(
    lang: str, parts: list[tuple[str, str]]
) -> None:
    space = " " * (lang != "ja")
    for filling in ("", "x" * 40 + space, ("y" * 7 + space) * 60):
        text = space.join(filling + part for part, _ in (*parts, *parts))
        found = short_facts(lang, text + space + filling)
        assert set(found) == {fact for _, fact in parts}


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Brücke gesperrt vor 38 Minuten"),
        ("de", "Die Brücke ist gesperrt. 92 Kommentare"),
        ("de", "Fahrer Jens (38) half"),
        ("de", "Die Brücke ist gesperrt. 253"),
        ("pl", "Most zamknięty 3 godziny temu"),
        ("es", "Cerrado el puente hace 2 horas"),
        ("fr", "Pont fermé il y a 3 heures, 12 commentaires"),
        ("tr", "Köprü 3 saat önce kapatıldı"),
        ("hi", "पुल 5 घंटे पहले बंद हुआ"),
        ("ja", "橋は3時間前に閉鎖"),
        ("ja", "橋は閉鎖。38分前"),
        ("zh", "大桥关闭。38分钟前 92条评论"),
        ("zh", "大桥关闭\n评论 92"),
        ("ko", "다리 폐쇄 38분 전\n댓글"),
        ("ja", "橋は5月に開通"),
        ("zh", "大桥12月通车"),
        ("ko", "다리는 5월에 개통"),
        ("ar", "أغلق الجسر قبل 38 دقيقة\n92 تعليقا"),
        ("sk", "Most je zatvorený. 92 komentárov"),
        ("fa", "پل بسته شد. ۹۲ نظر"),
        ("de", "Die Brücke ist gesperrt\nKommentare: 92"),
    ],
)
def test_ages_counters_and_months_count_nothing(lang: str, text: str) -> None:
    assert short_facts(lang, text) == []


def test_copies_that_differ_in_form_agree_and_other_counts_conflict() -> None:
    def codes(text: str) -> tuple[int, ...]:
        return encode_facts(facts("de", text))

    one = codes("Gestern zahlte die Stadt 1.500 Euro, vor 38 Minuten")
    assert compare_facts(one, codes("Die Stadt zahlte 1500 Euro. 92 Kommentare")).conflicts == 0
    assert compare_facts(one, codes("Die Stadt zahlte 1.700 Euro")).conflicts == 1


def test_english_number_words_are_no_numbers_in_other_languages() -> None:
    assert short_facts("pl", "Prezydentem zostaje ten, kto wygrał wybory") == []
    assert short_facts("en", "It has ten doors") == ["10 door"]


def test_without_a_date_of_publication_words_name_no_day() -> None:
    assert short_facts("de", "Gestern, am Montag, am 28. Oktober", None) == ["--10-28"]


def test_what_is_read_leaves_a_text_of_the_same_length() -> None:
    text = (
        "am 28. oktober kamen 12.345 menschen,\nvor 38 minuten.\u2028 1.234,5 bäume und 3 mio. euro"
    )
    found, rest = read_notation(text, "de", WEDNESDAY, 12)
    assert (len(rest), len(found)) == (len(text), 3)


def test_word_tables_of_a_language_win() -> None:
    for lang in (*LANGUAGE_FOLDERS, "other", "", "../de"):
        assert notation_of(lang) is None
        assert read_notation("28.10.2024", lang, WEDNESDAY, 12) == ([], "28.10.2024")


def test_each_language_of_the_table_has_notation() -> None:
    for code in LANGUAGE_ROWS:
        tables = notation_of(code)
        assert tables is not None, code
        assert tables.decimal in (",", "."), code
        numbered = code in ("ja", "ko", "vi")
        assert numbered or set(tables.months.values()) == set(range(1, 13)), code
        assert set(tables.weekdays.values()) == set(range(7)), code
        assert set(tables.days_ago.values()) <= set(range(-2, 3)), code
        assert all(len(word) < 60 for word in tables.units), code
        assert not any("," in word for word in (*tables.weekdays, *tables.months)), code


@pytest.mark.parametrize("lang", ["de", "th", "ko", "he"])
def test_patterns_are_made_once_and_of_hostile_digits_nothing_is_slow(lang: str) -> None:
    assert notation_patterns(lang) is notation_patterns(lang)
    for noise in ("1." * 4_000, "1 " * 4_000, "12 de " * 1_000, "1,2" * 3_000, "0" * 9_000):
        read_notation(noise, lang, WEDNESDAY, 12)
