import pytest

from feeder.parsing.feed_bodies import atom, parsed, rss
from newsdedup.feeder.parsing.parsed_feed import BOUNDS, FeedUnusable, ParsingBounds, ProblemList
from newsdedup.feeder.parsing.xml_documents import read_tolerantly

ONE, TWO = "<title>One</title><guid>1</guid>", "<title>Two</title><guid>2</guid>"


@pytest.mark.parametrize(
    ("broken", "titles"),
    [
        (rss("<title>Fire&nbsp;&amp; smoke & ash</title>", TWO), ["Fire & smoke & ash", "Two"]),
        (rss("<title>5 < 6</title>", TWO), ["5 < 6", "Two"]),
        (rss(ONE, TWO).removesuffix("</channel></rss>"), ["One", "Two"]),
        (rss(ONE, TWO).removesuffix("></channel></rss>"), ["One", "Two"]),
        (rss(ONE, TWO).replace("</item></channel>", "</channel>"), ["One", "Two"]),
        (rss(ONE, TWO).replace("</item></channel></rss>", "</rss>"), ["One", "Two"]),
        (rss(ONE + "<description><p>a<br>b</description>", TWO), ["One", "Two"]),
        (rss(ONE + "</b></i>", TWO), ["One", "Two"]),
        (rss(ONE, TWO).replace("</item>", ""), ["One", "Two"]),
        (rss(ONE + '<media:x url="a" url="b"/>', TWO), ["One", "Two"]),
        (rss(ONE + "<made:up>x</made:up>", TWO), ["One", "Two"]),
        (rss("<title>One\x08\x00</title>", TWO), ["One", "Two"]),
        ("\n<b>Warning</b>: in line 3\n" + rss(ONE, TWO), ["One", "Two"]),
        ("\n \n<?xml version='1.0'?>" + rss(ONE, TWO) + "<!-- 5 ms -->junk", ["One", "Two"]),
    ],
)
def test_broken_xml_is_read_as_far_as_it_goes(broken, titles):
    feed = parsed(broken)
    assert [one.title for one in feed.entries] == titles


CUT = "The body ends within an entry, which is left for the next visit."
PAGE = (
    "<url><loc>https://a.example/{}</loc><news:news><news:title>{}</news:title></news:news></url>"
)


@pytest.mark.parametrize(
    "body",
    [
        rss(ONE, TWO).removesuffix("</item></channel></rss>"),
        rss(ONE, "<title>Two")[: -len("</item></channel></rss>")],
        rss(ONE, "<title>Two<br/><img src='a")[: -len("</item></channel></rss>")],
        rss(ONE, "<media:group><media:content url='/1'><url>x")[: -len("</item></channel></rss>")],
        rss(ONE)[: -len("</channel></rss>")] + "<item",
        rss(ONE)[: -len("</channel></rss>")] + "<item>",
        atom(ONE.replace("guid", "id"), "<title>Two</title>")[: -len("</entry></feed>")],
        atom("<title>One</title><id>1</id>", "<content type='xhtml'><div>Tw")[: -len("y></feed>")],
        f"<item>{ONE}</item><item><title>Tw",
        f"<urlset>{PAGE.format(1, 'One')}{PAGE.format(2, 'Two')[:-30]}",
    ],
)
def test_an_entry_within_which_the_body_ends_is_left_for_the_next_visit(body):
    feed = parsed(body)
    assert [one.title for one in feed.entries] == ["One"]


@pytest.mark.parametrize("cut", range(1, len("<guid>2</guid></item>") + 1))
def test_wherever_the_last_entry_is_cut_it_is_left_and_named(cut):
    feed = parsed(rss(ONE, TWO)[: -len("></channel></rss>") - cut])
    names = [one.title for one in feed.entries]
    assert (names, CUT in feed.problems, len(feed.left_out)) == (["One"], True, 1)


def test_a_body_that_ends_within_its_only_entry_holds_a_feed_without_entries():
    feed = parsed(rss("<title>On")[: -len("</item></channel></rss>")])
    assert (feed.entries, feed.title, CUT in feed.problems) == ((), "Вісті Вельни", True)
    with pytest.raises(FeedUnusable, match="ends within its only entry"):
        parsed("<entry><title>On")


@pytest.mark.parametrize("bounds", [ParsingBounds(entries=1), ParsingBounds(elements=6)])
def test_an_entry_at_a_bound_of_reading_is_not_cut_by_the_body(bounds):
    feed = parsed(rss(ONE + "&", TWO), bounds=bounds)
    assert (len(feed.entries), feed.left_out) == (1, ())


def test_the_line_of_the_defect_is_a_problem():
    feed = parsed(rss("<title>a & b</title>"))
    assert feed.problems[0].startswith("The XML is broken in line 1: ")


