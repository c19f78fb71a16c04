from dataclasses import dataclass

MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything a record may hold before it is refused."""

    line_bytes: int = 16 * MEBIBYTE
    title_chars: int = 10_000
    text_chars: int = 1_000_000
    id_chars: int = 2_000
    """Also of the source and the language."""
    url_chars: int = 8_000
    links: int = 1_000
    depth: int = 64
    """Of objects and lists within each other; the record itself is the first."""
    earliest_year: int = 1990
    latest_year: int = 2100


LIMITS = Limits()
