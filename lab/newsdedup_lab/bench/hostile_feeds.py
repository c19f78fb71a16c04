"""Bodies that cost a careless reader of feeds much: each repeats one thing as often as it may."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

_RSS: Final = "<rss version='2.0'><channel><title>x</title>"
_END: Final = "</channel></rss>"
_TEXT: Final = _RSS + "<item><description>"
_TEXT_END: Final = "</description></item>" + _END
_CDATA: Final = _TEXT + "<![CDATA["
_CDATA_END: Final = "]]>" + _TEXT_END
_ATOM: Final = "<feed xmlns='http://www.w3.org/2005/Atom'>"
_FULL_ITEM: Final = (
    "<item><title>Міст</title><link>/1</link><guid>1</guid>"
    "<pubDate>Mon, 02 Mar 2026 10:00:00 +0200</pubDate><author>a@b.c (x)</author>"
    "<category>a</category><enclosure url='/1.jpg' type='a' length='4'/>"
    "<source url='http://x.example/'>x</source>"
    "<description>&lt;a href='/2'>&lt;/a></description></item>"
)


def hostile_feed(name: str, size: int) -> bytes:
    """Return a body of HOSTILE_FEEDS of at most `size` bytes, and nearly as many."""
    return HOSTILE_FEEDS[name](size)


def _filled(prefix: str, unit: str, tail: str = "") -> Callable[[int], bytes]:
    """Return a function that makes a body of a size: a prefix, as many units as fit, and a tail."""

    def body(size: int) -> bytes:
        """Return the body of at most this many bytes."""
        times = (size - len(prefix.encode()) - len(tail.encode())) // len(unit.encode())
        return (prefix + unit * times + tail).encode()

    return body


def _numbered(prefix: str, unit: str, tail: str = "") -> Callable[[int], bytes]:
    """Return a function that makes a body of a size from units with different numbers.

    The number replaces the `%d` of the unit.
    """

    def body(size: int) -> bytes:
        """Return the body of at most this many bytes."""
        parts = [prefix.encode()]
        left = size - len(prefix.encode()) - len(tail.encode())
        for part in _parts(unit):
            left -= len(part)
            if left < 0:
                break
            parts.append(part)
        return b"".join([*parts, tail.encode()])

    return body


def _parts(unit: str) -> Iterator[bytes]:
    """Yield the unit again and again, each with the next number."""
    number = 0
    while True:
        yield (unit % number).encode()
        number += 1


def _stray_bytes(size: int) -> bytes:
    """Return an RSS body of UTF-8 with bytes of no UTF-8 in between."""
    unit = "їїїїїїїїїїї ".encode() * 2 + b"\xff \xd1 "
    return b"<rss><channel><item><title>" + unit * ((size - 100) // len(unit)) + b"</title></item>"


HOSTILE_FEEDS: Final[Mapping[str, Callable[[int], bytes]]] = {
    "items": _filled(_RSS, _FULL_ITEM, _END),
    "items, broken at the end": _filled(_RSS, _FULL_ITEM, "&" + _END),
    "empty items": _filled(_RSS, "<item/>", _END),
    "items never closed": _filled(_RSS, "<item><title>a"),
    "entries of Atom": _filled(
        _ATOM, "<entry><id>1</id><title>a</title><link href='/1'/></entry>", "</feed>"
    ),
    "entries of JSON": _filled('{"items":[', '{"id":"1","title":"a","content_html":"b"},', "{}]}"),
    "tombstones": _filled(
        "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:a='http://purl.org/atompub/tombstones/1.0'>",
        "<a:deleted-entry ref='1' when='2026-03-01T10:00:00Z'/>",
        "</feed>",
    ),
    "pages of a sitemap": _filled("<urlset>", "<url><loc>/1</loc></url>", "</urlset>"),
    "tiny elements": _filled(_TEXT, "<b/>", _TEXT_END),
    "elements with attributes": _filled(_TEXT, "<b a='1' b='2' c='3' d='4'/>", _TEXT_END),
    "elements of different names": _numbered(_RSS, "<i%d/>", _END),
    "attributes of one element": _numbered(_RSS + "<item ", "a%d='1' ", "/>" + _END),
    "namespaces of one element": _numbered(_RSS + "<item ", "xmlns:a%d='u' ", "/>" + _END),
    "deep nesting": _filled(_TEXT, "<a>"),
    "end tags": _filled(_RSS, "</a>"),
    "end tags within many elements": _filled(_RSS + "<x>" * 150, "</b >"),
    "bases": _numbered(_RSS, "<item xml:base='/%d/'><link>a</link></item>", _END),
    "categories": _numbered(_RSS + "<item>", "<category>%d</category>", "</item>" + _END),
    "enclosures": _numbered(_RSS + "<item>", "<enclosure url='/%d'/>", "</item>" + _END),
    "links of an entry": _numbered(
        _ATOM + "<entry><title>a</title>", "<link rel='related' href='/%d'/>", "</entry></feed>"
    ),
    "authors of a feed": _numbered(
        _ATOM, "<author><name>%d</name></author><entry><title>a</title></entry>", "</feed>"
    ),
    "one author": _filled(_RSS + "<item><author>", "a@", "</author></item>" + _END),
    "tags of JSON": _filled('{"items":[{"id":"1","tags":[', '"a",', '"b"]}]}'),
    "nesting of JSON": _filled('{"items":[', "["),
    "lists of JSON": _filled('{"items":[],"x":[', "[[[[]]]],", "1]}"),
    "one number of JSON": _filled('{"items":[', "9", "]}"),
    "names of JSON": _numbered('{"items":[],', '"%d":1,', '"":1}'),
    "one text": _filled(_TEXT, "a", _TEXT_END),
    "one title of entities": _filled(
        _RSS + "<item><title>", "&amp;lt;b&amp;gt;", "</title></item>" + _END
    ),
    "entities": _filled(_TEXT, "&amp;", _TEXT_END),
    "entities of HTML": _filled(_TEXT, "&nbsp;", _TEXT_END),
    "character references": _filled(_TEXT, "&#65;", _TEXT_END),
    "bare ampersands": _filled(_TEXT, "&", _TEXT_END),
    "bare less-than signs": _filled(_TEXT, "<", _TEXT_END),
    "begun tags": _filled(_TEXT, "<a", _TEXT_END),
    "quotes in a tag": _filled(_TEXT + "<a ", "\"'", _TEXT_END),
    "sections of CDATA": _filled(_TEXT, "<![CDATA[a]]>", _TEXT_END),
    "begun CDATA": _filled(_TEXT, "<![CDATA["),
    "begun comments": _filled(_TEXT, "<!--"),
    "begun comments in HTML": _filled(
        _RSS + "<item><description>a</description><content:encoded><![CDATA[",
        "<!--",
        "]]></content:encoded></item>" + _END,
    ),
    "begun instructions": _filled(_RSS, "<?"),
    "links in HTML": _numbered(_CDATA, "<a href='/%d'>", _CDATA_END),
    "links in HTML of many items": _filled(
        _RSS,
        "<item><title>a</title><description><![CDATA["
        + "".join(f"<a href='/{number}'>" for number in range(100))
        + "]]></description></item>",
        _END,
    ),
    "begun links in HTML": _filled(_CDATA + "<a href='x'>", "<a x ", _CDATA_END),
    "texts of many items": _filled(
        _RSS,
        "<item><description><![CDATA["
        + "<p>a &amp; b</p>" * 100
        + "]]></description><content:encoded><![CDATA["
        + "<p>a &amp; c</p>" * 100
        + "]]></content:encoded></item>",
        _END,
    ),
    "long addresses": _filled(
        _RSS, "<item><link>http://a.example/?" + "a&amp;" * 1500 + "</link></item>", _END
    ),
    "declared entities": _filled("<!DOCTYPE rss [", "<!ENTITY a 'b'>", "]>" + _RSS + _END),
    "begun declarations": _filled("<!DOCTYPE rss [", "<!ENTITY "),
    "comments before the feed": _filled("", "<!--a-->", _RSS + _END),
    "control characters": _filled(_RSS + "<item><title>", "a\x01", "</title></item>" + _END),
    "bytes that are not UTF-8": _stray_bytes,
    "bytes in no encoding": lambda size: b"<rss>" + b"\xe0 \xc0\xe0" * ((size - 5) // 4),
}
"""Bodies by what they repeat, each made for a number of bytes."""
