import pytest

from newsdedup.core.text.boilerplate import strip_boilerplate
from newsdedup.core.text.clean import clean

NEWS = "Мост закрыли на ремонт до весны."


@pytest.mark.parametrize(
    "tail",
    [
        "Подписаться",
        "Подписаться | Прислать новость",
        "Подписывайся на Вечерний Энск",
        "Подпишись!",
        "Вечерний Энск. Подписаться",
        "Энск Live - Подписаться",
        "Підписатися на канал",
        "Підписуйтесь на наш канал у Telegram",
        "Прислать новость",
        "Надіслати новину",
        "Читайте нас в Telegram и Дзене",
        "Наш WhatsApp +7 900 000 00 00",
        "Мы в соцсетях: Telegram, VK",
        "Читайте также: В Энске открыли парк",
        "Читайте також: У місті відкрили парк",
        "Читати далі",
        "Подробнее об этом читайте в нашем материале.",
        "Фото: пресс-служба мэрии",
        "Фото из открытых источников",
        "Источник: РИА Новости",
        "Джерело: Укрінформ",
        "Хотите знать больше? Подписывайтесь на наш канал в Telegram.",
        "Вы можете подписаться на нашу рассылку.",
        "Если вы стали свидетелем происшествия, сообщите в редакцию.",
        "Subscribe to our channel",
        "Follow us on Twitter and Facebook.",
        "Read more: City opens a park",
        "Sign up for our daily newsletter",
        "(Reporting by Ann Lee; Editing by Tom Ray)",
        "Copyright © 2024 The Daily Example. All rights reserved.",
        "Photo: Getty Images",
    ],
)
def test_a_line_that_sells_goes(tail: str) -> None:
    assert strip_boilerplate(f"{NEWS}\n{tail}") == NEWS


@pytest.mark.parametrize(
    "line",
    [
        "Подписаться на петицию успели тысячи жителей.",
        "Подписывали договор в присутствии министров.",
        "Фото дорог жители прислали в прокуратуру.",
        "Фотографии пропавшей нашли в телефоне.",
        "Источник: взрыв произошел в порту, есть пострадавшие.",
        "Источник воды в районе пересох.",
        '"Подписывайтесь на мой канал", - сказал блогер на суде.',
        "Власти предлагают подписаться на рассылку о тревогах.",
        "Наши группы выехали на место аварии.",
        "Читать книги дети стали чаще.",
        "Подробности статистики раскрыл Росстат.",
        "Стали свидетелями аварии десятки людей, сообщает полиция.",
        "Также смотрит на рынок новый инвестор.",
        "Компания признана крупнейшей в России.",
        "По теме бюджета выступил министр.",
        "Нашли ошибку в расчетах депутаты.",
        "Read the ruling carefully, the judge said.",
        "Sources say the deal is near.",
        "Users who subscribe to the channel were deceived.",
        "Copyright law will change next year, ministers say.",
        "Follow the money, investigators were told.",
        "Get ready for snow, forecasters warn.",
    ],
)
def test_a_sentence_that_only_holds_such_words_stays(line: str) -> None:
    text = f"{NEWS}\n{line}"
    assert strip_boilerplate(text) == text
    assert strip_boilerplate(f"{line}\n{NEWS}") == f"{line}\n{NEWS}"


def test_the_last_sentence_goes_when_it_sells() -> None:
    invited = f"{NEWS} Подписывайтесь на наш канал."
    assert strip_boilerplate(invited) == NEWS
    assert strip_boilerplate(f"{NEWS} Фото: архив. Подпишись!") == NEWS


def test_text_of_boilerplate_only_is_kept() -> None:
    assert clean("", "Подписаться") == ("Подписаться", "Подписаться")
    assert strip_boilerplate("") == ""


@pytest.mark.parametrize(
    ("dated", "undated"),
    [
        ("КИЕВ, 12 мая - РИА Новости. Суд решил.", "Суд решил."),
        ("МОСКВА, 5 ноября. /ТАСС/. Суд решил.", "Суд решил."),
        ("Москва. 1 ноября. INTERFAX.RU - Суд решил.", "Суд решил."),
        ("САНКТ-ПЕТЕРБУРГ, 1 ноября 2024 г. Интерфакс. Суд решил.", "Суд решил."),
        ("Ростов-на-Дону, 5 ноября, Агентство. Суд решил.", "Суд решил."),
        ("КИЇВ. 3 листопада. УНН. Суд вирішив.", "Суд вирішив."),
        ("КИЕВ, 1 ноября - Суд решил.", "Суд решил."),
        ("MOSCOW, Nov 1 (Reuters) - The court ruled.", "The court ruled."),
        ("PORTLAND, Ore. (AP) - The court ruled.", "The court ruled."),
        ("NEW YORK (AP) -- The court ruled.", "The court ruled."),
        ("(Reuters) - The court ruled.", "The court ruled."),
        ("LONDON, Nov 15 - The court ruled.", "The court ruled."),
        ("By Ann Lee and Tom Ray\nLONDON (Reuters) - The court ruled.", "The court ruled."),
        ("Фото: архив\nКИЕВ, 1 ноября - Суд решил.", "Суд решил."),
    ],
)
def test_the_frame_before_the_first_sentence_goes(dated: str, undated: str) -> None:
    assert strip_boilerplate(dated) == undated


@pytest.mark.parametrize(
    "text",
    [
        "Москва, 5 ноября, стала местом встречи.",
        "Москва, 5 ноября. Пожар произошел в центре.",
        "Украина, 24 августа - День независимости.",
        "5 ноября в Энске открыли мост.",
        "IBM (NYSE:IBM) - The company grew.",
        "NASA: The rover landed.",
    ],
)
def test_a_sentence_that_begins_with_a_town_or_date_stays(text: str) -> None:
    assert strip_boilerplate(text) == text
