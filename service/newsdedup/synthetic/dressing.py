"""How a source lays a report out: headline, paragraphs, dateline, subscription line, markup."""

from html import escape

from newsdedup.synthetic.sources import Source

EMOJI = ("❗️", "⚡️", "🔥", "🚨", "📌", "🗞", "👀", "💬", "🔴", "📣", "🤷‍♂️", "✅")


def dressed(title: str, paragraphs: tuple[str, ...], source: Source, day: str) -> tuple[str, str]:
    """Return title and text as the source publishes them; versions of one item look alike."""
    if paragraphs == (title,):
        return title, title if len(title) % 3 else f"{title}\n\n{source.tail}"
    if source.dateline:
        paragraphs = (source.dateline.replace("{day}", day) + paragraphs[0], *paragraphs[1:])
    if source.tail and len(title) % 10 < 10 * source.tails:
        paragraphs = (*paragraphs, source.tail)
    return _site(title, paragraphs, source) if source.site else _post(title, paragraphs, source)


def _site(title: str, paragraphs: tuple[str, ...], source: Source) -> tuple[str, str]:
    if source.style == 0:
        return title, "".join([f"<p>{escape(text, quote=False)}</p>\n" for text in paragraphs])
    return title, ("\n" if source.style == 1 else "\n\n").join(paragraphs)


def _post(title: str, paragraphs: tuple[str, ...], source: Source) -> tuple[str, str]:
    """Lay out a channel's post: its first line is its title, or it has none of its own."""
    body = "\n\n".join(paragraphs)
    if source.style == 0:
        return title, f"**{title}**\n\n{body}"
    if source.style == 1:
        return title, f"{EMOJI[len(title) % len(EMOJI)]} **{title}.** {body}"
    if source.style == 2:
        return title, f"{title}\n\n{body}"
    return paragraphs[0].partition(". ")[0].rstrip("."), body
