"""The kinds of settings that are time zones: one, or those of some sources."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from newsdedup.config.kinds import TextKind, WrongPart


@dataclass(frozen=True, slots=True)
class ZoneName(TextKind):
    """The IANA name of a time zone; empty for none."""

    unit: str = "zone"
    expected: str = "the IANA name of a time zone, such as Asia/Colombo or Europe/Kyiv"

    def parse(self, raw: object) -> str:
        """Return the name; raise ValueError if there is no such zone."""
        if not isinstance(raw, str) or not (raw == "" or is_zone(raw)):
            raise ValueError(self.expected)
        return raw


@dataclass(frozen=True, slots=True)
class ZonesOfSources:
    """Pairs of a source and the IANA name of its time zone; may be none."""

    unit: str = "zones"
    expected: str = (
        'a table of sources and IANA names of time zones, such as "daily.example" = "Asia/Colombo",'
        " or SOURCE=ZONE with commas between them"
    )

    def parse(self, raw: object) -> tuple[tuple[str, str], ...]:
        """Return the pairs of a TOML table or of a text, in their order.

        Raise ValueError for another form, a source that is empty, is named twice, or has a comma or
        spaces around it; WrongPart for the first pair whose zone does not exist.
        """
        pairs = _read_pairs(raw)
        if pairs is None or len({source for source, _ in pairs}) < len(pairs):
            raise ValueError(self.expected)
        for source, zone in pairs:
            if not (_is_source(source) and isinstance(zone, str) and is_zone(zone)):
                raise WrongPart(self.expected, part=f"{source}={zone}" if source else str(zone))
        return tuple(pairs)

    def plain(self, value: tuple[tuple[str, str], ...]) -> str:
        """Return SOURCE=ZONE of each pair, with commas between them."""
        return ",".join(f"{source}={zone}" for source, zone in value)


def is_zone(name: str) -> bool:
    """Return whether this is the IANA name of a time zone, of the system or package tzdata."""
    return name in _zone_names()


@cache
def _zone_names() -> frozenset[str]:
    """Return the names of all time zones; read once, for that takes some hundredths of a second.

    The zone of the machine, "localtime", is none of them.
    """
    # Imported here because few settings name a zone, and help must not wait for it.
    from zoneinfo import available_timezones  # noqa: PLC0415

    return frozenset(available_timezones() - {"localtime"})


def _read_pairs(raw: object) -> list[tuple[str, Any]] | None:
    """Return the pairs of a table or a text, unchecked; None for any other value."""
    if isinstance(raw, dict):
        return list(raw.items())
    if not isinstance(raw, str):
        return None
    return [_split_pair(one) for one in raw.split(",")] if raw.strip() else []


def _split_pair(text: str) -> tuple[str, str]:
    """Return the source and zone of SOURCE=ZONE; the source may have a sign of equality."""
    source, _, zone = text.rpartition("=")
    return source.strip(), zone.strip()


def _is_source(name: str) -> bool:
    """Return whether a name can be written in a list with commas and be read again."""
    return name == name.strip() != "" and "," not in name
