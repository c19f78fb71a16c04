import pytest

from newsdedup.core.text.clean import plain_text


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("<p>Первый&nbsp;абзац</p><p>Второй <b>аб</b>зац</p>", "Первый\xa0абзац\nВторой абзац"),
        ("Текст<br/>строка<br>еще", "Текст\nстрока\nеще"),
        ("До<script>var a = '<b>';</script> после", "До после"),
        ("До<!-- скрыто <b> --> после <style>p {}</style>конец", "До после конец"),
        ("<td>один</td><td>два</td>", "один два"),
        ("&laquo;Дело&raquo; &amp; &#1089;&#x443;&#1076;", "«Дело» & суд"),
        ("&amp;amp;lt;b&amp;gt;жирный&lt;/b&gt;", "жирный"),
        ("Читать&nbspдальше AT&T и R&D", "Читать\xa0дальше AT&T и R&D"),
        ("<![CDATA[Текст ленты]]>", "Текст ленты"),
        ("мороз < 30 и > 20", "мороз < 30 и > 20"),
        ("тег <script> без конца", "тег без конца"),
    ],
)
def test_html_leaves_its_words(marked: str, words: str) -> None:
    assert plain_text(marked) == words


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("**Важно:** слово и **П**ервый", "Важно: слово и Первый"),
        ("__курсив__ ~~зачеркнуто~~ ||тайна||", "курсив зачеркнуто тайна"),
        ("*текст* и 5*3, _так_ и snake_case", "текст и 5*3, так и snake case"),
        ("[читать статью](https://site.example/a_(b)?c=1)", "читать статью"),
        ("[1](https://a.example)[2](https://b.example)", "1 2"),
        ("[гарантий](далее) не дали", "[гарантий](далее) не дали"),
        ("# Заголовок\n## Второй", "Заголовок\nВторой"),
        ("> цитата\n- пункт\n• другой\n* третий", "цитата\nпункт\nдругой\nтретий"),
        ("```python\nprint(1)\n```", "print(1)"),
        ("слово `код` слово", "слово код слово"),
        ("одно\n---\nдва\n***\nтри", "одно\nдва\nтри"),
    ],
)
def test_delimiters_of_markdown_and_telegram_leave_their_words(marked: str, words: str) -> None:
    assert plain_text(marked) == words


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("Подробно: https://site.example/news/1?a=b.", "Подробно: ."),
        ("на www.site.example/page и t.me/channel/5", "на и"),
        ("Пишите на news@mail.example или @channel", "Пишите на или"),
        ("Сайт Lenta.ru сообщил", "Сайт Lenta.ru сообщил"),
        ("и/или, 24/7, км/ч", "и/или, 24/7, км/ч"),
    ],
)
def test_addresses_go_and_names_of_sites_stay(marked: str, words: str) -> None:
    assert plain_text(marked) == words


def test_a_line_of_hashtags_goes_and_a_hashtag_in_a_sentence_keeps_its_word() -> None:
    assert plain_text("#новости #москва\nВ #Казань пришла зима\n#погода") == "В Казань пришла зима"
    assert plain_text("Язык C# живет") == "Язык C# живет"


def test_paragraphs_are_lines_with_single_spaces() -> None:
    assert plain_text("  один \t два  \n\n\n   \n три ") == "один два\nтри"
    assert plain_text("") == plain_text(" \n\t") == ""
