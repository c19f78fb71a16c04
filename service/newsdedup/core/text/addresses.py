"""Addresses of the net: links say where to look, not what happened."""

import re

# An address ends before the punctuation of the sentence it stands in. Patterns begin with a
# literal where they can: the search then runs at the speed of finding that literal.
_END = r"[^\s<>\"]*[^\s<>\".,:;!?')\]*_|]"
_http = re.compile(rf"https?://{_END}")
_scheme = re.compile(rf"\b[A-Za-z][A-Za-z0-9+.-]{{1,11}}://{_END}")
_host_end = re.compile(r"\.[A-Za-z]{2,24}/")
_bare = re.compile(
    r"(?<![\w@./-])(?:www\.(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}"
    r"|(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?=/))(?:/[^\s<>\"]*[\w/=-])?/?"
)
_mail = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}")
_mail_at = re.compile(r"@(?<=[\w.+-]@)[\w-]")
_handle = re.compile(r"@(?<![\w@]@)[A-Za-z0-9_]{2,64}")


def strip_urls(text: str) -> str:
    """Return the text with addresses that name their scheme replaced by a space."""
    if "://" not in text:
        return text
    text = _http.sub(" ", text)
    return _scheme.sub(" ", text) if "://" in text else text


def strip_addresses(text: str) -> str:
    """Return the text without hosts that have a path, e-mails and @handles.

    A bare host ("Lenta.ru") stays: in news it is a name.
    """
    if ("/" in text and _host_end.search(text)) or "www." in text:
        text = _bare.sub(" ", text)
    if "@" in text:
        if _mail_at.search(text):
            text = _mail.sub(" ", text)
        text = _handle.sub(" ", text)
    return text
