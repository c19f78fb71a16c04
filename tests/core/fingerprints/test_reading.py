from hypothesis import given

from core.fingerprints.readings import ANALYZER, VOCABULARY, reading, texts
from newsdedup import ItemKey, NewsItem
from newsdedup.core.fingerprints.corpus import TextPart, prepare_text
from newsdedup.core.text.tokens import tokens


def test_a_reading_has_the_words_of_four_characters_and_more_by_sentence_and_passage() -> None:
    one = reading(
        "Новый мост открыт", "Мост через реку Дон ждали 12 лет. Он стоил 3,5 млрд.\nКонец."
    )
    assert one.words == ("новый", "мост", "открыт", "мост", "через", "реку", "ждали",
                         "стоил", "млрд", "конец")  # fmt: skip
    assert one.sentences == (
        ("новый", "мост", "открыт"),
        ("мост", "через", "реку", "ждали"),
        ("стоил", "млрд"),
        ("конец",),
    )
    assert one.whole == TextPart(one.words, ("12", "3.5"))
    assert one.body == TextPart(one.words[3:], ("12", "3.5"))
    assert one.lead == TextPart(one.words[3:9], ("12", "3.5"))
    # Words of three characters count in the length, those of two ("он") do not.
    assert one.length == len(one.words) + len(("дон", "лет"))


def test_what_is_only_a_title_has_no_body() -> None:
    assert reading("Новый мост").body == reading("Новый мост").lead == TextPart((), ())


def test_a_sentence_without_words_is_none() -> None:
    assert reading("Да.", "Он и я. Конец").sentences == (("конец",),)


@given(texts())
def test_sentences_and_passages_hold_the_words_of_the_document_in_order(text: str) -> None:
    document = ANALYZER.document(NewsItem(ItemKey("test", "1"), "", text))
    one = prepare_text(document, VOCABULARY)
    assert list(one.words) == [form for form in tokens(document.text) if len(form) >= 4]
    assert one.words == tuple(word for sentence in one.sentences for word in sentence)
    assert one.length == len([form for form in tokens(document.text) if len(form) >= 3])
