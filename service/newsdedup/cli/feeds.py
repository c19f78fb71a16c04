"""What the commands about feeds share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.errors import require_libraries, say

if TYPE_CHECKING:
    from newsdedup.feeder.state.feed_state import Subscription

AllowPrivate = Annotated[
    bool,
    typer.Option(
        "--allow-private",
        help="Admit addresses of this machine and of private networks, which a feed or a redirect "
        "must not lead to otherwise.",
    ),
]


def read_subscription_file(place: str) -> "tuple[Subscription, ...]":
    """Return the feeds of a list, and print what is wrong with it.

    Raise SourceUnusable if it cannot be read, NothingToRead if it names no feed.
    """
    require_libraries("brotli")
    from newsdedup.feeder.subscriptions.subscription_list import LONGEST_LIST, read_subscriptions
    from newsdedup.ports.errors import NothingToRead, SourceUnusable

    try:
        with Path(place).open("rb") as file:
            body = file.read(LONGEST_LIST + 1)
    except OSError as error:
        raise SourceUnusable(f"{place}: cannot be read: {error.strerror or error}") from error
    listed = read_subscriptions(body, name=place)
    for problem in listed.problems:
        say(problem)
    if not listed.subscriptions:
        raise NothingToRead(f"{place} names no feed: it is OPML, or a text with an address a line")
    return listed.subscriptions
