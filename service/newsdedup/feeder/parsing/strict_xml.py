"""Well-formed XML to a tree, by expat; entities are never declared and nothing is ever fetched."""

import re
from contextlib import suppress
from xml.parsers import expat

from newsdedup.feeder.parsing.element_tree import TreeBuilder, TreeFull, XmlElement
from newsdedup.feeder.parsing.parsed_feed import FeedUnusable, ParsingBounds, ProblemList
from newsdedup.feeder.parsing.tolerant_xml import read_tolerantly

_DOCTYPE = re.compile(
    r"(?P<before>(?:\s++|<!--.*?-->|<\?.*?\?>)*+)<!DOCTYPE\b[^\[>]*", re.IGNORECASE | re.DOTALL
)
_SUBSET_END = re.compile(r"\]\s{0,100}>")
_ENTITY = re.compile(r"<!ENTITY\b([^>]*)", re.IGNORECASE)
_DANGEROUS = re.compile(r"\b(?:SYSTEM|PUBLIC)\b|%|&(?!#)", re.IGNORECASE)
_DECLARATION = re.compile(r"\A\s*<\?xml\b[^>]{0,1000}\?>")
_LONG_TAG = re.compile(r"<[^!?<>][^<>]{30000,}+")
_NO_XML_CHARACTERS = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_xml(
    text: str, address: str, bounds: ParsingBounds, problems: ProblemList
) -> list[XmlElement]:
    """Return the outermost elements of a text of XML: one, several in a broken document.

    Raise FeedUnusable if there is no element, or if the document declares entities that refer to
    others or to files: a decompression bomb or an attempt to read what is not the feed's.
    """
    clean, removed = _NO_XML_CHARACTERS.subn("", text)
    if removed:
        problems.add("Characters that XML forbids were removed")
    clean = _without_doctype(_from_first_tag(clean, problems), problems)
    for tag in _LONG_TAG.finditer(clean):
        if tag[0].count("=") > bounds.attributes:
            raise FeedUnusable(f"a tag has more than {bounds.attributes} attributes")
    document = _read_strictly(clean, address, bounds, problems)
    if document is None:
        document = read_tolerantly(clean, address, bounds, problems)
    roots = document.children()
    if not roots:
        raise FeedUnusable("the body holds no element of XML")
    return roots


def _from_first_tag(text: str, problems: ProblemList) -> str:
    """Return the text from its first tag on, without the XML declaration, which is obeyed by now.

    Badly made feeds have warnings of a server and blank lines before it. Here and
    below line breaks stay, so that problems name the lines of the body.
    """
    begin = text.find("<")
    if begin < 0:
        raise FeedUnusable("the body is no feed: it is neither XML nor JSON")
    before = text[:begin].strip("\ufeff \t\r\n")
    if before:
        problems.add("Text stands before the XML", before)
    declared = _DECLARATION.sub(lambda removed: "\n" * removed[0].count("\n"), text[begin:])
    return "\n" * text.count("\n", 0, begin) + declared


def _without_doctype(text: str, problems: ProblemList) -> str:
    """Return the text without its document type; raise FeedUnusable for dangerous entities.

    Names of HTML ("&nbsp;") are resolved, other entities that a feed declares are not.
    """
    doctype = _DOCTYPE.match(text)
    if doctype is None:
        return text
    end = doctype.end()
    if text[end : end + 1] == "[":
        closing = _SUBSET_END.search(text, end)
        subset = text[end : closing.start() if closing else len(text)]
        for entity in _ENTITY.finditer(subset):
            if _DANGEROUS.search(entity[1]):
                raise FeedUnusable("the feed declares entities that refer to others or to files")
            problems.add("The feed declares entities, which are not read", entity[1].strip())
        end = closing.end() if closing else len(text)
    else:
        end += 1
    lines = "\n" * text.count("\n", doctype.end("before"), end)
    return doctype["before"] + lines + text[end:]


def _read_strictly(
    text: str, address: str, bounds: ParsingBounds, problems: ProblemList
) -> XmlElement | None:
    """Return the holder of the document element; None with a problem if it is not well-formed."""
    builder = TreeBuilder(address, bounds, problems)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.text
    parser.EntityDeclHandler = _refuse_entity
    try:
        with suppress(TreeFull):
            parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        problems.add(f"The XML is broken in line {error.lineno}: {reason}; read tolerantly")
        return None
    return builder.root


def _refuse_entity(*_: object) -> None:
    """Raise FeedUnusable: expat calls this for an entity that is not in the document type."""
    raise FeedUnusable("the feed declares entities outside its document type")
