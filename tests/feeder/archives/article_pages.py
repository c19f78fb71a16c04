"""Pages of invented news, as sites serve them."""

PARAGRAPHS = (
    "The bridge over the river Velna in Marstad reopened on Monday after a repair of 14 months.",
    "Mayor Ida Holm said that the work had cost 12 million crowns, two million more than planned.",
    "Buses of the lines 3 and 8 cross the river again; the ferry stops at the end of the week.",
)


def article_page(title="Bridge over the Velna reopens", *, head="", paragraphs=PARAGRAPHS):
    """Return the HTML of a page with one article."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><title>{title}</title>{head}"
        f"</head><body><nav><a href='/'>Home</a></nav><article><h1>{title}</h1>{body}</article>"
        "</body></html>"
    ).encode()
