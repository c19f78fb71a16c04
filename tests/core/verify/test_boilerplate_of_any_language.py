"""Credits, links, counters and ages that a source puts under its items, in any language."""

from datetime import timedelta
from random import Random
from statistics import mean

import pytest

from core.verify.retold import ANALYZER, BEGIN, RULE
from newsdedup import ItemKey, NewsItem
from newsdedup.core.matching.statistics_recorder import StatisticsRecorder
from newsdedup.core.matching.stream_statistics import BUCKET, FIRST_COUNTS, StreamStatistics
from newsdedup.core.matching.verified_rule import Verification
from newsdedup.core.matching.verify.copy_rates import NO_SHIFTS
from newsdedup.core.matching.verify.sketches import update_sketch
from newsdedup.core.model import Entry
from newsdedup.core.moments import to_micros
from newsdedup.engine.analyzer import entry_of

INVENTED = "qq"
"""A language that nothing knows: its items get the names and the stems of several others."""

SUBJECTS = {
    "de": "Bürgermeister Feuerwehr Polizei Stadtrat Gericht Verein Schule Klinik Museum Kirche",
    "pl": "Burmistrz Straż Policja Rada Sąd Klub Szkoła Szpital Muzeum Kościół",
    "ar": "رئيس الشرطة المجلس المحكمة النادي المدرسة المستشفى الميناء المحطة المتحف",
    "hi": "महापौर पुलिस परिषद अदालत क्लब विद्यालय अस्पताल बंदरगाह स्टेशन संग्रहालय",
    "zh": "市长 警方 议会 法院 俱乐部 学校 医院 港口 车站 博物馆",
    INVENTED: "Burmak Polvane Sudrel Klobin Skarvo Hospul Portane Vokzil Muzorn Kirvath",
}
VERBS = {
    "de": "eröffnet sperrt prüft verkauft renoviert besucht plant kritisiert lobt verschiebt",
    "pl": "otwiera zamyka sprawdza sprzedaje remontuje odwiedza planuje krytykuje chwali przekłada",
    "ar": "يفتتح يغلق يفحص يبيع يرمم يزور يخطط ينتقد يمدح يؤجل",
    "hi": "खोलता रोकता जांचता बेचता सुधारता देखता सोचता टालता स्वीकारता खोजता",
    "zh": "开放 关闭 检查 出售 修缮 参观 规划 批评 表扬 推迟",
    INVENTED: "ovrenu zamklu provru prodlu remontu poslenu planru krivlu pohvenu odlozu",
}
OBJECTS = {
    "de": "Parkplatz Radweg Schwimmbad Spielplatz Denkmal Wasserwerk Tunnel Rathaus Stadion Archiv",
    "pl": "parking ścieżkę basen pomnik wodociąg targowisko tunel ratusz stadion archiwum",
    "ar": "الموقف الطريق المسبح الملعب النصب السوق النفق الجسر الأرشيف الحديقة",
    "hi": "मैदान सड़क तालाब स्मारक बाज़ार बालवाड़ी सुरंग पुल अभिलेखागार बगीचा",
    "zh": "停车场 自行车道 游泳池 纪念碑 水厂 集市 隧道 市政厅 体育馆 档案馆",
    INVENTED: "parkolth velvagor basenith pamnik vodgarth tarvolk tunelgor ratvas stadorn arhivolk",
}
TAILS = {
    "de": "Lesen Sie auch: Die besten Tipps für den Garten\nFoto: Agentur Blickwinkel\n"
    "vor {age} Minuten {comments} Kommentare\n"
    "Mehr Nachrichten aus der Region finden Sie jeden Morgen auf unserer Seite",
    "pl": "Czytaj także: Najlepsze porady do ogrodu\nFot. Agencja Widok\n"
    "{age} minut temu {comments} komentarzy\n"
    "Więcej wiadomości z regionu znajdziesz codziennie rano na naszej stronie głównej",
    "ar": "اقرأ أيضا: أفضل النصائح للعناية بالحديقة\nتصوير: وكالة المنظر\n"
    "قبل {age} دقيقة {comments} تعليقا\n"
    "لمزيد من الأخبار المحلية تابعوا صفحتنا الرئيسية كل صباح",
    "hi": "यह भी पढ़ें: बगीचे के लिए बेहतरीन सुझाव\nफोटो: एजेंसी दृश्य\n"
    "{age} मिनट पहले {comments} टिप्पणियां\n"
    "अपने इलाके की ताज़ा खबरें रोज़ सुबह हमारे मुख्य पृष्ठ पर देखें",
    "zh": "延伸阅读：最好的园艺建议\n图片来源：远景图片社\n{age}分钟前 {comments}条评论\n"
    "更多本地新闻请每天早晨关注我们的首页",
    INVENTED: "Lesvenu takolth: nailvish sovertu dolgarth sadvorn\nFotvalk: Agvanth Obzorel\n"
    "Bolvish novgarth regivorn kazdolth utrovane naslanth glavnorel stranvasth",
}
KNOWN = [lang for lang in TAILS if lang != INVENTED]
STOPS = {"hi": "।", "zh": "。"}


