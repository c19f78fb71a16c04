import subprocess
import sys

import pytest

from newsdedup.adapters.words.language_detector import Py3LangidDetector
from newsdedup.core.model import LANGUAGES
from newsdedup.core.text.language import detect_language

DETECTOR = Py3LangidDetector()

TEXTS = {
    "az": "Körpü təmirdən sonra yenidən nəqliyyatın hərəkəti üçün açılıb",
    "be": "Мост праз раку зноў адкрыты для руху пасля рамонту, паведаміў мэр",
    "bg": "Мостът над реката беше открит след ремонта, съобщи кметът",
    "ca": "El pont sobre el riu s'ha tornat a obrir al trànsit després de les obres",
    "cs": "Most přes řeku byl po opravě znovu otevřen pro dopravu, oznámil starosta",
    "da": "Broen over åen er igen åben for trafik efter renoveringen, siger borgmesteren",
    "de": "Die Brücke über den Fluss ist nach der Sanierung wieder für den Verkehr geöffnet",
    "en": "The bridge over the river has been opened to traffic again after the repair",
    "es": "El puente sobre el río se abrió al tráfico después de la reparación",
    "et": "Sild üle jõe avati pärast remonti taas liiklusele, teatas linnapea",
    "eu": "Ibaiaren gaineko zubia berriro ireki dute zirkulaziora konponketaren ondoren",
    "fa": "پل روی رودخانه پس از تعمیر دوباره به روی خودروها باز شد",
    "fi": "Joen ylittävä silta avattiin korjauksen jälkeen uudelleen liikenteelle",
    "fr": "Le pont sur la rivière a été rouvert à la circulation après les travaux",
    "hi": "मरम्मत के बाद नदी पर बना पुल यातायात के लिए फिर से खोल दिया गया",
    "hu": "A folyó feletti hidat a felújítás után újra megnyitották a forgalom előtt",
    "id": "Jembatan di atas sungai itu dibuka kembali untuk lalu lintas setelah perbaikan",
    "is": "Brúin yfir ána var opnuð aftur fyrir umferð eftir viðgerð, segir bæjarstjórinn",
    "it": "Il ponte sul fiume è stato riaperto al traffico dopo i lavori di restauro",
    "kk": "Өзен үстіндегі көпір жөндеуден кейін қайтадан ашылды, деп хабарлады әкім",
    "lt": "Tiltas per upę po remonto vėl atidarytas eismui, pranešė miesto meras",
    "lv": "Tilts pār upi pēc remonta atkal ir atvērts satiksmei, paziņoja mērs",
    "nl": "De brug over de rivier is na de renovatie weer open voor het verkeer",
    "no": "Broen over elva er åpen for trafikk igjen etter oppussingen, sier ordføreren",
    "pl": "Most na rzece został po remoncie ponownie otwarty dla ruchu, podał burmistrz",
    "pt": "A ponte sobre o rio foi reaberta ao trânsito depois das obras",
    "ro": "Podul peste râu a fost redeschis traficului după reparații, a anunțat primarul",
    "sk": "Most cez rieku po oprave opäť otvorili pre dopravu, oznámil primátor mesta",
    "sl": "Most čez reko je po obnovi spet odprt za promet, je sporočil župan mesta",
    "sq": "Ura mbi lumë u hap përsëri për qarkullim pas riparimit, njoftoi kryetari",
    "sv": "Bron över ån är åter öppen för trafik efter renoveringen, säger borgmästaren",
    "tr": "Nehrin üzerindeki köprü onarımdan sonra yeniden trafiğe açıldı",
    "ur": "دریا پر پل مرمت کے بعد دوبارہ ٹریفک کے لیے کھول دیا گیا ہے",
    "vi": "Cây cầu bắc qua sông đã được mở lại cho giao thông sau khi sửa chữa",
}


@pytest.mark.parametrize("lang", TEXTS)
def test_a_sentence_is_enough(lang: str) -> None:
    assert detect_language(TEXTS[lang], detector=DETECTOR) == lang


@pytest.mark.parametrize(
    ("lang", "headline"),
    [
        ("bg", "Правителството обсъди бюджета"),
        ("bg", "Откриха моста през Янтра"),
        ("bg", "Стачката на миньорите: полицията затвори пътя"),
        ("uz", "Дарё устидаги кўприк таъмирдан кейин очилди"),
        ("bg", "Новият мост свързва двата бряга"),
        ("uz", "Ҳайдовчилар учун янги кўприк"),
        ("uz", "Эски кўприк устида иш бошланди"),
        ("sr", "Novi most otvoren posle obnove, ovde prolaze vozovi"),
        ("hr", "Novi most otvoren poslije obnove, ovdje prolaze vlakovi"),
        ("id", "Jembatan Musi Dibuka, Warga Palembang Senang"),
        ("id", "Polisi Buka Jembatan Musi Hari Kamis"),
        ("ms", "Jambatan Sungai Perak dibuka hari Khamis, kata polis"),
        ("ru", "Правительство обсуждает бюджет"),
        ("ru", "Стачка шахтеров: полиция перекрывает дорогу"),
        ("uk", "Уряд обговорив бюджет і податки"),
        ("en", "Musi bridge opens"),
    ],
)
def test_a_headline_is_enough(lang: str, headline: str) -> None:
    assert detect_language(headline, detector=DETECTOR) == lang


def test_languages_come_with_their_probabilities_the_likeliest_first() -> None:
    ranked = DETECTOR.rank(TEXTS["pt"])
    assert ranked == sorted(ranked, key=lambda one: (-one[1], one[0]))
    assert {lang for lang, _ in ranked} <= set(LANGUAGES)
    assert all(0 <= probability <= 1 for _, probability in ranked)


def test_the_beginning_tells_and_what_it_leaves_open_the_rest_does() -> None:
    german, dutch = TEXTS["de"] + ". ", TEXTS["nl"] + ". "
    assert DETECTOR.rank(german * 2 + dutch * 4) == DETECTOR.rank(german * 2)
    names = "Oslo, Bergen, Ålesund, Odense, Aarhus 12:30 " * 3
    assert DETECTOR.rank(names)[0][1] < 0.95
    for lang in ("da", "no", "pl"):
        assert DETECTOR.rank(names + (TEXTS[lang] + ". ") * 4)[0][0] == lang


@pytest.mark.parametrize("text", ["", "  ", "12345", "\ud800", "\x00"])
def test_any_text_gets_an_answer(text: str) -> None:
    assert isinstance(DETECTOR.rank(text), list)


PROGRAM = """
import sys
from newsdedup.adapters.words.language_detector import Py3LangidDetector
from newsdedup.core.text.language import detect_language
detector = Py3LangidDetector()
print(detect_language("Мост открыли после ремонта", detector=detector))
print(detect_language("The bridge over the river is open", detector=detector))
print("py3langid" in sys.modules)
print(detector.rank("Most na rzece został otwarty"))
"""


@pytest.mark.usefixtures("process")
def test_the_answer_is_the_same_in_every_process_and_the_model_loads_when_it_is_needed() -> None:
    answers = {
        subprocess.run(  # our own interpreter and our own program
            [sys.executable, "-c", PROGRAM],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    (answer,) = answers
    assert answer.splitlines()[:3] == ["ru", "en", "False"]
