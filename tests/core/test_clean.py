import pytest

from newsdedup.core.text.clean import clean


def test_a_russian_telegram_post_becomes_its_news() -> None:
    title = "⚡️**В Энске за\u0301крыли мост** через реку"
    text = (
        f"{title}\n\n"
        "Движе\u00adние остановили «до весны» — **по решению "
        "[мэрии](https://ensk.example/order/5)**.\n"
        "__Объезд — через ул. Садовую, ещё 5\u00a0км.__\n\n"
        "#энск #новости\n"
        "🔴 [Подписаться на Энск сегодня](https://t.me/ensk_example)"
        " | [Прислать новость](https://t.me/ensk_bot)"
    )
    whole = (
        "В Энске закрыли мост через реку\n"
        'Движение остановили "до весны" - по решению мэрии.\n'
        "Объезд - через ул. Садовую, еще 5 км."
    )
    assert clean(title, text) == ("В Энске закрыли мост через реку", whole)


def test_a_ukrainian_article_in_html_becomes_its_news() -> None:
    text = (
        "<p>КИЇВ. 3 листопада. УНН. У місті відкрили п`ять об’єктів,&nbsp;— повідомила мерія.</p>"
        "<p>Вартiсть робіт — 2,5&nbsp;млн&nbsp;грн.</p>"
        "<script>track('x')</script><p>Джерело: УНН</p><p>Читайте також: Новини міста</p>"
    )
    whole = "У місті відкрили п'ять об'єктів, - повідомила мерія.\nВартість робіт - 2,5 млн грн."
    title = "У місті відкрили п’ять об’єктів"
    assert clean(title, text) == ("У місті відкрили п'ять об'єктів", whole)


def test_an_english_report_becomes_its_news() -> None:
    text = (
        "By Ann Lee\nLONDON, Nov 1 (Reuters) - The city\u2019s “oldest” bridge—closed in "
        "May—won\u2019t open this year &amp; may be sold.\n\nFollow us on Twitter\n"
        "(Reporting by Ann Lee; Editing by Tom Ray)"
    )
    whole = (
        'Old bridge stays closed\nThe city\'s "oldest" bridge - closed in May - '
        "won't open this year & may be sold."
    )
    assert clean("Old bridge stays closed", text) == ("Old bridge stays closed", whole)


@pytest.mark.parametrize(
    ("title", "text", "whole"),
    [
        ("Мост закрыт", "Движения нет.", "Мост закрыт\nДвижения нет."),
        ("Мост закрыт", "Мост закрыт\nДвижения нет.", "Мост закрыт\nДвижения нет."),
        ("Мост закрыт.", "Мост закрыт - до весны.", "Мост закрыт - до весны."),
        ("Мост закрыт до...", "Мост закрыт до весны.", "Мост закрыт до весны."),
        ("Мост закрыт до…", "**Мост закрыт** до весны.", "Мост закрыт до весны."),
        ("Мост закрыт", "", "Мост закрыт"),
        ("", "Мост закрыт", "Мост закрыт"),
        ("", "", ""),
    ],
)
def test_the_title_stands_once(title: str, text: str, whole: str) -> None:
    assert clean(title, text)[1] == whole


def test_without_a_title_the_first_line_is_the_title() -> None:
    assert clean("", "Мост закрыт\nДвижения нет.")[0] == "Мост закрыт"
    assert clean("#новости", "#новости\nМост закрыт")[0] == "Мост закрыт"


def test_a_disguised_copy_cleans_to_the_same_text() -> None:
    original = "Президент подписал закон о пяти объектах. Её мнение — против."
    disguised = (
        "Пpе\u200bзидент пoдпи\u00adсал **за\u0301кон** o пяти объeктах.  Ее мнение – против."
    )
    assert clean("", original)[1] == clean("", disguised)[1].replace(" o ", " о ")


def test_an_item_with_words_keeps_some() -> None:
    assert clean("Подписаться", "Подписаться") == ("Подписаться", "Подписаться")
    assert clean("", "Фото: архив\nИсточник: ТАСС") == ("Фото: архив", "Фото: архив")
