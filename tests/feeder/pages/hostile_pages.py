"""Pages made to take time or memory, and how long each of 5 MB takes.

PYTHONPATH=service:tests python -m feeder.pages.hostile_pages
"""

import sys
import time
from contextlib import suppress

from newsdedup.feeder.pages.article import read_article
from newsdedup.feeder.pages.page_tree import PageUnusable

HEAD = "<html><head><title>x</title></head><body><h1>a</h1>"
LD = "<script type='application/ld+json'>"
REPEATED = (
    *(
        "<p>",
        "<p>міст відкрито сьогодні",
        "<div>",
        "<a href=/x>y</a>",
        "<a href=/x>міст</a> слово ",
    ),
    *("<p><a href=/x>y</a> слово слово</p>", "<p>слово<span>", "a<br>", "<table><tr><td>a"),
    *("<tr><td>слово слово</td></tr>", "<ul><li>a слово", "<li>слово", "<b>a", "слово ", "a", "<"),
    *("&amp;", "\n", "a\n", "<h1>слово</h1>", "<div class='comment article'>слово слово</div>"),
    *("<div><div><div><div><p>слово слово</p></div></div></div></div>", "<blockquote>слово слово"),
    *("<article><p>слово слово слово</p></article>", "<pre><code>слово", "<!--", f"{LD}1</script>"),
    *("<p>слово <em>слово</em> <a href='x'>слово</a></p>", "<span class=date>32.13.2026</span>"),
    *("<time datetime='nope 12 may'>x</time>", "<meta name=date content='31 лютого 2026'>"),
    *("<div class=date>", "<link rel=canonical href=//[>", "<h2>слово</h2><p>слово слово</p>"),
    *("<table><tr><td><p>слово</p></td></tr></table>", "<ul><li><a href=x>слово</a></li></ul>"),
    *("<div><span>слово</span><div><p>слово</p>слово</div></div>", "<x:y a:b='c'>", "<select>"),
)


def hostile_pages(size):
    """Yield a name and a page of about a size in bytes."""
    for piece in REPEATED:
        yield piece, HEAD + piece * (size // len(piece.encode()))
    yield "attributes", HEAD + "<p " + " ".join(f"a{n}=1" for n in range(size // 10)) + ">слово"
    yield "one attribute", HEAD + "<p class='" + "x " * (size // 2) + "'>слово"
    yield "nested JSON", f"<html><head>{LD}" + "[" * size + "</script></head><p>a"
    yield "long JSON", f'<html><head>{LD}{{"articleBody": "' + "a &lt;p&gt; " * (size // 12) + '"}'


def seconds(page):
    began = time.perf_counter()
    with suppress(PageUnusable):
        read_article(page.encode(), content_type=None, address="https://visti.example/a")
    return time.perf_counter() - began


if __name__ == "__main__":
    taken = sorted((seconds(page), name) for name, page in hostile_pages(5_000_000))
    for time_taken, name in taken[::-1]:
        sys.stdout.write(f"{time_taken:6.2f} s  {name[:60]!r}\n")
