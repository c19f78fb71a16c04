"""The log of a process: lines of name=value on standard error, for machines and for people."""

import logging
from typing import Final

from newsdedup.cli.output import printable_line

_FORMAT: Final = "%(asctime)s level=%(levelname)s logger=%(name)s %(message)s"
_LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}


class _LineFormatter(logging.Formatter):
    """Writes each message as one line: what comes from outside cannot forge another."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the line without a traceback."""
        record.message = printable_line(record.message)
        return super().formatMessage(record)


def begin_logging(chosen: str, *, quiet: bool) -> None:
    """Write the log from the level that `run.log` names.

    `auto` is info, or warning where the user wants it `quiet`. Debug is for our own lines alone:
    clients of Kafka and HTTP would log what they send, with texts of news and passwords in it.
    """
    level = _LEVELS.get(chosen, logging.WARNING if quiet else logging.INFO)
    handler = logging.StreamHandler()
    handler.setFormatter(_LineFormatter(_FORMAT))
    logging.basicConfig(level=max(level, logging.INFO), handlers=[handler])
    logging.getLogger("newsdedup").setLevel(level)
    # One line for a batch of spans that is lost, not one for each attempt to send it.
    logging.getLogger("opentelemetry.exporter").setLevel(logging.ERROR)
