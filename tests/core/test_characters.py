import pytest

from newsdedup.core.text.characters import fold, seems_folded


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Елка и ёж, Ёлка", "Елка и еж, Елка"),
        ("район, йод, Їжак, її", "район, йод, Їжак, її"),
        ("раи\u0306он", "район"),
        ("і\u0308жак", "їжак"),
        ("за\u0301мок и замо\u0301к", "замок и замок"),
        ("все\u0300 ѐще", "все еще"),
        ("при\u00adзи\u200bдент \ufeffстра\u2060ны", "призидент страны"),
        ("\u202eпривет\u202c", "привет"),
        ("до\ufe0fм", "дом"),
        ("одна\r\nдве\rтри\u2028четыре", "одна\nдве\nтри\nчетыре"),
        ("5\u00a0000\u202fрублей", "5 000 рублей"),
        ("\x00нуль\x07 и\x1b конец", "нуль и конец"),
    ],
)
def test_invisible_characters_stress_and_yo_are_folded_and_short_i_survives(
    written: str, folded: str
) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize("apostrophe", "'’ʼ`´′‘＇ꞌ")
def test_every_ukrainian_apostrophe_is_the_same_one(apostrophe: str) -> None:
    assert fold(f"п{apostrophe}ять об{apostrophe}єктів") == "п'ять об'єктів"


def test_a_backtick_between_no_characters_of_words_stays_for_markdown() -> None:
    assert fold("`код` и п`ять") == "`код` и п'ять"


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("«Мир» “and” „війна‟", '"Мир" "and" "війна"'),
        ("Киев — город", "Киев - город"),
        ("1990–1995", "1990-1995"),
        ("the law—any law", "the law - any law"),
        ("и так далее…", "и так далее..."),
        ("ＦＵＬＬ ｗｉｄｔｈ", "FULL width"),
        ("школа №5", "школа N 5"),
        ("1½ часа", "1 1/2 часа"),
        ("смартфон™ новый", "смартфон новый"),
        ("⚡️Срочно🔥слово", " Срочно слово"),
        ("it\x92s cp1252 \x96 here", "it's cp1252 - here"),
    ],
)
def test_typography_becomes_what_a_keyboard_types(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize(
    ("disguised", "folded"),
    [
        ("Пpeзидeнт", "Президент"),  # p, e, e are Latin
        ("МOCКВA", "МОСКВА"),
        ("вiйна i свiт", "війна i світ"),
        ("Аpple и Sоny", "Apple и Sony"),  # Cyrillic А and о
        ("CCСР", "СССР"),  # two Latin letters and two of no other shape: Cyrillic
        ("ещë бóльший", "еще больший"),
        ("Вkонтакте", "Вконтакте"),
    ],
)
def test_a_word_in_two_alphabets_by_disguise_is_written_in_one(disguised: str, folded: str) -> None:
    assert fold(disguised) == folded
    assert all(
        word.isascii() or not any(character.isascii() and character.isalpha() for character in word)
        for word in fold(disguised).split()
    )


@pytest.mark.parametrize(
    "text", ["IT-компания", "iPhone-ом", "SMMщик и PRщик", "Wi-Fi в кафе", "Т-34", "MP3-плеер"]
)
def test_a_compound_of_two_languages_stays(text: str) -> None:
    assert fold(text) == text


def test_text_that_seems_folded_is_folded() -> None:
    texts = ("Привет, мир", "п'ять", "plain words", "é", "ещё", "aа", "5\u00a0кг", "`", "")
    for text in texts:
        assert fold(text) == text or not seems_folded(text)
    assert seems_folded("Привет, мир and peace")


def test_every_single_character_folds_once_for_all() -> None:
    for code in (*range(0x20000), *range(0xE0000, 0xE0200)):
        folded = fold(f"и{chr(code)}1")
        assert fold(folded) == folded, hex(code)


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("🔥Пожар", " Пожар"),
        ("Пожар🔥🔥🔥потушен", "Пожар потушен"),
        ("❤\ufe0fдень👩\u200d🚒", " день "),
        ("a🔥б", "a б"),  # words of two alphabets do not meet
        ("中🔥中", "中 中"),
        ("🔥5½", " 5 1/2"),
        ("и🔥\u0306", "и "),
        ("\u200d🔥й\u200bо🔥", " йо "),
    ],
)
def test_pictographs_become_a_space_whatever_stands_next_to_them(written: str, folded: str) -> None:
    assert fold(written) == folded


def test_a_heap_of_combining_marks_is_cut_and_what_a_script_writes_is_not() -> None:
    dagesh, sheva = "\u05bc", "\u05b0"
    assert (
        fold("\u05d0" + (dagesh + sheva) * 9 + "\u05d1") == f"\u05d0{sheva * 4}{dagesh * 4}\u05d1"
    )
    pointed = "\u05e9\u05b8\u05bc\u05c1\u0591\u05d0"
    assert fold(f"{pointed}\u200b") == pointed


def test_a_character_that_becomes_eighteen_does_not_blow_a_long_text_up():
    salutation = "\ufdfa"
    assert len(fold(salutation)) == 18
    assert len(fold(salutation * 2_000)) == 36_000
    assert len(fold(salutation * 200_000)) == 200_000
    once = fold(salutation * 60_000)
    assert len(once) == 100_000
    assert fold(once) == once
