"""Kinds of archives. The help of the command line lists them: nothing heavy is imported here."""

from enum import StrEnum


class ArchiveKind(StrEnum):
    """A kind of archive; docs/items.md says what is read of each."""

    WARC = "warc"
    TELEGRAM = "telegram"
    PAGES = "pages"
    FEEDS = "feeds"
    TABLE = "table"
    SCRAPY = "scrapy"
    NEWS_PLEASE = "news-please"

    @property
    def holds_pages(self) -> bool:
        """Return whether articles are read from HTML, which needs libraries of extras."""
        return self in (ArchiveKind.WARC, ArchiveKind.PAGES)

    @property
    def grows(self) -> bool:
        """Return whether new records come at the end of a file; else a longer one is read anew."""
        return self in (ArchiveKind.WARC, ArchiveKind.TABLE, ArchiveKind.SCRAPY)
