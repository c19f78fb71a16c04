from hypothesis import given
from hypothesis import strategies as st

from newsdedup.core.model import LANGUAGES
from newsdedup.core.text.boilerplate import strip_boilerplate, strip_datelines
from newsdedup.core.text.characters import fold, seems_folded
from newsdedup.core.text.clean import clean, plain_text
from newsdedup.core.text.language import detect_language
from newsdedup.core.text.tokens import paragraphs, sentences, tokens

ALPHABETS = (
    "а",
    "е",
    "с",
    "и",
    "ё",
    "й",
    "ї",
    "T",
    "p",
    "é",
    "1",
    "Слово",
    "word",
    "iPhone",
    "ᄀ",
    "ᅡ",
)
COMBINING = (
    "\u0301",
    "\u0306",
    "\u0308",
    "\u00ad",
    "\u200b",
    "\ufe0f",
    "\u200d",
    "½",
    "№",
    "🔥",
    "\x92",
)
STOPS = (
    ".",
    ",",
    "!",
    "?",
    ":",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "\u00a0",
    "…",
    "...",
    "\u2028",
)
QUOTES = ("«", "»", '"', "'", "’", "`", "´", "—", "–", "-", "(", ")")
HTML = (
    "<b>",
    "</b>",
    "<p>",
    "<",
    ">",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "&amp;",
    "&lt;",
    "lt;",
)
MARKDOWN = ("*", "**", "_", "__", "~~", "||", "[", "]", "](", "#", "#тег", "> ", "- ", "```", "• ")
ADDRESSES = ("https://", "http", "t.me/", "www.", "a.ru/x", "@", "@abc", "a@b.ru")
TAILS = ("Подписаться", "Подписывайтесь на наш канал", "Фото: архив", "Источник: ТАСС", "©")
PREFIXES = ("МОСКВА, 5 ноября - ", "(AP) - ", "By Ann Lee\n", "Читайте также: слово")
pieces = st.sampled_from(
    ALPHABETS + COMBINING + STOPS + QUOTES + HTML + MARKDOWN + ADDRESSES + TAILS + PREFIXES
)
texts = st.lists(pieces | st.text(max_size=3), max_size=14).map("".join)


@given(texts | st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert not seems_folded(text) or fold(text) == text


@given(texts)
def test_what_is_plain_stays_plain(text: str) -> None:
    words = plain_text(fold(text))
    assert plain_text(words) == words


@given(texts)
def test_boilerplate_goes_at_once_or_not_at_all(text: str) -> None:
    rest = strip_boilerplate(plain_text(fold(text)))
    assert strip_boilerplate(rest) == rest
    assert strip_datelines(strip_datelines(rest)) == strip_datelines(rest)


@given(st.just("") | texts, texts | st.text())
def test_cleaning_what_is_clean_changes_nothing(title: str, text: str) -> None:
    headline, whole = clean(title, text)
    assert clean(headline, whole) == (headline, whole)


@given(st.text(), st.text())
def test_clean_text_has_no_empty_line_no_run_of_spaces_and_no_surrogate(
    title: str, text: str
) -> None:
    headline, whole = clean(title, text)
    assert "  " not in whole
    assert "\n\n" not in whole
    assert whole == whole.strip()
    assert "\n" not in headline
    whole.encode()


@given(st.text(max_size=200))
def test_cleaning_never_lengthens_much(text: str) -> None:
    # One character of NFKC may stand for eighteen.
    _, whole = clean("", text)
    assert len(whole) <= 18 * len(text)
    assert len(clean("", text.encode("ascii", "ignore").decode())[1]) <= 2 * len(text)


@given(texts | st.text())
def test_every_text_has_a_language_sentences_and_tokens(text: str) -> None:
    assert detect_language(text) in LANGUAGES
    assert all(sentence == sentence.strip() != "" for sentence in sentences(text))
    assert len(paragraphs(text)) <= len(text.split("\n"))
    assert all(token and not token[0].isdigit() for token in tokens(text))


@given(texts)
def test_sentences_lose_no_word(text: str) -> None:
    _, whole = clean("", text)
    assert tokens(" ".join(sentences(whole))) == tokens(whole.replace("\n", " "))
