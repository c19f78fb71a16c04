"""Invented phrases in six languages, of which pages of news sites are made."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PagePhrases:
    """What a page of a news site says in one language."""

    lang: str
    title: str
    paragraphs: tuple[str, ...]
    """Of the article."""
    headings: tuple[str, ...]
    """Within the article, of two of its paragraphs."""
    points: tuple[str, ...]
    """Of a list in the article."""
    captions: tuple[str, ...]
    """Below pictures."""
    menu: tuple[str, ...]
    related: tuple[str, ...]
    """Headlines of other articles."""
    comments: tuple[str, ...]
    """Of readers."""
    cookies: str
    newsletter: str
    advertisement: str
    subscription: str
    """What a page says where the rest is for subscribers."""
    footer: str

    @property
    def direction(self) -> str:
        """Return how its lines run, as HTML says it."""
        return "rtl" if self.lang == "ar" else "ltr"


PAGE_PHRASES: Final = (
    PagePhrases(
        lang="en",
        title="Harbour bridge of Veldra reopens after a year of repairs",
        paragraphs=(
            (
                "The harbour bridge of Veldra was reopened"
                " on Monday after a year of repairs, the town"
                " council reported. The first lorries crossed it at seven in the morning."
            ),
            (
                "Engineers had closed the crossing when cracks"
                " were discovered in two of its pillars."
                " They replaced forty metres of steel and laid a new carriageway."
            ),
            (
                "“We were able to save a third of the budget,” said councillor Mira Oldane, who"
                " supervised the work. The remaining money will pay for lamps along the embankment."
            ),
            (
                "Ferries carried about nine thousand passengers a day while the bridge was closed."
                " Their timetable ends on Friday, and two of the boats will be sold."
            ),
            (
                "Shop owners on the northern bank expect their customers to return. Several of them"
                " had complained of losses and demanded lower rents from the port authority."
            ),
            (
                "Next spring the council intends to inspect"
                " three smaller bridges upstream. A report"
                " with the estimated costs will be presented to residents in January."
            ),
        ),
        headings=("What was repaired", "Who has to wait"),
        points=(
            "The speed limit stays at thirty kilometres an hour until December.",
            "Cyclists use the eastern pavement, pedestrians the western one.",
            "Vehicles above twenty tonnes need a permit from the harbour office.",
        ),
        captions=(
            "A crane lifts the last girder into position",
            "The queue for the ferry on Sunday evening",
        ),
        menu=("Home", "Politics", "Economy", "Sport", "Culture"),
        related=(
            "Tram drivers announce a strike for Thursday",
            "Museum receives a collection of old maps",
            "Frost destroys half of the cherry harvest",
            "Swimmers win two medals at the lake games",
            "Library stays open until midnight in summer",
        ),
        comments=(
            "Finally! I spent an hour in traffic every day because of this.",
            "Nobody believes those numbers, prices doubled everywhere else.",
            "Will buses take their former route again? Nobody answers me.",
        ),
        cookies="We and our partners store cookies on your device to measure visits and to show"
        " personalised content. You may withdraw your consent at any time in the settings.",
        newsletter="Sign up for our free morning newsletter and never miss important stories.",
        advertisement="Advertisement: new kitchens at half price, order before the weekend",
        subscription="Subscribe now to continue reading. Already a subscriber? Log in here.",
        footer="Copyright Veldra Courier. All rights reserved. Imprint, privacy, contact.",
    ),
    PagePhrases(
        lang="de",
        title="Stadtrat von Lindau am Moor beschließt neue Straßenbahn",
        paragraphs=(
            (
                "Der Stadtrat von Lindau am Moor hat am Dienstag den Bau einer Straßenbahn"
                " beschlossen. Die erste Linie soll den Bahnhof mit der Hochschule verbinden."
            ),
            (
                "Für das Vorhaben stimmten einunddreißig Abgeordnete, neun enthielten sich. Die"
                " Kosten werden auf achtzig Millionen Kronen geschätzt."
            ),
            (
                "„Wir haben zwölf Jahre darüber gestritten“, sagte Bürgermeisterin Hanne Torwald"
                " nach der Sitzung. Nun brauche man vor allem Geduld und gute Handwerker."
            ),
            (
                "Die Gleise werden zunächst durch die Altstadt gelegt, wo mehrere Gassen gesperrt"
                " werden. Händler erhalten eine Entschädigung für ausgefallene Einnahmen."
            ),
            (
                "Gegner des Projekts kündigten eine Klage an. Sie befürchten, dass hundert alte"
                " Bäume gefällt werden und der Lärm in den Wohnvierteln zunimmt."
            ),
            (
                "Im Herbst beginnt die Vermessung, im folgenden Jahr werden die Aufträge vergeben."
                " Bis zur ersten Fahrt rechnen die Planer mit fünf Jahren."
            ),
        ),
        headings=("Wie die Strecke verläuft", "Was die Gegner einwenden"),
        points=(
            "Eine Fahrt kostet so viel wie im Bus, Kinder fahren kostenlos.",
            "Die Wagen verkehren tagsüber alle zehn Minuten.",
            "An vier Haltestellen entstehen überdachte Stellplätze für Räder.",
        ),
        captions=(
            "So könnte die Haltestelle vor dem Rathaus aussehen",
            "Anwohner mit Plakaten vor dem Sitzungssaal",
        ),
        menu=("Startseite", "Politik", "Wirtschaft", "Sport", "Kultur"),
        related=(
            "Bäcker streiten über das Sonntagsbrot",
            "Hochwasser am Oberlauf geht langsam zurück",
            "Theater eröffnet die Saison mit einer Komödie",
            "Wanderer finden eine Münze aus der Römerzeit",
            "Imker melden die beste Ernte seit langem",
        ),
        comments=(
            "Endlich passiert hier etwas, mein Bus kommt nie pünktlich.",
            "Wer soll das bezahlen? Natürlich wieder wir Mieter.",
            "Ich habe den Plan gesehen und halte ihn für einen Witz.",
        ),
        cookies="Wir verwenden Cookies, um Inhalte zu personalisieren und Zugriffe zu analysieren."
        " Mit Ihrer Zustimmung geben wir Daten an Werbepartner weiter.",
        newsletter=(
            "Jetzt anmelden: unser kostenloser Newsletter kommt jeden Morgen in Ihr Postfach."
        ),
        advertisement="Anzeige: Winterreifen zum Sonderpreis, nur solange der Vorrat reicht",
        subscription="Weiterlesen mit unserem Abo. Sie sind schon Abonnent? Hier einloggen.",
        footer="Copyright Moorländer Bote. Alle Rechte vorbehalten. Impressum, Datenschutz.",
    ),
    PagePhrases(
        lang="uk",
        title="У Вельні відкрили найбільшу сонячну станцію області",
        paragraphs=(
            (
                "У місті Вельна в середу запустили сонячну станцію, яка живитиме дві лікарні та"
                " водоканал. Про це повідомила міська рада."
            ),
            (
                "Станцію будували сім місяців на місці закритого цегельного заводу. На полі"
                " встановили дванадцять тисяч панелей і шість накопичувачів."
            ),
            (
                "«Тепер насоси працюватимуть навіть без зовнішнього живлення», — сказала"
                " заступниця мера Оксана Зразкова. За її словами, взимку потужність буде меншою."
            ),
            (
                "Проєкт коштував дев'яносто мільйонів гривень, половину суми надали закордонні"
                " партнери. Решту місто взяло в борг на десять років."
            ),
            (
                "Мешканці сусідніх вулиць скаржилися на пил під час будівництва. Підрядник"
                " пообіцяв відновити дорогу та висадити вздовж паркану липи."
            ),
            (
                "Навесні таку саму станцію планують збудувати біля трамвайного депо. Тендер"
                " оголосять у лютому, а проєкт обговорять на громадських слуханнях."
            ),
        ),
        headings=("Скільки це коштувало", "Що буде далі"),
        points=(
            "Лікарні отримують струм у першу чергу, вдень і вночі.",
            "Надлишок продають у загальну мережу за денним тарифом.",
            "Охорону станції оплачує підрядник протягом двох років.",
        ),
        captions=(
            "Панелі на місці колишнього цегельного заводу",
            "Інженер перевіряє накопичувач перед запуском",
        ),
        menu=("Головна", "Політика", "Економіка", "Спорт", "Культура"),
        related=(
            "Учителі просять перенести початок уроків",
            "Рибалки знайшли на березі стару гармату",
            "Ціни на картоплю впали вдвічі за тиждень",
            "Хокеїсти Вельни вийшли у фінал кубка",
            "На вокзалі відкрили кімнату для матерів",
        ),
        comments=(
            "Нарешті хоч щось корисне зробили за наші податки.",
            "А чому в моєму будинку світла немає вже третій день?",
            "Подивимося, що залишиться від цих панелей через рік.",
        ),
        cookies="Ми використовуємо файли кукі, щоб аналізувати відвідуваність і показувати"
        " рекламу. Ви можете змінити свій вибір у налаштуваннях браузера.",
        newsletter="Підпишіться на нашу розсилку та отримуйте головні новини щоранку.",
        advertisement="Реклама: вікна та двері зі знижкою, безкоштовний замір",
        subscription="Щоб читати далі, оформіть передплату. Вже передплатник? Увійдіть.",
        footer="Усі права захищено. Використання матеріалів лише з посиланням. Контакти.",
    ),
    PagePhrases(
        lang="ru",
        title="Посёлок Кривая Балка остался без автобуса до райцентра",
        paragraphs=(
            (
                "Жители посёлка Кривая Балка с понедельника"
                " не могут доехать до райцентра: единственный"
                " перевозчик отказался от маршрута. Об этом рассказал глава сельсовета."
            ),
            (
                "Перевозчик объяснил решение убытками: за рейс автобус собирал не больше восьми"
                " пассажиров. Топливо за год подорожало на четверть."
            ),
            (
                "«Людям нужно в поликлинику и на рынок», — заявил глава сельсовета Пётр"
                " Образцов. Он попросил район выделить школьный автобус хотя бы дважды в неделю."
            ),
            (
                "В управлении транспорта ответили, что школьные машины нельзя использовать для"
                " перевозки взрослых. Новый конкурс обещают провести до конца месяца."
            ),
            (
                "Пока соседи подвозят друг друга и договариваются о поездках в общем чате. Самые"
                " пожилые заказывают лекарства через почтальона."
            ),
            (
                "Похожая история случилась прошлой осенью в посёлке Сухой Лог. Тогда маршрут"
                " вернули через пять недель, когда область доплатила перевозчику."
            ),
        ),
        headings=("Почему отменили рейсы", "Как выходят из положения"),
        points=(
            "Последний рейс отправился в воскресенье в шесть вечера.",
            "До райцентра тридцать семь километров по грунтовой дороге.",
            "Такси в одну сторону стоит как половина пенсии.",
        ),
        captions=(
            "Пустая остановка на въезде в посёлок",
            "Почтальон развозит лекарства на велосипеде",
        ),
        menu=("Главная", "Политика", "Экономика", "Спорт", "Культура"),
        related=(
            "Аграрии начали сеять озимые раньше обычного",
            "Школьница выиграла олимпиаду по астрономии",
            "Река обмелела до уровня тридцатилетней давности",
            "Футболисты района сыграли вничью с гостями",
            "В музее показали письма забытого художника",
        ),
        comments=(
            "Сам езжу мимо каждый день, беру попутчиков бесплатно.",
            "Чиновникам всё равно, они на служебных машинах ездят.",
            "У нас такая же беда, только ещё и дороги нет.",
        ),
        cookies="Сайт использует файлы cookie для анализа посещаемости и показа рекламы."
        " Продолжая пользоваться сайтом, вы соглашаетесь с политикой обработки данных.",
        newsletter="Подпишитесь на рассылку и получайте главные материалы недели на почту.",
        advertisement="Реклама: тёплые полы под ключ, рассрочка без переплаты",
        subscription="Чтобы читать дальше, оформите подписку. Уже подписаны? Войдите.",
        footer="Все права защищены. При цитировании ссылка обязательна. Редакция, контакты.",
    ),
    PagePhrases(
        lang="ar",
        title="افتتاح سوق جديد للصيادين في ميناء مرسى النخيل",
        paragraphs=(
            (
                "افتتح مجلس بلدية مرسى النخيل يوم الأحد سوقا"
                " جديدا للصيادين بعد عامين من أعمال البناء."
                " ويضم السوق مئة وعشرين محلا ومصنعا صغيرا للثلج."
            ),
            (
                "وقال مهندسو المشروع إن السقف يعمل بالطاقة"
                " الشمسية وإن مياه البحر تستخدم في التبريد."
                " وكان السوق القديم قد أغلق بسبب تسرب المياه إلى جدرانه."
            ),
            (
                "وأوضح رئيس البلدية سالم الراوي أن الإيجارات لن ترتفع خلال السنوات الثلاث الأولى."
                " وأضاف أن الأولوية كانت لأصحاب المحلات السابقين."
            ),
            (
                "ويأمل الصيادون أن تعود الأسعار إلى مستواها المعتاد قبل موسم الشتاء."
                " فقد اضطر كثير منهم إلى بيع ما يصطادونه في مدن بعيدة."
            ),
            (
                "واعترض سكان الحي المجاور على حركة الشاحنات في الليل وطالبوا بطريق آخر."
                " ووعدت البلدية بفتح طريق على طول الشاطئ قبل نهاية العام."
            ),
            (
                "وسيبدأ في الربيع ترميم الرصيف الغربي الذي تضرر في عاصفة العام الماضي."
                " وتقدر تكلفة الأعمال بأربعة ملايين دينار."
            ),
        ),
        headings=("كيف بني السوق", "ماذا يقول السكان"),
        points=(
            "يفتح السوق أبوابه من الفجر حتى الظهر كل يوم.",
            "يدفع الزوار رسما رمزيا لموقف السيارات.",
            "تفحص عينات من الأسماك في مختبر داخل المبنى.",
        ),
        captions=("واجهة السوق الجديد قبل الافتتاح بساعات", "صيادون ينقلون الصناديق إلى المحلات"),
        menu=("الرئيسية", "سياسة", "اقتصاد", "رياضة", "ثقافة"),
        related=(
            "مدرسة ريفية تفوز بجائزة الحدائق",
            "تأجيل مباراة القمة بسبب الرياح",
            "معرض للخط العربي في المكتبة العامة",
            "المزارعون يبدأون قطف الزيتون مبكرا",
            "قطار جديد يربط الجبل بالساحل",
        ),
        comments=(
            "خبر جميل انتظرناه طويلا ونتمنى أن تنخفض الأسعار.",
            "وأين مواقف الحافلات يا بلدية؟ لا أحد يجيب.",
            "المبنى القديم كان أجمل وأقرب إلى بيوتنا.",
        ),
        cookies="يستخدم هذا الموقع ملفات تعريف الارتباط لقياس الزيارات وعرض الإعلانات."
        " يمكنك سحب موافقتك في أي وقت من صفحة الإعدادات.",
        newsletter="اشترك في نشرتنا المجانية لتصلك أهم الأخبار كل صباح.",
        advertisement="إعلان: أثاث منزلي بنصف السعر حتى نهاية الأسبوع",
        subscription="اشترك الآن لمتابعة القراءة. هل أنت مشترك؟ سجل دخولك.",
        footer="جميع الحقوق محفوظة لصحيفة النخيل. اتصل بنا، سياسة الخصوصية.",
    ),
    PagePhrases(
        lang="zh",
        title="柳溪镇老街修缮完工后重新开放",
        paragraphs=(
            (
                "柳溪镇政府周五宣布，经过十四个月的修缮，镇中心的老街重新向居民和游客开放。"
                "当天上午有三千多人前来参观。"
            ),
            (
                "工程人员加固了二十七座木楼，更换了破损的瓦片，并重新铺设了石板路。"
                "所有电线都改走地下，消防通道也拓宽了一倍。"
            ),
            (
                "负责工程的陈立远表示，施工中尽量保留了原来的门窗和招牌。"
                "他说，最困难的是寻找会做旧式榫卯的木匠。"
            ),
            (
                "老街上的商户可以在头两年免交租金，但不得改变房屋外观。"
                "目前已有六十家店铺登记，其中一半经营本地小吃。"
            ),
            (
                "部分居民担心游客增多会带来噪音和垃圾，希望限制夜间营业时间。"
                "镇政府答应在下个月召开听证会，听取大家的意见。"
            ),
            (
                "明年春天还将修复河边的古桥和码头，预算约为八百万元。"
                "届时游船将从码头出发，沿河开往上游的茶园。"
            ),
        ),
        headings=("修缮了哪些地方", "居民有什么意见"),
        points=(
            "老街每天早上八点开放，晚上十点关闭。",
            "机动车不得进入，送货车辆须在清晨通行。",
            "参观免费，团体游客需要提前一天预约。",
        ),
        captions=("木匠正在安装修复好的门窗", "开放首日排队参观的居民"),
        menu=("首页", "时政", "财经", "体育", "文化"),
        related=(
            "山区小学收到一批新图书",
            "今年首场寒潮将于周末到达",
            "地铁延长线开始试运行",
            "青年乐团赢得国际比赛奖项",
            "果农尝试在网上直播卖柚子",
        ),
        comments=(
            "小时候就住在这条街上，看到照片很激动。",
            "停车太难了，希望先把停车场修好再说。",
            "门票免费很好，不过吃的东西有点贵。",
        ),
        cookies="本网站使用缓存数据来统计访问量并推送个性化广告。您可以随时在设置中撤回同意。",
        newsletter="订阅我们的免费早报，第一时间获取重要资讯。",
        advertisement="广告：家电以旧换新，本周末前下单享受半价",
        subscription="订阅会员即可阅读全文。已经是会员？请登录。",
        footer="版权所有，未经许可不得转载。联系我们，隐私政策。",
    ),
)