def message(lang: str, chance: Random) -> str:
    """Return three sentences of a language that no other message has all of."""
    words = [table[lang].split() for table in (SUBJECTS, VERBS, OBJECTS, VERBS, OBJECTS)]
    between = "" if lang == "zh" else " "
    sentences = [between.join(map(chance.choice, words)) for _ in range(3)]
    return between.join(sentence + STOPS.get(lang, ".") for sentence in sentences)


def entry(lang: str, text: str, number: int, *, source: str) -> Entry:
    at = BEGIN + timedelta(minutes=number)
    item = NewsItem(ItemKey(source, str(number)), "", text, published_at=at, lang=lang)
    return entry_of(ANALYZER.analyze(item, b""), at=to_micros(at))


def with_tail(lang: str, text: str, number: int) -> str:
    tail = TAILS[lang].format(age=12 + number % 40, comments=50 + number % 30)
    return f"{text}\n{tail}"


def stream(lang: str, items: int, *, tails: bool = True) -> tuple[list[Entry], StatisticsRecorder]:
    """Return the frozen entries of two sources that put one tail under different messages."""
    chance, recorder, entries = Random(lang), StatisticsRecorder(RULE), list[Entry]()  # noqa: S311
    for number in range(items):
        text = message(lang, chance)
        text = with_tail(lang, text, number) if tails else text
        one = entry(lang, text, number, source="ab"[number % 2])
        entries.append(recorder.statistics.freeze(one))
        recorder.learn(entries[-1], [])
    return entries, recorder


def without_shifts(one: Entry) -> Entry:
    """Return an entry that knows no copy rates: what the phrases do is looked at alone."""
    sketch = update_sketch(one.sketches[-1], None, shifts=NO_SHIFTS, bucket=0)
    return one._replace(sketches=(*one.sketches[:-1], sketch))


def compared(left: Entry, right: Entry) -> Verification:
    return RULE.verify(without_shifts(left), without_shifts(right))


def is_duplicate(verification: Verification) -> bool:
    return verification.match is not None and verification.match.duplicate


def neighbours(entries: list[Entry]) -> list[Verification]:
    """Return the verdicts on items and the ones before, of the other source and of the same."""
    begin = FIRST_COUNTS[0] + 2
    return [
        compared(entries[number - apart], entries[number])
        for number in range(begin, len(entries))
        for apart in (1, 2)
        if number - apart >= FIRST_COUNTS[0]
    ]


@pytest.mark.parametrize("lang", KNOWN)
def test_a_repeated_tail_says_nothing_from_the_ninth_item_on(lang: str) -> None:
    entries, _ = stream(lang, 40)
    assert {one.lang for one in entries} == {lang}
    judged = neighbours(entries)
    features = [one.comparison.features for one in judged]
    assert max(one.freshness for one in features) < 0.4
    assert max(one.conflicts for one in features) == 0, "ages and counters are no quantities"
    bare = neighbours(stream(lang, 40, tails=False)[0])
    assert mean(one.text_logit for one in judged) < mean(one.text_logit for one in bare) + 0.2
    assert sum(map(is_duplicate, judged)) <= sum(map(is_duplicate, bare))


def test_a_tail_in_a_language_that_nothing_knows_makes_no_duplicates() -> None:
    judged, bare = (neighbours(stream(INVENTED, 40, tails=tails)[0]) for tails in (True, False))
    assert max(one.comparison.features.freshness for one in judged) < 0.6
    assert sum(map(is_duplicate, judged)) <= sum(map(is_duplicate, bare))


@pytest.mark.parametrize("lang", KNOWN)
def test_a_copy_is_found_under_whatever_tail_it_has(lang: str) -> None:
    _, recorder = stream(lang, 40)
    text = message(lang, Random(f"{lang} new"))  # noqa: S311
    one, other = (
        recorder.statistics.freeze(entry(lang, with_tail(lang, text, at), at, source=source))
        for at, source in ((40, "a"), (57, "b"))
    )
    bare = recorder.statistics.freeze(entry(lang, text, 58, source="c"))
    assert is_duplicate(compared(one, other))
    assert is_duplicate(compared(one, bare))


@pytest.mark.parametrize("items", [FIRST_COUNTS[0] + 3, BUCKET + 5])
def test_what_is_learned_of_a_tail_is_there_after_a_restart(items: int) -> None:
    _, recorder = stream("pl", items)
    restored = StreamStatistics(RULE.model.base)
    restored.restore(recorder.take_observations())
    new = entry("pl", with_tail("pl", message("pl", Random(1)), items), items, source="a")  # noqa: S311
    assert restored.freeze(new) == recorder.statistics.freeze(new)
