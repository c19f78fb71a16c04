"""What the commands about feeds share."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from newsdedup.cli.errors import require_libraries, say

if TYPE_CHECKING:
    from newsdedup.bootstrap.runs import RunPaths
    from newsdedup.config import Settings
    from newsdedup.feeder.state.feed_state import FeedState, Subscription

AllowPrivate = Annotated[
    bool,
    typer.Option(
        "--allow-private",
        help="Admit addresses of this machine and of private networks, which a feed or a redirect "
        "must not lead to otherwise.",
    ),
]


def read_subscription_file(location: str) -> "tuple[Subscription, ...]":
    """Return the feeds of a list, and print what is wrong with it.

    Raise SourceUnusable if it cannot be read, NothingToRead if it names no feed.
    """
    require_libraries("brotli")
    from newsdedup.feeder.subscriptions.subscription_list import LONGEST_LIST, read_subscriptions
    from newsdedup.ports.errors import NothingToRead, SourceUnusable

    try:
        with Path(location).open("rb") as file:
            body = file.read(LONGEST_LIST + 1)
    except OSError as error:
        raise SourceUnusable(f"{location}: cannot be read: {error.strerror or error}") from error
    listed = read_subscriptions(body, name=location)
    for problem in listed.problems:
        say(problem)
    if not listed.subscriptions:
        raise NothingToRead(
            f"{location} names no feed: it is OPML, or a text with an address a line"
        )
    return listed.subscriptions


@contextmanager
def followed_feeds(
    settings: "Settings",
    listed: "tuple[Subscription, ...] | None",
    to: str,
    engine: "RunPaths | None",
) -> "Iterator[FeedState]":
    """Yield the feeds of `feeder.state`, locked, that follow a list if there is one.

    Enter it before the place `to`, or the run of the engine, is opened: if there is nothing yet,
    all that the feeds show goes there. Raise NothingToRead if no feed is to be visited.
    """
    from newsdedup.bootstrap.record_outputs import output_identity, target_name
    from newsdedup.feeder.state.feed_state import FeedState
    from newsdedup.ports.errors import NothingToRead

    file = Path(settings.feeder.state)
    location, empty = output_identity(settings, to, engine)
    with FeedState(file, locked=True) as state:
        if listed is not None:
            state.follow(listed, at=datetime.now(UTC))
        if state.next_due() is None:
            raise NothingToRead(
                f"{file} holds no feeds to visit: name a list, or add one with "
                "`newsdedup feeds add ADDRESS`"
            )
        if state.deliver_to(location, empty=empty, name=partial(target_name, settings)):
            say(f"{location} holds nothing of these feeds: all that they show goes there")
        yield state