def test_strict_and_tolerant_reading_make_the_same_tree_of_sound_xml():
    body = rss(ONE + "<description>a &lt;b&gt; &#1040;<!-- c --><![CDATA[<i>]]></description>", TWO)
    tolerant = read_tolerantly(body, "", BOUNDS, ProblemList()).children()[0]
    descriptions = [
        one.text() for one in tolerant.child("channel").child("item").children("description")
    ]
    assert descriptions == [parsed(body).entries[0].text] == ["a <b> А<i>"]


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">',
        '<!ENTITY x SYSTEM "file:///etc/hostname">',
        '<!ENTITY x PUBLIC "p" "https://evil.example/">',
        '<!ENTITY % p SYSTEM "https://evil.example/"> %p;',
    ],
)
def test_bombs_and_external_entities_are_refused(subset):
    with pytest.raises(FeedUnusable, match="entities"):
        parsed(f"<!-- c --><!DOCTYPE rss [{subset}]>" + rss("<title>&b;&x;</title>"))


def test_a_feed_that_declares_very_many_entities_is_refused():
    subset = "<!ENTITY a 'b'>" * 10_001
    with pytest.raises(FeedUnusable, match="more than 10000 entities"):
        parsed(f"<!DOCTYPE rss [{subset}]>{rss('')}".encode())


def test_a_document_type_without_dangers_is_passed_over():
    body = (
        '<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "https://x.example/">'
    )
    assert parsed(body + rss("<title>a&nbsp;b</title>")).entries[0].title == "a b"
    harmless = "<!DOCTYPE rss [<!ENTITY laquo '«'>]>" + rss("<title>&laquo;a</title>")
    assert parsed(harmless).entries[0].title == "«a"


def test_bounds_cut_with_a_problem():
    bounds = ParsingBounds(entries=2, text_chars=5, title_chars=4, list_entries=1, links=1)
    item = (
        "<title>Bridges</title><description>&lt;a href='/1'&gt;opened</description>"
        "<category>a</category><category>b</category>"
    )
    feed = parsed(rss(item, item, item), bounds=bounds)
    assert [(one.title, len(one.text)) for one in feed.entries] == [("Brid", 5)] * 2
    assert feed.entries[0].categories == ("a",)
    assert "Entries after the first 2 were left out." in feed.problems


def test_links_beyond_the_bound_of_an_entry_or_of_the_whole_feed_are_a_problem():
    links = "".join(f"&lt;a href='/{number}'&gt;" for number in range(1_100))
    item = f"<guid>a</guid><description>{links}</description>"
    assert "Links after the first 1000 of an entry were left out." in parsed(rss(item)).problems
    feed = parsed(rss(*[item] * 51))
    assert [len(one.links) for one in feed.entries[-2:]] == [1_000, 0]
    assert "Links after the first 50000 of the feed were left out." in feed.problems


def test_a_body_beyond_its_bound_is_refused():
    with pytest.raises(FeedUnusable, match="bytes"):
        parsed(rss(ONE), bounds=ParsingBounds(body_bytes=100))


def test_depth_and_elements_are_bounded():
    deep = parsed(rss("<title>a</title>" + "<b>" * 200 + "x" + "</b>" * 200, TWO))
    assert [one.title for one in deep.entries] == ["a", "Two"]
    assert any("64 deep" in one for one in deep.problems)
    many = parsed(rss(*[ONE] * 50), bounds=ParsingBounds(elements=20))
    assert 0 < len(many.entries) < 10


LONG = 200_000


@pytest.mark.parametrize(
    "hostile",
    [
        "<" * LONG,
        "<a " * LONG,
        "<a b='" * LONG,
        "</item>" * LONG,
        "<item>" * LONG,
        "<a>" * LONG + "</b>" * LONG,
        "&" * LONG + "&amp" * LONG,
        "<![CDATA[" * LONG,
        "<!--" * LONG,
        "<a " + "x=1 " * LONG + ">",
        "<a " + "x" * LONG + ">",
        "<item><description>&lt;a " + "href " * LONG,
        "<item><description>" + "&lt;a href=" * LONG,
        "<item><title>a</title><description>a</description><content:encoded><![CDATA["
        + "<!--" * LONG
        + "]]></content:encoded></item></channel></rss>",
        "<item><pubDate>" + "1 " * LONG,
        "<!DOCTYPE " + "[<!ENTITY a " * LONG,
    ],
)
def test_hostile_bodies_take_time_in_proportion_to_their_length(hostile):
    # A quadratic step over 200,000 parts would not end within the limit of the test run.
    try:
        feed = parsed("<rss><channel>" + hostile)
    except FeedUnusable:
        return
    assert len(feed.entries) <= LONG


def test_an_open_cdata_section_takes_the_rest_of_the_body():
    feed = parsed(rss(ONE, "<title><![CDATA[Two</title>"))
    assert feed.entries[0].title == "One"
    assert feed.entries[1].title.startswith("Two")
